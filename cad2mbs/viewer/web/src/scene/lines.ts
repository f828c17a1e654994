// Lines of a given width and dots of a given size on the screen, whose places change from frame to
// frame. Buffers grow when they must and are written in place else.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  GLSL3,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  type Object3D,
  Points,
  ShaderMaterial,
  Sphere,
  SRGBColorSpace,
} from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { Vec3 } from "../protocol";
import type { Rgb } from "./highlight";

const EVERYWHERE = new Sphere(undefined, Infinity);

export interface LineStyle {
  width: number; // [px]
  onTop?: boolean; // over everything else
  opacity?: number;
}

/** Line segments, each with its colour. */
export class FatLines {
  readonly object: LineSegments2;
  private places = new Float32Array(0);
  private colours = new Float32Array(0);
  private buffers: InstancedInterleavedBuffer[] = [];
  private count = 0;
  private readonly mix = new Color();

  constructor(private readonly parent: Object3D, style: LineStyle) {
    const material = new LineMaterial({ linewidth: style.width, vertexColors: true });
    material.depthTest = !style.onTop;
    material.depthWrite = false;
    material.transparent = true;
    material.opacity = style.opacity ?? 1;
    this.object = new LineSegments2(new LineSegmentsGeometry(), material);
    this.object.frustumCulled = false;
    this.object.matrixAutoUpdate = false;
    this.object.renderOrder = style.onTop ? 20 : 3;
    this.object.visible = false;
    parent.add(this.object);
  }

  clear(): void {
    this.count = 0;
  }

  add(a: Vec3, b: Vec3, rgb: Rgb): void {
    this.reserve(this.count + 1);
    const at = 6 * this.count++;
    this.places.set(a, at);
    this.places.set(b, at + 3);
    const { r, g, b: blue } = this.mix.setRGB(...rgb, SRGBColorSpace);
    this.colours.set([r, g, blue, r, g, blue], at);
  }

  /** Many segments of one colour, 6 numbers each. */
  addAll(segments: ArrayLike<number>, rgb: Rgb): void {
    const many = segments.length / 6;
    this.reserve(this.count + many);
    this.places.set(segments, 6 * this.count);
    const { r, g, b } = this.mix.setRGB(...rgb, SRGBColorSpace);
    for (let k = 6 * this.count; k < 6 * (this.count + many); k += 3) {
      this.colours.set([r, g, b], k);
    }
    this.count += many;
  }

  private reserve(count: number): void {
    if (6 * count <= this.places.length) return;
    const size = 6 * Math.max(2 * count, 64);
    const grown = (old: Float32Array<ArrayBuffer>) => {
      const array = new Float32Array(size);
      array.set(old);
      return array;
    };
    this.places = grown(this.places);
    this.colours = grown(this.colours);
    this.object.geometry.dispose();
    const geometry = new LineSegmentsGeometry();
    this.buffers = [this.places, this.colours].map((array) =>
      new InstancedInterleavedBuffer(array, 6).setUsage(DynamicDrawUsage),
    );
    const names = [["instanceStart", "instanceEnd"], ["instanceColorStart", "instanceColorEnd"]];
    names.forEach((pair, k) =>
      pair.forEach((name, end) => {
        geometry.setAttribute(name, new InterleavedBufferAttribute(this.buffers[k], 3, 3 * end));
      }),
    );
    geometry.boundingSphere = EVERYWHERE;
    this.object.geometry = geometry;
  }

  /** Show what was added since the last clear. */
  finish(): void {
    this.object.visible = this.count > 0;
    this.object.geometry.instanceCount = this.count;
    for (const buffer of this.buffers) {
      buffer.clearUpdateRanges();
      buffer.addUpdateRange(0, 6 * this.count);
      buffer.needsUpdate = true;
    }
  }

  dispose(): void {
    this.parent.remove(this.object);
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}

const DOT_VERTEX = /* glsl */ `
in vec3 colour;
uniform float size;
out vec3 ink;
void main() {
  ink = colour;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_PointSize = size;
}`;
const DOT_FRAGMENT = /* glsl */ `
in vec3 ink;
out vec4 pixel;
uniform float size;
void main() {
  float r = length(gl_PointCoord - 0.5) * size;
  float rim = size * 0.5;
  float alpha = clamp(rim - r, 0.0, 1.0);
  float white = clamp(r - rim * 0.72, 0.0, 1.0);
  pixel = vec4(mix(ink, vec3(1.0), white), alpha);
}`;

/** Round dots with a light rim, over everything else. */
export class Dots {
  readonly object: Points<BufferGeometry, ShaderMaterial>;
  private places: number[] = [];
  private colours: number[] = [];

  constructor(private readonly parent: Object3D, private readonly size: number) {
    const material = new ShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: DOT_VERTEX,
      fragmentShader: DOT_FRAGMENT,
      uniforms: { size: { value: size } },
      transparent: true,
      depthTest: false,
      depthWrite: false,
    });
    this.object = new Points(new BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 21;
    this.object.visible = false;
    // The size on the screen must not change with the resolution of the picture.
    this.object.onBeforeRender = (renderer) => {
      material.uniforms.size.value = this.size * renderer.getPixelRatio();
      material.uniformsNeedUpdate = true;
    };
    parent.add(this.object);
  }

  clear(): void {
    this.places = [];
    this.colours = [];
  }

  add(p: Vec3, rgb: Rgb): void {
    this.places.push(...p);
    this.colours.push(...rgb);
  }

  finish(): void {
    this.object.visible = this.places.length > 0;
    this.object.geometry.dispose();
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(this.places), 3));
    geometry.setAttribute("colour", new BufferAttribute(new Float32Array(this.colours), 3));
    geometry.boundingSphere = EVERYWHERE;
    this.object.geometry = geometry;
  }

  dispose(): void {
    this.parent.remove(this.object);
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}
