import { counted } from "../numbers";
import { clashes, looks } from "../state";
import { clashesKnown, live } from "../ui";

/** In the corner of the view while collisions are watched for: how many there are. */
export function ClashChip() {
  if (!live.value || !looks.value.clash) return null;
  const number = clashes.value.length;
  const none = clashesKnown.value ? "none now" : "looking";
  return (
    <span class={`badge clash-chip ${number ? "bad" : ""}`} role="status">
      {number ? counted(number, "pair collides", "pairs collide") : `Collisions on: ${none}`}
    </span>
  );
}
