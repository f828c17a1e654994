// The 3-D view as a whole: follows the signals, keeps what is drawn in step with them.

import { effect, untracked } from "@preact/signals";
import { type Camera, Group } from "three";
import type { Scene, Vec3 } from "../protocol";
import * as state from "../state";
import { Background } from "./background";
import { Bodies } from "./bodies";
import { fitted, lookingFrom, STANDARD } from "./camera";
import { Controls } from "./controls";
import { Dragging } from "./dragging";
import { explodeOffsets } from "./explode";
import { ballOf, readBlob, type Shape } from "./geometry";
import { Grid } from "./grid";
import { expose } from "./hook";
import { Interaction } from "./interaction";
import { jointBodies, partLooks } from "./highlight";
import { Measuring } from "./measuring";
import { Outline } from "./outline";
import type { Detail } from "./quality";
import { Picker } from "./picking";
import { type Plane, planeOf, Section, seePlane } from "./section";
import { Stage } from "./stage";
import { placeOf, Symbols } from "./symbols";
import { Traces } from "./traces";
import { boxOf, minus, plus } from "./vec";
import { ViewCube } from "./viewcube";

interface Home {
  source: string;
  parts: number;
  box: [Vec3, Vec3]; // of the parts at the first pose
  offsets: Vec3[]; // of the bodies, fully exploded
}

export class Viewport {
  readonly stage: Stage;
  readonly picker: Picker;
  readonly measuring: Measuring;
  readonly dragging: Dragging;
  bodies: Bodies | null = null;
  plane: Plane | null = null;
  private readonly group = new Group();
  private readonly background = new Background();
  private readonly grid: Grid;
  private readonly section: Section;
  private readonly symbols: Symbols;
  private readonly traces: Traces;
  private readonly outline: Outline;
  private readonly cube = new ViewCube((direction) => this.lookFrom(direction));
  private readonly scale = document.createElement("div");
  private readonly controls: Controls;
  private readonly interaction: Interaction;
  private home: Home | null = null;
  private blob: { data: ArrayBuffer; shapes: Shape[] } | null = null;
  private posed = false;
  private readonly undo: (() => void)[] = [];

  constructor(container: HTMLElement, canvas: HTMLCanvasElement) {
    this.stage = new Stage(canvas);
    const { world } = this.stage;
    world.add(this.background.mesh, this.group);
    this.grid = new Grid(world);
    this.section = new Section(world);
    this.symbols = new Symbols(world);
    this.traces = new Traces(world);
    this.outline = new Outline(world);
    this.measuring = new Measuring(world);
    this.dragging = new Dragging(world, this.stage);
    this.picker = new Picker(this.stage);
    this.stage.prepare = (camera, detail) => this.prepare(camera, detail);
    this.scale.style.cssText =
      "position:absolute;left:10px;bottom:8px;font:11px system-ui,sans-serif;pointer-events:none";
    container.append(this.cube.element, this.scale);
    this.interaction = new Interaction(this, canvas);
    this.controls = new Controls(canvas, this.interaction);
    this.watchSize(container);
    this.undo.push(expose(this));
    this.follow();
  }

  private watchSize(container: HTMLElement): void {
    const resize = () => this.stage.resize(container.clientWidth, container.clientHeight);
    const observer = new ResizeObserver(resize);
    observer.observe(container);
    // Fires when the page moves to a screen of another resolution, or is zoomed.
    window.addEventListener("resize", resize);
    this.undo.push(() => observer.disconnect());
    this.undo.push(() => window.removeEventListener("resize", resize));
    resize();
  }

  private follow(): void {
    const when = (act: () => void) => this.undo.push(effect(act));
    when(() => this.build(state.scene.value, state.geometry.value));
    when(() => this.pose(state.pose.value?.poses ?? null));
    when(() => this.recolour());
    when(() => this.relook(state.looks.value));
    when(() => this.retrace());
    when(() => {
      void state.picked.value;
      untracked(() => this.moved());
    });
    when(() => {
      const view = state.wantedView.value;
      if (view === null) return;
      untracked(() => this.turnTo(view));
      state.wantedView.value = null;
    });
  }

  // ---- the scene and its poses ----

