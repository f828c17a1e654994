import type { Signal } from "@preact/signals";
import { Icon } from "./icons";

/** A filter field; Escape empties it. */
export function Search({ text, label }: { text: Signal<string>; label: string }) {
  return (
    <div class="search">
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        autocomplete="off"
        spellcheck={false}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || !text.value) return;
          event.preventDefault();
          event.stopPropagation();
          text.value = "";
        }}
      />
    </div>
  );
}
