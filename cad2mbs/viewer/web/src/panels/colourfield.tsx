import { scene } from "../state";
import { colourOf, paint } from "../visibility";

interface Props {
  parts: readonly number[];
  name: string;
  tab?: number;
  changed?: boolean;
}

/** The colour of parts; a click opens the system's choice of colours. */
export function ColourField({ parts, name, tab, changed }: Props) {
  const now = scene.value;
  if (!now || !parts.length) return null;
  return (
    <input
      type="color"
      class={`colour ${changed ? "changed" : ""}`}
      aria-label={`Colour of ${name}`}
      title={`Colour of ${name}`}
      tabIndex={tab}
      value={colourOf(parts[0], now)}
      onClick={(event) => event.stopPropagation()}
      onInput={(event) => paint(parts, event.currentTarget.value)}
    />
  );
}
