import { useComputed, useSignalEffect, type ReadonlySignal } from "@preact/signals";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { extentOf } from "../extent";
import { clean, sentence, short, steady, stepOf, turnOf } from "../numbers";
import type { Drive, Reach, Units } from "../protocol";
import { activeDrive, playing, reach, send } from "../state";
import { waiting, wanted } from "../ui";
import { sliderKey, turnsBefore } from "../sliding";
import { DeadPoints } from "./deadpoints";
import { NumberField } from "./numberfield";
import { Track } from "./track";

interface Props {
  drive: Drive;
  units: Units;
  now: ReadonlySignal<Record<string, number>>;
}

/** One drive: slider with limits, reach and dead points, and its number. */
export function DriveRow({ drive, units, now }: Props) {
  const { name, unit } = drive;
  const value = useComputed(() => now.value[name] ?? drive.value).value;
  const range = useRef<HTMLInputElement>(null);
  const held = useRef(false);
  const turns = useRef(0);
  const id = useId();
  const found = reach.value[name];
  const extent = extentOf(drive, found, units);
  const span = extent.high - extent.low;
  const step = stepOf(span);
  turns.current = turnsBefore(value, extent, turns.current);
  const place = value - (extent.turn > 0 ? turns.current * extent.turn : 0);

  // The hand leads while it holds the thumb; else the thumb stands where the mechanism stands.
  function settle(): void {
    if (range.current && !held.current && !waiting.peek()) range.current.value = String(place);
  }
  useSignalEffect(() => {
    void waiting.value;
    settle();
  });
  useLayoutEffect(settle); // after min and max are set: the browser clamps to those it has

  function go(to: number): void {
    activeDrive.value = name;
    playing.value = false;
    send({ type: "drive", seq: 0, values: { [name]: clean(to) } });
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const from = waiting.value ? (wanted.value[name] ?? value) : value;
    const to = sliderKey(event.key, event.shiftKey, from, step, extent, turns.current);
    if (to === null) return;
    event.preventDefault();
    go(to);
  }
  function release(): void {
    held.current = false;
    settle();
  }
  const text = steady(value, span);
  return (
    <div
      class={`drive ${activeDrive.value === name ? "active" : ""}`}
      onFocusCapture={() => (activeDrive.value = name)}
    >
      <div class="drive-head">
        <label for={id} class="drive-name" title={drive.what}>
          {name}
        </label>
        {extent.turn > 0 && turns.current !== 0 && (
          <span class="count">{span > 1.5 * turnOf(unit) ? "round" : "turn"}{" "}
            {turns.current > 0 ? turns.current + 1 : turns.current}</span>
        )}
        <NumberField
          label={`Value of ${name}`}
          unit={unit}
          value={value}
          text={text}
          step={step}
          onApply={go}
        />
      </div>
      <div class="slider">
        <Track drive={drive} extent={extent} reach={found} />
        <input
          ref={range}
          id={id}
          type="range"
          data-drive={name}
          min={extent.low}
          max={extent.high}
          step="any"
          aria-valuetext={`${text} ${unit}`}
          onPointerDown={() => (held.current = true)}
          onPointerUp={release}
          onPointerCancel={release}
          onBlur={release}
          onKeyDown={onKeyDown}
          onInput={(event) => {
            const at = event.currentTarget.valueAsNumber;
            go(extent.turn > 0 ? at + turns.current * extent.turn : at);
          }}
        />
      </div>
      <div class="drive-ends">
        <span>{short(extent.low, span)}</span>
        <span class="drive-what">{drive.what}</span>
        <span>{short(extent.high, span)}</span>
      </div>
      <Ends value={value} span={span} reach={found} />
      {found && found.dead.length > 0 && (
        <DeadPoints
          points={found.dead}
          unit={unit}
          span={span}
          place={place}
          onGo={(at) => go(at + value - place)}
        />
      )}
    </div>
  );
}

/** Why the drive goes no further, when it stands at an end of its reach. */
function Ends({ value, span, reach: found }: { value: number; span: number; reach?: Reach }) {
  if (!found || found.turns) return null;
  const near = 1e-4 * span;
  if (found.lowReason && value <= found.low + near) return <p class="end">{sentence(found.lowReason)}</p>;
  if (found.highReason && value >= found.high - near) return <p class="end">{sentence(found.highReason)}</p>;
  return null;
}
