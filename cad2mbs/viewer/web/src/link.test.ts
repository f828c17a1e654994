// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PageMessage, Scene } from "./protocol";
import * as state from "./state";
import { drive, testScene } from "./testscene";

type Link = typeof import("./link");

/** Stands for the browser's websocket and keeps what was said. */
class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: PageMessage[] = [];
  onopen?: () => void;
  onclose?: () => void;
  onmessage?: (event: { data: string | ArrayBuffer }) => void;
  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as PageMessage);
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  close(): void {
    this.readyState = 3;
    this.onclose?.();
  }
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  pose(seq: number, values: number[], bodies = 2, flags = 1): void {
    const frame = new ArrayBuffer(24 + 8 * (values.length + 7 * bodies));
    const view = new DataView(frame);
    view.setUint8(0, 1);
    view.setUint8(1, flags);
    view.setUint32(4, seq, true);
    view.setUint32(8, values.length, true);
    view.setUint32(12, bodies, true);
    view.setFloat64(16, 0.0005, true);
    values.forEach((v, k) => view.setFloat64(24 + 8 * k, v, true));
    this.onmessage?.({ data: frame });
  }
}

const scene = (changes: Partial<Scene> = {}): Scene =>
  testScene([["a"], ["b"]], { drives: [drive("crank"), drive("lift")], geometry: "geometry/K1", ...changes });
const newestSocket = (): FakeSocket => FakeSocket.all[FakeSocket.all.length - 1];
const driven = (socket: FakeSocket) => socket.sent.filter((m) => m.type === "drive");
let fetched: string[];
let link: Link;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.resetModules();
  FakeSocket.all = [];
  fetched = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", (url: URL) => {
    fetched.push(url.pathname);
    return Promise.resolve(new Response(new Uint8Array([1, 2, 3])));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A link of its own for a test, with the signals it fills. */
async function connected(): Promise<{ socket: FakeSocket; state: typeof state }> {
  link = await import("./link");
  const signals = await import("./state");
  link.connect();
  newestSocket().open();
  return { socket: newestSocket(), state: signals };
}

test("the websocket lies beside the page and is as safe as it", async () => {
  link = await import("./link");
  expect(link.socketAddress("http://127.0.0.1:8000/T0KEN/")).toBe("ws://127.0.0.1:8000/T0KEN/ws");
  expect(link.socketAddress("https://h/T/?x=1#y")).toBe("wss://h/T/ws");
});

test("the page asks for what the command named", async () => {
  const { socket } = await connected();
  expect(socket.sent).toEqual([{ type: "open", source: "" }]);
});

test("while a drive is unanswered newer values are kept back and merged", async () => {
  const { socket, state: s } = await connected();
  socket.say(scene());
  s.send({ type: "drive", seq: 0, values: { crank: 1 } });
  s.send({ type: "drive", seq: 0, values: { crank: 2 } });
  s.send({ type: "drive", seq: 0, values: { lift: 7 } });
  expect(driven(socket)).toHaveLength(1);
  socket.pose(1, [1, 0]);
  expect(driven(socket)[1]).toEqual({ type: "drive", seq: 2, values: { crank: 2, lift: 7 } });
  expect(s.pose.value!.values[0]).toBe(1);
});

test("from input to applied pose is measured, of the last two hundred", async () => {
  const { socket, state: s } = await connected();
  socket.say(scene());
  for (let k = 1; k <= 250; k++) {
    s.send({ type: "drive", seq: 0, values: { crank: k } });
    socket.pose(k, [k, 0]);
  }
  const log = window.cad2mbs_latency!;
  expect(log).toHaveLength(200);
  for (const { input, applied, ms, solve } of log) {
    expect(ms).toBeCloseTo(applied - input, 9);
    expect(ms).toBeGreaterThanOrEqual(0);
    expect(solve).toBe(0.5);
  }
});

test("a pose of another scene is not applied", async () => {
  const { socket, state: s } = await connected();
  socket.say(scene());
  socket.pose(0, [0, 0]);
  const before = s.pose.value;
  socket.pose(0, [0, 0, 0]);
  socket.pose(0, [0, 0], 3);
  expect(s.pose.value).toBe(before);
});

test("shapes are fetched once and kept while their name stays", async () => {
  const { socket, state: s } = await connected();
  socket.say(scene());
  await vi.waitFor(() => expect(s.geometry.value).not.toBeNull());
  const blob = s.geometry.value;
  socket.say(scene({ edited: true }));
  expect(s.geometry.value).toBe(blob);
  expect(fetched).toEqual(["/geometry/K1"]);
  socket.say(scene({ geometry: "geometry/K2" }));
  expect(s.geometry.value).toBeNull();
  await vi.waitFor(() => expect(s.geometry.value).not.toBeNull());
  expect(fetched).toEqual(["/geometry/K1", "/geometry/K2"]);
});

