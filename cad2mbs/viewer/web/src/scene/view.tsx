// The 3-D view as a component: fills its container.

import { useEffect, useRef } from "preact/hooks";
import { notice } from "../state";
import { Viewport } from "./viewport";

const LABEL =
  "3-D view of the mechanism. Arrow keys turn it, with Shift they move it, plus and minus zoom, " +
  "F shows everything, 1 to 7 are standard views.";

export function View3D() {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    try {
      const viewport = new Viewport(frame.current!, canvas.current!);
      return () => viewport.dispose();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      notice(`The 3-D view cannot start: ${reason} A browser with WebGL 2 is needed.`, "error");
      return undefined;
    }
  }, []);
  return (
    <div ref={frame} style={{ position: "absolute", inset: 0, overflow: "hidden" }}>
      <canvas
        ref={canvas}
        tabIndex={0}
        role="application"
        aria-label={LABEL}
        style={{ position: "absolute", inset: 0, width: "100%", height: "100%", display: "block" }}
      />
    </div>
  );
}
