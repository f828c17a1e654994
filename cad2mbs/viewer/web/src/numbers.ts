// Numbers as people read and write them: ticks of axes, steps of sliders, text with units.

const TURN: Record<string, number> = { deg: 360, rad: 2 * Math.PI, turn: 1, turns: 1 };
const LENGTHS: Record<string, number> = {
  um: 1e-3, mm: 1, cm: 10, m: 1000, in: 25.4, inch: 25.4, ft: 304.8,
};
const ANGLES: Record<string, number> = {
  deg: Math.PI / 180, "°": Math.PI / 180, rad: 1, turn: 2 * Math.PI, turns: 2 * Math.PI,
};

/** A full turn in this unit; NaN where it is not one of angles. */
export function turnOf(unit: string): number {
  return TURN[unit] ?? NaN;
}

/** The largest of 1, 2, 5 times a power of ten that is not above `size`. */
export function niceStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size) + 1e-9);
  const lead = size / power;
  return (lead >= 5 - 1e-9 ? 5 : lead >= 2 - 1e-9 ? 2 : 1) * power;
}

function niceStepAbove(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size));
  return ([1, 2, 5].find((lead) => lead * power >= size * (1 - 1e-9)) ?? 10) * power;
}

/** Round places from `low` to `high`, about `wanted` of them; quarter turns for angles in deg. */
export function ticks(low: number, high: number, wanted = 5, unit = ""): number[] {
  if (!(high > low) || !Number.isFinite(high - low)) return Number.isFinite(low) ? [low] : [];
  const rough = (high - low) / Math.max(1, wanted);
  const round = unit === "deg" ? [15, 30, 45, 90, 180, 360].find((s) => s >= rough) : undefined;
  const step = round !== undefined && rough > 10 ? round : niceStepAbove(rough);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, k) => clean((first + k) * step));
}

/** A step for arrow keys: about a 360th of the span, so one degree of a turn. */
export function stepOf(span: number): number {
  return Number.isFinite(span) && span > 0 ? niceStep(span / 360) : 1;
}

/** The number without the dust of floating point. */
export function clean(value: number): number {
  const rounded = Number(value.toPrecision(12));
  return rounded === 0 ? 0 : rounded;
}

/** Text of a value on a scale of this span, always with as many places: calm while it moves. */
export function steady(value: number, span: number): string {
  if (!Number.isFinite(value)) return "–";
  return value.toFixed(places(value, span)).replace(/^-(0\.?0*)$/, "$1");
}

const TINY = 1e-6; // a span below it says nothing of the scale
const MOST_PLACES = 6;

/** Decimal places that count on a scale of this span; where it has none, for the value itself. */
function places(value: number, span: number): number {
  const size = [span, Math.abs(value)].find((s) => Number.isFinite(s) && s >= TINY) ?? 1;
  const power = Math.floor(Math.log10(size));
  return size >= 1 ? Math.max(0, Math.min(3, 5 - power)) : Math.min(MOST_PLACES, 3 - power);
}

const DUST = 1e-9; // in any unit in use: what is smaller is rounding

/** Text of any number: four places that count, plain where it fits; on a scale, no finer than it. */
export function short(value: number | null, span?: number): string {
  if (value === null || !Number.isFinite(value)) return "–";
  if (Math.abs(value) < DUST) return "0";
  if (span !== undefined) return short(Number(value.toFixed(places(value, span))));
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e6 || size < 1e-4)) return value.toExponential(2);
  return String(Number(value.toPrecision(size >= 1000 ? 6 : 4)));
}

/** The number that was typed, in `unit`; or in words why it is none. */
export function parsed(text: string, unit: string): { value: number } | { problem: string } {
  const typed = text.trim().replace(/\u2212/g, "-");
  const match = /^([+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:e[+-]?\d+)?)\s*([a-z°]*)$/i.exec(typed);
  if (!match) {
    const found = typed ? `“${typed.slice(0, 20)}” is not a number` : "nothing was typed";
    return { problem: `${found}; write for example 12.5${unit ? ` ${unit}` : ""}.` };
  }
  const number = Number(match[1].replace(",", "."));
  if (!Number.isFinite(number)) return { problem: `${match[1]} is too large.` };
  const given = match[2].toLowerCase();
  if (!given || given === unit) return { value: number };
  for (const table of [LENGTHS, ANGLES]) {
    if (given in table && unit in table) return { value: (number * table[given]) / table[unit] };
  }
  return { problem: `“${given}” does not fit; ${unit || "a number without a unit"} is wanted.` };
}

/** `value` moved by whole turns into the turn that starts at `low`. */
export function wrapped(value: number, low: number, turn: number): number {
  return low + (((value - low) % turn) + turn) % turn;
}

/** Text that starts with a capital letter and ends with a full stop. */
export function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}

/** One or several of a word. */
export function counted(number: number, word: string, words = `${word}s`): string {
  return `${number} ${number === 1 ? word : words}`;
}
