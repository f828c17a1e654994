import { activeDrive, playing } from "../state";
import { driving } from "../ui";
import { mode, playedDrive, playedExtent, setMode, speed, SPEEDS, toggle } from "../player";
import { Button } from "./button";
import { Section } from "./section";

/** Play the active drive: how fast, round and round or there and back. */
export function Player() {
  const drive = playedDrive.value;
  if (!drive) return null;
  const unit = (playedExtent.value?.turn ?? NaN) > 0 ? "turns/s" : "ranges/s";
  return (
    <Section title="Player">
      <div class="player">
        <Button
          icon={playing.value ? "pause" : "play"}
          label={playing.value ? "Pause" : "Play"}
          keys="Space"
          text={playing.value ? "Pause" : "Play"}
          kind="primary"
          onClick={toggle}
        />
        <div class="segments" role="radiogroup" aria-label="How it repeats">
          <Choice wanted="loop" text="Loop" />
          <Choice wanted="pingpong" text="Ping-pong" />
        </div>
      </div>
      <div class="player">
        {driving.value.length > 1 && (
          <label class="field">
            <span>Drive</span>
            <select
              value={drive.name}
              onChange={(event) => (activeDrive.value = event.currentTarget.value)}
            >
              {driving.value.map((d) => (
                <option key={d.name} value={d.name}>
                  {d.name}
                </option>
              ))}
            </select>
          </label>
        )}
        <label class="field">
          <span>Speed</span>
          <select
            value={String(speed.value)}
            onChange={(event) => (speed.value = Number(event.currentTarget.value))}
          >
            {SPEEDS.map((s) => (
              <option key={s} value={String(s)}>
                {s} {unit}
              </option>
            ))}
          </select>
        </label>
      </div>
    </Section>
  );
}

function Choice({ wanted, text }: { wanted: "loop" | "pingpong"; text: string }) {
  return (
    <label class="segment">
      <input
        type="radio"
        name="player-mode"
        checked={mode.value === wanted}
        onChange={() => setMode(wanted)}
      />
      <span>{text}</span>
    </label>
  );
}
