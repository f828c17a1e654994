// The edges of selected parts once more, thick and in the colour of the selection: a tint alone is
// easily missed on a part that has nearly that colour.

import { Matrix4, type Object3D, Plane as Clip, SRGBColorSpace, Vector3 } from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { Bodies } from "./bodies";
import { SELECTED } from "./highlight";
import type { Plane } from "./section";

const MOST = 200_000; // segments; a selection of more is clear enough by its tint

export class Outline {
  private readonly material = new LineMaterial({ linewidth: 2.2 });
  private bodies: Bodies | null = null;
  private made = ""; // for these parts
  private lines: { part: number; object: LineSegments2 }[] = [];

  constructor(private readonly parent: Object3D) {
    this.material.color.setRGB(...SELECTED, SRGBColorSpace);
    this.material.polygonOffset = true;
    this.material.polygonOffsetFactor = -2;
    this.material.polygonOffsetUnits = -2;
  }

  /** Outline the parts that are selected now. */
  set(bodies: Bodies | null): void {
    const parts = bodies?.looks.flatMap((look, row) => (look.selected && look.shown ? [row] : []));
    if (bodies === this.bodies && String(parts) === this.made) return;
    [this.bodies, this.made] = [bodies, String(parts)];
    this.clear();
    if (!bodies || !parts) return;
    let count = 0;
    for (const part of parts) {
      const segments = bodies.shapeOf(part)?.segments;
      if (!segments?.length) continue;
      count += segments.length / 6;
      if (count > MOST) break;
      const geometry = new LineSegmentsGeometry().setPositions(segments);
      const object = new LineSegments2(geometry, this.material);
      object.frustumCulled = false;
      object.matrixAutoUpdate = false;
      object.renderOrder = 3.5;
      this.lines.push({ part, object });
      this.parent.add(object);
    }
  }

  /** Leave out what a section cuts away; the renderer must have local clipping enabled. */
  cut(plane: Plane | null): void {
    this.material.clippingPlanes = plane ? [new Clip(new Vector3(...plane.n), plane.d)] : null;
  }

  /** Follow the parts. */
  update(bodies: Bodies, shown: boolean): void {
    for (const { part, object } of this.lines) {
      object.visible = shown;
      object.matrix.copy(part in bodies.scene.parts ? bodies.worldOf(part, true) : new Matrix4());
      object.matrixWorld.copy(object.matrix);
    }
  }

  private clear(): void {
    for (const { object } of this.lines) {
      this.parent.remove(object);
      object.geometry.dispose();
    }
    this.lines = [];
  }

  dispose(): void {
    this.clear();
    this.material.dispose();
  }
}
