// The view cube and the axes, drawn as SVG over a corner of the view. Without perspective each face
// of the cube is an affine picture of a square, so text stays crisp and the browser finds clicks.

import type { Vec3 } from "../protocol";
import { axes } from "./camera";
import { dot, plus } from "./vec";

const NAMESPACE = "http://www.w3.org/2000/svg";
const SIZE = 104; // [px]
const EDGE = 46; // [px] of the cube
const UNIT = 100; // side of a face in its own drawing
const CELLS = [0, 22, 78, UNIT]; // corner, edge and middle fields of a face

interface Face {
  name: string;
  n: Vec3;
  right: Vec3; // on the face, seen from outside
  down: Vec3;
}

const FACES: Face[] = [
  { name: "FRONT", n: [0, -1, 0], right: [1, 0, 0], down: [0, 0, -1] },
  { name: "BACK", n: [0, 1, 0], right: [-1, 0, 0], down: [0, 0, -1] },
  { name: "RIGHT", n: [1, 0, 0], right: [0, 1, 0], down: [0, 0, -1] },
  { name: "LEFT", n: [-1, 0, 0], right: [0, -1, 0], down: [0, 0, -1] },
  { name: "TOP", n: [0, 0, 1], right: [1, 0, 0], down: [0, -1, 0] },
  { name: "BOTTOM", n: [0, 0, -1], right: [1, 0, 0], down: [0, 1, 0] },
];

const AXES: [string, Vec3, string, string][] = [
  ["x", [1, 0, 0], "#c62f2f", "#ff7b7b"],
  ["y", [0, 1, 0], "#1f7a33", "#6fd388"],
  ["z", [0, 0, 1], "#2458c4", "#86aeff"],
];

interface Arm {
  axis: Vec3;
  inks: string[]; // light and dark
  line: SVGElement;
  text: SVGElement;
}

export class ViewCube {
  readonly element: SVGSVGElement;
  private readonly faces: { face: Face; group: SVGGElement; base: SVGElement; text: SVGElement }[];
  private readonly arms: Arm[];
  private shown = "";

  /** `turn` is told the direction to look from. */
  constructor(private readonly turn: (direction: Vec3) => void) {
    const half = SIZE / 2;
    const frame = { width: SIZE, height: SIZE, viewBox: `-${half} -${half} ${SIZE} ${SIZE}` };
    this.element = make("svg", frame) as SVGSVGElement;
    this.element.setAttribute("aria-hidden", "true"); // the tool bar's view buttons say the same
    this.element.style.cssText =
      "position:absolute;top:8px;right:8px;user-select:none;touch-action:none;overflow:visible";
    this.arms = AXES.map(([name, axis, light, dark]) => this.arm(name, axis, [light, dark]));
    this.faces = FACES.map((face) => this.face(face));
  }

  private arm(name: string, axis: Vec3, inks: string[]): Arm {
    const line = make("line", { "stroke-width": 2.5, "stroke-linecap": "round" }, this.element);
    const text = make("text", { "text-anchor": "middle", dy: "0.35em" }, this.element);
    text.style.cssText = "font:600 11px system-ui,sans-serif";
    text.textContent = name;
    return { axis, inks, line, text };
  }

  private face(face: Face) {
    const group = make("g", {}, this.element) as SVGGElement;
    const base = make("rect", { width: UNIT, height: UNIT, "stroke-width": 2.5 }, group);
    const middle = { "text-anchor": "middle", x: UNIT / 2, y: UNIT / 2, dy: "0.35em" };
    const text = make("text", middle, group);
    text.style.cssText = "font:600 21px system-ui,sans-serif";
    text.textContent = face.name;
    for (let across = 0; across < 3; across++) {
      for (let down = 0; down < 3; down++) this.field(group, face, across, down);
    }
    return { face, group, base, text };
  }

  /** One of the nine fields of a face: its middle, an edge or a corner of the cube. */
  private field(group: SVGGElement, face: Face, across: number, down: number): void {
    const [x, y] = [CELLS[across], CELLS[down]];
    const [width, height] = [CELLS[across + 1] - x, CELLS[down + 1] - y];
    const field = make("rect", { x, y, width, height, fill: "#2080f5", "fill-opacity": 0 }, group);
    field.style.cursor = "pointer";
    field.addEventListener("pointerenter", () => field.setAttribute("fill-opacity", "0.4"));
    field.addEventListener("pointerleave", () => field.setAttribute("fill-opacity", "0"));
    field.addEventListener("click", () =>
      this.turn(plus(plus(face.n, face.right, across - 1), face.down, down - 1)),
    );
  }

  update(yaw: number, pitch: number, dark: boolean): void {
    const key = `${yaw} ${pitch} ${dark}`;
    if (key === this.shown) return;
    this.shown = key;
    const [right, up, back] = axes(yaw, pitch);
    const flat = (v: Vec3) => [dot(v, right), -dot(v, up)]; // SVG counts downwards
    for (const { face, group, base, text } of this.faces) {
      const towards = dot(face.n, back);
      group.style.display = towards > 1e-3 ? "" : "none";
      const first = plus(plus(face.n, face.right, -1), face.down, -1);
      const corner = flat(first).map((v) => (v * EDGE) / 2);
      const [a, b] = flat(face.right).map((v) => (v * EDGE) / UNIT);
      const [c, d] = flat(face.down).map((v) => (v * EDGE) / UNIT);
      group.setAttribute("transform", `matrix(${[a, b, c, d, ...corner].map(short).join(" ")})`);
      const light = dark ? 58 + 24 * towards : 86 + 12 * towards;
      base.setAttribute("fill", dark ? `hsl(215 10% ${light - 32}%)` : `hsl(215 20% ${light}%)`);
      base.setAttribute("stroke", dark ? "#8b95a3" : "#7d8896");
      text.setAttribute("fill", dark ? "#e8ecf2" : "#2c3540");
    }
    for (const arm of this.arms) placeArm(arm, flat, dark);
  }
}

/** An axis starts at the cube's corner of least coordinates and runs along an edge beyond it. */
function placeArm(arm: Arm, flat: (v: Vec3) => number[], dark: boolean): void {
  const { axis, inks, line, text } = arm;
  const ink = inks[dark ? 1 : 0];
  const at = (reach: number) => flat(plus([-1, -1, -1], axis, reach)).map((v) => (v * EDGE) / 2);
  const [[x1, y1], [x2, y2], [x, y]] = [at(0), at(2.5), at(2.85)];
  for (const [name, value] of Object.entries({ x1, y1, x2, y2, stroke: ink })) {
    line.setAttribute(name, String(value));
  }
  for (const [name, value] of Object.entries({ x, y, fill: ink })) {
    text.setAttribute(name, String(value));
  }
}

type Attributes = Record<string, string | number>;

function make(name: string, attributes: Attributes, parent?: Element): SVGElement {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  parent?.append(element);
  return element;
}

const short = (value: number): string => value.toFixed(4);
