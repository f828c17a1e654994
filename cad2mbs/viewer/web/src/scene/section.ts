// The section plane: where it lies, and the depth of the cut faces. Their colour is painted by the
// shader of the parts (shaders.ts); here their depth is put on the plane, so that edges behind a
// cut face do not show through it.

import {
  type Camera,
  EqualStencilFunc,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  PlaneGeometry,
  Vector3,
} from "three";
import type { Vec3 } from "../protocol";
import type { Looks } from "../state";
import { shared } from "./shaders";
import { across } from "./vec";

export interface Plane {
  n: Vec3; // towards what is kept
  d: number; // kept where n.p + d >= 0
  at: number; // along the axis [mm]
}

/** The plane that a wish means in the box. Unflipped, it opens the side that the iso view sees. */
export function planeOf(wish: Looks["section"], box: [Vec3, Vec3]): Plane {
  const k = { x: 0, y: 1, z: 2 }[wish.axis];
  const at = box[0][k] + wish.at * (box[1][k] - box[0][k]);
  const sign = (wish.axis === "y" ? 1 : -1) * (wish.flip ? -1 : 1);
  const n: Vec3 = [0, 0, 0];
  n[k] = sign;
  return { n, d: -sign * at, at };
}

export class Section {
  private readonly depth: Mesh<PlaneGeometry, MeshBasicMaterial>;

  constructor(private readonly parent: Object3D) {
    const material = new MeshBasicMaterial({ colorWrite: false });
    material.side = 2;
    material.stencilWrite = true;
    material.stencilWriteMask = 0;
    material.stencilFunc = EqualStencilFunc;
    material.stencilRef = 1;
    this.depth = new Mesh(new PlaneGeometry(1, 1), material);
    this.depth.frustumCulled = false;
    this.depth.renderOrder = 0.5;
    this.depth.visible = false;
    parent.add(this.depth);
  }

  /** Cut here from now on; null: not at all. */
  set(plane: Plane | null, middle: Vec3, radius: number): void {
    this.depth.visible = plane !== null;
    if (!plane) return;
    const foot = middle.map((v, k) => (plane.n[k] === 0 ? v : plane.at)) as Vec3;
    this.depth.position.set(...foot);
    this.depth.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...plane.n));
    this.depth.scale.setScalar(6 * radius);
    this.depth.updateMatrixWorld();
  }

  dispose(): void {
    this.parent.remove(this.depth);
    this.depth.geometry.dispose();
    this.depth.material.dispose();
  }
}

/** Tell the shaders, in the frame of this camera. The hatching is about equally dense on the
 * screen; it is doubled or halved rather than scaled, so that it does not crawl. */
export function seePlane(plane: Plane, camera: Camera, pixel: number): void {
  const seen = camera.matrixWorldInverse;
  const n = new Vector3(...plane.n).transformDirection(seen);
  const foot = new Vector3(...plane.n).multiplyScalar(-plane.d).applyMatrix4(seen);
  shared.plane.value.set(n.x, n.y, n.z, -n.dot(foot));
  const along = new Vector3(...across(plane.n)[0]).transformDirection(seen);
  shared.hatch.value.set(along.x, along.y, along.z, 2 ** Math.round(Math.log2(9 * pixel)));
  shared.origin.value.set(0, 0, 0).applyMatrix4(seen);
}
