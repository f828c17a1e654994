import { dialog, live } from "../ui";
import { HelpDialog } from "./help";
import { OpenDialog } from "./open";
import { SaveDialog } from "./save";

/** The dialog that is open, if any. */
export function Dialogs() {
  switch (dialog.value) {
    case "open":
      return live.value ? <OpenDialog /> : null;
    case "save":
      return live.value ? <SaveDialog /> : null;
    case "help":
      return <HelpDialog />;
    default:
      return null;
  }
}
