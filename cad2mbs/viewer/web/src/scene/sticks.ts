// Parts without a solid are drawn as stick figures: a ball at each reference point and bars from
// the first point to the others. They are made as shapes, so that picking, highlighting, glass and
// section treat them like any other part.

import type { Vec3 } from "../protocol";
import type { Shape } from "./geometry";
import { across, boxOf, minus, length as sizeOf } from "./vec";

const SIDES = 10; // of a bar
const RINGS = 6; // of a ball, pole to pole

class Builder {
  vertices: number[] = [];
  normals: number[] = [];
  triangles: number[] = [];

  vertex(p: Vec3, n: Vec3): number {
    this.vertices.push(...p);
    this.normals.push(...n);
    return this.vertices.length / 3 - 1;
  }

  /** Join two rows of equally many vertices; the second lies ahead of the first. */
  strip(first: number[], second: number[]): void {
    for (let k = 0; k + 1 < first.length; k++) {
      this.triangles.push(first[k], first[k + 1], second[k + 1]);
      this.triangles.push(first[k], second[k + 1], second[k]);
    }
  }
}

/** A stick figure through `points`, `radius` that of its bars, `round` that of its balls. */
export function stickShape(name: string, points: Vec3[], radius: number, round: number): Shape {
  const build = new Builder();
  for (const point of points) ball(build, point, round);
  for (const [a, b] of bars(points)) bar(build, a, b, radius);
  const [low, high] = boxOf(points) ?? [[0, 0, 0], [0, 0, 0]];
  const reach = points.length ? round : 0;
  return {
    name,
    vertices: new Float32Array(build.vertices),
    normals: new Float32Array(build.normals),
    triangles: new Uint32Array(build.triangles),
    faces: new Uint32Array([0, build.triangles.length / 3]),
    numbers: [0],
    segments: new Float32Array(0),
    features: [],
    box: [low.map((v) => v - reach) as Vec3, high.map((v) => v + reach) as Vec3],
  };
}

/** Which points are joined: up to three in turn, more of them each to their middle. */
export function bars(points: Vec3[]): [Vec3, Vec3][] {
  if (points.length < 2) return [];
  if (points.length <= 3) {
    const pairs = points.slice(1).map((p, k): [Vec3, Vec3] => [points[k], p]);
    return points.length === 3 ? [...pairs, [points[2], points[0]]] : pairs;
  }
  const middle = [0, 1, 2].map((k) => points.reduce((s, p) => s + p[k], 0) / points.length) as Vec3;
  return points.map((p): [Vec3, Vec3] => [middle, p]);
}

function ball(build: Builder, centre: Vec3, radius: number): void {
  let before: number[] | null = null;
  for (let ring = 0; ring <= RINGS; ring++) {
    const polar = Math.PI * (1 - ring / RINGS);
    const row = circle(2 * SIDES).map(([c, s]) => {
      const n: Vec3 = [Math.sin(polar) * c, Math.sin(polar) * s, Math.cos(polar)];
      return build.vertex(n.map((v, k) => centre[k] + radius * v) as Vec3, n);
    });
    if (before) build.strip(before, row);
    before = row;
  }
}

function bar(build: Builder, a: Vec3, b: Vec3, radius: number): void {
  const length = sizeOf(minus(b, a));
  if (length < 1e-9) return;
  const z = minus(b, a).map((v) => v / length) as Vec3;
  const [x, y] = across(z);
  const rows = [a, b].map((end) =>
    circle(SIDES).map(([c, s]) => {
      const n = [0, 1, 2].map((k) => c * x[k] + s * y[k]) as Vec3;
      return build.vertex(n.map((v, k) => end[k] + radius * v) as Vec3, n);
    }),
  );
  build.strip(rows[0], rows[1]);
}

/** Cosine and sine round a circle; the last one closes it. */
function circle(sides: number): [number, number][] {
  return Array.from({ length: sides + 1 }, (_, k) => {
    const angle = (2 * Math.PI * k) / sides;
    return [Math.cos(angle), Math.sin(angle)];
  });
}
