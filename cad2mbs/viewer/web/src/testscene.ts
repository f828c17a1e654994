// A small scene for tests.

import type { Drive, Scene } from "./protocol";

export function drive(name: string, changes: Partial<Drive> = {}): Drive {
  return {
    name, unit: "deg", length: false, value: 0, low: null, high: null, what: "", driving: true,
    declared: true, turns: false, ...changes,
  };
}

/** One body for each list of part names. */
export function testScene(bodies: string[][], changes: Partial<Scene> = {}): Scene {
  const names = bodies.flat();
  return {
    type: "scene",
    name: "test",
    source: "test.yaml",
    editable: true,
    edited: false,
    units: { length: "mm", angle: "deg", mm: 1 },
    geometry: null,
    bodies: bodies.map((parts, k) => ({
      name: parts.length === 1 ? parts[0] : `body ${k}`,
      grounded: k === 0,
      parts: parts.map((p) => names.indexOf(p)),
    })),
    parts: names.map((name) => ({
      name,
      body: bodies.findIndex((parts) => parts.includes(name)),
      solid: -1,
      colour: [0.5, 0.5, 0.5, 1],
      place: [0, 0, 0, 0, 0, 0, 1],
      points: [],
    })),
    joints: [],
    mates: [],
    drives: [],
    mobility: { freedoms: 1, gruebler: 1, redundant: 0, at_pose: 1, names: [] },
    assembled: true,
    status: "",
    notes: [],
    conflict: [],
    quantities: [],
    positions: [],
    observers: [],
    ...changes,
  };
}
