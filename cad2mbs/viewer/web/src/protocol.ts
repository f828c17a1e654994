// What page and server say to each other. The Python side is cad2mbs/viewer/session.py.
// Lengths of geometry and poses are mm; numbers of drives, mates and columns are user units.

export type Vec3 = [number, number, number];
export type Place = [number, number, number, number, number, number, number]; // x y z qx qy qz qw

export interface Units {
  length: string;
  angle: string;
  mm: number; // millimetres of a length unit
}

export interface Body {
  name: string;
  grounded: boolean;
  parts: number[];
}

export interface Part {
  name: string;
  body: number;
  solid: number; // -1: none, drawn as a stick figure through `points`
  colour: [number, number, number, number];
  place: Place; // in its body
  points: Vec3[];
}

export interface Joint {
  name: string;
  kind: string;
  freedoms: number;
  bodies: [string, string];
  mates: string[];
  role: "tree" | "closing";
  reason: string;
  limits: { name: string; low: number | null; high: number | null }[];
  place: { body: number; origin: Vec3; z: Vec3; x: Vec3 };
}

export type Verdict = "needed" | "redundant" | "conflicting" | "off" | "";

export interface Mate {
  name: string;
  kind: string;
  a: string;
  b: string;
  value: number | null;
  unit: string;
  off: boolean;
  verdict: Verdict;
  gap: string;
  meaning: string;
}

export interface Drive {
  name: string;
  unit: string;
  length: boolean;
  value: number;
  low: number | null;
  high: number | null;
  what: string;
  driving: boolean;
  declared: boolean;
  turns: boolean;
}

export interface Mobility {
  freedoms: number;
  gruebler: number;
  redundant: number;
  at_pose: number;
  names: string[];
}

export interface Quantity {
  name: string;
  unit: string;
  group: "drive" | "joint" | "part" | "observer";
  shown: boolean;
}

export interface Position {
  name: string;
  values: Record<string, number>;
}

export interface Scene {
  type: "scene";
  name: string;
  source: string;
  editable: boolean;
  edited: boolean;
  units: Units;
  geometry: string | null;
  bodies: Body[];
  parts: Part[];
  joints: Joint[];
  mates: Mate[];
  drives: Drive[];
  mobility: Mobility;
  assembled: boolean;
  status: string;
  notes: string[];
  conflict: string[];
  quantities: Quantity[];
  positions: Position[];
  observers: string[];
}

export interface Reach {
  type: "reach";
  drive: string;
  low: number;
  high: number;
  turns: boolean;
  lowReason: string;
  highReason: string;
  dead: { value: number; text: string }[];
}

export interface Curves {
  type: "curves";
  drive: string;
  x: number[];
  unit: string;
  columns: {
    name: string;
    unit: string;
    y: (number | null)[];
    rate: (number | null)[];
    rateUnit: string;
  }[];
  ok: boolean;
  status: string;
  speed: { value: number; unit: string };
}

export interface Trace {
  type: "trace";
  id: number;
  part: number;
  point: Vec3;
  points: Vec3[];
  closed: boolean;
}

export interface Status {
  type: "status";
  level: "ok" | "stop" | "error";
  text: string;
  seq: number;
}

export interface GalleryItem {
  source: string;
  title: string;
  thumbnail: string;
  parts: number;
  freedoms: number;
}

export interface Files {
  type: "files";
  folder: string;
  parent: string | null;
  entries: { name: string; kind: "folder" | "source"; source: string }[];
}

export type ServerMessage =
  | { type: "hello"; version: number; live: boolean; folder: string; maxUpload: number }
  | { type: "busy"; text: string }
  | { type: "idle" }
  | { type: "gallery"; items: GalleryItem[] }
  | Files
  | Scene
  | { type: "verdicts"; mates: { name: string; verdict: Verdict; gap: string }[]; conflict: string[] }
  | Reach
  | Status
  | { type: "error"; text: string; re: string }
  | Curves
  | Trace
  | { type: "clash"; pairs: [number, number][]; notes?: string[] } // pairs not watched, told once
  | { type: "saved"; path: string; notes: string[] }
  | { type: "text"; name: string; content: string };

export type PageMessage =
  | { type: "open"; source: string }
  | { type: "gallery" }
  | { type: "browse"; folder: string }
  | { type: "drive"; seq: number; values: Record<string, number>; cross?: boolean }
  | { type: "drag"; seq: number; part: number; point: Vec3; target: Vec3 }
  | { type: "drop" }
  | { type: "driving"; names: string[] }
  | { type: "reset" }
  | { type: "mate"; name: string; off?: boolean; value?: number }
  | { type: "undo" }
  | { type: "curves"; drive: string; names: string[] }
  | { type: "trace"; id: number; part: number; point: Vec3 }
  | { type: "untrace"; id: number }
  | { type: "clash"; on: boolean }
  | { type: "position"; name: string; remove?: boolean }
  | { type: "save"; path: string; replace: boolean }
  | { type: "text"; what: "mates" | "table"; drive?: string };

export interface PoseMessage {
  seq: number;
  ok: boolean;
  stopped: boolean;
  dragged: boolean;
  seconds: number; // the solver's share
  values: Float64Array; // of scene.drives, in their order
  poses: Float64Array; // 7 a body
}

const POSE = 1;

/** The pose message in a binary frame; null where it is something else. */
export function readPose(frame: ArrayBuffer): PoseMessage | null {
  const view = new DataView(frame);
  if (frame.byteLength < 24 || view.getUint8(0) !== POSE) return null;
  const flags = view.getUint8(1);
  const drives = view.getUint32(8, true);
  const bodies = view.getUint32(12, true);
  if (frame.byteLength !== 24 + 8 * (drives + 7 * bodies)) return null;
  return {
    seq: view.getUint32(4, true),
    ok: (flags & 1) !== 0,
    stopped: (flags & 2) !== 0,
    dragged: (flags & 4) !== 0,
    seconds: view.getFloat64(16, true),
    values: new Float64Array(frame, 24, drives),
    poses: new Float64Array(frame, 24 + 8 * drives, 7 * bodies),
  };
}
