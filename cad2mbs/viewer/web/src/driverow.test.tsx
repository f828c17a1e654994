// @vitest-environment jsdom
import { computed } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { expect, test } from "vitest";
import { DriveRow } from "./panels/driverow";
import { stops } from "./panels/deadpoints";
import { reach } from "./state";
import { drive } from "./testscene";

test("the thumb stands at the value after the range has grown to hold it", () => {
  const box = document.createElement("div");
  const units = { length: "mm", angle: "deg", mm: 1 };
  const now = computed(() => ({ lift: 500 }));
  const show = (low: number, high: number) =>
    act(() => render(<DriveRow drive={drive("lift", { unit: "mm", length: true, value: 500, low, high })} units={units} now={now} />, box));
  reach.value = {};
  show(0, 50);
  show(400, 900);
  expect(box.querySelector<HTMLInputElement>("input[type=range]")!.value).toBe("500");
});

test("a dead point of the drive itself is told from one of another", () => {
  expect(stops({ value: 1, text: "dead point: nothing goes further" })).toBe(true);
  expect(stops({ value: 1, text: "rocker turns back here: its dead point, were it to drive" })).toBe(false);
});
