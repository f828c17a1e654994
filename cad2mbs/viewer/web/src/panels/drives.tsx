import { useSignal } from "@preact/signals";
import type { Scene } from "../protocol";
import { activeDrive, scene, send } from "../state";
import { driving, live, values } from "../ui";
import { Button } from "./button";
import { DriveRow } from "./driverow";
import { DrivingChoice } from "./drivingchoice";
import { Section } from "./section";

const MANY = 12; // more drives than these are folded
const FIRST = 6;

/** A slider for every freedom that drives, and the choice of which do. */
export function Drives() {
  const unfolded = useSignal(""); // source of the scene whose drives are all shown
  const now = scene.value;
  if (!now) return null;
  const all = driving.value;
  const folded = all.length > MANY && unfolded.value !== now.source;
  const rows = folded ? all.filter((d, k) => k < FIRST || d.name === activeDrive.value) : all;
  return (
    <Section
      title="Drives"
      side={
        <Button
          icon="reset"
          label="Back to the start pose"
          keys="R"
          text="Reset"
          onClick={() => send({ type: "reset" })}
        />
      }
    >
      {rows.length === 0 && <p class="hint">{nothingDrives(now)}</p>}
      {!live.value && all.length > 1 && (
        <p class="hint">A recorded motion: each drive moves alone, the others stand at the start.</p>
      )}
      {rows.map((drive) => (
        <DriveRow key={drive.name} drive={drive} units={now.units} now={values} />
      ))}
      {folded && (
        <button type="button" class="button plain" onClick={() => (unfolded.value = now.source)}>
          Show all {all.length} drives
        </button>
      )}
      <DrivingChoice />
    </Section>
  );
}

function nothingDrives({ assembled, mobility }: Scene): string {
  if (!assembled) return "It cannot be driven: there is no pose in which all mates hold.";
  if (mobility.freedoms === 0) return "Nothing to drive: the mates leave no freedom.";
  return "Nothing drives yet. Choose below which freedoms do.";
}
