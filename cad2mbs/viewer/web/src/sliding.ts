// What a slider of one turn makes of values beyond it, and what its keys do.

import type { Extent } from "./extent";

const CLOSE = 1e-5; // of a turn: a value so near to an end is at it

/** Whole turns below the one the slider shows; stays while the value is within it, ends included. */
export function turnsBefore(value: number, { low, high, turn }: Extent, before: number): number {
  if (!(turn > 0)) return 0;
  const place = value - before * turn;
  const dust = CLOSE * turn;
  if (place >= low - dust && place <= high + dust) return before;
  return Math.floor((value - low) / turn + CLOSE);
}

const PAGE = 10; // steps
const FINE = 0.1; // of a step, with Shift

/** Where a key leads from `value`; null where the slider has no use for it. */
export function sliderKey(
  key: string,
  shift: boolean,
  value: number,
  step: number,
  extent: Extent,
  turns: number,
): number | null {
  const base = extent.turn > 0 ? turns * extent.turn : 0;
  const size = shift ? step * FINE : step;
  const clamped = (to: number): number =>
    extent.turn > 0 ? to : Math.min(extent.high, Math.max(extent.low, to));
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return clamped(value + size);
    case "ArrowLeft":
    case "ArrowDown":
      return clamped(value - size);
    case "PageUp":
      return clamped(value + PAGE * size);
    case "PageDown":
      return clamped(value - PAGE * size);
    case "Home":
      return extent.reachLow + base;
    case "End":
      return extent.reachHigh + base;
    default:
      return null;
  }
}
