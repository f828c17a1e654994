// The page in one file: a recorded motion answers in place of the server. It knows each drive
// alone, from the start pose.

import { csv, saveText } from "./download";
import { receive, tell } from "./dispatch";
import { between, bracket, moved } from "./interpolate";
import { wrapped } from "./numbers";
import type { Curves, PageMessage, Scene, Vec3 } from "./protocol";
import * as state from "./state";
import { narrow, refusals, sizes, wanted } from "./ui";

export interface RecordedDrive {
  name: string;
  values: number[];
  poses: string; // base64 of gzip of f64 (k, bodies, 7)
  columns?: Curves["columns"];
  speed?: { value: number; unit: string };
}

export interface Recording {
  scene: Scene;
  drives: RecordedDrive[];
  start?: number[][]; // poses of the bodies before anything moves
  traces?: { name: string; part: number; point: Vec3 }[]; // points whose paths are drawn
  geometry: string | null; // base64 of gzip of the blob
  compact?: boolean; // little room, as in a notebook: the view and the sliders only
}

interface Track {
  values: number[];
  poses: Float64Array;
  columns: Curves["columns"];
  speed: { value: number; unit: string };
}

const ALONE =
  "This page holds a recorded motion: each drive moves alone, so the others went back to the start.";

/** Show the recording in `text`, JSON. */
export function play(text: string): void {
  state.busy.value = "Unpacking the recording";
  unpack(text).then(
    (player) => player.start(),
    (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      tell(`The recording in this page cannot be read (${reason}).`, "error");
      state.busy.value = null;
    },
  );
}

async function unpack(text: string): Promise<Player> {
  const recording = JSON.parse(text) as Recording;
  const tracks = new Map<string, Track>();
  for (const drive of recording.drives) {
    tracks.set(drive.name, {
      values: drive.values,
      poses: new Float64Array(await gunzip(drive.poses)),
      columns: drive.columns ?? [],
      speed: drive.speed ?? { value: NaN, unit: "" },
    });
  }
  if (recording.compact) {
    sizes.value = { ...sizes.value, leftOpen: false, bottomOpen: false, rightOpen: !narrow.value };
  }
  const blob = recording.geometry === null ? null : await gunzip(recording.geometry);
  const scene = { ...recording.scene, geometry: blob ? "recorded" : null };
  return new Player(scene, tracks, blob, recording);
}

/** The bytes in base64 of gzip. */
export async function gunzip(base64: string): Promise<ArrayBuffer> {
  const text = atob(base64);
  const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
  const unpacked = new Response(bytes).body!.pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked).arrayBuffer();
}

export class Player implements state.Source {
  readonly live = false;
  private readonly starts: number[];

  constructor(
    private readonly scene: Scene,
    private readonly tracks: Map<string, Track>,
    private readonly blob: ArrayBuffer | null,
    private readonly given: Pick<Recording, "start" | "traces"> = {},
  ) {
    this.starts = scene.drives.map((d) => d.value);
  }

  start(): void {
    state.source.value = this;
    state.connected.value = true;
    const drives = this.scene.drives.map((d) => ({ ...d, driving: this.tracks.has(d.name) }));
    receive({ ...this.scene, drives, editable: false });
    state.geometry.value = this.blob;
    for (const [name, track] of this.tracks) this.sayReach(name, track);
    this.reset();
    this.given.traces?.forEach(({ part, point }, k) => this.trace(k + 1, part, point));
    state.busy.value = null;
  }

  send(message: PageMessage): void {
    if (message.type === "drive") this.drive(message.values);
    else if (message.type === "reset") this.reset();
    else if (message.type === "curves") this.curves(message.drive, message.names);
    else if (message.type === "trace") this.trace(message.id, message.part, message.point);
    else if (message.type === "text" && message.what === "table") this.table(message.drive);
  }

  private reset(): void {
    wanted.value = {};
    state.status.value = null;
    const [first] = this.tracks;
    if (this.given.start) this.say(Float64Array.from(this.given.start.flat()), 0);
    else if (first) this.show(first[0], this.scene.drives.find((d) => d.name === first[0])!.value);
  }

