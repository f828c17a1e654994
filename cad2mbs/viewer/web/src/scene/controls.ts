// Mouse, touch and keyboard of the view, turned into what they mean: orbit, pan, zoom, click.

export interface Host {
  /** The left button or a finger went down: true where a part was grabbed that can be dragged. */
  press(x: number, y: number): boolean;
  dragStart(): void;
  dragMove(x: number, y: number): void;
  dragEnd(): void;
  /** True where there was something to break off. */
  escape(): boolean;
  orbitStart(x: number, y: number): void;
  orbit(dx: number, dy: number): void;
  pan(dx: number, dy: number): void;
  zoomStart(x: number, y: number): void;
  zoom(factor: number, x: number, y: number): void;
  click(x: number, y: number): void;
  doubleClick(x: number, y: number): void;
  hover(x: number, y: number): void;
  leave(): void;
  key(name: string): boolean;
}

type Gesture = "none" | "pressed" | "drag" | "orbit" | "pan" | "pinch";

const SLACK = 4; // [px] a click may move
const WHEEL = 0.0016; // zoom per pixel of the wheel
const PAUSE = 350; // [ms] after which a turn of the wheel is a new one

export class Controls {
  private readonly pointers = new Map<number, [number, number]>();
  private gesture: Gesture = "none";
  private grabbed = false;
  private start: [number, number] = [0, 0];
  private last: [number, number] = [0, 0];
  private spread = 0;
  private wheeled = 0;
  private readonly stop = new AbortController();

  constructor(private readonly canvas: HTMLCanvasElement, private readonly host: Host) {
    const on = <K extends keyof HTMLElementEventMap>(
      name: K,
      heard: (event: HTMLElementEventMap[K]) => void,
      options: AddEventListenerOptions = {},
    ) => canvas.addEventListener(name, heard, { ...options, signal: this.stop.signal });
    canvas.style.touchAction = "none";
    on("pointerdown", (e) => this.down(e));
    on("pointermove", (e) => this.move(e));
    on("pointerup", (e) => this.up(e, true));
    on("pointercancel", (e) => this.up(e, false));
    on("pointerleave", () => this.gesture === "none" && host.leave());
    on("dblclick", (e) => host.doubleClick(...this.at(e)));
    on("contextmenu", (e) => e.preventDefault());
    on("wheel", (e) => this.wheel(e), { passive: false });
    on("keydown", (e) => this.key(e));
  }

  private at(event: MouseEvent): [number, number] {
    const frame = this.canvas.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  }

  private down(event: PointerEvent): void {
    this.canvas.focus({ preventScroll: true });
    this.canvas.setPointerCapture(event.pointerId);
    const at = this.at(event);
    this.pointers.set(event.pointerId, at);
    if (this.pointers.size === 2) return this.pinchStart();
    if (this.pointers.size > 2 || this.gesture !== "none") return;
    [this.start, this.last] = [at, at];
    if (event.button === 1) {
      event.preventDefault(); // no scrolling by the middle button
      this.begin("orbit");
    } else if (event.button === 2 || event.shiftKey) {
      this.begin("pan");
    } else if (event.button === 0) {
      this.gesture = "pressed";
      this.grabbed = this.host.press(...at);
    }
  }

  private begin(gesture: "orbit" | "pan" | "drag"): void {
    this.gesture = gesture;
    if (gesture === "orbit") this.host.orbitStart(...this.start);
    if (gesture === "drag") this.host.dragStart();
    this.canvas.style.cursor = gesture === "pan" ? "move" : "grabbing";
  }

  private pinchStart(): void {
    if (this.gesture === "drag") this.host.escape();
    this.gesture = "pinch";
    const [middle, spread] = this.fingers();
    [this.last, this.spread] = [middle, spread];
    this.host.zoomStart(...middle);
  }

  private fingers(): [[number, number], number] {
    const [[ax, ay], [bx, by]] = [...this.pointers.values()];
    return [[(ax + bx) / 2, (ay + by) / 2], Math.max(1, Math.hypot(bx - ax, by - ay))];
  }

  private move(event: PointerEvent): void {
    const at = this.at(event);
    if (this.pointers.has(event.pointerId)) this.pointers.set(event.pointerId, at);
    const [dx, dy] = [at[0] - this.last[0], at[1] - this.last[1]];
    switch (this.gesture) {
      case "none":
        if (event.pointerType !== "touch") this.host.hover(...at);
        return;
      case "pressed":
        if (Math.hypot(at[0] - this.start[0], at[1] - this.start[1]) <= SLACK) return;
        this.begin(this.grabbed ? "drag" : "orbit");
        this.last = at;
        if (this.grabbed) this.host.dragMove(...at);
        return;
      case "drag":
        this.host.dragMove(...at);
        return;
      case "orbit":
        this.host.orbit(dx, dy);
        break;
      case "pan":
        this.host.pan(dx, dy);
        break;
      case "pinch":
        return this.pinch();
    }
    this.last = at;
  }

  private pinch(): void {
    if (this.pointers.size < 2) return;
    const [middle, spread] = this.fingers();
    this.host.pan(middle[0] - this.last[0], middle[1] - this.last[1]);
    this.host.zoom(spread / this.spread, ...middle);
    [this.last, this.spread] = [middle, spread];
  }

  private up(event: PointerEvent, meant: boolean): void {
    if (!this.pointers.delete(event.pointerId)) return;
    const { gesture } = this;
    if (gesture === "pinch" && this.pointers.size > 0) return;
    this.gesture = "none";
    this.canvas.style.cursor = "";
    if (gesture === "drag") this.host.dragEnd();
    else if (gesture === "pressed" && meant) this.host.click(...this.start);
    if (event.pointerType !== "touch") this.host.hover(...this.at(event));
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const now = performance.now();
    const at = this.at(event);
    if (now - this.wheeled > PAUSE) this.host.zoomStart(...at);
    this.wheeled = now;
    const lines = event.deltaMode === 1 ? 33 : event.deltaMode === 2 ? 400 : 1;
    const gain = event.ctrlKey ? 6 * WHEEL : WHEEL; // a pinch on a touch pad comes with small steps
    const turn = Math.max(-400, Math.min(400, event.deltaY * lines));
    this.host.zoom(Math.exp(-turn * gain), ...at);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      if (this.gesture === "drag") this.gesture = "none";
      if (this.host.escape()) event.stopPropagation();
      return;
    }
    const name = (event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "") + event.key;
    if (this.host.key(name)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  dispose(): void {
    this.stop.abort();
  }
}
