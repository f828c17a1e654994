import { send, status } from "../state";
import { live, wanted } from "../ui";

/** Go on through the dead point at which the last drive stopped; only on the user's word. */
export function CrossButton() {
  const told = status.value;
  const values = wanted.value;
  if (!live.value || told?.level !== "stop" || !/dead point/i.test(told.text)) return null;
  if (!Object.keys(values).length) return null;
  return (
    <button
      type="button"
      class="chip"
      title="Go on to the value asked for, through the dead point; another branch may begin there"
      onClick={() => send({ type: "drive", seq: 0, values, cross: true })}
    >
      Go on through it
    </button>
  );
}
