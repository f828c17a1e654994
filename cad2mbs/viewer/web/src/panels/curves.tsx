import { chosenNames } from "../asking";
import { shownCharts, showRates } from "../curvedata";
import { short } from "../numbers";
import { activeDrive, curves, scene } from "../state";
import { driving, live, setSizes } from "../ui";
import { Button } from "./button";
import { ChartView } from "./chart";
import { ExportMenu } from "./exportmenu";
import { Picker } from "./picker";

/** Curves over the active drive. */
export function CurvesPanel() {
  const now = curves.value;
  const drive = activeDrive.value;
  const list = shownCharts.value;
  return (
    <>
      <div class="panel-bar">
        <h2>Curves</h2>
        {driving.value.length > 1 ? (
          <label class="field">
            <span>over</span>
            <select
              aria-label="Drive of the curves"
              value={drive ?? ""}
              onChange={(event) => (activeDrive.value = event.currentTarget.value)}
            >
              {driving.value.map((d) => (
                <option key={d.name}>{d.name}</option>
              ))}
            </select>
          </label>
        ) : (
          drive !== null && <span class="muted">over {drive}</span>
        )}
        <div class="segments" role="radiogroup" aria-label="What is drawn">
          <Choice text="Value" rates={false} />
          <Choice text="Rate" rates={true} />
        </div>
        {showRates.value && now && Number.isFinite(now.speed?.value) && (
          <span class="muted">
            at {short(now.speed.value)} {now.speed.unit}
          </span>
        )}
        <span class="spring" />
        <Picker />
        <ExportMenu ready={list.length > 0} drive={drive} />
        <Button icon="down" label="Fold the curves away" onClick={() => setSizes({ bottomOpen: false })} />
      </div>
      {now && now.status && !now.ok && <p class="curve-status">{now.status}</p>}
      <div class="charts" role="group" aria-label="Charts" tabIndex={list.length > 1 ? 0 : undefined}>
        {list.map((chart) => (
          <ChartView key={chart.unit} chart={chart} drive={now!.drive} />
        ))}
        {!list.length && <p class="empty">{nothing()}</p>}
      </div>
    </>
  );
}

function nothing(): string {
  if (!scene.value) return "";
  if (activeDrive.value === null) return "Nothing drives, so there is nothing to draw over.";
  if (!chosenNames.value.length) return "No quantity is chosen. Pick some under Quantities.";
  return live.value ? "The curves are being computed." : "This recording holds no curves of these.";
}

function Choice({ text, rates }: { text: string; rates: boolean }) {
  return (
    <label class="segment">
      <input
        type="radio"
        name="curve-kind"
        checked={showRates.value === rates}
        onChange={() => (showRates.value = rates)}
      />
      <span>{text}</span>
    </label>
  );
}
