// window.cad2mbs: the view's own account of what it shows, for tests and curious users.

import { Vector3 } from "three";
import type { Place, Vec3 } from "../protocol";
import { poseOf } from "./bodies";
import type { Hit } from "./picking";
import type { Viewport } from "./viewport";

export interface PartFacts {
  name: string;
  body: number;
  shown: boolean;
  rgb: number[]; // as drawn
  opacity: number;
  selected: boolean;
  pose: Place; // in the world
}

export interface Hook {
  /** Pose of each body as drawn, less the shift of an exploded view: x y z [mm], qx qy qz qw. */
  bodies(): Place[];
  parts(): PartFacts[];
  /** Frames drawn so far. */
  frame(): number;
  /** Resolves when everything is drawn as finely as it gets. */
  settled(): Promise<void>;
  /** Where a point of a part [mm, in the part] is in the window [px]. */
  project(part: number, point: Vec3): [number, number];
  view(): object;
  /** What is at a place of the window [px]. */
  pick(x: number, y: number): Hit | null;
}

declare global {
  interface Window {
    cad2mbs?: Hook;
  }
}

/** Put the hook on the window; the function returned takes it off again. */
export function expose(view: Viewport): () => void {
  const { stage } = view;
  const corner = () => stage.canvas.getBoundingClientRect();
  const hook: Hook = {
    bodies: () => view.bodies?.matrices.map(poseOf) ?? [],
    parts: () => partsOf(view),
    frame: () => stage.frames,
    settled: () => stage.settled(),
    project(part, point) {
      const world = view.bodies!.worldOf(part, true);
      const [x, y] = stage.project(new Vector3(...point).applyMatrix4(world).toArray() as Vec3);
      return [x + corner().left, y + corner().top];
    },
    view: () => ({
      ...stage.eye,
      orthographic: stage.orthographic,
      width: stage.width,
      height: stage.height,
      milliseconds: stage.milliseconds,
      level: stage.quality.level,
      software: stage.software,
      calls: stage.renderer.info.render.calls,
      triangles: stage.renderer.info.render.triangles,
    }),
    pick(x, y) {
      const { left, top } = corner();
      return view.bodies && view.picker.at(x - left, y - top, view.bodies, view.plane);
    },
  };
  window.cad2mbs = hook;
  return () => {
    if (window.cad2mbs === hook) delete window.cad2mbs;
  };
}

function partsOf({ bodies }: Viewport): PartFacts[] {
  if (!bodies) return [];
  return bodies.scene.parts.map(({ name, body }, row) => {
    const { shown, rgb, opacity, selected } = bodies.looks[row];
    return { name, body, shown, rgb, opacity, selected, pose: poseOf(bodies.worldOf(row, false)) };
  });
}
