import { describe, expect, test } from "vitest";
import { niceStep, parsed, sentence, short, steady, stepOf, ticks, wrapped } from "./numbers";

describe("ticks", () => {
  test("are round numbers within the ends", () => {
    expect(ticks(0, 10, 5)).toEqual([0, 2, 4, 6, 8, 10]);
    expect(ticks(-0.013, 0.021, 4)).toEqual([-0.01, 0, 0.01, 0.02]);
    expect(ticks(997, 1003, 3)).toEqual([998, 1000, 1002]);
  });

  test("of degrees are parts of a turn", () => {
    expect(ticks(0, 360, 8, "deg")).toEqual([0, 45, 90, 135, 180, 225, 270, 315, 360]);
    expect(ticks(-180, 180, 4, "deg")).toEqual([-180, -90, 0, 90, 180]);
    expect(ticks(0, 10, 5, "deg")).toEqual([0, 2, 4, 6, 8, 10]);
  });

  test("keep their number and place over twelve powers of ten", () => {
    for (let power = -6; power <= 6; power++) {
      const high = 7.3 * 10 ** power;
      const found = ticks(0, high, 5);
      expect(found.length).toBeGreaterThanOrEqual(3);
      expect(found.length).toBeLessThanOrEqual(7);
      expect(Math.max(...found)).toBeLessThanOrEqual(high);
    }
  });

  test("of an empty range are its one place", () => {
    expect(ticks(3, 3)).toEqual([3]);
    expect(ticks(NaN, NaN)).toEqual([]);
  });
});

test("a step is a degree of a turn and a round number of anything else", () => {
  expect(stepOf(360)).toBe(1);
  expect(stepOf(250)).toBeCloseTo(0.5, 12);
  expect(stepOf(2 * Math.PI)).toBeCloseTo(0.01, 12);
  expect(niceStep(0.0499)).toBeCloseTo(0.02, 12);
});

describe("a typed number", () => {
  test("may have a decimal comma, a true minus and a unit", () => {
    expect(parsed(" 12,5 ", "mm")).toEqual({ value: 12.5 });
    expect(parsed("\u22123", "deg")).toEqual({ value: -3 });
    expect(parsed("1e-3", "")).toEqual({ value: 0.001 });
    expect(parsed("45 deg", "deg")).toEqual({ value: 45 });
  });

  test("is converted from another unit of the same kind", () => {
    expect(parsed("1 in", "mm")).toEqual({ value: 25.4 });
    expect((parsed("0.5 turn", "deg") as { value: number }).value).toBeCloseTo(180, 12);
    expect((parsed("180 deg", "rad") as { value: number }).value).toBeCloseTo(Math.PI, 12);
  });

  test("that is none is told in words", () => {
    expect(parsed("abc", "deg")).toEqual({
      problem: "“abc” is not a number; write for example 12.5 deg.",
    });
    expect(parsed("", "mm")).toHaveProperty("problem", expect.stringContaining("nothing was typed"));
    expect(parsed("3 mm", "deg")).toHaveProperty("problem", expect.stringContaining("deg is wanted"));
    expect(parsed("1e999", "mm")).toHaveProperty("problem", expect.stringContaining("too large"));
    expect(parsed("process.exit(1)", "mm")).toHaveProperty("problem");
  });
});

test("a value is moved by whole turns into the wanted one", () => {
  expect(wrapped(725, 0, 360)).toBe(5);
  expect(wrapped(-10, 0, 360)).toBe(350);
  expect(wrapped(190, -180, 360)).toBe(-170);
});

test("text of a moving value has as many places all the time", () => {
  expect(steady(45, 360)).toBe("45.000");
  expect(steady(-1e-9, 360)).toBe("0.000");
  expect(steady(0.001, 0.05)).toBe("0.00100");
  expect(short(1234567)).toBe("1.23e+6");
  expect(short(0.1 + 0.2)).toBe("0.3");
  expect(short(null)).toBe("–");
});

test("a message becomes a sentence once", () => {
  expect(sentence("every mate holds")).toBe("Every mate holds.");
  expect(sentence("Stopped.")).toBe("Stopped.");
});

test("round-off beside the span shows as zero, and a span of nothing gives few places", () => {
  expect(short(-1.4e-14, 107.7)).toBe("0");
  expect(short(2.3e-6, 360)).toBe("0");
  expect(short(107.712345, 107.7)).toBe("107.7");
  expect(short(3e-15)).toBe("0");
  expect(steady(75, 1e-9)).toBe("75.000");
  expect(steady(3e-15, 0)).toBe("0.000");
  expect(steady(0.00012345678, 1e-9)).toBe("0.000123");
});