test("what is hidden stays so after an edit, and not in another assembly", async () => {
  const { socket, state: s } = await connected();
  socket.say(scene());
  s.hidden.value = new Set([1]);
  socket.say(scene({ edited: true }));
  expect(s.hidden.value.has(1)).toBe(true);
  socket.say(scene({ source: "other.yaml" }));
  expect(s.hidden.value.size).toBe(0);
});

test("a broken connection is tried again with growing patience and goes back to its pose", async () => {
  const { socket, state: s } = await connected();
  socket.say(scene());
  socket.pose(0, [30, 4]);
  socket.close();
  expect(s.connected.value).toBe(false);
  const waits: number[] = [];
  for (let k = 0; k < 7; k++) {
    const count = FakeSocket.all.length;
    let waited = 0;
    while (FakeSocket.all.length === count) {
      vi.advanceTimersByTime(250);
      waited += 250;
    }
    waits.push(waited);
    if (k < 6) newestSocket().close();
  }
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15000, 15000]);
  const again = newestSocket();
  again.open();
  expect(s.connected.value).toBe(true);
  again.say(scene());
  expect(driven(again)[0]).toMatchObject({ values: { crank: 30, lift: 4 } });
});

test("an error that answers a drive releases the next one", async () => {
  const { socket, state: s } = await connected();
  socket.say(scene());
  s.send({ type: "drive", seq: 0, values: { crank: 1 } });
  s.send({ type: "drive", seq: 0, values: { crank: 2 } });
  socket.say({ type: "error", text: "no such drive", re: "drive" });
  expect(driven(socket)).toHaveLength(2);
  expect(s.notices.value.map((n) => n.text)).toEqual(["no such drive"]);
});

test("a stop is told until the mechanism moves again", async () => {
  const { socket, state: s } = await connected();
  socket.say(scene());
  s.send({ type: "drive", seq: 0, values: { crank: 99 } });
  socket.pose(1, [80, 0], 2, 2);
  socket.say({ type: "status", level: "stop", text: "dead point", seq: 1 });
  expect(s.status.value!.text).toBe("dead point");
  s.send({ type: "drive", seq: 0, values: { crank: 70 } });
  socket.pose(2, [70, 0]);
  expect(s.status.value).toBeNull();
});

test("storing a position sends first what the hand asked for last", async () => {
  const { socket, state: s } = await connected();
  socket.say(scene());
  s.send({ type: "drive", seq: 0, values: { crank: 1 } });
  s.send({ type: "drive", seq: 0, values: { crank: 2 } });
  s.send({ type: "position", name: "here" });
  expect(socket.sent.slice(1).map((m) => m.type)).toEqual(["drive", "drive", "position"]);
});

test("verdicts that come later leave the scene as it is", async () => {
  const { socket, state: s } = await connected();
  socket.say(scene());
  const before = s.scene.value;
  const mates = [{ name: "m", verdict: "conflicting", gap: "2 mm" }];
  socket.say({ type: "verdicts", mates, conflict: ["m"] });
  expect(s.scene.value).toBe(before);
  expect(s.verdicts.value.m.gap).toBe("2 mm");
  expect(s.conflict.value).toEqual(["m"]);
});

test("a drive that stops short is told to the fields, also where the value stays as it was", async () => {
  const { socket, state: s } = await connected();
  const ui = await import("./ui");
  socket.say(scene());
  s.send({ type: "drive", seq: 0, values: { crank: 99 } });
  const before = ui.refusals.value;
  socket.pose(1, [0, 0], 2, 2);
  expect(ui.refusals.value).toBe(before + 1);
});

test("undo is offered for as many changes as were made and not refused", async () => {
  const { socket, state: s } = await connected();
  const { edits } = await import("./ui");
  socket.say(scene());
  expect(edits.value).toBe(0);
  s.send({ type: "mate", name: "m", off: true });
  socket.say(scene({ edited: true }));
  s.send({ type: "mate", name: "m", value: 1 });
  socket.say({ type: "error", text: "no", re: "mate" });
  expect(edits.value).toBe(1);
  s.send({ type: "undo" });
  socket.say(scene());
  expect(edits.value).toBe(0);
});

test("curves go when nothing can be driven any more", async () => {
  const { socket, state: s } = await connected();
  socket.say(scene());
  const speed = { value: 1, unit: "deg/s" };
  const found = { type: "curves", drive: "crank", x: [0, 1], unit: "deg", columns: [], ok: true, status: "", speed };
  socket.say(found);
  expect(s.curves.value).not.toBeNull();
  socket.say(scene({ assembled: false }));
  expect(s.curves.value).toBeNull();
  socket.say(found);
  expect(s.curves.value).toBeNull();
});