  /** A pose with all drives at their start values but for those in `changes`. */
  private say(poses: Float64Array, seconds: number, stopped = false, changes: [number, number][] = []): void {
    const values = Float64Array.from(this.starts);
    for (const [row, value] of changes) values[row] = value;
    const seen = { seq: 0, ok: !stopped, stopped, dragged: false };
    state.pose.value = { ...seen, seconds, values, poses };
  }

  /** Move the drive whose value differs from the present one; it moves alone. */
  private drive(values: Record<string, number>): void {
    wanted.value = { ...wanted.value, ...values };
    const now = state.pose.value?.values;
    const rows = this.scene.drives.map((d, k) => [d.name, k] as const);
    const known = rows.filter(([name]) => name in values && this.tracks.has(name));
    const [name] = known.find(([n, k]) => values[n] !== now?.[k]) ?? known[0] ?? [null];
    if (name === null) return;
    if (this.othersMoved(name)) tell(ALONE);
    this.show(name, values[name]);
  }

  /** Whether some other recorded drive is away from its start now. */
  private othersMoved(name: string): boolean {
    const now = state.pose.value?.values;
    return this.scene.drives.some(
      (d, k) => d.name !== name && this.tracks.has(d.name) && now?.[k] !== this.starts[k],
    );
  }

  private show(name: string, value: number): void {
    const track = this.tracks.get(name)!;
    const began = performance.now();
    const drive = this.scene.drives.find((d) => d.name === name)!;
    const first = Math.min(track.values[0], track.values[track.values.length - 1]);
    const last = Math.max(track.values[0], track.values[track.values.length - 1]);
    const x = drive.turns ? wrapped(value, first, last - first) : value;
    const stopped = x < first - 1e-9 || x > last + 1e-9;
    const reached = Math.min(last, Math.max(first, x));
    const poses = between(track.poses, this.scene.bodies.length, bracket(track.values, reached));
    const text = stopped ? `The recording of ${name} ends at ${reached} ${drive.unit}.` : "";
    state.status.value = stopped ? { type: "status", level: "stop", text, seq: 0 } : null;
    const seconds = (performance.now() - began) / 1000;
    this.say(poses, seconds, stopped, [[this.scene.drives.indexOf(drive), stopped ? reached : value]]);
    if (stopped) refusals.value++;
  }

  private sayReach(drive: string, { values }: Track): void {
    const turns = this.scene.drives.find((d) => d.name === drive)?.turns ?? false;
    const reason = turns ? "" : "the recording ends here";
    const [low, high] = [Math.min(...values), Math.max(...values)];
    receive({ type: "reach", drive, low, high, turns, lowReason: reason, highReason: reason, dead: [] });
  }

  private curves(drive: string, names: string[]): void {
    const track = this.tracks.get(drive);
    if (!track) return;
    const unit = this.scene.drives.find((d) => d.name === drive)?.unit ?? "";
    const columns = track.columns.filter((c) => names.includes(c.name));
    const { values: x, speed } = track;
    receive({ type: "curves", drive, x, unit, columns, ok: true, status: "", speed });
  }

  /** The path of a point over the motion of the active drive. */
  private trace(id: number, part: number, point: Vec3): void {
    const drive = state.activeDrive.value ?? "";
    const track = this.tracks.get(drive);
    if (!track) return;
    const { body, place } = this.scene.parts[part];
    const inBody = moved(place, 0, point);
    const size = 7 * this.scene.bodies.length;
    const points = track.values.map((_, k) => moved(track.poses, k * size + 7 * body, inBody));
    const [first, last] = [points[0], points[points.length - 1]];
    const span = Math.max(...points.map((p) => Math.hypot(...p.map((c, k) => c - first[k]))));
    const gap = Math.hypot(...first.map((c, k) => c - last[k]));
    receive({ type: "trace", id, part, point, points, closed: span > 1e-6 && gap < 1e-6 * span });
  }

  private table(drive = state.activeDrive.value ?? ""): void {
    const track = this.tracks.get(drive);
    if (!track) return;
    const unit = this.scene.drives.find((d) => d.name === drive)?.unit ?? "";
    const columns = track.columns.filter((c) => c.name !== drive);
    const header = [`${drive} [${unit}]`, ...columns.map((c) => `${c.name} [${c.unit}]`)];
    const rows = track.values.map((x, k) => [x, ...columns.map((c) => c.y[k])]);
    saveText(csv(header, rows), `${this.scene.name}-${drive}.csv`);
  }
}
