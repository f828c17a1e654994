import { describe, expect, test } from "vitest";
import type { Scene, Vec3 } from "../protocol";
import { explodeOffsets } from "./explode";
import { spacingOf } from "./grid";
import { edgeColour, partLooks, partsOf, type Wishes } from "./highlight";
import { Quality } from "./quality";
import { planeOf } from "./section";
import { symbolOf } from "./symbols";
import { segmentsOf } from "./traces";
import { dot, length } from "./vec";

function sceneOf(names: string[]): Scene {
  const place = [0, 0, 0, 0, 0, 0, 1] as const;
  return {
    bodies: [
      { name: "base", grounded: true, parts: [0] },
      { name: "arm", grounded: false, parts: [1, 2] },
    ],
    parts: names.map((name, k) => ({
      name, body: k ? 1 : 0, solid: k, colour: [0.5, 0.5, 0.5, 1], place: [...place], points: [],
    })),
    joints: [{ name: "j", bodies: ["base", "arm"] }],
    mates: [{ name: "m", a: "sub/pin/axis", b: "base" }],
  } as unknown as Scene;
}

const scene = sceneOf(["base", "sub", "sub/pin"]);
const calm: Wishes = {
  selection: null, hovered: null, hidden: new Set(), glass: new Set(), isolated: null,
  colours: {}, clashes: [], dark: false,
};

describe("the look of parts", () => {
  test("is plain where nothing is wished", () => {
    for (const look of partLooks(scene, calm)) {
      const plain = { shown: true, rgb: [0.5, 0.5, 0.5], opacity: 1, selected: false };
      expect(look).toMatchObject(plain);
    }
  });

  test("leaves out what is hidden, and what is not among the isolated", () => {
    const shown = (wishes: Partial<Wishes>) =>
      partLooks(scene, { ...calm, ...wishes }).map((look) => look.shown);
    expect(shown({ hidden: new Set([1]) })).toEqual([true, false, true]);
    expect(shown({ isolated: new Set([1]) })).toEqual([false, true, false]);
    expect(shown({ isolated: new Set([1]), hidden: new Set([1]) })).toEqual([false, false, false]);
  });

  test("takes colours and glass as wished, and ignores a colour that is none", () => {
    const colours = { 0: "#ff0080", 1: "red;" };
    const looks = partLooks(scene, { ...calm, colours, glass: new Set([2]) });
    expect(looks[0].rgb).toEqual([1, 0, 128 / 255]);
    expect(looks[1].rgb).toEqual([0.5, 0.5, 0.5]);
    expect(looks[2].opacity).toBe(0.25);
  });

  test("turns red in a clash and blue when selected", () => {
    const looks = partLooks(scene, {
      ...calm, clashes: [[0, 1]], selection: { kind: "part", part: 2 },
    });
    expect(looks[0].rgb[0]).toBeGreaterThan(looks[0].rgb[2] + 0.3);
    expect(looks[2].rgb[2]).toBeGreaterThan(looks[2].rgb[0] + 0.3);
    expect(looks.map((look) => look.selected)).toEqual([false, false, true]);
  });

  test("of dark parts has light edges, of light parts dark ones", () => {
    expect(edgeColour([0.05, 0.05, 0.05])[0]).toBeGreaterThan(0.3);
    expect(edgeColour([0.9, 0.9, 0.9])[0]).toBeLessThan(0.3);
  });
});

describe("a selected thing stands for", () => {
  test("all parts of a body", () => {
    expect([...partsOf(scene, { kind: "body", body: 1 })]).toEqual([1, 2]);
  });

  test("the parts of both bodies of a joint", () => {
    expect([...partsOf(scene, { kind: "joint", joint: 0 })]).toEqual([0, 1, 2]);
  });

  test("the two parts of a mate, where the longest name fits", () => {
    expect([...partsOf(scene, { kind: "mate", mate: 0 })]).toEqual([2, 0]);
  });

  test("nothing, where an edit took it away", () => {
    expect(partsOf(scene, { kind: "joint", joint: 9 }).size).toBe(0);
    expect(partsOf(scene, { kind: "body", body: 9 }).size).toBe(0);
  });
});

