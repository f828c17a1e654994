import type { Scene } from "../protocol";
import { scene, send } from "../state";
import { driving, values } from "../ui";
import { Button } from "./button";
import { DriveRow } from "./driverow";
import { DrivingChoice } from "./drivingchoice";
import { Section } from "./section";

/** A slider for every freedom that drives, and the choice of which do. */
export function Drives() {
  const now = scene.value;
  if (!now) return null;
  const rows = driving.value;
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
      {rows.map((drive) => (
        <DriveRow key={drive.name} drive={drive} units={now.units} now={values} />
      ))}
      <DrivingChoice />
    </Section>
  );
}

function nothingDrives({ assembled, mobility }: Scene): string {
  if (!assembled) return "It cannot be driven: there is no pose in which all mates hold.";
  if (mobility.freedoms === 0) return "Nothing to drive: the mates leave no freedom.";
  return "Nothing drives yet. Choose below which freedoms do.";
}
