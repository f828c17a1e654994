// The 3-D view as a whole: follows the signals, keeps what is drawn in step with them.

import { effect, untracked } from "@preact/signals";
import { type Camera, Group } from "three";
import type { Scene, Vec3 } from "../protocol";
import * as state from "../state";
import { Background } from "./background";
import { Bodies } from "./bodies";
import { type Eye, fitted, lookingFrom, STANDARD } from "./camera";
import { Controls } from "./controls";
import { Dragging } from "./dragging";
import { ballOf, readBlob, type Shape } from "./geometry";
import { Grid } from "./grid";
import { expose } from "./hook";
import { Interaction } from "./interaction";
import { partLooks } from "./highlight";
import { barOf, type Home, homeOf, isHomeOf, NOTHING } from "./home";
import { Measuring } from "./measuring";
import { Outline } from "./outline";
import type { Detail } from "./quality";
import { Picker } from "./picking";
import { type Plane, planeOf, Section, seePlane } from "./section";
import { Stage } from "./stage";
import { Symbols } from "./symbols";
import { Traces } from "./traces";
import { boxOf, plus } from "./vec";
import { ViewCube } from "./viewcube";

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
  private whole: Eye | null = null; // the eye that last showed everything
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
    const resize = () => {
      const untouched = this.stage.goal === this.whole;
      this.stage.resize(container.clientWidth, container.clientHeight);
      if (untouched) this.fit(false); // what was shown whole stays so
    };
    const observer = new ResizeObserver(resize);
    observer.observe(container);
    // Fires when the page is zoomed or moves to a screen of another resolution.
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
    when(() => {
      this.traces.set(Object.values(state.traces.value));
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
        const told = `The shapes of the parts cannot be read: ${reason}. Reload the page.`;
        state.notice(told, "error");
        this.blob = { data, shapes: [] };
      }
    }
    return this.blob.shapes;
  }

  private pose(poses: Float64Array | null): void {
    if (!poses || !this.bodies?.apply(poses)) return;
    this.posed = true;
    untracked(() => {
      this.settleIn(this.bodies!);
      this.moved();
    });
  }

  /** At the first pose of another assembly: take its measure, and show it whole. */
  private settleIn(bodies: Bodies): void {
    if (isHomeOf(this.home, bodies.scene)) return;
    this.home = homeOf(bodies);
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
    const box = this.box(looks.explode > 0);
    const { centre, radius } = ballOf(box);
    this.stage.centre = centre;
    this.stage.radius = Math.max(radius, 1e-6);
    this.plane = looks.section.on ? planeOf(looks.section, box) : null;
    this.section.set(this.plane, centre, radius);
    this.outline.cut(this.plane);
    this.bodies?.setSection(this.plane !== null);
    untracked(() => this.moved());
  }

  /** Box of the assembly: at its first pose, so that nothing drifts, or as it is spread. */
  private box(exploded: boolean): [Vec3, Vec3] {
    const spread = exploded && this.bodies && this.posed ? boxOf(this.bodies.pointsOf()) : null;
    return spread ?? this.home?.box ?? NOTHING;
  }

  private explode(share: number): void {
    const { bodies, home } = this;
    if (!bodies || !home) return;
    bodies.offsets.forEach((_, row) => {
      bodies.offsets[row] = plus([0, 0, 0], home.offsets[row] ?? [0, 0, 0], share);
    });
    bodies.place();
  }

  // ---- the camera ----

  fit(smoothly: boolean, parts?: Iterable<number>): void {
    const { stage } = this;
    const points = this.bodies && this.posed ? this.bodies.pointsOf(parts) : [];
    const eye = fitted(stage.goal, points, stage.aspect, stage.orthographic);
    if (!eye) return;
    if (!parts) this.whole = eye;
    smoothly ? stage.lookSmoothly(eye) : stage.look(eye);
  }

  turnTo(view: state.ViewName): void {
    const { stage } = this;
    if (view === "fit") return this.fit(true);
    const [yaw, pitch] = STANDARD[view];
    const points = this.bodies && this.posed ? this.bodies.pointsOf() : [];
    const eye = { ...stage.goal, yaw, pitch };
    this.whole = fitted(eye, points, stage.aspect, stage.orthographic) ?? eye;
    stage.lookSmoothly(this.whole);
  }

  /** Look from a direction, at what is in the middle of the view now. */
  private lookFrom(direction: Vec3): void {
    const { goal } = this.stage;
    const straight = Math.ceil(goal.yaw / (Math.PI / 2) - 0.5) * (Math.PI / 2);
    const [yaw, pitch] = lookingFrom(direction, straight);
    this.stage.lookSmoothly({ ...goal, yaw, pitch });
  }

  // ---- a frame ----

  private prepare(camera: Camera, detail: Detail): void {
    const { stage, bodies, home } = this;
    const looks = state.looks.peek();
    this.grid.ratio = detail.ratio;
    this.showGround(home?.box ?? NOTHING, looks);
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
    const { measuring, dragging, picker, stage } = this;
    const drawn = [bodies, background, grid, section, symbols, traces, outline];
    for (const one of [...drawn, measuring, dragging, picker, stage]) one?.dispose();
  }
}
