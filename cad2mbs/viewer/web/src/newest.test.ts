import { beforeEach, expect, test } from "vitest";
import { Newest } from "./newest";
import type { PageMessage } from "./protocol";

type Drive = Extract<PageMessage, { type: "drive" }>;
let sent: PageMessage[];
let clock: number;
let newest: Newest;
const drive = (values: Record<string, number>, cross?: boolean): void =>
  newest.put({ type: "drive", seq: 0, values, ...(cross ? { cross } : {}) });
const seqs = (): number[] => sent.map((m) => (m as Drive).seq);

beforeEach(() => {
  sent = [];
  clock = 1000;
  newest = new Newest((m) => sent.push(m), () => clock);
});

test("the first value goes out at once and the next ones wait for the answer", () => {
  drive({ crank: 1 });
  drive({ crank: 2 });
  drive({ crank: 3 });
  expect(sent).toEqual([{ type: "drive", seq: 1, values: { crank: 1 } }]);
  newest.answered(1);
  expect(sent.slice(1)).toEqual([{ type: "drive", seq: 2, values: { crank: 3 } }]);
});

test("a thousand inputs during one answer become one message", () => {
  for (let k = 0; k < 1000; k++) drive({ crank: k });
  newest.answered(1);
  newest.answered(2);
  expect(seqs()).toEqual([1, 2]);
  expect(newest.waiting).toBe(false);
});

test("values of several drives that wait are merged, the newest of each", () => {
  drive({ boom: 0 });
  drive({ boom: 1, stick: 5 });
  drive({ stick: 6 });
  newest.answered(1);
  expect((sent[1] as Drive).values).toEqual({ boom: 1, stick: 6 });
});

test("the word to cross a dead point is not lost by merging", () => {
  drive({ crank: 0 });
  drive({ crank: 1 }, true);
  drive({ crank: 2 });
  newest.answered(1);
  expect((sent[1] as Drive).cross).toBe(true);
});

test("an answer to an older message releases nothing", () => {
  drive({ crank: 1 });
  newest.answered(1);
  drive({ crank: 2 });
  drive({ crank: 3 });
  expect(newest.answered(1)).toBeNull();
  expect(seqs()).toEqual([1, 2]);
});

test("the answer tells the time of the oldest input that it answers", () => {
  drive({ crank: 1 });
  clock = 1010;
  drive({ crank: 2 });
  clock = 1020;
  drive({ crank: 3 });
  expect(newest.answered(1)).toBe(1000);
  expect(newest.answered(2)).toBe(1010);
});

test("a drag takes the place of a drive that waits", () => {
  drive({ crank: 1 });
  drive({ crank: 2 });
  newest.put({ type: "drag", seq: 0, part: 1, point: [0, 0, 0], target: [1, 0, 0] });
  newest.answered(1);
  expect(sent[1].type).toBe("drag");
});

test("what waits is sent when the one before failed, or is not answered for long", () => {
  drive({ crank: 1 });
  drive({ crank: 2 });
  newest.failed();
  expect(seqs()).toEqual([1, 2]);
  clock += 6000;
  drive({ crank: 3 });
  expect(seqs()).toEqual([1, 2, 3]);
});

test("what waits can be sent early or forgotten", () => {
  drive({ crank: 1 });
  drive({ crank: 2 });
  newest.flush();
  expect(seqs()).toEqual([1, 2]);
  drive({ crank: 3 });
  newest.clear();
  newest.answered(2);
  expect(seqs()).toEqual([1, 2]);
});
