// Canvas, renderer, camera and the clock of the view. Nothing runs while nothing changes: a change
// asks for one frame, and never is more than one frame on its way to the screen.

import { type Camera, Scene, Vector3, WebGLRenderer } from "three";
import type { Vec3 } from "../protocol";
import { axes, between, Cameras, distance, type Eye, STANDARD } from "./camera";
import { type Detail, Quality } from "./quality";
import { shared } from "./shaders";
import { length, minus } from "./vec";

const REST = 160; // [ms] without a change, then everything is drawn sharp
const TURN = 320; // [ms] for a turn to a standard view
const REACH = 2.5; // of the assembly's radius, that parts stay within
const GROUND = 2.2; // of the view's height, that the grid stays within
const STUCK = 3000; // [ms] after which a frame is taken as done

interface Turn {
  from: Eye;
  to: Eye;
  start: number;
}

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly world = new Scene();
  readonly software: boolean;
  readonly quality = new Quality();
  eye: Eye = { target: [0, 0, 0], yaw: STANDARD.iso[0], pitch: STANDARD.iso[1], span: 100 };
  orthographic = false;
  centre: Vec3 = [0, 0, 0]; // of the assembly
  radius = 50;
  width = 1; // [px] of the page
  height = 1;
  frames = 0;
  milliseconds = 0; // that the last frame took
  /** Called before each frame, with what it may show. */
  prepare: (camera: Camera, detail: Detail) => void = () => {};
  private readonly cameras = new Cameras();
  private dirty = false;
  private asked = 0; // animation frame
  private resting: ReturnType<typeof setTimeout> | undefined;
  private drawn: Detail | null = null;
  private sharp = false; // the last frame showed everything
  private still = false; // nothing has changed for a while
  private judged = false; // the time of the frame on its way tells the pace
  private costOfSharp = 0; // [ms]
  private turn: Turn | null = null;
  private fence: WebGLSync | null = null;
  private since = 0;
  private unmeasured = 3; // frames that are not to be judged by their time
  private waiters: (() => void)[] = [];

  constructor(readonly canvas: HTMLCanvasElement) {
    const software = isSoftware();
    this.renderer = new WebGLRenderer({ canvas, antialias: !software, stencil: true });
    this.renderer.localClippingEnabled = true;
    this.world.matrixWorldAutoUpdate = false; // placements are written where they are made
    this.software = software;
    canvas.addEventListener("webglcontextrestored", this.restored);
  }

  private readonly restored = (): void => {
    this.fence = null;
    this.drawn = null;
    this.changed();
  };

  get aspect(): number {
    return this.width / this.height;
  }

  /** World length of a pixel at the target. */
  get pixel(): number {
    return this.eye.span / this.height;
  }

  /** World length of a pixel at a point. */
  pixelAt(point: Vec3): number {
    if (this.orthographic) return this.pixel;
    const back = axes(this.eye.yaw, this.eye.pitch)[2];
    const nearer = back.reduce((s, v, k) => s + v * (point[k] - this.eye.target[k]), 0);
    const away = distance(this.eye.span);
    return (this.pixel * Math.max(away - nearer, away * 1e-3)) / away;
  }

  get camera() {
    return this.cameras.set(this.eye, this.aspect, this.orthographic, this.ball());
  }

  /** Round all that may be drawn: the assembly wherever it moves, and the grid round the target. */
  private ball(): { centre: Vec3; radius: number } {
    const { centre, eye } = this;
    const grid = length(minus(eye.target, centre)) + GROUND * eye.span;
    return { centre, radius: Math.max(REACH * this.radius, grid) };
  }

  /** Where a world point is on the page's view [px], and how deep. */
  project(point: Vec3): Vec3 {
    const { x, y, z } = new Vector3(...point).project(this.camera);
    return [((x + 1) / 2) * this.width, ((1 - y) / 2) * this.height, z];
  }

  /** World point under a place of the view, in the plane through a point parallel to the screen. */
  unproject(x: number, y: number, through: Vec3): Vec3 {
    const camera = this.camera;
    const depth = new Vector3(...through).project(camera).z;
    const point = new Vector3((2 * x) / this.width - 1, 1 - (2 * y) / this.height, depth);
    return point.unproject(camera).toArray() as Vec3;
  }

  resize(width: number, height: number): void {
    if (!(width > 0) || !(height > 0)) return;
    [this.width, this.height] = [width, height];
    this.drawn = null; // the canvas has to take its new size
    this.changed();
  }

  look(eye: Eye): void {
    this.turn = null;
    this.eye = eye;
    this.changed();
  }

  /** Turn to another eye, at once where the user wants little motion. */
  lookSmoothly(to: Eye): void {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return this.look(to);
    this.turn = { from: this.eye, to, start: performance.now() };
    this.changed();
  }

  /** The eye that the view is at or turning to. */
  get goal(): Eye {
    return this.turn?.to ?? this.eye;
  }

  /** What is drawn next is another scene: it is made ready first, and its pace is not known. */
  fresh(): void {
    this.unmeasured = 2;
    this.costOfSharp = 0;
    this.quality.reset();
  }

  /** Something looks different now: draw a frame. */
  changed(): void {
    this.dirty = true;
    this.sharp = false;
    this.still = false;
    this.ask();
  }

  private ask(): void {
    this.asked ||= requestAnimationFrame(this.tick);
  }

  private readonly tick = (now: number): void => {
    this.asked = 0;
    if (this.renderer.getContext().isContextLost()) return;
    if (!this.arrived()) return this.ask();
    if (this.turn) this.turning(now);
    if (this.dirty) this.drawMoving();
    else if (this.still && !this.sharp) this.drawSharp();
    else this.settle();
  };

  private drawMoving(): void {
    this.draw(this.quality.moving(this.screen));
    this.judged = this.unmeasured-- <= 0;
    this.dirty = this.turn !== null;
    this.still = false;
    this.ask(); // to see this frame arrive, and for the next one of a turn
    clearTimeout(this.resting);
    // Where a sharp picture takes long, pauses of the hand must not start one.
    this.resting = setTimeout(this.rest, Math.max(REST, 1.5 * this.costOfSharp));
  }

  private drawSharp(): void {
    this.sharp = true;
    if (!same(this.drawn, this.best)) {
      this.draw(this.best);
      this.judged = false;
    }
    this.ask();
  }

  private readonly rest = (): void => {
    this.still = true;
    this.ask();
  };

  private turning(now: number): void {
    const { from, to, start } = this.turn!;
    const at = Math.min(1, Math.max(0, (now - start) / TURN));
    this.eye = between(from, to, at * at * (3 - 2 * at));
    if (at < 1) return;
    this.eye = to;
    this.turn = null;
  }

  /** Resolution of the screen; browsers' zoom changes it at any time. */
  private get screen(): number {
    return Math.min(window.devicePixelRatio || 1, 3);
  }

  private get best(): Detail {
    const ratio = this.software ? Math.max(2, this.screen) : this.screen;
    return { ratio, edges: true, cell: 0 };
  }

  private draw(detail: Detail): void {
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    this.since = performance.now();
    if (this.drawn?.ratio !== detail.ratio) {
      this.renderer.setPixelRatio(detail.ratio);
      this.renderer.setSize(this.width, this.height, false);
    }
    const camera = this.camera;
    const [, up, back] = axes(this.eye.yaw, this.eye.pitch);
    shared.up.value.set(0, up[2], back[2]);
    this.prepare(camera, detail);
    this.renderer.render(this.world, camera);
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    this.drawn = detail;
    this.frames++;
  }

  /** Whether the last frame is through; its time decides how finely the next one is drawn. */
  private arrived(): boolean {
    if (!this.fence) return true;
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    const done = gl.getSyncParameter(this.fence, gl.SYNC_STATUS) === gl.SIGNALED;
    const ms = performance.now() - this.since;
    if (!done && ms < STUCK) return false;
    gl.deleteSync(this.fence);
    this.fence = null;
    this.milliseconds = ms;
    if (this.judged) this.quality.note(ms);
    else if (same(this.drawn, this.best)) this.costOfSharp = ms;
    return true;
  }

  private settle(): void {
    if (!this.sharp) return;
    for (const done of this.waiters.splice(0)) done();
  }

  /** Resolves when everything asked for is drawn as finely as it gets. */
  settled(): Promise<void> {
    return new Promise((done) => {
      this.waiters.push(done);
      this.ask();
    });
  }

  dispose(): void {
    cancelAnimationFrame(this.asked);
    clearTimeout(this.resting);
    this.canvas.removeEventListener("webglcontextrestored", this.restored);
    this.renderer.dispose();
  }
}

function same(a: Detail | null, b: Detail): boolean {
  return a !== null && a.ratio === b.ratio && a.edges === b.edges && a.cell === b.cell;
}

/** Whether the processor draws: then four samples a pixel cost three times as much, and a picture
 * of twice the resolution, drawn once at rest, is the cheaper way to smooth edges. */
function isSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = String(info ? gl!.getParameter(info.UNMASKED_RENDERER_WEBGL) : "");
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
