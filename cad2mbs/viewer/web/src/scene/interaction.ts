// What gestures do in the view: turning, zooming, selecting, dragging parts, picking for the tools.

import { Vector3 } from "three";
import type { Vec3 } from "../protocol";
import * as state from "../state";
import { anchored, axes, type Eye, orbited, panned, zoomed } from "./camera";
import type { Host } from "./controls";
import { Dragging } from "./dragging";
import type { Hit } from "./picking";
import { symbolAt } from "./symbols";
import { dot, minus } from "./vec";
import type { Viewport } from "./viewport";

const TURN = 0.0065; // [rad] per pixel
const KEY_TURN = Math.PI / 24;
const HOVER = 40; // [ms] between looks at what is under the cursor
const VIEWS: state.ViewName[] = ["front", "back", "left", "right", "top", "bottom", "iso"];

export class Interaction implements Host {
  private hit: Hit | null = null;
  private pivot: Vec3 | null = null;
  private pointed: [number, number] | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly view: Viewport, private readonly canvas: HTMLCanvasElement) {}

  private pick(x: number, y: number, rough = false): Hit | null {
    const { bodies, picker, plane } = this.view;
    return bodies ? picker.at(x, y, bodies, plane, rough) : null;
  }

  // ---- pulling parts ----

  press(x: number, y: number): boolean {
    this.hit = this.pick(x, y);
    const { bodies } = this.view;
    if (state.tool.value !== "move" || !this.hit || !bodies) return false;
    return Dragging.can(this.hit.part, bodies);
  }

  dragStart(): void {
    const { bodies, dragging } = this.view;
    if (!this.hit || !bodies) return;
    state.selection.value = { kind: "part", part: this.hit.part };
    dragging.start(this.hit, bodies);
  }

  dragMove(x: number, y: number): void {
    if (this.view.bodies) this.view.dragging.move(x, y, this.view.bodies);
  }

  dragEnd(): void {
    this.view.dragging.end();
  }

  escape(): boolean {
    const { bodies, dragging } = this.view;
    if (dragging.active && bodies) {
      dragging.cancel(bodies);
    } else if (state.picked.value.length) {
      state.picked.value = [];
    } else if (state.selection.value) {
      state.selection.value = null;
    } else {
      return false;
    }
    return true;
  }

  // ---- the camera ----

  orbitStart(x: number, y: number): void {
    this.hit ??= this.pick(x, y);
    this.pivot = this.hit?.point ?? null;
    this.hit = null;
  }

  orbit(dx: number, dy: number): void {
    const { stage } = this.view;
    stage.look(orbited(stage.eye, this.pivot ?? stage.eye.target, -TURN * dx, TURN * dy));
  }

  pan(dx: number, dy: number): void {
    const { stage } = this.view;
    stage.look(panned(stage.eye, -dx * stage.pixel, dy * stage.pixel));
  }

  /** Zoom about what is under the cursor: with perspective its depth matters. */
  zoomStart(x: number, y: number): void {
    const { stage } = this.view;
    const hit = this.pick(x, y);
    if (!hit || stage.orthographic) return;
    const back = axes(stage.eye.yaw, stage.eye.pitch)[2];
    stage.look(anchored(stage.eye, dot(minus(hit.point, stage.eye.target), back)));
  }

  zoom(factor: number, x: number, y: number): void {
    const { stage } = this.view;
    const at: [number, number] = [(2 * x) / stage.width - 1, 1 - (2 * y) / stage.height];
    const nearest = stage.eye.span / (stage.radius * 1e-3);
    const farthest = stage.eye.span / (stage.radius * 60);
    const held = Math.min(nearest, Math.max(farthest, factor));
    stage.look(zoomed(stage.eye, held, ...at, stage.aspect));
  }

  doubleClick(x: number, y: number): void {
    const hit = this.pick(x, y);
    this.view.fit(true, hit ? [hit.part] : undefined);
  }

  // ---- pointing and clicking ----

  click(x: number, y: number): void {
    const { bodies, measuring, stage } = this.view;
    const hit = this.hit;
    this.hit = null;
    if (!bodies) return;
    const tool = state.tool.value;
    if (tool === "measure") {
      if (hit) measuring.pick(hit, bodies);
      else state.picked.value = [];
    } else if (tool === "trace") {
      if (hit) this.trace(hit);
    } else {
      const joint = state.looks.value.symbols ? symbolAt(x, y, bodies, stage) : -1;
      if (joint >= 0) state.selection.value = { kind: "joint", joint };
      else state.selection.value = hit && { kind: "part", part: hit.part };
    }
  }

  private trace(hit: Hit): void {
    const inside = this.view.bodies!.worldOf(hit.part, true).invert();
    const point = new Vector3(...hit.point).applyMatrix4(inside).toArray() as Vec3;
    const used = Object.keys(state.traces.value).map(Number);
    state.send({ type: "trace", id: Math.max(0, ...used) + 1, part: hit.part, point });
  }

  hover(x: number, y: number): void {
    this.pointed = [x, y];
    this.timer ??= setTimeout(this.look, HOVER);
  }

  private readonly look = (): void => {
    this.timer = undefined;
    const { bodies, dragging } = this.view;
    if (!this.pointed || !bodies || dragging.active) return;
    const start = performance.now();
    const hit = this.pick(...this.pointed, true);
    this.pointAt(hit?.part ?? -1);
    const tool = state.tool.value;
    const grab = hit !== null && tool === "move" && Dragging.can(hit.part, bodies);
    this.canvas.style.cursor = tool !== "move" ? "crosshair" : grab ? "grab" : "";
    // Where looking is slow, look less often: the hand must not feel it.
    const spent = performance.now() - start;
    if (spent > HOVER / 3) this.timer = setTimeout(() => (this.timer = undefined), 3 * spent);
  };

  private pointAt(part: number): void {
    const now = state.hovered.value;
    const same = now?.kind === "part" ? now.part === part : now === null && part < 0;
    if (!same) state.hovered.value = part < 0 ? null : { kind: "part", part };
  }

  leave(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.pointed = null;
    this.pointAt(-1);
  }

  // ---- keys ----

  key(name: string): boolean {
    const { stage } = this.view;
    const eye = this.moved(stage.eye, name, 0.08 * stage.eye.span);
    if (eye) stage.look(eye);
    else if (name === "+" || name === "=") this.zoom(1.15, stage.width / 2, stage.height / 2);
    else if (name === "-") this.zoom(1 / 1.15, stage.width / 2, stage.height / 2);
    else if (name === "f" || name === "F") this.view.fit(true);
    else if (/^[1-7]$/.test(name)) this.view.turnTo(VIEWS[Number(name) - 1]);
    else return false;
    return true;
  }

  private moved(eye: Eye, name: string, step: number): Eye | null {
    switch (name) {
      case "ArrowLeft":
        return orbited(eye, eye.target, -KEY_TURN, 0);
      case "ArrowRight":
        return orbited(eye, eye.target, KEY_TURN, 0);
      case "ArrowUp":
        return orbited(eye, eye.target, 0, KEY_TURN);
      case "ArrowDown":
        return orbited(eye, eye.target, 0, -KEY_TURN);
      case "Shift+ArrowLeft":
        return panned(eye, -step, 0);
      case "Shift+ArrowRight":
        return panned(eye, step, 0);
      case "Shift+ArrowUp":
        return panned(eye, 0, step);
      case "Shift+ArrowDown":
        return panned(eye, 0, -step);
      default:
        return null;
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
