// Coupler curves: the paths of traced points in the world, and a dot where each point is now.

import type { Object3D } from "three";
import { Vector3 } from "three";
import type { Trace, Vec3 } from "../protocol";
import type { Bodies } from "./bodies";
import type { Rgb } from "./highlight";
import { Dots, FatLines } from "./lines";

const INKS: Rgb[] = [
  [0.86, 0.24, 0.42],
  [0.1, 0.56, 0.5],
  [0.85, 0.5, 0.05],
  [0.44, 0.32, 0.83],
  [0.2, 0.47, 0.87],
];

export const traceInk = (id: number): Rgb => INKS[id % INKS.length];

export class Traces {
  private readonly lines: FatLines;
  private readonly dots: Dots;

  constructor(parent: Object3D) {
    this.lines = new FatLines(parent, { width: 2.2 });
    this.dots = new Dots(parent, 10);
  }

  set(traces: Trace[]): void {
    this.lines.clear();
    for (const { id, points, closed } of traces) {
      this.lines.addAll(segmentsOf(points, closed), traceInk(id));
    }
    this.lines.finish();
  }

  /** Put the dots where the traced points are now. */
  follow(traces: Trace[], bodies: Bodies): void {
    this.dots.clear();
    for (const { id, part, point } of traces) {
      if (!(part in bodies.scene.parts)) continue;
      const place = new Vector3(...point).applyMatrix4(bodies.worldOf(part, true));
      this.dots.add(place.toArray() as Vec3, traceInk(id));
    }
    this.dots.finish();
  }

  dispose(): void {
    this.lines.dispose();
    this.dots.dispose();
  }
}

/** Segments, 6 numbers each, along a polyline. */
export function segmentsOf(points: Vec3[], closed: boolean): Float32Array {
  const count = Math.max(0, points.length - 1) + (closed && points.length > 2 ? 1 : 0);
  const out = new Float32Array(6 * count);
  for (let k = 0; k < count; k++) {
    out.set(points[k], 6 * k);
    out.set(points[(k + 1) % points.length], 6 * k + 3);
  }
  return out;
}
