import { expect, test } from "vitest";
import { extentOf, type Extent } from "./extent";
import { advance } from "./player";
import type { Drive, Reach, Units } from "./protocol";
import { sliderKey, turnsBefore } from "./sliding";

const TURN: Extent = { low: 0, high: 360, turn: 360, reachLow: 0, reachHigh: 360 };
const SLIDE: Extent = { low: 0, high: 100, turn: NaN, reachLow: 20, reachHigh: 80 };
const UNITS: Units = { length: "mm", angle: "deg", mm: 1 };
const DRIVE: Drive = {
  name: "d", unit: "mm", length: true, value: 50, low: 0, high: 100, what: "", driving: true,
  declared: true, turns: false,
};
const REACH: Reach = {
  type: "reach", drive: "d", low: 20, high: 80, turns: false, lowReason: "", highReason: "", dead: [],
};

test("the slider of a turn keeps the turn it shows until the value has left it", () => {
  expect(turnsBefore(360, TURN, 0)).toBe(0);
  expect(turnsBefore(361, TURN, 0)).toBe(1);
  expect(turnsBefore(360, TURN, 1)).toBe(1);
  expect(turnsBefore(-1, TURN, 0)).toBe(-1);
  expect(turnsBefore(725, TURN, 0)).toBe(2);
  expect(turnsBefore(-1e-12, TURN, 0)).toBe(0);
});

test("arrows step, Shift is finer, pages are larger, Home and End go to the ends of the reach", () => {
  const key = (name: string, shift = false) => sliderKey(name, shift, 50, 1, SLIDE, 0);
  expect(key("ArrowRight")).toBe(51);
  expect(key("ArrowDown")).toBe(49);
  expect(key("ArrowUp", true)).toBeCloseTo(50.1, 12);
  expect(key("PageUp")).toBe(60);
  expect(key("Home")).toBe(20);
  expect(key("End")).toBe(80);
  expect(key("a")).toBeNull();
});

test("a slide stops at the ends of its slider, a turn goes on beyond", () => {
  expect(sliderKey("ArrowRight", false, 100, 1, SLIDE, 0)).toBe(100);
  expect(sliderKey("ArrowRight", false, 360, 1, TURN, 0)).toBe(361);
  expect(sliderKey("End", false, 400, 1, TURN, 1)).toBe(720);
});

test("a slider covers limits and reach, or one turn, or what gears need to come round", () => {
  expect(extentOf(DRIVE, REACH, UNITS)).toEqual(SLIDE);
  const turning = { ...DRIVE, unit: "deg", length: false, low: null, high: null, turns: true };
  expect(extentOf(turning, undefined, UNITS)).toEqual(TURN);
  const geared = extentOf(turning, { ...REACH, low: 0, high: 720, turns: true }, UNITS);
  expect([geared.low, geared.high, geared.turn]).toEqual([0, 720, 720]);
  const open = extentOf({ ...DRIVE, low: null, high: null }, undefined, { ...UNITS, mm: 1000 });
  expect([open.low, open.high]).toEqual([49.9, 50.1]);
});

test("a played turn goes round and round, a played slide there and back", () => {
  expect(advance(359, 5, TURN, "loop")).toEqual({ value: 364, turned: false });
  expect(advance(79, 5, SLIDE, "pingpong")).toEqual({ value: 80, turned: true });
  expect(advance(80, -5, SLIDE, "pingpong")).toEqual({ value: 75, turned: false });
  expect(advance(21, -5, SLIDE, "pingpong")).toEqual({ value: 20, turned: true });
});

test("a looped slide shows its end before it begins anew", () => {
  expect(advance(79, 5, SLIDE, "loop").value).toBe(80);
  expect(advance(80, 5, SLIDE, "loop").value).toBe(20);
});

test("a turn played there and back turns round at the ends of the turn it is in", () => {
  expect(advance(718, 5, TURN, "pingpong")).toEqual({ value: 720, turned: true });
  expect(advance(720, -5, TURN, "pingpong")).toEqual({ value: 715, turned: false });
  expect(advance(362, -5, TURN, "pingpong")).toEqual({ value: 360, turned: true });
  expect(advance(360, 5, TURN, "pingpong")).toEqual({ value: 365, turned: false });
});
