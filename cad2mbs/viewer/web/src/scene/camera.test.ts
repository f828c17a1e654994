import { Vector3 } from "three";
import { describe, expect, test } from "vitest";
import type { Vec3 } from "../protocol";
import {
  anchored, axes, between, Cameras, distance, type Eye, fitted, lookingFrom, orbited, panned,
  STANDARD, zoomed,
} from "./camera";
import { cross, plus } from "./vec";

const eye: Eye = { target: [1, 2, 3], yaw: 0.7, pitch: 0.4, span: 80 };
const ball = { centre: [0, 0, 0] as Vec3, radius: 200 };
const POINTS: Vec3[] = [[0, 0, 0], [30, 0, 5], [0, 50, 0], [10, 20, 40], [-15, 5, 12]];

function seen(point: Vec3, at: Eye, aspect: number, flat: boolean): Vec3 {
  const camera = new Cameras().set(at, aspect, flat, ball);
  return new Vector3(...point).project(camera).toArray() as Vec3;
}

function close(a: Vec3, b: Vec3, digits = 9): void {
  a.forEach((v, k) => expect(v).toBeCloseTo(b[k], digits));
}

describe("the standard views", () => {
  const cases: [keyof typeof STANDARD, Vec3, Vec3][] = [
    ["front", [0, -1, 0], [0, 0, 1]],
    ["back", [0, 1, 0], [0, 0, 1]],
    ["left", [-1, 0, 0], [0, 0, 1]],
    ["right", [1, 0, 0], [0, 0, 1]],
    ["top", [0, 0, 1], [0, 1, 0]],
    ["bottom", [0, 0, -1], [0, -1, 0]],
  ];
  test.each(cases)("%s looks from %j with %j up", (name, from, up) => {
    const [, seenUp, back] = axes(...STANDARD[name]);
    close(back, from);
    close(seenUp, up);
  });

  test("iso sees three faces alike", () => {
    const s = 1 / Math.sqrt(3);
    close(axes(...STANDARD.iso)[2], [s, -s, s]);
  });

  test("axes are right-handed", () => {
    const [right, up, back] = axes(1.1, -0.6);
    close(cross(right, up), back);
  });
});

describe("fitting", () => {
  test.each([[false, 1.6], [true, 1.6], [false, 0.5], [true, 0.5]])(
    "shows all points and reaches the margin on one pair of sides (orthographic %s, aspect %d)",
    (flat, aspect) => {
      const to = fitted(eye, POINTS, aspect, flat)!;
      const places = POINTS.map((p) => seen(p, to, aspect, flat));
      for (const k of [0, 1]) {
        for (const place of places) expect(Math.abs(place[k])).toBeLessThanOrEqual(0.88 + 1e-9);
      }
      const reach = [0, 1].map((k) => {
        const values = places.map((p) => p[k]);
        return [Math.min(...values), Math.max(...values)];
      });
      const tight = reach.filter(([low, high]) => low < -0.88 + 1e-6 && high > 0.88 - 1e-6);
      expect(tight.length).toBeGreaterThanOrEqual(1);
    },
  );

  test("keeps the direction", () => {
    expect(fitted(eye, POINTS, 1, false)).toMatchObject({ yaw: 0.7, pitch: 0.4 });
  });

  test("of a single point leaves a small span, and of none leaves the eye to the caller", () => {
    expect(fitted(eye, [[1, 1, 1]], 1, true)!.span).toBeGreaterThan(0);
    expect(fitted(eye, [], 1, true)).toBeNull();
  });
});

describe("the camera", () => {
  test("frames the target's plane alike with and without perspective", () => {
    const [right, up] = axes(eye.yaw, eye.pitch);
    const point = plus(plus(eye.target, right, 20), up, -11);
    const [deep, flat] = [false, true].map((kind) => seen(point, eye, 1.5, kind));
    expect(deep[0]).toBeCloseTo(flat[0], 9);
    expect(deep[1]).toBeCloseTo(flat[1], 9);
    expect(flat[1]).toBeCloseTo(-11 / 40, 9);
  });

  test("keeps everything in the ball between near and far", () => {
    for (const flat of [false, true]) {
      const camera = new Cameras().set({ ...eye, span: 900 }, 1, flat, ball);
      for (const p of [[199, 0, 0], [-199, 0, 0], [0, 0, 199], [0, -199, 0]] as Vec3[]) {
        expect(Math.abs(new Vector3(...p).project(camera).z)).toBeLessThanOrEqual(1);
      }
    }
  });

  test("orbits about a pivot that stays where it is in the view", () => {
    const pivot: Vec3 = [12, -7, 9];
    const before = seen(pivot, eye, 1.3, false);
    const after = seen(pivot, orbited(eye, pivot, 0.5, -0.3), 1.3, false);
    expect(after[0]).toBeCloseTo(before[0], 9);
    expect(after[1]).toBeCloseTo(before[1], 9);
  });

  test("stops at the poles", () => {
    expect(orbited(eye, eye.target, 0, 9).pitch).toBe(Math.PI / 2);
    expect(orbited(eye, eye.target, 0, -9).pitch).toBe(-Math.PI / 2);
  });

  test("zooms to the cursor: what is there in the target's plane stays there", () => {
    const [right, up] = axes(eye.yaw, eye.pitch);
    const under = plus(plus(eye.target, right, 0.5 * 1.5 * 40), up, -0.25 * 40);
    const after = seen(under, zoomed(eye, 3, 0.5, -0.25, 1.5), 1.5, false);
    expect(after[0]).toBeCloseTo(0.5, 9);
    expect(after[1]).toBeCloseTo(-0.25, 9);
  });

  test("shows the same picture after its target was anchored nearer", () => {
    const near = anchored(eye, 30);
    expect(distance(near.span)).toBeCloseTo(distance(eye.span) - 30, 9);
    for (const p of POINTS) {
      const [a, b] = [seen(p, eye, 1.2, false), seen(p, near, 1.2, false)];
      expect(a[0]).toBeCloseTo(b[0], 9);
      expect(a[1]).toBeCloseTo(b[1], 9);
    }
  });

  test("pans by world lengths in the plane of the view", () => {
    const [right, up] = axes(eye.yaw, eye.pitch);
    close(panned(eye, 3, 4).target, plus(plus(eye.target, right, 3), up, 4));
  });

  test("turns the short way round, and arrives", () => {
    const to = { ...eye, yaw: eye.yaw + 2 * Math.PI - 0.2, span: 20 };
    expect(between(eye, to, 0.5).yaw).toBeCloseTo(eye.yaw - 0.1, 9);
    expect(between(eye, to, 0.5).span).toBeCloseTo(40, 9);
    expect(between(eye, to, 1).span).toBeCloseTo(20, 9);
  });

  test("looks from a direction, and straight down with the yaw given", () => {
    for (const name of ["front", "right", "back", "left", "iso"] as const) {
      const [yaw, pitch] = STANDARD[name];
      const found = lookingFrom(axes(yaw, pitch)[2], 0);
      expect(Math.cos(found[0] - yaw)).toBeCloseTo(1, 9);
      expect(found[1]).toBeCloseTo(pitch, 9);
    }
    expect(lookingFrom([0, 0, 2], 0.3)).toEqual([0.3, Math.PI / 2]);
  });
});
