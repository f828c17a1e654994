// Where the view looks from: a turntable about z, without roll. `span` is the world height that the
// view shows at the target: switching between perspective and orthographic keeps the framing.

import { OrthographicCamera, PerspectiveCamera, Vector3 } from "three";
import type { Vec3 } from "../protocol";
import type { ViewName } from "../state";
import { boxOf, dot, minus, plus } from "./vec";

export interface Eye {
  target: Vec3;
  yaw: number; // [rad] 0: seen from the front (-y), a quarter turn: from the right (+x)
  pitch: number; // [rad] a quarter turn: seen from above
  span: number;
}

export const FIELD = (28 * Math.PI) / 180; // of view, vertical
const MARGIN = 0.88; // share of the frame that fitted things fill
const QUARTER = Math.PI / 2;

/** Yaw and pitch of the standard views. */
export const STANDARD: Record<Exclude<ViewName, "fit">, [number, number]> = {
  iso: [Math.PI / 4, Math.atan(Math.SQRT1_2)],
  front: [0, 0],
  right: [QUARTER, 0],
  back: [2 * QUARTER, 0],
  left: [-QUARTER, 0],
  top: [0, QUARTER],
  bottom: [0, -QUARTER],
};

/** Right, up and backward (towards the viewer) of a view, in the world. */
export function axes(yaw: number, pitch: number): [Vec3, Vec3, Vec3] {
  const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
  const [cp, sp] = [Math.cos(pitch), Math.sin(pitch)];
  return [[c, s, 0], [-s * sp, c * sp, cp], [s * cp, -c * cp, sp]];
}

/** Yaw and pitch to look from this direction; straight down keeps the yaw given. */
export function lookingFrom(direction: Vec3, yaw: number): [number, number] {
  const flat = Math.hypot(direction[0], direction[1]);
  const pitch = Math.atan2(direction[2], flat);
  return [flat < 1e-9 ? yaw : Math.atan2(direction[0], -direction[1]), pitch];
}

export function distance(span: number): number {
  return span / 2 / Math.tan(FIELD / 2);
}

/** The eye of the same direction that just shows all points; null where there are none. */
export function fitted(eye: Eye, points: Vec3[], aspect: number, flat: boolean): Eye | null {
  if (!points.length || !(aspect > 0)) return null;
  const frame = axes(eye.yaw, eye.pitch);
  const seen = points.map((p) => frame.map((axis) => dot(axis, p)) as Vec3);
  const box = boxOf(seen)!;
  const least = Math.max(Math.hypot(...minus(box[1], box[0])) * 1e-3, 1e-6);
  const [centre, span] = flat ? framedFlat(box, aspect) : framedDeep(seen, box, aspect);
  return { ...eye, target: combined(frame, centre, [0, 0, 0]), span: Math.max(span, least) };
}

/** start + the parts along three axes */
function combined(frame: [Vec3, Vec3, Vec3], parts: Vec3, start: Vec3): Vec3 {
  return frame.reduce((sum, axis, row) => plus(sum, axis, parts[row]), start);
}

function framedFlat([low, high]: [Vec3, Vec3], aspect: number): [Vec3, number] {
  const centre = low.map((v, k) => (v + high[k]) / 2) as Vec3;
  const [wide, tall] = minus(high, low);
  return [centre, Math.max(tall, wide / aspect) / MARGIN];
}

/** The nearest place of a camera from which every point lies between the four sides of the view.
 *
 * With backward depth z, a point is inside the right side where x - cx <= (cz - z) t. The largest
 * x + z t and the largest z t - x give cx and the smallest cz of the pair of sides.
 */
function framedDeep(seen: Vec3[], box: [Vec3, Vec3], aspect: number): [Vec3, number] {
  const upright = Math.tan(FIELD / 2) * MARGIN;
  const tangents = [upright * aspect, upright];
  const sides = tangents.map((t, k) => {
    let [right, left] = [-Infinity, -Infinity];
    for (const p of seen) {
      right = Math.max(right, p[k] + p[2] * t);
      left = Math.max(left, p[2] * t - p[k]);
    }
    return { at: (right - left) / 2, back: (right + left) / (2 * t) };
  });
  const depth = (box[0][2] + box[1][2]) / 2;
  const back = Math.max(sides[0].back, sides[1].back);
  return [[sides[0].at, sides[1].at, depth], 2 * (back - depth) * Math.tan(FIELD / 2)];
}

