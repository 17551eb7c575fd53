/** Points in a canvas that can be dragged, zoomed, pointed at and encircled. */

import { type Box, boxOf, type Camera, fitting, moved, pixelOf, placeAt, type Size, zoomed } from "./camera.ts";
import { openPicker } from "./openPicker.ts";
import { openRenderer } from "./openRenderer.ts";
import type { Picker, Place } from "./picker.ts";
import type { PointRenderer } from "./pointRenderer.ts";

export interface MapEvents {
  /** The point under the pointer, and where the pointer is; undefined where there is none. */
  onHover(point: number | undefined, left: number, top: number): void;
  onPress(point: number | undefined): void;
  onLasso(line: readonly Place[]): void;
  /** While it is drawn. */
  onLine(line: readonly Place[]): void;
  /** Without a camera, all of the map is seen. */
  onMove(camera: Camera | undefined): void;
}

/** Of a picture while it moves: if all points take longer, fewer are drawn, and the rest once it stands still. */
const longestFrame = 40;
const stillAfter = 120;
/** How far in and out one can go, against all of the map. */
const [farthest, nearest] = [0.4, 4000];

export class PointMap {
  readonly #canvas: HTMLCanvasElement;
  readonly #events: MapEvents;
  readonly #renderer: PointRenderer;
  readonly #observer: ResizeObserver;
  readonly #ending = new AbortController();
  #picker: Picker | undefined;
  #x: ArrayLike<number> = [];
  #counts: (point: number) => boolean = () => true;
  #box: Box = { left: 0, top: 0, right: 1, bottom: 1 };
  #whole: Camera = { x: 0, y: 0, scale: 1 };
  #camera: Camera | undefined;
  #size: Size = { width: 0, height: 0 };
  #asked = 0;
  #still: ReturnType<typeof setTimeout> | undefined;
  #most = Infinity;
  #isMoving = false;
  readonly #fingers = new Map<number, Place>();
  #line: Place[] | undefined;
  #wasDragged = false;
  /** Whether dragging draws a line instead of moving the map. */
  lassoes = false;

