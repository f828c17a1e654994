// @vitest-environment jsdom
import { expect, test } from "vitest";
import { csv, fileName } from "./download";
import { charts, framed, pxOfX, pxOfY, range, xOfPx } from "./plot";
import { cursor, valueAt } from "./curvedata";
import * as state from "./state";
import { drive, testScene } from "./testscene";
import { mainOf, refusal } from "./upload";
import { firstPath } from "./panels/save";

const X = [0, 90, 180, 270, 360];
const COLUMNS = [
  { name: "a", unit: "mm", y: [0, 1, 2, 1, 0] },
  { name: "b", unit: "deg", y: [5, null, 7, 8, 9] },
  { name: "c", unit: "mm", y: [-3, 0, 3, 0, -3] },
];

test("curves of one unit share axes, each keeps its own colour", () => {
  const found = charts(X, "deg", COLUMNS);
  expect(found.map((c) => [c.unit, c.series.map((s) => [s.name, s.colour])])).toEqual([
    ["mm", [["a", 0], ["c", 2]]],
    ["deg", [["b", 1]]],
  ]);
});

test("pixels and values are the inverse of each other", () => {
  const frame = framed(charts(X, "deg", COLUMNS)[0], 400, 200);
  for (const x of X) expect(xOfPx(frame, pxOfX(frame, x))).toBeCloseTo(x, 9);
  expect(xOfPx(frame, -50)).toBe(0);
  expect(xOfPx(frame, 5000)).toBe(360);
  expect(pxOfY(frame, 3)).toBeLessThan(pxOfY(frame, -3));
  for (const y of [-3, 3]) {
    expect(pxOfY(frame, y)).toBeGreaterThan(frame.top);
    expect(pxOfY(frame, y)).toBeLessThan(frame.top + frame.height);
  }
});

test("a curve that is zero but for rounding has an axis on which that does not show", () => {
  const flat = charts(X, "deg", [{ name: "z", unit: "deg", y: [0, 1e-12, -2e-12, 0, 0] }])[0];
  const frame = framed(flat, 400, 200);
  expect(frame.y1 - frame.y0).toBeGreaterThan(0.1);
});

test("least and greatest pass over gaps", () => {
  expect(range([null, 3, -1, null])).toEqual([-1, 3]);
  expect(range([null])).toBeNull();
});

test("a value between two places of a curve lies on the line between them", () => {
  expect(valueAt(X, COLUMNS[0].y, 45)).toBe(0.5);
  expect(valueAt(X, COLUMNS[1].y, 10)).toBe(5);
  expect(valueAt(X, COLUMNS[1].y, 80)).toBeNull();
});

test("the cursor of a drive that comes round stays on the axis", () => {
  state.scene.value = testScene([["a"]], { drives: [drive("crank", { value: 725, turns: true })] });
  state.pose.value = null;
  const speed = { value: 360, unit: "deg/s" };
  state.curves.value = {
    type: "curves", drive: "crank", x: X, unit: "deg", columns: [], ok: true, status: "", speed,
  };
  state.reach.value = {
    crank: {
      type: "reach", drive: "crank", low: 0, high: 360, turns: true, lowReason: "", highReason: "",
      dead: [],
    },
  };
  expect(cursor.value).toEqual({ x: 5, offset: 720 });
});

test("CSV quotes what would break it and leaves gaps empty", () => {
  expect(csv(["x [deg]", 'a "b", c'], [[0, null], [1.5, -2]])).toBe(
    'x [deg],"a ""b"", c"\n0,\n1.5,-2\n',
  );
});

test("a file that leaves the page has a name without folders", () => {
  expect(fileName("../../etc/pass:wd")).toBe("pass_wd");
  expect(fileName("")).toBe("file.txt");
});

test("files that are too large or of no known kind are refused in words", () => {
  const file = (name: string, size = 10) => ({ name, size });
  expect(refusal([file("a.step", 3e6)], 2e6)).toContain("at most 2.0 MB");
  expect(refusal([file("a.exe")], 2e6)).toContain(".step");
  expect(refusal([file("a.step")], 2e6)).toBe("");
  expect(mainOf([file("part.STEP"), file("mates.yaml")])!.name).toBe("mates.yaml");
});

test("a path to save to is that of the file itself, else a new one of its name", () => {
  expect(firstPath("lift/assembly.yaml")).toBe("lift/assembly.yaml");
  expect(firstPath("shipped:four_bar")).toBe("four_bar.yaml");
  expect(firstPath("upload:1234/gearbox.step")).toBe("gearbox.yaml");
  expect(firstPath("models/gearbox.stp")).toBe("models/gearbox.yaml");
  expect(firstPath("models/lift")).toBe("models/lift/assembly.yaml");
  expect(firstPath("")).toBe("assembly.yaml");
});
