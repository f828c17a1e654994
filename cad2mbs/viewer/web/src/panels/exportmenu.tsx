import { saveCsv, savePng } from "../curvedata";
import { send } from "../state";
import { Button } from "./button";
import { Popover } from "./popover";

/** The data of the curves, as files. */
export function ExportMenu({ ready, drive }: { ready: boolean; drive: string | null }) {
  const table = (): void => {
    if (drive !== null) send({ type: "text", what: "table", drive });
  };
  return (
    <Popover label="Export the data" text="Export" icon="download" up>
      <div class="menu">
        <Button text="Shown curves (CSV)" label="Save the shown curves as CSV" disabled={!ready} onClick={saveCsv} />
        <Button text="Whole table (CSV)" label="Save the whole table as CSV" disabled={drive === null} onClick={table} />
        <Button text="Picture (PNG)" label="Save the curves as PNG" disabled={!ready} onClick={savePng} />
      </div>
    </Popover>
  );
}
