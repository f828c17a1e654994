import { short } from "../numbers";
import type { Reach } from "../protocol";
import { Button } from "./button";

interface Props {
  points: Reach["dead"];
  unit: string;
  span: number; // of the slider
  place: number; // where the slider stands
  onGo(value: number): void;
}

const FEW = 4; // as many fit as buttons; more become a list with steps
const LONGEST = 48; // characters of a text in the list

/** Whether the drive itself can go no further there; else another one turns back. */
export function stops(point: Reach["dead"][number]): boolean {
  return /^dead point/i.test(point.text);
}

/** Jumps to the places where the mechanism can go no further, or where it may change branch. */
export function DeadPoints({ points, unit, span, place, onGo }: Props) {
  const sorted = [...points].sort((a, b) => a.value - b.value);
  const text = (value: number) => `${short(value, span)} ${unit}`;
  const word = points.some(stops) ? "dead point" : "reversal";
  if (sorted.length <= FEW) {
    return (
      <div class="dead">
        <span class="muted">{word === "reversal" ? "Reversals" : "Dead points"}</span>
        {sorted.map((point) => (
          <button
            key={`${point.value} ${point.text}`}
            type="button"
            class="chip"
            title={point.text}
            aria-label={`Go to the ${word} at ${text(point.value)}`}
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
      <span class="muted">{sorted.length} {word}s</span>
      <span class="spring" />
      <Button
        icon="left"
        label={`Go to the ${word} before`}
        disabled={!before}
        onClick={() => before && onGo(before.value)}
      />
      <select
        aria-label={`Go to a ${word}`}
        value={here ? String(here.value) : ""}
        onChange={(event) => event.currentTarget.value && onGo(Number(event.currentTarget.value))}
      >
        <option value="">Go to</option>
        {sorted.map((point) => (
          <option key={`${point.value} ${point.text}`} value={String(point.value)} title={point.text}>
            {text(point.value)} {cut(point.text)}
          </option>
        ))}
      </select>
      <Button
        icon="right"
        label={`Go to the next ${word}`}
        disabled={!after}
        onClick={() => after && onGo(after.value)}
      />
    </div>
  );
}

/** The text in short: of another drive's only what happens there. */
function cut(whole: string): string {
  const text = /^dead point/i.test(whole) ? whole : whole.split(": ")[0];
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1).trimEnd()}…` : text;
}
