// The ground: a grid below the assembly whose spacing suits what the view shows, in steps of the
// user's length unit; it fades out with the distance from where the view looks.

import {
  BufferAttribute,
  BufferGeometry,
  GLSL3,
  LineSegments,
  type Object3D,
  ShaderMaterial,
  Sphere,
  Vector3,
} from "three";
import type { Units, Vec3 } from "../protocol";
import { niceStep } from "../numbers";
import type { Rgb } from "./highlight";

const LINES = 20; // to each side
const MAJOR = 5; // every fifth line is stronger
const PIECES = 16; // of a line, so that it can fade

const VERTEX = /* glsl */ `
in float strength;
uniform vec3 middle;
uniform float reach;
out float alpha;
void main() {
  float fade = 1.0 - length(position.xy - middle.xy) / reach;
  alpha = strength * clamp(fade, 0.0, 1.0);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
const FRAGMENT = /* glsl */ `
in float alpha;
uniform vec3 ink; uniform float gain;
out vec4 pixel;
void main() { pixel = vec4(ink, alpha * gain); }`;

const LIGHT_INK: Rgb = [0.36, 0.41, 0.48];
const DARK_INK: Rgb = [0.66, 0.72, 0.8];

/** Spacing of the lines [mm] that suits a view of this height. */
export function spacingOf(span: number, units: Units): number {
  return niceStep(span / units.mm / 10) * units.mm;
}

export class Grid {
  spacing = 0; // [mm]
  private readonly object: LineSegments<BufferGeometry, ShaderMaterial>;
  private made = "";

  constructor(private readonly parent: Object3D) {
    const material = new ShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        middle: { value: new Vector3() },
        reach: { value: 1 },
        ink: { value: new Vector3() },
        gain: { value: 1 },
      },
      transparent: true,
      depthWrite: false,
    });
    this.object = new LineSegments(new BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 2;
    parent.add(this.object);
  }

  set visible(on: boolean) {
    this.object.visible = on;
  }

  set dark(on: boolean) {
    this.object.material.uniforms.ink.value.set(...(on ? DARK_INK : LIGHT_INK));
  }

  /** Lines are as wide as a pixel of the picture: where pixels are large, they are drawn weaker. */
  set ratio(value: number) {
    this.object.material.uniforms.gain.value = Math.min(1.5, Math.max(0.5, value));
  }

  /** Put the lines round the target, at the height of the ground. */
  update(target: Vec3, span: number, ground: number, units: Units): void {
    this.spacing = spacingOf(span, units);
    const step = MAJOR * this.spacing;
    const middle = [Math.round(target[0] / step) * step, Math.round(target[1] / step) * step];
    const uniforms = this.object.material.uniforms;
    uniforms.middle.value.set(target[0], target[1], ground);
    uniforms.reach.value = (LINES - MAJOR / 2) * this.spacing;
    const key = [this.spacing, ...middle, ground].join(" ");
    if (key === this.made) return;
    this.made = key;
    this.object.geometry.dispose();
    this.object.geometry = lines(middle, this.spacing, ground);
  }

  dispose(): void {
    this.parent.remove(this.object);
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}

function lines(middle: number[], spacing: number, ground: number): BufferGeometry {
  const places: number[] = [];
  const strengths: number[] = [];
  const reach = LINES * spacing;
  for (let line = -LINES; line <= LINES; line++) {
    for (const along of [0, 1]) {
      const across = middle[1 - along] + line * spacing;
      const strength = Math.abs(across) < spacing / 2 ? 0.85 : line % MAJOR === 0 ? 0.55 : 0.26;
      for (let piece = 0; piece < PIECES; piece++) {
        for (const end of [piece, piece + 1]) {
          const at = middle[along] - reach + (2 * reach * end) / PIECES;
          places.push(...(along === 0 ? [at, across, ground] : [across, at, ground]));
          strengths.push(strength);
        }
      }
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  geometry.setAttribute("strength", new BufferAttribute(new Float32Array(strengths), 1));
  geometry.boundingSphere = new Sphere(new Vector3(middle[0], middle[1], ground), 2 * reach);
  return geometry;
}
