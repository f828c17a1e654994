import { describe, expect, test } from "vitest";
import { coarseLevel, coarseTriangles, levelOf } from "./coarse";
import { ballOf, faceOfVertex, featureOfFace, isClosed, outermost, readBlob } from "./geometry";
import type { Shape } from "./geometry";
import { blobOf, boxShape } from "./shapes.testing";
import { bars, stickShape } from "./sticks";
import { cross, dot, minus } from "./vec";
import type { Vec3 } from "../protocol";

describe("the geometry blob", () => {
  const shapes = [boxShape([1, 2, 3]), { ...boxShape([4, 4, 4]), name: "Träger ⌀" }];
  const blob = blobOf(shapes);

  test("gives back the arrays that were put in", () => {
    const read = readBlob(blob);
    expect(read.map((s) => s.name)).toEqual(["box", "Träger ⌀"]);
    read.forEach((shape, k) => {
      expect([...shape.vertices]).toEqual([...shapes[k].vertices]);
      expect([...shape.triangles]).toEqual([...shapes[k].triangles]);
      expect([...shape.faces]).toEqual([...shapes[k].faces]);
      expect([...shape.segments]).toEqual([0, 0, 0, 1, 2, 3]);
    });
  });

  test("is not copied: arrays are views into it", () => {
    for (const shape of readBlob(blob)) expect(shape.vertices.buffer).toBe(blob);
  });

  test("is refused where it starts with other bytes", () => {
    expect(() => readBlob(new TextEncoder().encode("GLTF....").buffer)).toThrow(/'GLTF'.*'C2MG'/);
  });

  test("is refused where it ends too early", () => {
    expect(() => readBlob(blob.slice(0, blob.byteLength - 8))).toThrow();
  });
});

describe("a shape", () => {
  test("knows the face of each vertex", () => {
    expect([...faceOfVertex(boxShape([1, 1, 1]))]).toEqual(
      [0, 1, 2, 3, 4, 5].flatMap((face) => [face, face, face, face]),
    );
  });

  test("finds the feature of a face by the face's number, not its row", () => {
    const shape = boxShape([1, 1, 1]);
    expect(featureOfFace(shape, 1)?.kind).toBe("plane");
    expect(featureOfFace(shape, 0)).toBeNull();
    expect(featureOfFace(shape, 99)).toBeNull();
  });

  test("has a ball round its box: half the space diagonal", () => {
    expect(ballOf([[0, 0, 0], [2, 3, 6]])).toEqual({ centre: [1, 1.5, 3], radius: 3.5 });
  });

  test("is closed as a box and open without one of its faces", () => {
    expect(isClosed(boxShape([1, 2, 3]))).toBe(true);
    expect(isClosed(boxShape([1, 2, 3], true))).toBe(false);
  });

  test("is open as a tube without ends, whose area vectors cancel", () => {
    const bar = stickShape("bar", [[0, 0, 0], [0, 0, 9]], 1, 0);
    expect(isClosed(bar)).toBe(false);
  });

  test("is not closed when it is inside out", () => {
    const shape = boxShape([1, 2, 3]);
    expect(isClosed({ ...shape, triangles: shape.triangles.slice().reverse() })).toBe(false);
  });

  test("is framed by its corners", () => {
    const points = new Set(outermost(boxShape([2, 2, 2])).map(String));
    expect(points).toEqual(
      new Set([-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => `${x},${y},${z}`)))),
    );
  });
});

/** A unit sphere of one face, n rings and 2 n sectors. */
function sphere(n: number): Shape {
  const shape = stickShape("ball", [[0, 0, 0]], 0, 1);
  const [vertices, triangles]: number[][] = [[], []];
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j <= 2 * n; j++) {
      const [a, b] = [(Math.PI * i) / n, (Math.PI * j) / n];
      vertices.push(Math.sin(a) * Math.cos(b), Math.sin(a) * Math.sin(b), Math.cos(a));
      const [p, q] = [i * (2 * n + 1) + j, (i + 1) * (2 * n + 1) + j];
      if (i < n && j < 2 * n) triangles.push(p, q, q + 1, p, q + 1, p + 1);
    }
  }
  return {
    ...shape,
    vertices: new Float32Array(vertices),
    triangles: new Uint32Array(triangles),
    faces: new Uint32Array([0, triangles.length / 3]),
  };
}

describe("coarse triangles", () => {
  test("of a fine sphere are far fewer, and stay within a cell of the true volume", () => {
    const fine = sphere(60);
    const coarse = coarseTriangles(fine, 12);
    expect(coarse.length).toBeLessThan(fine.triangles.length / 8);
    const volume = volumeOf({ ...fine, triangles: coarse });
    expect(Math.abs(volume / ((4 / 3) * Math.PI) - 1)).toBeLessThan(0.25);
  });

  test("of a box are the box itself, so that no coarse set is kept", () => {
    const box = boxShape([1, 2, 3]);
    expect([...coarseTriangles(box, 6)]).toEqual([...box.triangles]);
    expect(coarseLevel(box, 0)).toBeNull();
  });

  test("are finer where the shape appears larger", () => {
    const fine = sphere(20);
    expect(levelOf(fine, 30, 6)).toBeLessThan(levelOf(fine, 300, 6));
    expect(levelOf(boxShape([1, 1, 1]), 300, 6)).toBe(-1);
  });
});

describe("a stick figure", () => {
  const points: Vec3[] = [[0, 0, 0], [10, 0, 0], [0, 20, 0]];

  test("joins two points by a bar, three by a triangle, more to their middle", () => {
    expect(bars(points.slice(0, 1))).toHaveLength(0);
    expect(bars(points.slice(0, 2))).toEqual([[points[0], points[1]]]);
    expect(bars(points)).toHaveLength(3);
    const star = bars([...points, [-10, -20, 8]]);
    expect(star.map(([middle]) => middle)).toEqual(Array(4).fill([0, 0, 2]));
  });

  test("faces outwards everywhere: triangles turn the way of their normals", () => {
    const { vertices, normals, triangles } = stickShape("s", points, 1, 2);
    for (let t = 0; t < triangles.length; t += 3) {
      const corner = (k: number) =>
        [...vertices.subarray(3 * triangles[t + k], 3 * triangles[t + k] + 3)] as Vec3;
      const n = cross(minus(corner(1), corner(0)), minus(corner(2), corner(0)));
      const row = 3 * triangles[t];
      expect(dot(n, [...normals.subarray(row, row + 3)] as Vec3)).toBeGreaterThanOrEqual(-1e-9);
    }
  });

  test("has a box that its balls fit into", () => {
    expect(stickShape("s", points, 1, 2).box).toEqual([[-2, -2, -2], [12, 22, 2]]);
  });
});

function volumeOf({ vertices, triangles }: Shape): number {
  let sum = 0;
  const at = (k: number) => [...vertices.subarray(3 * triangles[k], 3 * triangles[k] + 3)] as Vec3;
  for (let t = 0; t < triangles.length; t += 3) sum += dot(at(t), cross(at(t + 1), at(t + 2))) / 6;
  return sum;
}
