import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { dialog } from "../ui";
import { Button } from "./button";
import { Toasts } from "./toasts";

interface Props {
  title: string;
  wide?: boolean;
  children: ComponentChildren;
}

/** A native modal dialog: Escape or a click beside it closes it, the focus goes back.
 *
 * Notices show inside it while it is open: nothing outside can be in front of it. */
export function Dialog({ title, wide, children }: Props) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    box.current?.showModal();
    box.current?.querySelector<HTMLElement>("[data-first]")?.focus();
    return () => before?.focus?.();
  }, []);
  const close = (): void => {
    dialog.value = null;
  };
  return (
    <dialog
      ref={box}
      class={wide ? "wide" : ""}
      aria-labelledby="dialog-title"
      onClose={close}
      onClick={(event) => event.target === box.current && close()}
    >
      <div class="dialog-inner">
        <header class="dialog-head">
          <h2 id="dialog-title">{title}</h2>
          <Button icon="close" label="Close" onClick={close} />
        </header>
        {children}
      </div>
      <Toasts />
    </dialog>
  );
}
