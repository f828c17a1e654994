import { describe as group, expect, test } from "vitest";
import type { Units, Vec3 } from "../protocol";
import type { Feature } from "./geometry";
import { anchorOf, between, describe, type Element, elementOf, shown, sizesOf } from "./measure";
import { planeFeature } from "./shapes.testing";
import { length, minus } from "./vec";

const point = (...p: Vec3): Element => ({ kind: "point", p });
const plane = (p: Vec3, d: Vec3): Element => ({ kind: "plane", p, d });
const axis = (p: Vec3, d: Vec3): Element => ({ kind: "axis", p, d });
const R2 = Math.SQRT1_2;

function amounts(a: Element, b: Element): Record<string, number> {
  return Object.fromEntries(between(a, b).amounts.map(({ label, value }) => [label, value]));
}

group("measured between", () => {
  test("two points: the distance and its share along each axis", () => {
    const found = amounts(point(1, 2, 3), point(3, 5, 9));
    expect(found).toEqual({ distance: 7, "along x": 2, "along y": 3, "along z": 6 });
  });

  test("parallel planes: their distance, whichever way their normals point", () => {
    const [low, high] = [plane([5, 6, 2], [0, 0, 1]), plane([0, 0, 9], [0, 0, -1])];
    expect(amounts(low, high)).toEqual({ distance: 7 });
  });

  test("inclined planes: the acute angle between them and no distance", () => {
    const found = between(plane([0, 0, 0], [0, 0, 1]), plane([1, 1, 1], [0, R2, -R2]));
    expect(found.amounts).toHaveLength(1);
    expect(found.amounts[0].value).toBeCloseTo(Math.PI / 4, 12);
    expect(found.line).toBeNull();
  });

  test("a point and a plane: the length of the perpendicular, in either order", () => {
    const [p, e] = [point(4, 5, 6), plane([1, 1, 1], [0, 1, 0])];
    expect(amounts(p, e)).toEqual({ distance: 4 });
    expect(between(p, e).line).toEqual([[4, 5, 6], [4, 1, 6]]);
    expect(between(e, p).line).toEqual([[4, 1, 6], [4, 5, 6]]);
  });

  test("a point and an axis: the distance to the foot on it", () => {
    expect(amounts(point(3, 4, 99), axis([0, 0, 0], [0, 0, 1]))).toEqual({ distance: 5 });
  });

  test("parallel axes: the distance across them", () => {
    const found = amounts(axis([0, 0, 7], [0, 0, 1]), axis([3, 4, -5], [0, 0, -1]));
    expect(found).toEqual({ distance: 5, angle: 0 });
  });

  test("skew axes: the common perpendicular with its feet on both, and the angle", () => {
    const found = between(axis([0, 0, 0], [1, 0, 0]), axis([4, 9, 3], [0, R2, R2]));
    // The second line meets x = 4, and passes the first at distance |3 - 9| / sqrt(2).
    expect(found.amounts[0].value).toBeCloseTo(6 * R2, 12);
    expect(found.amounts[1].value).toBeCloseTo(Math.PI / 2, 12);
    const [p, q] = found.line!;
    expect(length(minus(q, p))).toBeCloseTo(6 * R2, 12);
    [4, 0, 0].forEach((v, k) => expect(p[k]).toBeCloseTo(v, 12));
    [4, 3, -3].forEach((v, k) => expect(q[k]).toBeCloseTo(v, 12));
  });

  test("axes that meet: no distance, and the acute angle", () => {
    const found = amounts(axis([-5, 0, 0], [1, 0, 0]), axis([1, 1, 0], [-R2, -R2, 0]));
    expect(found.distance).toBeCloseTo(0, 12);
    expect(found.angle).toBeCloseTo(Math.PI / 4, 12);
  });

  test("an axis along a plane: the distance; across it: the angle to the plane", () => {
    const ground = plane([0, 0, 1], [0, 0, 1]);
    expect(amounts(axis([3, 3, 8], [1, 0, 0]), ground)).toEqual({ distance: 7 });
    expect(between(ground, axis([3, 3, 8], [1, 0, 0])).line).toEqual([[3, 3, 1], [3, 3, 8]]);
    expect(amounts(axis([0, 0, 0], [R2, 0, R2]), ground).angle).toBeCloseTo(Math.PI / 4, 12);
  });
});

group("a pick", () => {
  const hole: Feature = {
    ...planeFeature([]), kind: "cylinder", origin: [1, 0, 0], radius: 7, concave: true,
  };

  test("on a hole snaps to its axis, at the height of the point", () => {
    const element = elementOf(hole, [8, 0, 5]);
    expect(element).toEqual(axis([1, 0, 0], [0, 0, 1]));
    expect(anchorOf(element, [8, 0, 5])).toEqual([1, 0, 5]);
  });

  test("on a ball snaps to its centre", () => {
    expect(elementOf({ ...hole, kind: "sphere" }, [8, 0, 0])).toEqual(point(1, 0, 0));
  });

  test("on a plane stays where it is, put exactly onto the plane", () => {
    expect(elementOf(planeFeature([]), [3, 4, 1e-5])).toEqual(plane([3, 4, 0], [0, 0, 1]));
  });

  test("on a free face is the point itself", () => {
    expect(elementOf(null, [3, 4, 5])).toEqual(point(3, 4, 5));
  });

  test("tells radius and diameter of a hole in the user's unit", () => {
    const inch: Units = { length: "in", angle: "deg", mm: 25.4 };
    const texts = sizesOf({ ...hole, radius: 12.7 }).map((a) => shown(a, inch));
    expect(texts).toEqual(["0.5 in", "1 in"]);
    const mm: Units = { length: "mm", angle: "deg", mm: 1 };
    expect(describe(hole, "rod_1", mm)).toBe("hole R 7 of rod_1");
  });

  test("shows angles in the user's unit", () => {
    const amount = { label: "angle", value: Math.PI / 6, of: "angle" as const };
    expect(shown(amount, { length: "mm", angle: "deg", mm: 1 })).toBe("30 deg");
    expect(shown(amount, { length: "mm", angle: "rad", mm: 1 })).toBe("0.523599 rad");
  });
});