  private build(scene: Scene | null, data: ArrayBuffer | null): void {
    untracked(() => {
      const before = this.bodies;
      this.dragging.forget();
      this.bodies = null;
      const waiting = scene?.geometry != null && data === null;
      if (scene && !waiting) {
        const shapes = scene.geometry === null ? [] : this.shapesOf(data!);
        this.bodies = new Bodies(scene, shapes, barOf(scene, shapes), this.group);
        this.bodies.setSection(this.plane !== null);
        this.posed = this.bodies.keepPoses(before);
      }
      before?.dispose();
      this.recolour();
      this.pose(state.pose.value?.poses ?? null);
      if (!scene) this.home = null;
      this.stage.fresh();
      this.stage.changed();
    });
  }

  private shapesOf(data: ArrayBuffer): Shape[] {
    if (this.blob?.data !== data) {
      try {
        this.blob = { data, shapes: readBlob(data) };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        state.notice(`The shapes of the parts cannot be read: ${reason}. Reload the page.`, "error");
        this.blob = { data, shapes: [] };
      }
    }
    return this.blob.shapes;
  }

  private pose(poses: Float64Array | null): void {
    if (!poses || !this.bodies?.apply(poses)) return;
    this.posed = true;
    untracked(() => this.settleIn(this.bodies!));
    this.moved();
  }

  /** At the first pose of another assembly: take its measure, and show it whole. */
  private settleIn(bodies: Bodies): void {
    const { source, parts } = bodies.scene;
    if (this.home?.source === source && this.home.parts === parts.length) return;
    bodies.offsets.fill([0, 0, 0]);
    bodies.place();
    const everything = bodies.pointsOf(parts.keys());
    const box = boxOf(everything) ?? [[-50, -50, 0], [50, 50, 50]];
    this.home = { source, parts: parts.length, box, offsets: offsetsOf(bodies) };
    this.relook(state.looks.value);
    const [yaw, pitch] = STANDARD.iso;
    this.stage.look({ ...this.stage.eye, yaw, pitch });
    this.fit(false);
  }

  /** Parts, or what is attached to them, are elsewhere now. */
  private moved(): void {
    const { bodies } = this;
    if (bodies && this.posed) {
      this.traces.follow(Object.values(state.traces.peek()), bodies);
      this.measuring.update(bodies);
    }
    this.stage.changed();
  }

  // ---- looks ----

  private recolour(): void {
    const wishes = {
      selection: state.selection.value,
      hovered: state.hovered.value,
      hidden: state.hidden.value,
      glass: state.glass.value,
      isolated: state.isolated.value,
      colours: state.colours.value,
      clashes: state.looks.value.clash ? state.clashes.value : [],
      dark: state.looks.value.dark,
    };
    if (this.bodies) this.bodies.looks = partLooks(this.bodies.scene, wishes);
    this.outline.set(this.bodies);
    this.stage.changed();
  }

  private relook(looks: state.Looks): void {
    this.background.dark = looks.dark;
    this.grid.dark = looks.dark;
    this.scale.style.color = looks.dark ? "#aab4c2" : "#4d5763";
    this.stage.orthographic = looks.orthographic;
    this.explode(looks.explode);
    const { box } = this.home ?? { box: [[-50, -50, 0], [50, 50, 50]] as [Vec3, Vec3] };
    const drawn = this.bodies && this.posed ? boxOf(this.bodies.pointsOf()) : null;
    const { centre, radius } = ballOf(looks.explode > 0 ? (drawn ?? box) : box);
    this.stage.centre = centre;
    this.stage.radius = Math.max(radius, 1e-6);
    this.plane = looks.section.on ? planeOf(looks.section, looks.explode > 0 ? (drawn ?? box) : box) : null;
    this.section.set(this.plane, centre, radius);
    this.outline.cut(this.plane);
    this.bodies?.setSection(this.plane !== null);
    untracked(() => this.moved());
  }

  private explode(share: number): void {
    if (!this.bodies || !this.home) return;
    this.home.offsets.forEach((offset, row) => {
      if (row in this.bodies!.offsets) this.bodies!.offsets[row] = offset.map((v) => v * share) as Vec3;
    });
    this.bodies.place();
  }

  private retrace(): void {
    this.traces.set(Object.values(state.traces.value));
    untracked(() => this.moved());
  }

