import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Icon } from "./icons";

interface Props {
  title: string;
  open?: boolean; // at first
  side?: ComponentChildren; // at the right of the title
  children: ComponentChildren;
}

/** A titled piece of a panel that folds away. */
export function Section({ title, open = true, side, children }: Props) {
  const shown = useSignal(open);
  const id = useId();
  return (
    <section class="section" aria-labelledby={`${id}-title`}>
      <div class="section-head">
        <h2 id={`${id}-title`}>
          <button
            type="button"
            class="section-title"
            aria-expanded={shown.value}
            aria-controls={`${id}-body`}
            onClick={() => (shown.value = !shown.value)}
          >
            <span class={`twist ${shown.value ? "open" : ""}`}>
              <Icon name="right" />
            </span>
            {title}
          </button>
        </h2>
        {side}
      </div>
      <div id={`${id}-body`} class="section-body" hidden={!shown.value}>
        {children}
      </div>
    </section>
  );
}
