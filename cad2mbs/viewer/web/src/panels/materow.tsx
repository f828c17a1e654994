import { short } from "../numbers";
import { hovered, scene, selection, send, verdicts } from "../state";
import { live, refusals } from "../ui";
import { NumberField } from "./numberfield";
import { VerdictBadge } from "./verdict";

/** One mate: on or off, what it joins, its number and its verdict. */
export function MateRow({ number, current }: { number: number; current: boolean }) {
  void refusals.value; // drawn again after a refusal, so that the box shows what is
  const mate = scene.value?.mates[number];
  if (!mate) return null;
  const chosen = selection.value;
  const selected = chosen?.kind === "mate" && chosen.mate === number;
  const pointed = hovered.value?.kind === "mate" && hovered.value.mate === number;
  const verdict = verdicts.value[mate.name] ?? mate;
  const tab = current ? 0 : -1;
  return (
    <div
      role="listitem"
      class={`thing-row mate ${selected ? "selected" : ""} ${current ? "current" : ""} ${pointed ? "pointed" : ""} ${mate.off ? "off" : ""}`}
      onMouseEnter={() => (hovered.value = { kind: "mate", mate: number })}
    >
      {live.value && (
        <input
          type="checkbox"
          class="check"
          aria-label={`${mate.name} acts`}
          title={mate.off ? "Switch this mate on" : "Switch this mate off"}
          checked={!mate.off}
          tabIndex={tab}
          onChange={(event) =>
            send({ type: "mate", name: mate.name, off: !event.currentTarget.checked })
          }
        />
      )}
      <button
        type="button"
        class="thing-main"
        data-main
        title={mate.meaning}
        aria-pressed={selected}
        tabIndex={tab}
        onClick={() => (selection.value = selected ? null : { kind: "mate", mate: number })}
      >
        <span class="thing-name">{mate.name}</span>
        <span class="thing-more">
          {mate.kind}: {mate.a} – {mate.b}
        </span>
      </button>
      <span class="mate-side">
        <VerdictBadge verdict={mate.off ? "off" : verdict.verdict} gap={verdict.gap} />
        {mate.value !== null &&
          (live.value ? (
            <NumberField
              label={`Value of ${mate.name}`}
              unit={mate.unit}
              value={mate.value}
              text={short(mate.value)}
              tab={tab}
              onApply={(value) => send({ type: "mate", name: mate.name, value })}
            />
          ) : (
            <span class="thing-more">
              {short(mate.value)} {mate.unit}
            </span>
          ))}
      </span>
    </div>
  );
}
