import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Icon, type IconName } from "./icons";

interface Props {
  label: string;
  text: string;
  icon?: IconName;
  up?: boolean; // opens upwards
  children: ComponentChildren;
}

/** A button that opens a small panel; Escape or a click elsewhere closes it. */
export function Popover({ label, text, icon, up, children }: Props) {
  const open = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => {
    if (!open.value) return;
    const elsewhere = (event: PointerEvent): void => {
      if (!box.current?.contains(event.target as Node)) open.value = false;
    };
    document.addEventListener("pointerdown", elsewhere);
    return () => document.removeEventListener("pointerdown", elsewhere);
  }, [open.value]);
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Escape" || !open.value) return;
    event.stopPropagation();
    open.value = false;
    button.current?.focus();
  }
  function onFocusOut(event: FocusEvent): void {
    const to = event.relatedTarget as Node | null;
    if (to && !box.current?.contains(to)) open.value = false;
  }
  return (
    <div class="popover" ref={box} onKeyDown={onKeyDown} onFocusOut={onFocusOut}>
      <button
        ref={button}
        type="button"
        class="button quiet"
        title={label}
        aria-expanded={open.value}
        aria-controls={id}
        onClick={() => (open.value = !open.value)}
      >
        {icon && <Icon name={icon} />}
        <span class="button-text">{text}</span>
        <Icon name="down" />
      </button>
      <div id={id} class={`popover-body ${up ? "up" : ""}`} role="group" aria-label={label} hidden={!open.value}>
        {open.value && children}
      </div>
    </div>
  );
}