  constructor(canvas: HTMLCanvasElement, events: MapEvents) {
    this.#canvas = canvas;
    this.#events = events;
    this.#renderer = openRenderer(canvas, () => this.redraw());
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(canvas);
    const { signal } = this.#ending;
    canvas.addEventListener("pointerdown", this.#down, { signal });
    canvas.addEventListener("pointermove", this.#move, { signal });
    canvas.addEventListener("pointerup", this.#up, { signal });
    canvas.addEventListener("pointercancel", this.#up, { signal });
    canvas.addEventListener("pointerleave", this.#leave, { signal });
    canvas.addEventListener("wheel", this.#wheel, { passive: false, signal });
    canvas.addEventListener("dblclick", this.#double, { signal });
    canvas.addEventListener("keydown", this.#key, { signal });
  }

  get camera(): Camera {
    return this.#camera ?? this.#whole;
  }

  get size(): Size {
    return this.#size;
  }

  /** How many times as large as all of the map. */
  get zoom(): number {
    return this.camera.scale / this.#whole.scale;
  }

  place(x: ArrayLike<number>, y: ArrayLike<number>, box = boxOf(x, y)): void {
    this.#x = x;
    this.#box = box;
    this.#whole = fitting(box, this.#size);
    this.#renderer.place(x, y);
    this.#picker = undefined;
    this.#most = Infinity;
    void openPicker(x, y).then((picker) => {
      if (this.#x === x) this.#picker = picker;
    });
    this.redraw();
  }

  /** Colors of all points, and which of them can be pointed at. */
  color(colors: Uint32Array, counts: (point: number) => boolean): void {
    this.#counts = counts;
    this.#renderer.color(colors);
    this.redraw();
  }

  raise(points: ArrayLike<number>): void {
    this.#renderer.raise(points);
    this.redraw();
  }

  look(camera: Camera | undefined): void {
    if (camera === this.#camera) return;
    this.#camera = camera;
    this.redraw();
    this.#tell();
  }

  /** The rows inside of a line on the map. */
  inside(line: readonly Place[]): number[] {
    return this.#picker?.inside(line, this.#counts) ?? [];
  }

  pixelOf(x: number, y: number): Place {
    return pixelOf(this.camera, this.#size, x, y);
  }

  /** With the next picture of the screen. */
  redraw(): void {
    if (this.#asked === 0) this.#asked = requestAnimationFrame(() => this.#draw());
  }

  free(): void {
    cancelAnimationFrame(this.#asked);
    clearTimeout(this.#still);
    this.#observer.disconnect();
    this.#ending.abort();
    this.#renderer.free();
  }

  #draw(): void {
    this.#asked = 0;
    if (this.#size.width === 0) return;
    const begun = performance.now();
    const most = this.#isMoving ? this.#most : Infinity;
    this.#renderer.draw(this.camera, this.#radius(), most);
    this.#canvas.dataset.drawn = String(Number(this.#canvas.dataset.drawn ?? 0) + 1);
    const took = performance.now() - begun;
    const drawn = Math.min(most, this.#x.length);
    if (this.#isMoving && drawn > 10_000) {
      this.#most = took > longestFrame ? (drawn * longestFrame) / took : Math.max(drawn, this.#most * 1.1);
    }
  }

  /** Few points are large, many are small; all grow a little with the zoom. */
  #radius(): number {
    const usual = Math.min(4, Math.max(1, 60 / Math.sqrt(Math.max(1, this.#x.length)) + 0.8));
    return Math.min(9, usual * Math.max(1, this.zoom) ** 0.3);
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (width === 0 || height === 0) return;
    this.#size = { width, height };
    this.#whole = fitting(this.#box, this.#size);
    this.#renderer.resize(width, height, Math.min(2, devicePixelRatio));
    // What was drawn is gone with the old size: nothing is shown in between.
    this.#draw();
    this.#tell();
  }

  #tell(): void {
    this.#events.onMove(this.#camera);
  }

  #go(camera: Camera): void {
    const scale = Math.min(nearest * this.#whole.scale, Math.max(farthest * this.#whole.scale, camera.scale));
    if (scale !== camera.scale) return;
    this.#camera = camera;
    this.#isMoving = true;
    clearTimeout(this.#still);
    this.#still = setTimeout(() => {
      this.#isMoving = false;
      this.redraw();
    }, stillAfter);
    this.redraw();
    this.#tell();
  }

  zoomBy(times: number, left = this.#size.width / 2, top = this.#size.height / 2): void {
    this.#go(zoomed(this.camera, this.#size, times, left, top));
  }

  showAll(): void {
    this.#camera = undefined;
    this.redraw();
    this.#tell();
  }

  #at({ clientX, clientY }: MouseEvent): Place {
    const { left, top } = this.#canvas.getBoundingClientRect();
    return [clientX - left, clientY - top];
  }

  readonly #down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    this.#canvas.setPointerCapture(event.pointerId);
    this.#fingers.set(event.pointerId, this.#at(event));
    this.#wasDragged = false;
    this.#events.onHover(undefined, 0, 0);
    if ((this.lassoes || event.shiftKey) && this.#fingers.size === 1) {
      this.#line = [placeAt(this.camera, this.#size, ...this.#at(event))];
    } else this.#line = undefined;
  };

  readonly #move = (event: PointerEvent): void => {
    const here = this.#at(event);
    const before = this.#fingers.get(event.pointerId);
    if (!before) {
      if (event.pointerType !== "touch") this.#hover(here);
      return;
    }
    if (Math.hypot(here[0] - before[0], here[1] - before[1]) < (this.#wasDragged ? 1 : 4)) return;
    this.#wasDragged = true;
    this.#fingers.set(event.pointerId, here);
    if (this.#line) {
      this.#line.push(placeAt(this.camera, this.#size, ...here));
      this.#events.onLine(this.#line);
      return;
    }
    const other = [...this.#fingers].find(([finger]) => finger !== event.pointerId)?.[1];
    if (other) {
      const apart = ([x, y]: Place): number => Math.max(1, Math.hypot(x - other[0], y - other[1]));
      this.#go(zoomed(this.camera, this.#size, apart(here) / apart(before), other[0], other[1]));
    } else this.#go(moved(this.camera, here[0] - before[0], here[1] - before[1]));
  };

  readonly #up = (event: PointerEvent): void => {
    if (!this.#fingers.delete(event.pointerId)) return;
    const line = this.#line;
    this.#line = undefined;
    if (line) {
      this.#events.onLine([]);
      if (line.length > 2) this.#events.onLasso(simple(line));
      return;
    }
    if (!this.#wasDragged) this.#events.onPress(this.#under(this.#at(event)));
  };

  readonly #leave = (): void => this.#events.onHover(undefined, 0, 0);

  readonly #wheel = (event: WheelEvent): void => {
    event.preventDefault();
    // Lines and pages are as many pixels as a mouse's wheel gives for them.
    const pixels = event.deltaY * [1, 16, 400][event.deltaMode]!;
    this.zoomBy(2 ** (-Math.max(-300, Math.min(300, pixels)) / 240), ...this.#at(event));
  };

  readonly #double = (event: MouseEvent): void => this.zoomBy(2, ...this.#at(event));

  readonly #key = (event: KeyboardEvent): void => {
    const step = 60;
    const keys: Record<string, () => void> = {
      ArrowLeft: () => this.#go(moved(this.camera, step, 0)),
      ArrowRight: () => this.#go(moved(this.camera, -step, 0)),
      ArrowUp: () => this.#go(moved(this.camera, 0, step)),
      ArrowDown: () => this.#go(moved(this.camera, 0, -step)),
      "+": () => this.zoomBy(1.4),
      "=": () => this.zoomBy(1.4),
      "-": () => this.zoomBy(1 / 1.4),
      "0": () => this.showAll(),
    };
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  };

  #under(here: Place): number | undefined {
    return this.#picker?.nearest(this.camera, this.#size, ...here, this.#counts);
  }

  #hover(here: Place): void {
    this.#events.onHover(this.#under(here), ...here);
  }
}

/** A line has to stand in an address: at most this many of its corners are kept. */
const corners = 48;

function simple(line: readonly Place[]): Place[] {
  const step = Math.max(1, line.length / corners);
  return Array.from({ length: Math.min(corners, line.length) }, (_, i) => line[Math.floor(i * step)]!);
}
