/** The map of a page: it draws itself anew when the page changes, and shows one cluster alone when a reader asks. */

import type { PagePoints } from "../../parts/pointBytes.ts";
import { onThemeChange } from "../theme.ts";
import { type ColoredBy, drawMap } from "./drawMap.ts";
import { nearestPoint } from "./nearestPoint.ts";
import type { StoredPoints } from "./readPoints.ts";
import { none, Selection } from "./selection.ts";
import { themeColors } from "./themeColors.ts";

export class ClusterMap {
  readonly #points: PagePoints;
  readonly #colors: readonly number[];
  readonly #chart: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  /** The line below the map that says what is shown alone. */
  readonly #caption: HTMLElement;
  /** The buttons beside the map, and the links on it. */
  readonly #entries: readonly HTMLElement[];
  readonly #markers: readonly HTMLElement[];
  /** How the points are colored. */
  readonly #choices: readonly HTMLInputElement[];
  readonly #selection = new Selection(() => this.#showSelection());
  #coloredBy: ColoredBy = "cluster";
  #isDrawingSoon = false;
  #unsureLast: Uint32Array | undefined;

  /** In an element with a .chart (a canvas and .marker links), a .key of buttons, a caption and choices of colors. */
  constructor(element: HTMLElement, { points, colors }: StoredPoints) {
    this.#points = points;
    this.#colors = colors;
    this.#chart = element.querySelector<HTMLElement>(".chart")!;
    this.#canvas = element.querySelector("canvas")!;
    this.#caption = element.querySelector<HTMLElement>("[role=status]")!;
    this.#entries = [...element.querySelectorAll<HTMLElement>(".key button")];
    this.#markers = [...element.querySelectorAll<HTMLElement>(".marker")];
    this.#choices = [...element.querySelectorAll<HTMLInputElement>("[name=paint]")];
  }

  start(): void {
    if (!this.#canvas.getContext("2d", { alpha: false })) return;
    this.#canvas.hidden = false;
    this.#followMarks();
    this.#followPointer();
    this.#followKeyboard();
    this.#followChoices();
    onThemeChange(() => this.#drawSoon());
    new ResizeObserver(() => this.#drawSoon()).observe(this.#chart);
    this.#draw();
  }

  #draw(): void {
    drawMap(this.#canvas, this.#chart.getBoundingClientRect(), {
      points: this.#points,
      order: this.#order(),
      colors: themeColors(this.#colors),
      coloredBy: this.#coloredBy,
      alone: this.#selection.alone,
    });
    this.#chart.classList.add("drawn");
  }

  /** Once before the next frame, however many reasons there are. */
  #drawSoon(): void {
    if (this.#isDrawingSoon) return;
    this.#isDrawingSoon = true;
    requestAnimationFrame(() => {
      this.#isDrawingSoon = false;
      this.#draw();
    });
  }

  /** As they come; by confidence, those in doubt lie above the others. */
  #order(): Uint32Array {
    const { x, confidence } = this.#points;
    if (this.#coloredBy === "cluster") return Uint32Array.from(x.keys());
    this.#unsureLast ??= Uint32Array.from(x.keys()).sort((a, b) => confidence[b]! - confidence[a]!);
    return this.#unsureLast;
  }

  #showSelection(): void {
    const { alone, pressed } = this.#selection;
    for (const mark of [...this.#entries, ...this.#markers]) mark.classList.toggle("on", clusterOf(mark) === alone);
    for (const entry of this.#entries) entry.setAttribute("aria-pressed", String(clusterOf(entry) === pressed));
    this.#chart.classList.toggle("focused", alone !== none);
    const shown = this.#entries.find((entry) => clusterOf(entry) === alone);
    // A line that is never empty keeps the page from jumping.
    this.#caption.textContent = alone === none ? "\u00a0" : (shown?.dataset.words ?? "");
    this.#drawSoon();
  }

  #followMarks(): void {
    for (const mark of [...this.#entries, ...this.#markers]) {
      const point = (): void => this.#selection.point(clusterOf(mark));
      const leave = (): void => this.#selection.point(none);
      mark.addEventListener("pointerenter", point);
      mark.addEventListener("pointerleave", leave);
      mark.addEventListener("focus", () => {
        if (mark.matches(":focus-visible")) point();
      });
      mark.addEventListener("blur", leave);
    }
    for (const entry of this.#entries) {
      entry.addEventListener("click", () => {
        this.#selection.press(clusterOf(entry));
        // Pressed again, it is let go, though the pointer is still on it.
        this.#selection.point(none);
      });
    }
  }

  #followPointer(): void {
    this.#canvas.addEventListener("pointermove", (event) => this.#selection.point(this.#clusterUnder(event)));
    this.#canvas.addEventListener("pointerleave", () => this.#selection.point(none));
    this.#canvas.addEventListener("click", (event) => this.#selection.press(this.#clusterUnder(event)));
  }

  /** The point nearest to the pointer says which cluster is meant. */
  #clusterUnder({ clientX, clientY }: MouseEvent): number {
    const box = this.#chart.getBoundingClientRect();
    const point = nearestPoint(this.#points, { left: clientX - box.left, top: clientY - box.top }, box);
    const cluster = this.#points.cluster[point] ?? none;
    return cluster < this.#colors.length ? cluster : none;
  }

  #followKeyboard(): void {
    addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.#selection.letGo();
    });
  }

  #followChoices(): void {
    for (const choice of this.#choices) {
      // A reload keeps what was chosen.
      if (choice.checked) this.#coloredBy = choice.value as ColoredBy;
      choice.addEventListener("change", () => {
        this.#coloredBy = choice.value as ColoredBy;
        this.#drawSoon();
      });
    }
  }
}

function clusterOf({ dataset }: HTMLElement): number {
  return Number(dataset.cluster);
}
