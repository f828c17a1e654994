// The shapes of a scene, read from the geometry blob (cad2mbs/viewer/geometry.py) without copying:
// every array is a view into the blob. Lengths are mm, in the frame of the part.

import type { Vec3 } from "../protocol";

export interface Feature {
  kind: string; // plane, cylinder, cone, sphere, torus, free
  origin: Vec3;
  z: Vec3;
  radius: number;
  minor: number;
  half_angle: number; // [rad]
  concave: boolean;
  faces: number[];
  name: string;
}

export interface Shape {
  name: string;
  vertices: Float32Array;
  normals: Float32Array;
  triangles: Uint32Array;
  faces: Uint32Array; // first triangle of each face, and the end
  numbers: number[]; // face number of each range
  segments: Float32Array; // edge lines, 6 numbers each
  features: Feature[];
  box: [Vec3, Vec3];
}

interface Span {
  at: number;
  count: number;
}

interface Entry {
  name: string;
  vertices: Span;
  normals: Span;
  triangles: Span;
  faces: Span;
  numbers: number[];
  segments: Span;
  features: Feature[];
  box: [Vec3, Vec3];
}

const HEAD = 8; // bytes: 'C2MG' and the length of the JSON
const MAGIC = "C2MG";

/** The shapes in a blob. Throws where the bytes are no such blob or end too early. */
export function readBlob(data: ArrayBuffer): Shape[] {
  const magic = String.fromCharCode(...new Uint8Array(data, 0, Math.min(4, data.byteLength)));
  if (magic !== MAGIC) throw new Error(`geometry starts with '${magic}'; '${MAGIC}' was wanted`);
  const length = new DataView(data).getUint32(4, true);
  const text = new TextDecoder().decode(new Uint8Array(data, HEAD, length));
  const { solids } = JSON.parse(text) as { solids: Entry[] };
  const start = HEAD + length;
  const floats = (s: Span) => new Float32Array(data, start + s.at, s.count);
  const counts = (s: Span) => new Uint32Array(data, start + s.at, s.count);
  return solids.map((solid) => ({
    name: solid.name,
    vertices: floats(solid.vertices),
    normals: floats(solid.normals),
    triangles: counts(solid.triangles),
    faces: counts(solid.faces),
    numbers: solid.numbers,
    segments: floats(solid.segments),
    features: solid.features,
    box: solid.box,
  }));
}

/** Row of the face that each vertex lies on; vertices are not shared across faces. */
export function faceOfVertex(shape: Shape): Uint16Array | Uint32Array {
  const { faces, triangles } = shape;
  const count = shape.vertices.length / 3;
  const rows = faces.length > 65535 ? new Uint32Array(count) : new Uint16Array(count);
  for (let face = 0; face + 1 < faces.length; face++) {
    const end = 3 * faces[face + 1];
    for (let k = 3 * faces[face]; k < end; k++) rows[triangles[k]] = face;
  }
  return rows;
}

/** The feature that a face (by row) belongs to; null where it belongs to none. */
export function featureOfFace(shape: Shape, row: number): Feature | null {
  const number = shape.numbers[row];
  if (number === undefined) return null;
  return shape.features.find((feature) => feature.faces.includes(number)) ?? null;
}

/** Middle and radius of the ball round a box. */
export function ballOf(box: [Vec3, Vec3]): { centre: Vec3; radius: number } {
  const [low, high] = box;
  const centre: Vec3 = [0, 1, 2].map((k) => (low[k] + high[k]) / 2) as Vec3;
  return { centre, radius: Math.hypot(...low.map((v, k) => high[k] - v)) / 2 };
}

const SAMPLED = 4000; // vertices that are looked at for the outline of a shape

/** Vertices that lie farthest out, seen from all sides: enough to frame the shape in a view. */
export function outermost(shape: Shape): Vec3[] {
  const { vertices: v } = shape;
  const step = 3 * Math.max(1, Math.floor(v.length / 3 / SAMPLED));
  const found = new Set<number>();
  for (const [x, y, z] of DIRECTIONS) {
    let [best, most] = [-1, -Infinity];
    for (let k = 0; k + 2 < v.length; k += step) {
      const out = x * v[k] + y * v[k + 1] + z * v[k + 2];
      if (out > most) [best, most] = [k, out];
    }
    if (best >= 0) found.add(best);
  }
  return [...found].map((k): Vec3 => [v[k], v[k + 1], v[k + 2]]);
}

const AXES: Vec3[] = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];

/** Directions spread over the sphere: along a spiral from pole to pole, and the axes. */
const DIRECTIONS: Vec3[] = Array.from({ length: 60 }, (_, k): Vec3 => {
  const z = 1 - (2 * k + 1) / 60;
  const angle = k * Math.PI * (3 - Math.sqrt(5));
  return [Math.sqrt(1 - z * z) * Math.cos(angle), Math.sqrt(1 - z * z) * Math.sin(angle), z];
}).concat(AXES);

/** Whether the triangles enclose a volume without gaps, by the divergence theorem: the area vectors
 * add up to nothing, and x over dA is the volume along each axis and nothing across. */
export function isClosed(shape: Shape): boolean {
  const { vertices: v, triangles } = shape;
  const [low, high] = shape.box;
  const middle = low.map((x, k) => (x + high[k]) / 2);
  const sums = new Float64Array(12); // area vector, then x over dA row by row
  let area = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ux, uy, uz] = [v[b] - v[a], v[b + 1] - v[a + 1], v[b + 2] - v[a + 2]];
    const [wx, wy, wz] = [v[c] - v[a], v[c + 1] - v[a + 1], v[c + 2] - v[a + 2]];
    const n = [(uy * wz - uz * wy) / 2, (uz * wx - ux * wz) / 2, (ux * wy - uy * wx) / 2];
    area += Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (let k = 0; k < 3; k++) {
      sums[k] += n[k];
      const x = (v[a + k] + v[b + k] + v[c + k]) / 3 - middle[k];
      for (let m = 0; m < 3; m++) sums[3 + 3 * k + m] += x * n[m];
    }
  }
  const small = 1e-4 * area;
  const size = small * Math.hypot(...low.map((x, k) => high[k] - x));
  const near = (value: number, limit: number) => Math.abs(value) <= limit;
  const volume = (sums[3] + sums[7] + sums[11]) / 3;
  return (
    volume > 0 &&
    [0, 1, 2].every((k) => near(sums[k], small)) &&
    [3, 7, 11].every((k) => near(sums[k] - volume, size)) &&
    [4, 5, 6, 8, 9, 10].every((k) => near(sums[k], size))
  );
}