describe("the exploded view", () => {
  const centres: Vec3[] = [[0, 0, 0], [10, 0, 0], [-10, 0, 0]];

  test("keeps the ground and moves others away from the middle", () => {
    const offsets = explodeOffsets(centres, [null, null, null], [true, false, false]);
    expect(offsets[0]).toEqual([0, 0, 0]);
    expect(offsets[1][0]).toBeGreaterThan(0);
    expect(offsets[2]).toEqual(offsets[1].map((v) => -v || 0));
  });

  test("moves a body in the middle along its axis", () => {
    const axis: Vec3 = [0, 0, 1];
    const offsets = explodeOffsets(centres, [axis, axis, axis], [false, false, false]);
    expect(dot(offsets[0], axis)).toBeGreaterThan(1);
    expect(length(offsets[0])).toBeCloseTo(dot(offsets[0], axis), 12);
  });

  test("leaves alone what shows nothing, and a body on its own", () => {
    expect(explodeOffsets([null, [1, 2, 3]], [null, null], [false, false])).toEqual([
      [0, 0, 0], [0, 0, 0],
    ]);
  });
});

describe("the section plane", () => {
  const box: [Vec3, Vec3] = [[-1, -2, 0], [3, 2, 10]];
  const kept = (axis: "x" | "y" | "z", flip: boolean, p: Vec3) => {
    const { n, d } = planeOf({ on: true, axis, at: 0.25, flip }, box);
    return dot(n, p) + d >= 0;
  };

  test("lies at its share of the box", () => {
    expect(planeOf({ on: true, axis: "z", at: 0.25, flip: false }, box).at).toBe(2.5);
  });

  test("opens the sides that the iso view sees, or the others when flipped", () => {
    const towardsViewer: Record<string, Vec3> = { x: [3, 0, 5], y: [0, -2, 5], z: [0, 0, 10] };
    for (const axis of ["x", "y", "z"] as const) {
      expect(kept(axis, false, towardsViewer[axis])).toBe(false);
      expect(kept(axis, true, towardsViewer[axis])).toBe(true);
    }
  });
});

describe("the ground grid", () => {
  test("has a spacing of 1, 2 or 5 in the user's unit", () => {
    expect(spacingOf(730, { length: "mm", angle: "deg", mm: 1 })).toBe(50);
    expect(spacingOf(730, { length: "in", angle: "deg", mm: 25.4 })).toBeCloseTo(2 * 25.4, 9);
  });
});

describe("symbols and traces", () => {
  test("every kind of joint but fixed and free has a symbol, also one not known by name", () => {
    expect(symbolOf("fixed")).toHaveLength(0);
    expect(symbolOf("free")).toHaveLength(0);
    const known = ["revolute", "screw", "planar", "rod", "planar/prismatic"];
    for (const kind of [...known, "some/other", "constructor"]) {
      expect(symbolOf(kind).length).toBeGreaterThan(0);
    }
  });

  test("a closed path ends where it begins", () => {
    const points: Vec3[] = [[0, 0, 0], [1, 0, 0], [1, 1, 0]];
    expect(segmentsOf(points, false)).toHaveLength(12);
    expect([...segmentsOf(points, true).slice(-3)]).toEqual([0, 0, 0]);
    expect(segmentsOf([[1, 2, 3]], true)).toHaveLength(0);
  });
});

describe("the quality in motion", () => {
  test("falls while frames are slow and comes back when they are fast", () => {
    const quality = new Quality();
    for (let k = 0; k < 20; k++) quality.note(150);
    const low = quality.moving(2);
    expect(low.ratio).toBeLessThan(1);
    expect(low.edges).toBe(false);
    for (let k = 0; k < 4000; k++) quality.note(16);
    expect(quality.moving(2)).toEqual({ ratio: 2, edges: true, cell: 0 });
  });

  test("is not shaken by a single slow frame", () => {
    const quality = new Quality();
    for (let k = 0; k < 5; k++) quality.note(16);
    quality.note(100);
    expect(quality.level).toBe(0);
  });
});