/** Between two eyes, at 0 to 1; turns the short way round. */
export function between(a: Eye, b: Eye, at: number): Eye {
  const turn = Math.atan2(Math.sin(b.yaw - a.yaw), Math.cos(b.yaw - a.yaw));
  return {
    target: a.target.map((v, k) => v + (b.target[k] - v) * at) as Vec3,
    yaw: a.yaw + turn * at,
    pitch: a.pitch + (b.pitch - a.pitch) * at,
    span: a.span * (b.span / a.span) ** at,
  };
}

/** Turned about a pivot that stays where it is in the view. */
export function orbited(eye: Eye, pivot: Vec3, yaw: number, pitch: number): Eye {
  const tilt = Math.min(QUARTER, Math.max(-QUARTER, eye.pitch + pitch));
  const before = axes(eye.yaw, eye.pitch);
  const after = axes(eye.yaw + yaw, tilt);
  const arm = minus(eye.target, pivot);
  const local = before.map((axis) => dot(axis, arm)) as Vec3;
  return { ...eye, yaw: eye.yaw + yaw, pitch: tilt, target: combined(after, local, pivot) };
}

/** Moved in the plane of the view; x to the right and y up, in world lengths at the target. */
export function panned(eye: Eye, x: number, y: number): Eye {
  const [right, up] = axes(eye.yaw, eye.pitch);
  return { ...eye, target: plus(plus(eye.target, right, x), up, y) };
}

/** Zoomed by a factor (above 1: nearer); what is at (x, y), -1 to 1 of the frame, stays there. */
export function zoomed(eye: Eye, factor: number, x: number, y: number, aspect: number): Eye {
  const span = eye.span / factor;
  const shift = (eye.span - span) / 2;
  return { ...panned(eye, x * aspect * shift, y * shift), span };
}

/** The same picture with the target so much nearer to the viewer: zooming goes to there. */
export function anchored(eye: Eye, nearer: number): Eye {
  const away = distance(eye.span);
  if (nearer > 0.98 * away) return eye;
  const back = axes(eye.yaw, eye.pitch)[2];
  return { ...eye, target: plus(eye.target, back, nearer), span: eye.span * (1 - nearer / away) };
}

/** Both kinds of camera, set from an eye. */
export class Cameras {
  readonly perspective = new PerspectiveCamera();
  readonly orthographic = new OrthographicCamera();

  /** The camera for this eye. `ball` holds all that is drawn, for the depth range. */
  set(eye: Eye, aspect: number, flat: boolean, ball: { centre: Vec3; radius: number }) {
    const camera = flat ? this.orthographic : this.perspective;
    const [right, up, back] = axes(eye.yaw, eye.pitch);
    const centre = dot(back, minus(ball.centre, eye.target));
    let away = distance(eye.span);
    if (flat) away = Math.max(away, centre + 1.5 * ball.radius);
    camera.position.set(...plus(eye.target, back, away));
    camera.matrix.makeBasis(new Vector3(...right), new Vector3(...up), new Vector3(...back));
    camera.quaternion.setFromRotationMatrix(camera.matrix);
    camera.far = Math.max(away - centre + ball.radius, away * 1e-2);
    camera.near = Math.max(away - centre - ball.radius, camera.far * 2e-3);
    if (camera instanceof PerspectiveCamera) {
      camera.fov = (FIELD * 180) / Math.PI;
      camera.aspect = aspect;
    } else {
      [camera.top, camera.bottom] = [eye.span / 2, -eye.span / 2];
      [camera.right, camera.left] = [(aspect * eye.span) / 2, (-aspect * eye.span) / 2];
    }
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    return camera;
  }
}
