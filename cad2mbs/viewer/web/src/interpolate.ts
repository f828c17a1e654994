// Between recorded poses: positions along the straight line, turns along the shortest arc.

const POSE = 7; // x y z qx qy qz qw

/** Row and share of the next row where `x` lies in ascending or descending `values`. */
export function bracket(values: ArrayLike<number>, x: number): { row: number; share: number } {
  const last = values.length - 1;
  if (last < 1) return { row: 0, share: 0 };
  const sign = values[last] >= values[0] ? 1 : -1;
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (sign * values[middle] <= sign * x) low = middle;
    else high = middle;
  }
  const width = values[high] - values[low];
  const share = width === 0 ? 0 : (x - values[low]) / width;
  return { row: low, share: Math.min(1, Math.max(0, share)) };
}

/** Poses of all bodies at a share of the way from one row of `poses` to the next. */
export function between(
  poses: Float64Array,
  bodies: number,
  { row, share }: { row: number; share: number },
): Float64Array {
  const size = POSE * bodies;
  const out = poses.slice(row * size, (row + 1) * size);
  if (share === 0) return out;
  for (let body = 0; body < bodies; body++) {
    const a = row * size + POSE * body;
    const b = a + size;
    for (let k = 0; k < 3; k++) {
      out[POSE * body + k] = poses[a + k] + share * (poses[b + k] - poses[a + k]);
    }
    slerp(poses, a + 3, b + 3, share, out, POSE * body + 3);
  }
  return out;
}

/** The unit quaternion at a share of the shorter arc between those at `a` and `b`. */
export function slerp(
  q: ArrayLike<number>,
  a: number,
  b: number,
  share: number,
  out: Float64Array,
  at: number,
): void {
  let dot = 0;
  for (let k = 0; k < 4; k++) dot += q[a + k] * q[b + k];
  const sign = dot < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(dot)));
  const sine = Math.sin(angle);
  const near = sine < 1e-6; // the arc is as good as straight, and the formula divides by its sine
  const first = near ? 1 - share : Math.sin((1 - share) * angle) / sine;
  const second = sign * (near ? share : Math.sin(share * angle) / sine);
  let norm = 0;
  for (let k = 0; k < 4; k++) {
    out[at + k] = first * q[a + k] + second * q[b + k];
    norm += out[at + k] ** 2;
  }
  for (let k = 0; k < 4; k++) out[at + k] /= Math.sqrt(norm);
}

/** `point` turned and moved by the pose that starts at `at`. */
export function moved(
  pose: ArrayLike<number>,
  at: number,
  point: ArrayLike<number>,
): [number, number, number] {
  const [x, y, z] = [point[0], point[1], point[2]];
  const [qx, qy, qz, qw] = [pose[at + 3], pose[at + 4], pose[at + 5], pose[at + 6]];
  const tx = 2 * (qy * z - qz * y);
  const ty = 2 * (qz * x - qx * z);
  const tz = 2 * (qx * y - qy * x);
  return [
    pose[at] + x + qw * tx + qy * tz - qz * ty,
    pose[at + 1] + y + qw * ty + qz * tx - qx * tz,
    pose[at + 2] + z + qw * tz + qx * ty - qy * tx,
  ];
}
