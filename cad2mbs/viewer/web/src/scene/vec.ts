// Arithmetic with triples of numbers, for the parts of the view that need no three.js.

import type { Vec3 } from "../protocol";

export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a: Vec3): number => Math.hypot(a[0], a[1], a[2]);
export const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** a + s b */
export const plus = (a: Vec3, b: Vec3, s = 1): Vec3 => [
  a[0] + s * b[0],
  a[1] + s * b[1],
  a[2] + s * b[2],
];

export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

export function unit(a: Vec3): Vec3 {
  const size = length(a);
  return [a[0] / size, a[1] / size, a[2] / size];
}

/** Two unit vectors that make a right-handed frame with the unit vector z. */
export function across(z: Vec3): [Vec3, Vec3] {
  const x = unit(cross(Math.abs(z[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0], z));
  return [x, cross(z, x)];
}

/** Lowest and highest corner of the points; null where there are none. */
export function boxOf(points: Iterable<Vec3>): [Vec3, Vec3] | null {
  const low: Vec3 = [Infinity, Infinity, Infinity];
  const high: Vec3 = [-Infinity, -Infinity, -Infinity];
  for (const p of points) {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], p[k]);
      high[k] = Math.max(high[k], p[k]);
    }
  }
  return low[0] <= high[0] ? [low, high] : null;
}
