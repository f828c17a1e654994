// A coarser set of triangles over the same vertices, for use while a heavy scene moves. Vertices
// that fall into one cell of a grid and lie on one face are taken as one; triangles that lose a
// corner by this are left out. Small rounds and threads vanish, large faces stay as they are.

import type { Shape } from "./geometry";

const LIGHT = 150; // triangles; lighter shapes gain nothing
const CELLS = [6, 12, 24, 48, 96]; // along the longest side of the shape: the levels that are made

/** The level whose cells are no larger than `cell` on a shape that appears `size` large [px], or
 * the finest there is; -1 where the shape should be drawn as it is. */
export function levelOf(shape: Shape, size: number, cell: number): number {
  if (shape.triangles.length / 3 < LIGHT) return -1;
  const fine = CELLS.findIndex((cells) => cells * cell >= size);
  return fine < 0 ? CELLS.length - 1 : fine;
}

/** Triangles of a level, as rows of vertices; null where hardly any are left out. */
export function coarseLevel(shape: Shape, level: number): Uint32Array | null {
  const triangles = coarseTriangles(shape, CELLS[level]);
  return triangles.length < 0.75 * shape.triangles.length ? triangles : null;
}

/** The triangles that are left with so many cells along the longest side. */
export function coarseTriangles(shape: Shape, cells: number): Uint32Array {
  const [low, high] = shape.box;
  const cell = Math.max(...low.map((v, k) => high[k] - v), 1e-9) / cells;
  const { triangles, faces, vertices } = shape;
  const out = new Uint32Array(triangles.length);
  let count = 0;
  const first = new Map<number, number>(); // cell -> vertex that stands for it, of one face
  const stands = (vertex: number): number => {
    let key = 0;
    for (let k = 0; k < 3; k++) {
      key = key * 1024 + Math.round((vertices[3 * vertex + k] - low[k]) / cell);
    }
    const known = first.get(key);
    if (known !== undefined) return known;
    first.set(key, vertex);
    return vertex;
  };
  for (let face = 0; face + 1 < faces.length; face++) {
    first.clear();
    for (let t = faces[face]; t < faces[face + 1]; t++) {
      const [a, b, c] = [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]].map(stands);
      if (a === b || b === c || c === a) continue;
      out[count++] = a;
      out[count++] = b;
      out[count++] = c;
    }
  }
  return out.slice(0, count);
}
