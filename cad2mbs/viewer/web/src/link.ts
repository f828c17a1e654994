// The live connection: a websocket beside the page, opened anew with growing patience when it
// breaks, the shapes that a scene names, and one drive value at a time.

import { effect } from "@preact/signals";
import { receive, tell } from "./dispatch";
import { Newest } from "./newest";
import { readPose } from "./protocol";
import type { PageMessage, PoseMessage, Scene, ServerMessage } from "./protocol";
import * as state from "./state";
import { edited, edits, opening, refusals, retryAt, waiting, wanted } from "./ui";

const FIRST_DELAY = 500; // [ms] before the first new try; doubled each time
const LAST_DELAY = 15_000;
const LATENCIES = 200;

/** From the input at the slider to the pose on the page, stamps of performance.now() [ms]. */
export interface Latency {
  input: number;
  applied: number;
  ms: number;
  solve: number; // [ms] the solver's share
}

declare global {
  interface Window {
    cad2mbs_latency?: Latency[];
  }
}

const latencies: Latency[] = [];
let socket: WebSocket | null = null;
let delay = FIRST_DELAY;
let timer: ReturnType<typeof setTimeout> | undefined;
let opened = ""; // the source asked for last; "" is what the command named

interface Lost {
  scene: Scene;
  pose: PoseMessage | null;
}
let lost: Lost | null = null; // what was open before the connection broke

export const newest = new Newest(post);

/** Connect to `ws` beside the page, and stay connected. */
export function connect(): void {
  window.cad2mbs_latency = latencies;
  state.source.value = { live: true, send };
  fetchShapes();
  dial();
}

/** The websocket's address beside a page at `page`. */
export function socketAddress(page: string): string {
  const address = new URL("ws", page);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.search = address.hash = "";
  return address.href;
}

/** Try again now. */
export function dial(): void {
  clearTimeout(timer);
  retryAt.value = null;
  const next = new WebSocket(socketAddress(location.href));
  next.binaryType = "arraybuffer";
  socket = next;
  next.onopen = () => {
    delay = FIRST_DELAY;
    state.connected.value = true;
    reopen();
  };
  next.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
    if (typeof event.data === "string") hear(event.data);
    else applyPose(readPose(event.data));
  };
  next.onclose = () => {
    if (socket !== next) return;
    state.connected.value = false;
    state.busy.value = null;
    state.playing.value = false;
    newest.reset();
    waiting.value = false;
    retryAt.value = performance.now() + delay;
    timer = setTimeout(dial, delay);
    delay = Math.min(2 * delay, LAST_DELAY);
  };
}

/** A new connection begins with a new session: open what was open. */
function reopen(): void {
  lost = state.scene.value ? { scene: state.scene.value, pose: state.pose.value } : null;
  if (lost && edited.value) {
    state.notice("The connection was lost, and with it the changes of mates since the last save.");
  }
  edits.value = 0;
  post({ type: "open", source: opened });
}

/** After the connection was lost: drive what drove, to where it was. */
function goBack({ scene, pose }: Lost): void {
  const names = scene.drives.filter((d) => d.driving).map((d) => d.name);
  const now = state.scene.value?.drives.filter((d) => d.driving).map((d) => d.name) ?? [];
  if (names.join("\n") !== now.join("\n")) post({ type: "driving", names });
  for (const { id, part, point } of Object.values(state.traces.value)) {
    post({ type: "trace", id, part, point });
  }
  if (!pose) return;
  const entries = scene.drives.flatMap((d, k) => (d.driving ? [[d.name, pose.values[k]]] : []));
  newest.put({ type: "drive", seq: 0, values: Object.fromEntries(entries) });
}

function hear(text: string): void {
  const message = JSON.parse(text) as ServerMessage;
  if (message.type === "error" && (message.re === "drive" || message.re === "drag")) {
    newest.failed();
    waiting.value = newest.waiting;
  }
  receive(message);
  if (message.type === "scene" && lost) {
    const before = lost;
    lost = null;
    if (before.scene.source === message.source) goBack(before);
  }
}

function post(message: PageMessage): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function send(message: PageMessage): void {
  switch (message.type) {
    case "drive":
      wanted.value = { ...wanted.value, ...message.values };
      newest.put(message);
      waiting.value = newest.waiting;
      return;
    case "drag":
      newest.put(message);
      return;
    case "open":
      opened = message.source;
      opening.value = message.source;
      newest.clear();
      break;
    case "reset":
    case "undo":
      if (message.type === "undo") edits.value = Math.max(0, edits.value - 1);
      wanted.value = {};
      newest.clear();
      break;
    case "drop":
    case "position":
    case "save":
    case "mate":
      if (message.type === "mate" || message.type === "position") edits.value++;
      newest.flush(); // they mean the pose that the hand asked for last
      break;
  }
  post(message);
}

function applyPose(pose: PoseMessage | null): void {
  if (!pose) return;
  const input = newest.answered(pose.seq); // first: the next one is solved while this one is drawn
  const scene = state.scene.value;
  if (!scene || pose.values.length !== scene.drives.length) return;
  if (pose.poses.length !== 7 * scene.bodies.length) return;
  waiting.value = newest.waiting;
  state.pose.value = pose;
  if (pose.stopped && !pose.dragged && !waiting.value) refusals.value++;
  const told = state.status.value;
  if (pose.ok && !pose.stopped && told?.level === "stop" && pose.seq > told.seq) {
    state.status.value = null;
  }
  if (input !== null) {
    const applied = performance.now();
    latencies.push({ input, applied, ms: applied - input, solve: 1000 * pose.seconds });
    if (latencies.length > LATENCIES) latencies.shift();
  }
}

let shapes: string | null = null; // name of those at hand or on their way

/** Fetch the shapes whenever a scene names others than those at hand. */
function fetchShapes(): void {
  effect(() => {
    const name = state.scene.value?.geometry ?? null;
    if (name === shapes) return;
    shapes = name;
    if (name !== null) void fetchBlob(name);
  });
}

async function fetchBlob(name: string): Promise<void> {
  try {
    const answer = await fetch(new URL(name, location.href));
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    const blob = await answer.arrayBuffer();
    if (state.scene.value?.geometry === name) state.geometry.value = blob;
  } catch (error) {
    shapes = null;
    const reason = error instanceof Error ? error.message : String(error);
    tell(`The shapes of the parts could not be fetched (${reason}). Reload the page.`, "error");
  }
}
