import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icons";

interface Props {
  icon?: IconName;
  label: string; // what it does; the name for screen readers, and the tooltip with the key
  keys?: string;
  text?: ComponentChildren; // shown beside the icon
  pressed?: boolean;
  disabled?: boolean;
  kind?: "plain" | "primary" | "quiet";
  tab?: number;
  class?: string;
  onClick(event: MouseEvent): void;
}

/** A button with a drawing, a text or both; `pressed` makes it a switch. */
export function Button(props: Props) {
  const { icon, label, keys, text, pressed, disabled, kind = "quiet", tab, onClick } = props;
  return (
    <button
      type="button"
      class={`button ${kind} ${text === undefined ? "square" : ""} ${props.class ?? ""}`}
      title={keys ? `${label} (${keys})` : label}
      aria-label={typeof text === "string" && text === label ? undefined : label}
      aria-pressed={pressed}
      aria-keyshortcuts={keys}
      disabled={disabled}
      tabIndex={tab}
      onClick={onClick}
    >
      {icon && <Icon name={icon} />}
      {text !== undefined && <span class="button-text">{text}</span>}
    </button>
  );
}
