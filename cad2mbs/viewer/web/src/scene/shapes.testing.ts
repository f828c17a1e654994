// Shapes for tests: a box of six faces, and a blob made from shapes.

import type { Vec3 } from "../protocol";
import type { Feature, Shape } from "./geometry";

/** A box about the origin, 4 vertices a face, wound outwards; `open`: without its last face. */
export function boxShape(size: Vec3, open = false): Shape {
  const [vertices, normals, triangles]: number[][] = [[], [], []];
  const faces = [0];
  for (let side = 0; side < (open ? 5 : 6); side++) {
    const [axis, sign] = [side >> 1, side & 1 ? 1 : -1];
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    const first = vertices.length / 3;
    for (const [a, b] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
      const p = [0, 0, 0];
      [p[axis], p[u], p[v]] = [(sign * size[axis]) / 2, (a * size[u]) / 2, (b * size[v]) / 2];
      vertices.push(...p);
      normals.push(...[0, 1, 2].map((k) => (k === axis ? sign : 0)));
    }
    const ring = sign > 0 ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2];
    triangles.push(...ring.map((k) => first + k));
    faces.push(triangles.length / 3);
  }
  const half = size.map((s) => s / 2) as Vec3;
  return {
    name: "box",
    vertices: new Float32Array(vertices),
    normals: new Float32Array(normals),
    triangles: new Uint32Array(triangles),
    faces: new Uint32Array(faces),
    numbers: faces.slice(1).map((_, k) => 10 + k),
    segments: new Float32Array([0, 0, 0, 1, 2, 3]),
    features: [planeFeature([11])],
    box: [half.map((s) => -s) as Vec3, half],
  };
}

export function planeFeature(faces: number[]): Feature {
  const none = { radius: 0, minor: 0, half_angle: 0, concave: false, name: "" };
  return { kind: "plane", origin: [0, 0, 0], z: [0, 0, 1], faces, ...none };
}

/** The bytes that hold these shapes, as the server writes them. */
export function blobOf(shapes: Shape[]): ArrayBuffer {
  const blocks: Uint8Array[] = [];
  let at = 0;
  const put = (array: Float32Array | Uint32Array) => {
    const span = { at, count: array.length };
    blocks.push(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    at += array.byteLength;
    return span;
  };
  const solids = shapes.map((shape) => ({
    ...shape,
    vertices: put(shape.vertices),
    normals: put(shape.normals),
    triangles: put(shape.triangles),
    faces: put(shape.faces),
    segments: put(shape.segments),
  }));
  let text = JSON.stringify({ solids });
  while (new TextEncoder().encode(text).length % 4) text += " ";
  const json = new TextEncoder().encode(text);
  const bytes = new Uint8Array(8 + json.length + at);
  bytes.set(new TextEncoder().encode("C2MG"));
  new DataView(bytes.buffer).setUint32(4, json.length, true);
  bytes.set(json, 8);
  let end = 8 + json.length;
  for (const block of blocks) {
    bytes.set(block, end);
    end += block.length;
  }
  return bytes.buffer;
}
