import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { live } from "../ui";
import { upload } from "../upload";

/** Files dropped anywhere on the page are taken. */
export function DropZone() {
  const over = useSignal(false);
  useEffect(() => {
    if (!live.value) return;
    let depth = 0; // of elements entered with the files; 0: they have left the page
    const hasFiles = (event: DragEvent): boolean =>
      event.dataTransfer?.types.includes("Files") ?? false;
    const enter = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth++;
      over.value = true;
    };
    const stay = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault();
    };
    const leave = (): void => {
      depth = Math.max(0, depth - 1);
      if (depth === 0) over.value = false;
    };
    const drop = (event: DragEvent): void => {
      depth = 0;
      over.value = false;
      if (!hasFiles(event)) return;
      event.preventDefault();
      void upload(event.dataTransfer?.files ?? []);
    };
    const heard = { dragenter: enter, dragover: stay, dragleave: leave, drop };
    for (const [name, what] of Object.entries(heard)) {
      window.addEventListener(name, what as EventListener);
    }
    return () => {
      for (const [name, what] of Object.entries(heard)) {
        window.removeEventListener(name, what as EventListener);
      }
    };
  }, [live.value]);
  if (!over.value) return null;
  return (
    <div class="drop" aria-hidden="true">
      Drop files to open them
    </div>
  );
}
