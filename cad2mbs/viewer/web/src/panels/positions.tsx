import { useSignal } from "@preact/signals";
import { short } from "../numbers";
import { notice, playing, scene, send } from "../state";
import { live } from "../ui";
import { Button } from "./button";
import { Section } from "./section";

/** Named positions: go to one, store the present one. */
export function Positions() {
  const name = useSignal("");
  const now = scene.value;
  if (!now || (!live.value && !now.positions.length)) return null;

  function store(event: Event): void {
    event.preventDefault();
    const wanted = name.value.trim();
    if (!wanted) return;
    if (now!.positions.some((p) => p.name === wanted)) notice(`Replaced: position ${wanted}.`);
    send({ type: "position", name: wanted });
    name.value = "";
  }
  return (
    <Section title="Positions">
      {now.positions.length === 0 && <p class="hint">None stored yet.</p>}
      <ul class="positions">
        {now.positions.map((position) => (
          <li key={position.name}>
            <button
              type="button"
              class="position"
              aria-label={`Go to position ${position.name}`}
              onClick={() => {
                playing.value = false;
                send({ type: "drive", seq: 0, values: position.values });
              }}
            >
              <span class="thing-name">{position.name}</span>
              <span class="thing-more">{valuesText(position.values)}</span>
            </button>
            {live.value && (
              <Button
                icon="trash"
                label={`Remove position ${position.name}`}
                onClick={() => send({ type: "position", name: position.name, remove: true })}
              />
            )}
          </li>
        ))}
      </ul>
      {live.value && (
        <form class="inline-form" onSubmit={store}>
          <input
            type="text"
            class="text-input"
            aria-label="Name of the present position"
            placeholder="Name of the present position"
            maxLength={80}
            value={name.value}
            onInput={(event) => (name.value = event.currentTarget.value)}
          />
          <button type="submit" class="button plain" disabled={!name.value.trim()}>
            Store
          </button>
        </form>
      )}
    </Section>
  );
}

function valuesText(values: Record<string, number>): string {
  const unit = (name: string) => scene.value?.drives.find((d) => d.name === name)?.unit ?? "";
  return Object.entries(values)
    .map(([name, value]) => `${name} ${short(value)} ${unit(name)}`.trim())
    .join(", ");
}
