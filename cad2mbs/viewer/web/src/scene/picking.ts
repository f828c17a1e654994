// What is under the cursor, asked of the graphics card: the parts near the line of sight are drawn
// into a few pixels, with their numbers instead of colours, and read back. This costs the same
// however many triangles a part has; a search through them would not.

import {
  NearestFilter,
  type OrthographicCamera,
  type PerspectiveCamera,
  RGBAIntegerFormat,
  type ShaderMaterial,
  UnsignedIntType,
  WebGLRenderTarget,
} from "three";
import type { Vec3 } from "../protocol";
import { GLASS_LAYER, SOLID_LAYER } from "./batch";
import type { Bodies } from "./bodies";
import { axes } from "./camera";
import { type Plane, seePlane } from "./section";
import { pickPaint } from "./shaders";
import type { Stage } from "./stage";
import { dot, length, minus, plus } from "./vec";

export interface Hit {
  part: number;
  face: number; // row; -1 where it is a cut face
  point: Vec3; // in the world, as drawn
}

const SIZE = 7; // pixels to a side that are searched; odd
const HALF = (SIZE - 1) / 2;

export class Picker {
  private readonly target = new WebGLRenderTarget(SIZE, SIZE, {
    format: RGBAIntegerFormat,
    type: UnsignedIntType,
    internalFormat: "RGBA32UI",
    minFilter: NearestFilter,
    magFilter: NearestFilter,
    depthBuffer: true,
  });
  private readonly paints: Record<"whole" | "cut", ShaderMaterial> = {
    whole: pickPaint(false),
    cut: pickPaint(true),
  };
  private readonly pixels = new Uint32Array(4 * SIZE * SIZE);
  private readonly floats = new Float32Array(this.pixels.buffer);

  constructor(private readonly stage: Stage) {}

  /** The part at a place of the view [px]; glass only where no solid part is behind it. `rough`:
   * fewer triangles will do, for a look in passing. */
  at(x: number, y: number, bodies: Bodies, plane: Plane | null, rough = false): Hit | null {
    const camera = this.stage.camera;
    const { width, height } = this.stage;
    camera.setViewOffset(width, height, Math.floor(x) - HALF, Math.floor(y) - HALF, SIZE, SIZE);
    if (plane) seePlane(plane, camera, this.stage.pixel);
    bodies.fill(camera, height, { edges: false, cell: rough ? 1 : 0 });
    try {
      for (const layer of [SOLID_LAYER, GLASS_LAYER]) {
        if (layer === GLASS_LAYER && !bodies.anyGlass) break;
        const found = this.look(camera, layer, plane);
        if (found >= 0) return this.hit(found, x, y, plane);
      }
      return null;
    } finally {
      camera.clearViewOffset();
      camera.layers.set(0);
    }
  }

  /** Draw, read back, and take the filled pixel nearest to the middle; -1 where there is none. */
  private look(camera: PerspectiveCamera | OrthographicCamera, layer: number, cut: Plane | null) {
    const { renderer, world } = this.stage;
    camera.layers.set(layer);
    world.overrideMaterial = cut ? this.paints.cut : this.paints.whole;
    renderer.setRenderTarget(this.target);
    renderer.render(world, camera);
    renderer.setRenderTarget(null);
    world.overrideMaterial = null;
    renderer.readRenderTargetPixels(this.target, 0, 0, SIZE, SIZE, this.pixels);
    let [best, nearest] = [-1, Infinity];
    for (let k = 0; k < SIZE * SIZE; k++) {
      if (this.pixels[4 * k] === 0) continue;
      const away = Math.hypot((k % SIZE) - HALF, Math.floor(k / SIZE) - HALF);
      if (away < nearest) [best, nearest] = [k, away];
    }
    return best;
  }

  private hit(k: number, x: number, y: number, plane: Plane | null): Hit {
    const cutFace = plane !== null && this.pixels[4 * k + 3] === 1;
    const across = Math.floor(x) + 0.5 + (k % SIZE) - HALF;
    const down = Math.floor(y) + 0.5 - (Math.floor(k / SIZE) - HALF); // rows come bottom up
    return {
      part: this.pixels[4 * k] - 1,
      face: cutFace ? -1 : this.pixels[4 * k + 1],
      point: this.pointAt(across, down, this.floats[4 * k + 2], cutFace ? plane : null),
    };
  }

  /** The world point at a place of the view, so deep; or on the cut face before it. */
  private pointAt(x: number, y: number, depth: number, plane: Plane | null): Vec3 {
    const { stage } = this;
    const { eye, orthographic } = stage;
    const back = axes(eye.yaw, eye.pitch)[2];
    const camera = stage.camera.position.toArray() as Vec3;
    const point = stage.unproject(x, y, plus(camera, back, -depth));
    if (!plane) return point;
    const ray = orthographic ? back : minus(point, camera);
    const slope = dot(plane.n, ray);
    if (Math.abs(slope) < 1e-9 * length(ray)) return point;
    return plus(point, ray, -(dot(plane.n, point) + plane.d) / slope);
  }

  dispose(): void {
    this.target.dispose();
    this.paints.whole.dispose();
    this.paints.cut.dispose();
  }
}
