// The exploded view: every body is moved away from the middle of the assembly. Offsets are made
// once, from the pose the scene came with, so that bodies do not wander while the mechanism moves.

import type { Vec3 } from "../protocol";
import { dot, length, minus, plus } from "./vec";

const SPREAD = 1.1; // of the distance from the middle, fully exploded
const LAYERS = 1.6; // more of it along the joint axis, where flat mechanisms are stacked
const LEAST = 0.7; // of the assembly's radius: along its axis, for bodies in the middle

/** Offset of each body, fully exploded. `axes`: of a joint of the body, null if unknown. */
export function explodeOffsets(
  centres: (Vec3 | null)[], // null: the body shows nothing
  axes: (Vec3 | null)[],
  grounded: boolean[],
): Vec3[] {
  const seen = centres.filter((c): c is Vec3 => c !== null);
  if (seen.length < 2) return centres.map(() => [0, 0, 0]);
  const middle = [0, 1, 2].map((k) => seen.reduce((s, c) => s + c[k], 0) / seen.length) as Vec3;
  const radius = Math.max(...seen.map((c) => length(minus(c, middle))));
  return centres.map((centre, row) => {
    // The ground stays: it is what the others move away from.
    if (centre === null || grounded[row]) return [0, 0, 0];
    const away = minus(centre, middle);
    const axis = axes[row];
    const along = axis ? dot(away, axis) : 0;
    const offset = plus(away.map((v) => SPREAD * v) as Vec3, axis ?? [0, 0, 0], LAYERS * along);
    if (!axis || length(offset) >= LEAST * radius) return offset;
    const push = (along < 0 ? -1 : 1) * LEAST * radius;
    return plus(offset, axis, push);
  });
}
