// The few shaders of the view. Colours are mixed as they are shown (sRGB): that is what a CAD user
// expects of a part's colour, and it costs software renderers the least.

import {
  AlwaysStencilFunc,
  BackSide,
  DoubleSide,
  FrontSide,
  GLSL3,
  ReplaceStencilOp,
  ShaderMaterial,
  Vector3,
  Vector4,
} from "three";

/** What all materials of the parts share; written by the view, read by every shader. Instances are
 * placed in the camera's frame already, so all directions here are seen from the camera. */
export const shared = {
  up: { value: new Vector3(0, 1, 0) }, // of the world
  plane: { value: new Vector4(0, 0, 1, 0) }, // section: kept where (n, d).(p, 1) >= 0
  hatch: { value: new Vector4(1, 0, 0, 8) }, // direction in the section plane, and spacing
  origin: { value: new Vector3() }, // of the world: the hatching is fixed to it
};

const PLACED = /* glsl */ `
in vec4 row0; in vec4 row1; in vec4 row2;
vec3 placed(vec4 p) { return vec3(dot(row0, p), dot(row1, p), dot(row2, p)); }
#ifdef SECTION
out vec3 at;
#endif
void put(vec3 seen) {
#ifdef SECTION
  at = seen;
#endif
  gl_Position = projectionMatrix * vec4(seen, 1.0);
}
`;

const CUT = /* glsl */ `
#ifdef SECTION
uniform vec4 plane;
in vec3 at;
void cut() { if (dot(plane, vec4(at, 1.0)) < 0.0) discard; }
#else
void cut() {}
#endif
`;

const FACE_VERTEX = /* glsl */ `
${PLACED}
in vec4 tint;
in float mark;
out vec3 facing; flat out vec4 colour;
#ifdef SECTION
flat out float side;
#endif
void main() {
  facing = placed(vec4(normal, 0.0));
  colour = tint;
#ifdef SECTION
  side = mod(mark, 2.0) < 0.5 ? -1.0 : 1.0;
#endif
  put(placed(vec4(position, 1.0)));
}`;

// A soft sky, a key light over the viewer's left shoulder, a dim rim that sets off round parts. The
// line of sight is taken as straight ahead everywhere: nobody sees the difference, and it is cheap.
const FACE_FRAGMENT = /* glsl */ `
${CUT}
uniform vec3 up;
in vec3 facing; flat in vec4 colour;
out vec4 pixel;
const vec3 KEY = vec3(-0.37, 0.56, 0.74);
const vec3 HALFWAY = vec3(-0.1984, 0.3002, 0.9330); // between key light and viewer
void main() {
  cut();
  vec3 n = normalize(facing);
  if (!gl_FrontFacing) n = -n;
  float sky = 0.5 + 0.5 * dot(n, up);
  float key = max(dot(n, KEY), 0.0);
  float rim = clamp(n.z * 2.2, 0.0, 1.0);
  float shine = max(dot(n, HALFWAY), 0.0);
  shine *= shine; shine *= shine; shine *= shine; shine *= shine;
  float light = (0.52 + 0.17 * sky + 0.40 * key) * (0.78 + 0.22 * rim);
  pixel = vec4(colour.rgb * light + 0.09 * shine, colour.a);
}`;

// What shows its back was cut open: it is painted as the cut face, flat and hatched, at the place
// where the line of sight meets the plane. Closed solids that do not overlap show it exactly so.
const CAP_FRAGMENT = /* glsl */ `
${CUT}
uniform vec4 hatch;
uniform vec3 origin;
flat in vec4 colour; flat in float side;
out vec4 pixel;
void main() {
  cut();
  vec3 ray = isOrthographic ? vec3(0.0, 0.0, -1.0) : at;
  vec3 p = at - ray * (dot(plane, vec4(at, 1.0)) / dot(plane.xyz, ray));
  vec3 across = cross(plane.xyz, hatch.xyz);
  float s = dot(p - origin, hatch.xyz + side * across) / (1.41421 * hatch.w);
  float line = abs(fract(s) - 0.5) / max(fwidth(s), 1e-6);
  float dark = 1.0 - smoothstep(0.4, 1.1, line);
  pixel = vec4(mix(colour.rgb, vec3(1.0), 0.10) * (1.0 - 0.30 * dark), max(colour.a, 0.45));
}`;

const EDGE_VERTEX = /* glsl */ `
${PLACED}
in vec4 line;
flat out vec4 colour;
void main() {
  colour = line;
  put(placed(vec4(position, 1.0)));
}`;

const EDGE_FRAGMENT = /* glsl */ `
${CUT}
flat in vec4 colour;
out vec4 pixel;
void main() { cut(); pixel = colour; }`;

const PICK_VERTEX = /* glsl */ `
${PLACED}
in float mark; in float face;
flat out uvec2 what; out float depth;
void main() {
  vec3 seen = placed(vec4(position, 1.0));
  what = uvec2(uint(mark) + 1u, uint(face));
  depth = -seen.z;
  put(seen);
}`;

const PICK_FRAGMENT = /* glsl */ `
precision highp int;
${CUT}
flat in uvec2 what; in float depth;
out uvec4 pixel;
void main() {
  cut();
  pixel = uvec4(what, floatBitsToUint(depth), gl_FrontFacing ? 0u : 1u);
}`;

function made(vertexShader: string, fragmentShader: string, section: boolean): ShaderMaterial {
  return new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader,
    fragmentShader,
    uniforms: shared,
    defines: section ? { SECTION: 1 } : {},
  });
}

/** The materials of one way of drawing: with or without section, solid or glass. */
export interface Paint {
  faces: ShaderMaterial;
  backs: ShaderMaterial | null; // the cut faces
  edges: ShaderMaterial;
}

/** `open`: shells may show their inside, so both sides are drawn. */
export function paint(section: boolean, glass: boolean, open: boolean): Paint {
  const faces = made(FACE_VERTEX, FACE_FRAGMENT, section);
  const backs = section ? made(FACE_VERTEX, CAP_FRAGMENT, true) : null;
  const edges = made(EDGE_VERTEX, EDGE_FRAGMENT, section);
  faces.side = open && !section ? DoubleSide : FrontSide;
  if (backs) backs.side = BackSide;
  edges.transparent = true;
  edges.depthWrite = false;
  for (const material of [faces, backs]) {
    if (!material) continue;
    Object.assign(material, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 2 });
    if (glass) Object.assign(material, { transparent: true, depthWrite: false });
    else if (section) marked(material, material === backs ? 1 : 0);
  }
  return { faces, backs, edges };
}

/** Leave a mark in the stencil buffer where this material is what is seen. */
function marked(material: ShaderMaterial, value: number): void {
  material.stencilWrite = true;
  material.stencilFunc = AlwaysStencilFunc;
  material.stencilRef = value;
  material.stencilZPass = ReplaceStencilOp;
}

/** Part and face numbers, depth and side instead of colours, for picking. */
export function pickPaint(section: boolean): ShaderMaterial {
  const material = made(PICK_VERTEX, PICK_FRAGMENT, section);
  material.side = DoubleSide;
  return material;
}
