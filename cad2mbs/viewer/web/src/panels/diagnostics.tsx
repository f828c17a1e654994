import { counted, sentence } from "../numbers";
import type { Mobility, Scene } from "../protocol";
import { conflict, pose, scene, selection, status, verdicts } from "../state";
import { history } from "../ui";
import { CrossButton } from "./crossbutton";
import { Icon } from "./icons";
import { Section } from "./section";

/** The mechanism in words: freedoms, what is surplus, what contradicts, why it stopped. */
export function Diagnostics() {
  const now = scene.value;
  if (!now) return null;
  const redundant = Object.values(verdicts.value).filter((v) => v.verdict === "redundant").length;
  const stop = status.value && status.value.level !== "ok" ? status.value.text : "";
  return (
    <Section title="Diagnostics">
      <ul class="facts">
        <LooseParts now={now} />
        {now.notes.map((note) => (
          <li key={note} class="warn sign">
            <Icon name="warning" />
            <span>{sentence(note)}</span>
          </li>
        ))}
        <li>
          <strong>{freedomLine(now)}</strong>
        </li>
        <li>{grueblerLine(now.mobility)}</li>
        {now.mobility.at_pose !== now.mobility.freedoms && (
          <li class="warn">
            At this pose {counted(now.mobility.at_pose, "freedom")}: it is a special one, such as a
            dead point.
          </li>
        )}
        {now.status && <li class={now.assembled ? "" : "bad"}>{sentence(now.status)}</li>}
        <li>
          {redundant ? `${counted(redundant, "mate is", "mates are")} redundant.` : "No mate is redundant."}
        </li>
        {stop && (
          <li class="warn">
            {sentence(stop)} <CrossButton />
          </li>
        )}
        {conflict.value.length > 0 && (
          <li class="bad">
            These mates contradict each other:{" "}
            {conflict.value.map((name) => {
              const mate = now.mates.findIndex((m) => m.name === name);
              return (
                <button
                  key={name}
                  type="button"
                  class="link"
                  onClick={() => mate >= 0 && (selection.value = { kind: "mate", mate })}
                >
                  {name}
                </button>
              );
            })}
          </li>
        )}
        <SolveTime />
      </ul>
      {history.value.length > 0 && (
        <details class="more">
          <summary>Messages ({history.value.length})</summary>
          <ol class="messages">
            {[...history.value].reverse().map((n) => (
              <li key={n.id} class={n.level === "error" ? "bad" : ""}>
                {n.text}
              </li>
            ))}
          </ol>
        </details>
      )}
    </Section>
  );
}

/** What to do about parts that nothing holds together. */
function LooseParts({ now }: { now: Scene }) {
  const loose = now.bodies.filter((b) => !b.grounded).length;
  const held = now.mates.length > 0 || now.mobility.freedoms < 6 * loose;
  if (held || now.bodies.length < 2) return null;
  return (
    <li class="warn sign">
      <Icon name="warning" />
      <span>
        No mates: {counted(loose, "loose part")}. <code>cad2mbs infer FILE -o FILE.yaml</code> finds
        mates from the geometry; or state them in a mates file (docs/mates-file.md).
      </span>
    </li>
  );
}

function SolveTime() {
  const seconds = pose.value?.seconds;
  if (!seconds) return null;
  return <li class="muted">Last solved in {(1000 * seconds).toFixed(2)} ms.</li>;
}

const NAMED = 4; // freedoms by name in one line

/** How free it is; nothing is counted while the mates contradict each other. */
export function freedomLine(now: Scene): string {
  return now.assembled ? mobilityLine(now.mobility) : "The mates do not hold together.";
}

export function mobilityLine({ freedoms, names }: Mobility): string {
  if (freedoms === 0) return "0 freedoms: nothing can move.";
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  return `${counted(freedoms, "freedom")}: ${names.slice(0, NAMED).join(", ") || "not named"}${more}`;
}

/** Grübler's count, and what its difference to the freedoms means. */
export function grueblerLine({ freedoms, gruebler, redundant }: Mobility): string {
  if (redundant === 0) return `Grübler counts ${gruebler}: no equation is surplus.`;
  const surplus = counted(redundant, "equation repeats", "equations repeat");
  return `Grübler counts ${gruebler}, not ${freedoms}: ${surplus} what others already hold.`;
}
