import { useSignal } from "@preact/signals";
import { counted, short } from "../numbers";
import { notice, scene, send } from "../state";
import { live, refusals } from "../ui";
import { Search } from "./search";

const MANY = 10; // from here on the list has a filter

/** Which freedoms drive: a box for every one that may. */
export function DrivingChoice() {
  const filter = useSignal("");
  const now = scene.value;
  void refusals.value; // drawn again after a refusal, so that the boxes show what is
  if (!now || !live.value || !now.drives.length) return null;
  const driving = now.drives.filter((d) => d.driving).map((d) => d.name);
  const wanted = filter.value.trim().toLowerCase();
  const rows = now.drives.filter((d) => !wanted || d.name.toLowerCase().includes(wanted));

  function choose(name: string, on: boolean): void {
    let names = driving.filter((n) => n !== name);
    const most = now!.mobility.freedoms;
    if (on) {
      if (most > 0 && names.length >= most) {
        const [gone] = names.splice(0, 1);
        const have = counted(most, "freedom");
        notice(`The mechanism has ${have}: ${name} drives now, ${gone} follows.`);
      }
      names = [...names, name];
    }
    send({ type: "driving", names });
  }
  return (
    <details class="more">
      <summary>
        What drives ({driving.length} of {now.drives.length})
      </summary>
      {now.drives.length > MANY && <Search text={filter} label="Filter freedoms" />}
      <ul class="choices">
        {rows.map((drive) => (
          <li key={drive.name}>
            <label class="choice" title={drive.what}>
              <input
                type="checkbox"
                class="check"
                checked={drive.driving}
                onChange={(event) => choose(drive.name, event.currentTarget.checked)}
              />
              <span class="choice-name">{drive.name}</span>
              <span class="muted">{drive.declared ? "declared" : limits(drive.low, drive.high)}</span>
            </label>
          </li>
        ))}
      </ul>
    </details>
  );
}

function limits(low: number | null, high: number | null): string {
  if (low === null && high === null) return "";
  return `${low === null ? "…" : short(low)} to ${high === null ? "…" : short(high)}`;
}
