// A calm backdrop: one triangle over the whole view, lighter above.

import { BufferAttribute, BufferGeometry, GLSL3, Mesh, ShaderMaterial, Vector3 } from "three";
import type { Rgb } from "./highlight";

const VERTEX = /* glsl */ `
out float height;
void main() { height = 0.5 + 0.5 * position.y; gl_Position = vec4(position.xy, 1.0, 1.0); }`;
const FRAGMENT = /* glsl */ `
in float height;
uniform vec3 high; uniform vec3 low;
out vec4 pixel;
void main() { pixel = vec4(mix(low, high, height), 1.0); }`;

const LIGHT: [Rgb, Rgb] = [[0.965, 0.973, 0.982], [0.835, 0.86, 0.89]];
const DARK: [Rgb, Rgb] = [[0.2, 0.22, 0.25], [0.09, 0.1, 0.12]];

export class Background {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;

  constructor() {
    const geometry = new BufferGeometry();
    const corners = new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]);
    geometry.setAttribute("position", new BufferAttribute(corners, 3));
    const material = new ShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { high: { value: new Vector3() }, low: { value: new Vector3() } },
      depthTest: false,
      depthWrite: false,
    });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -10;
  }

  set dark(on: boolean) {
    const [high, low] = on ? DARK : LIGHT;
    this.mesh.material.uniforms.high.value.set(...high);
    this.mesh.material.uniforms.low.value.set(...low);
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
