import { short } from "../numbers";
import type { Reach } from "../protocol";
import { Button } from "./button";

interface Props {
  points: Reach["dead"];
  unit: string;
  place: number; // where the slider stands
  onGo(value: number): void;
}

const FEW = 4; // as many fit as buttons; more become a list with steps

/** Jumps to the places where the mechanism can go no further, or where it may change branch. */
export function DeadPoints({ points, unit, place, onGo }: Props) {
  const sorted = [...points].sort((a, b) => a.value - b.value);
  const text = (value: number) => `${short(value)} ${unit}`;
  if (sorted.length <= FEW) {
    return (
      <div class="dead">
        <span class="muted">Dead points</span>
        {sorted.map((point) => (
          <button
            key={point.value}
            type="button"
            class="chip"
            title={point.text}
            aria-label={`Go to the dead point at ${text(point.value)}`}
            onClick={() => onGo(point.value)}
          >
            {text(point.value)}
          </button>
        ))}
      </div>
    );
  }
  const close = 1e-6 * (sorted[sorted.length - 1].value - sorted[0].value);
  const before = sorted.filter((p) => p.value < place - close).pop();
  const after = sorted.find((p) => p.value > place + close);
  const here = sorted.find((p) => Math.abs(p.value - place) <= close);
  return (
    <div class="dead">
      <span class="muted">{sorted.length} dead points</span>
      <span class="spring" />
      <Button
        icon="left"
        label="Go to the dead point before"
        disabled={!before}
        onClick={() => before && onGo(before.value)}
      />
      <select
        aria-label="Go to a dead point"
        value={here ? String(here.value) : ""}
        onChange={(event) => event.currentTarget.value && onGo(Number(event.currentTarget.value))}
      >
        <option value="">Go to</option>
        {sorted.map((point) => (
          <option key={point.value} value={String(point.value)} title={point.text}>
            {text(point.value)}
          </option>
        ))}
      </select>
      <Button
        icon="right"
        label="Go to the next dead point"
        disabled={!after}
        onClick={() => after && onGo(after.value)}
      />
    </div>
  );
}
