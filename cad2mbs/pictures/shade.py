"""Colours of a picture from the triangles seen: light, shadow on the ground, ink, and the mean.

Linear light inside, sRGB outside. One place of each triangle in a pixel is shaded, its samples
share the result.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from cad2mbs.pictures.raster import slopes
from solvers.compiled import batch, inlined

LEVELS = 4096  # steps of linear light that are told apart on the way to sRGB


@dataclass(frozen=True)
class Look:
    """Tones of a picture, sRGB 0 to 1."""

    top: tuple[float, float, float]
    bottom: tuple[float, float, float]
    ink: tuple[float, float, float]
    ink_strength: float
    shadow_strength: float
    sky: float  # light from above
    earth: float  # light from below
    key: float  # light from the side of the eye's left shoulder


LIGHT = Look(
    top=(0.97, 0.98, 0.99),
    bottom=(0.86, 0.88, 0.91),
    ink=(0.10, 0.13, 0.17),
    ink_strength=0.80,
    shadow_strength=0.62,
    sky=0.54,
    earth=0.28,
    key=0.68,
)
DARK = Look(
    top=(0.13, 0.15, 0.18),
    bottom=(0.20, 0.22, 0.26),
    ink=(0.03, 0.04, 0.05),
    ink_strength=0.85,
    shadow_strength=0.75,
    sky=0.48,
    earth=0.22,
    key=0.68,
)
CALM = 0.12  # share of grey mixed into colours: pure ones glare under any light
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


def to_linear(srgb) -> np.ndarray:
    """Linear light of sRGB values, both 0 to 1."""
    s = np.asarray(srgb, dtype=np.float64)
    return np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)


def calm(srgb) -> np.ndarray:
    """Linear light, (n, 3), of surfaces with these sRGB colours: a little greyer than asked for."""
    linear = to_linear(srgb)
    return linear + CALM * ((linear @ LUMINANCE)[:, None] - linear)


def srgb_table() -> np.ndarray:
    """sRGB bytes of LEVELS steps of linear light from 0 to 1."""
    light = np.linspace(0.0, 1.0, LEVELS)
    s = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.round(255.0 * s).astype(np.uint8)


@inlined
def _lit(nx, ny, nz, vx, vy, vz, axes, tones):
    """Diffuse and glossy light on a face with normal n seen from v; axes: up, key light."""
    size = math.sqrt(nx * nx + ny * ny + nz * nz)
    if size > 0.0:
        nx, ny, nz = nx / size, ny / size, nz / size
    up = nx * axes[0, 0] + ny * axes[0, 1] + nz * axes[0, 2]
    key = nx * axes[1, 0] + ny * axes[1, 1] + nz * axes[1, 2]
    facing = max(nx * vx + ny * vy + nz * vz, 0.0)
    ambient = tones[1] + (tones[0] - tones[1]) * (0.5 + 0.5 * up)
    reached = max((key + 0.4) / 1.4, 0.0)  # squared: no crease where the light ends
    diffuse = ambient + tones[2] * reached * reached + 0.14 * facing
    hx, hy, hz = axes[1, 0] + vx, axes[1, 1] + vy, axes[1, 2] + vz
    half = max(nx * hx + ny * hy + nz * hz, 0.0) / math.sqrt(hx * hx + hy * hy + hz * hz)
    half *= half
    half *= half
    half *= half
    half *= half  # to the 16th
    rim = 1.0 - facing
    rim *= rim
    return diffuse, 0.10 * half * half + 0.05 * rim * rim


@inlined
def _shade(t, x, y, view, screen, normals, triangles, item, colours, axes, tones, out, row):
    """Write into out[row] the linear colour of triangle t at the sample (x, y); view to the eye."""
    a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
    area = slopes(screen, a, b, c)[2]
    ax, ay = screen[a, 0], screen[a, 1]
    bx, by = screen[b, 0], screen[b, 1]
    cx, cy = screen[c, 0], screen[c, 1]
    wa = ((bx - x) * (cy - y) - (by - y) * (cx - x)) / area
    wb = ((cx - x) * (ay - y) - (cy - y) * (ax - x)) / area
    wa, wb = min(max(wa, 0.0), 1.0), min(max(wb, 0.0), 1.0)
    wc = min(max(1.0 - wa - wb, 0.0), 1.0)
    nx = wa * normals[a, 0] + wb * normals[b, 0] + wc * normals[c, 0]
    ny = wa * normals[a, 1] + wb * normals[b, 1] + wc * normals[c, 1]
    nz = wa * normals[a, 2] + wb * normals[b, 2] + wc * normals[c, 2]
    inside = area > 0.0  # the screen's y points down: outsides run clockwise
    if inside:
        nx, ny, nz = -nx, -ny, -nz
    diffuse, gloss = _lit(nx, ny, nz, view[0], view[1], view[2], axes, tones)
    if inside:
        diffuse, gloss = 0.72 * diffuse, 0.0
    k = item[t]
    for channel in range(3):
        out[row, channel] = colours[k, channel] * diffuse + gloss
    if inside:  # warmer than the outside
        out[row, 0] *= 1.08
        out[row, 2] *= 0.90


@inlined
def _ground(eye, ray, up, level, corner, step, along, across, shadow):
    """Shadow, 0 to 1, where a ray of sight meets the ground; 0 where it does not."""
    down = ray[0] * up[0] + ray[1] * up[1] + ray[2] * up[2]
    height = eye[0] * up[0] + eye[1] * up[1] + eye[2] * up[2] - level
    if down > -1e-3 or height <= 0.0:
        return 0.0
    far = -height / down
    px, py, pz = eye[0] + far * ray[0], eye[1] + far * ray[1], eye[2] + far * ray[2]
    u = (px * along[0] + py * along[1] + pz * along[2] - corner[0]) / step - 0.5
    v = (px * across[0] + py * across[1] + pz * across[2] - corner[1]) / step - 0.5
    rows, columns = shadow.shape
    if not (0.0 <= u < columns - 1.0 and 0.0 <= v < rows - 1.0):
        return 0.0
    i, j = int(u), int(v)
    u -= i
    v -= j
    upper = (1.0 - u) * shadow[j, i] + u * shadow[j, i + 1]
    lower = (1.0 - u) * shadow[j + 1, i] + u * shadow[j + 1, i + 1]
    return (1.0 - v) * upper + v * lower


@batch
def resolve(
    layers, n, screen, normals, triangles, item, colours, ink, clear_ink, pose, scale, perspective,
    axes, tones, look, level, corner, step, shadow, table, image,
):  # fmt: skip
    """Write the picture, (rows, columns, 3) sRGB bytes, from n x n samples a pixel.

    layers  (depth, n rows, n columns)  triangle seen; the first opaque, then clear ones, nearest
            first
    item    (nt,)  row of colours (red, green, blue linear, opacity) of each triangle
    pose    (4, 3)  right, up, back of the camera, eye (with perspective) or target
    axes    (4, 3)  up, key light, and two directions along the ground
    tones   sky, earth, key light; look (4, 3+1): top, bottom, ink with strength, shadow strength
    """
    rows, columns = image.shape[:2]
    depth = layers.shape[0]
    colour = np.empty((depth, 3))
    known = np.empty(depth, dtype=np.int32)
    view, ray, eye, back, total = np.empty(3), np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    here = np.empty(3)
    for j in range(rows):
        blend = (j + 0.5) / rows
        for i in range(columns):
            right = ((i + 0.5) - columns / 2.0) / scale
            upward = -((j + 0.5) - rows / 2.0) / scale
            size = math.sqrt(1.0 + right * right + upward * upward) if perspective else 1.0
            for k in range(3):
                sideways = right * pose[0, k] + upward * pose[1, k]
                ray[k] = ((sideways if perspective else 0.0) - pose[2, k]) / size
                eye[k] = pose[3, k] + (0.0 if perspective else sideways)
                view[k] = -ray[k]
                total[k] = 0.0
            if not perspective:
                for k in range(3):
                    eye[k] += 1e6 * pose[2, k]
            dim = -1.0
            known[:] = -1
            for sample in range(n * n):
                y, x = j * n + sample // n, i * n + sample % n
                t = layers[0, y, x]
                if t >= 0:
                    if t != known[0]:
                        known[0] = t
                        _shade(t, x + 0.5, y + 0.5, view, screen, normals, triangles, item,
                               colours, axes, tones, colour, 0)  # fmt: skip
                    for k in range(3):
                        here[k] = colour[0, k]
                else:
                    if dim < 0.0:
                        dim = 1.0 - look[3, 0] * _ground(
                            eye, ray, axes[0], level, corner, step, axes[2], axes[3], shadow
                        )
                        for k in range(3):
                            back[k] = dim * ((1.0 - blend) * look[0, k] + blend * look[1, k])
                    for k in range(3):
                        here[k] = back[k]
                black = look[2, 3] * ink[y, x] / 255.0
                for k in range(3):
                    here[k] += black * (look[2, k] - here[k])
                for layer in range(depth - 1, 0, -1):
                    t = layers[layer, y, x]
                    if t < 0:
                        continue
                    if t != known[layer]:
                        known[layer] = t
                        _shade(t, x + 0.5, y + 0.5, view, screen, normals, triangles, item,
                               colours, axes, tones, colour, layer)  # fmt: skip
                    opacity = colours[item[t], 3]
                    for k in range(3):
                        here[k] += opacity * (colour[layer, k] - here[k])
                black = look[2, 3] * clear_ink[y, x] / 255.0
                for k in range(3):
                    total[k] += here[k] + black * (look[2, k] - here[k])
            for k in range(3):
                light = min(max(total[k] / (n * n), 0.0), 1.0)
                image[j, i, k] = table[int(light * (LEVELS - 1) + 0.5)]