  // ---- the camera ----

  fit(smoothly: boolean, parts?: Iterable<number>): void {
    const { stage } = this;
    const points = this.bodies && this.posed ? this.bodies.pointsOf(parts) : [];
    const eye = fitted(stage.goal, points, stage.aspect, stage.orthographic);
    if (eye) smoothly ? stage.lookSmoothly(eye) : stage.look(eye);
  }

  turnTo(view: state.ViewName): void {
    const { stage } = this;
    if (view === "fit") return this.fit(true);
    const [yaw, pitch] = STANDARD[view];
    const points = this.bodies && this.posed ? this.bodies.pointsOf() : [];
    const eye = { ...stage.goal, yaw, pitch };
    stage.lookSmoothly(fitted(eye, points, stage.aspect, stage.orthographic) ?? eye);
  }

  /** Look from a direction, at what is in the middle of the view now. */
  private lookFrom(direction: Vec3): void {
    const { goal } = this.stage;
    const straight = Math.round(goal.yaw / (Math.PI / 2)) * (Math.PI / 2);
    const [yaw, pitch] = lookingFrom(direction, straight);
    this.stage.lookSmoothly({ ...goal, yaw, pitch });
  }

  // ---- a frame ----

  private prepare(camera: Camera, detail: Detail): void {
    const { stage, bodies, home } = this;
    const looks = state.looks.peek();
    const box = home?.box ?? [[-50, -50, 0], [50, 50, 50]];
    this.showGround(box, looks);
    if (this.plane) seePlane(this.plane, camera, stage.pixel);
    this.group.visible = bodies !== null && this.posed;
    if (bodies && this.posed) {
      bodies.fill(camera, stage.height, { ...detail, edges: detail.edges && looks.edges });
      const selection = state.selection.peek();
      const selected = selection?.kind === "joint" ? selection.joint : -1;
      this.symbols.update(bodies, stage, { shown: looks.symbols, selected, dark: looks.dark });
      this.dragging.update(bodies);
      this.outline.update(bodies, detail.edges);
    }
    this.cube.update(stage.eye.yaw, stage.eye.pitch, looks.dark);
  }

  private showGround(box: [Vec3, Vec3], looks: state.Looks): void {
    const { stage, grid } = this;
    const units = this.bodies?.scene.units ?? { length: "mm", angle: "deg", mm: 1 };
    grid.visible = looks.grid;
    grid.update(stage.eye.target, stage.eye.span, box[0][2] - 0.01 * stage.radius, units);
    const text = `grid ${Number((grid.spacing / units.mm).toPrecision(3))} ${units.length}`;
    if (this.scale.textContent !== text) this.scale.textContent = text;
    this.scale.hidden = !looks.grid;
  }

  dispose(): void {
    for (const act of this.undo) act();
    this.interaction.dispose();
    this.controls.dispose();
    this.cube.element.remove();
    this.scale.remove();
    const { bodies, background, grid, section, symbols, traces, outline } = this;
    const all = [bodies, background, grid, section, symbols, traces, outline];
    for (const one of [...all, this.measuring, this.dragging, this.picker, this.stage]) one?.dispose();
  }
}

/** Thickness of the bars of stick figures: by the largest part. */
function barOf(scene: Scene, shapes: Shape[]): number {
  const boxes = [...shapes.map((shape) => shape.box), ...scene.parts.map((part) => boxOf(part.points))];
  const sizes = boxes.map((box) => (box ? Math.hypot(...minus(box[1], box[0])) : 0));
  return 0.012 * sizes.reduce((a, b) => Math.max(a, b), 0) || 1;
}

function offsetsOf(bodies: Bodies): Vec3[] {
  const { scene } = bodies;
  const centres = scene.bodies.map(({ parts }) => {
    const box = boxOf(bodies.pointsOf(parts));
    return box && (plus(box[0], minus(box[1], box[0]), 0.5) as Vec3);
  });
  const axes = scene.bodies.map((): Vec3 | null => null);
  for (const joint of scene.joints) {
    if (joint.kind === "spherical") continue;
    for (const body of jointBodies(scene, joint)) axes[body] ??= placeOf(joint, bodies).z;
  }
  return explodeOffsets(centres, axes, scene.bodies.map((body) => body.grounded));
}
