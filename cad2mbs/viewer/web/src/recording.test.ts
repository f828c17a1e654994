// @vitest-environment jsdom
import { beforeEach, expect, test } from "vitest";
import { between, bracket, moved, slerp } from "./interpolate";
import { gunzip, Player } from "./recording";
import * as state from "./state";
import { drive, testScene } from "./testscene";

/** Pose of a turn about z by `deg`, at `x` [mm]. */
function turned(deg: number, x = 0): number[] {
  const half = (deg * Math.PI) / 360;
  return [x, 0, 0, 0, 0, Math.sin(half), Math.cos(half)];
}

const STEP = 10;
const VALUES = Array.from({ length: 37 }, (_, k) => STEP * k);
const STILL = [0, 0, 0, 0, 0, 0, 1];

/** Two drives: `crank` turns body 1 about z, `slide` moves body 2 along x; body 0 is the ground. */
function recorded(): Player {
  const crank = VALUES.flatMap((deg) => [...STILL, ...turned(deg), ...STILL]);
  const slide = [0, 50, 100].flatMap((x) => [...STILL, ...STILL, ...turned(0, x)]);
  const drives = [
    drive("crank", { turns: true }),
    drive("slide", { unit: "mm", length: true }),
  ];
  const speed = { value: 360, unit: "deg/s" };
  const column = { name: "angle", unit: "deg", y: VALUES, rate: VALUES.map(() => 360), rateUnit: "deg/s" };
  const tracks = new Map([
    ["crank", { values: VALUES, poses: Float64Array.from(crank), columns: [column], speed }],
    ["slide", { values: [0, 50, 100], poses: Float64Array.from(slide), columns: [], speed }],
  ]);
  return new Player(testScene([["ground"], ["crank"], ["slide"]], { drives }), tracks, null);
}

beforeEach(() => {
  state.scene.value = null;
  state.pose.value = null;
  state.status.value = null;
  state.notices.value = [];
  state.traces.value = {};
  state.curves.value = null;
});

test("half of a quarter turn is an eighth of a turn", () => {
  const out = new Float64Array(4);
  slerp([...turned(0).slice(3), ...turned(90).slice(3)], 0, 4, 0.5, out, 0);
  turned(45).slice(3).forEach((q, k) => expect(out[k]).toBeCloseTo(q, 14));
});

test("the shorter arc is taken where a quaternion has changed its sign", () => {
  const out = new Float64Array(4);
  slerp([...turned(0).slice(3), ...turned(90).slice(3).map((q) => -q)], 0, 4, 1 / 3, out, 0);
  turned(30).slice(3).forEach((q, k) => expect(out[k]).toBeCloseTo(q, 14));
});

test("a turn too small for the formula is interpolated all the same", () => {
  const out = new Float64Array(4);
  slerp([...turned(0).slice(3), ...turned(1e-8).slice(3)], 0, 4, 0.5, out, 0);
  expect(out[2]).toBeCloseTo(Math.sin((0.5e-8 * Math.PI) / 360), 18);
  expect(Math.hypot(...out)).toBeCloseTo(1, 15);
});

test("places are found in rising and in falling values", () => {
  expect(bracket([0, 10, 20], 15)).toEqual({ row: 1, share: 0.5 });
  expect(bracket([20, 10, 0], 15)).toEqual({ row: 0, share: 0.5 });
  expect(bracket([0, 10], -5)).toEqual({ row: 0, share: 0 });
  expect(bracket([0, 10], 99)).toEqual({ row: 0, share: 1 });
});

test("positions lie on the line between two recorded ones", () => {
  const poses = Float64Array.from([...turned(0, 10), ...turned(90, 30)]);
  const found = between(poses, 1, { row: 0, share: 0.25 });
  expect(found[0]).toBeCloseTo(15, 12);
});

test("a point goes where the matrix of its pose takes it", () => {
  const angle = 0.7;
  const [x, y] = moved(turned((angle * 180) / Math.PI, 5), 0, [2, 1, 3]);
  expect(x).toBeCloseTo(5 + 2 * Math.cos(angle) - Math.sin(angle), 12);
  expect(y).toBeCloseTo(2 * Math.sin(angle) + Math.cos(angle), 12);
});

test("a drive between two recorded values turns its body by just that angle", () => {
  recorded().start();
  state.send({ type: "drive", seq: 0, values: { crank: 123.4 } });
  const pose = state.pose.value!;
  turned(123.4).forEach((c, k) => expect(pose.poses[7 + k]).toBeCloseTo(c, 12));
  expect(pose.values[0]).toBe(123.4);
});

test("a full-circle drive goes on beyond its turn", () => {
  recorded().start();
  state.send({ type: "drive", seq: 0, values: { crank: 360 + 45 } });
  turned(45).forEach((c, k) => expect(state.pose.value!.poses[7 + k]).toBeCloseTo(c, 12));
  expect(state.pose.value!.values[0]).toBe(405);
  expect(state.status.value).toBeNull();
});

test("a slide stops where its recording ends and says so", () => {
  recorded().start();
  state.send({ type: "drive", seq: 0, values: { slide: 130 } });
  expect(state.pose.value!.stopped).toBe(true);
  expect(state.pose.value!.poses[14]).toBe(100);
  expect(state.status.value!.text).toBe("The recording of slide ends at 100 mm.");
});

test("a second drive returns the first to the start and tells why", () => {
  recorded().start();
  state.send({ type: "drive", seq: 0, values: { crank: 90 } });
  expect(state.notices.value).toEqual([]);
  state.send({ type: "drive", seq: 0, values: { slide: 50 } });
  expect([...state.pose.value!.values]).toEqual([0, 50]);
  turned(0).forEach((c, k) => expect(state.pose.value!.poses[7 + k]).toBeCloseTo(c, 12));
  expect(state.notices.value[0].text).toContain("each drive moves alone");
});

test("the trace of a point on the crank is a closed circle", () => {
  recorded().start();
  state.activeDrive.value = "crank";
  state.send({ type: "trace", id: 4, part: 1, point: [30, 0, 7] });
  const trace = state.traces.value[4];
  expect(trace.closed).toBe(true);
  for (const [x, y, z] of trace.points) {
    expect(Math.hypot(x, y)).toBeCloseTo(30, 10);
    expect(z).toBeCloseTo(7, 12);
  }
});

test("only the curves that are asked for are given", () => {
  recorded().start();
  state.send({ type: "curves", drive: "crank", names: ["angle", "unknown"] });
  expect(state.curves.value!.columns.map((c) => c.name)).toEqual(["angle"]);
  expect(state.curves.value!.speed.value).toBe(360);
});

test("what needs a server is not answered and does no harm", () => {
  recorded().start();
  const before = state.pose.value;
  state.send({ type: "mate", name: "m", off: true });
  state.send({ type: "save", path: "x.yaml", replace: true });
  state.send({ type: "undo" });
  expect(state.pose.value).toBe(before);
  expect(state.source.value!.live).toBe(false);
});

test("what Python packed as base64 of gzip comes out again", async () => {
  const packed = "H4sIAAAAAAACA2NgAIEf9mCKgemAhK5LyG9FTgcA2UlJBxgAAAA=";
  expect([...new Float64Array(await gunzip(packed))]).toEqual([1.5, -2.25, Math.PI]);
});
