/** The rows while the network learns: each frame is the codes of an epoch; points glide from one to the next. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { onThemeChange } from "../../report/browser/theme.ts";
import { shownTheme } from "../map/pointColors.ts";
import { fitting } from "../points/camera.ts";
import { openRenderer } from "../points/openRenderer.ts";
import type { PointRenderer } from "../points/pointRenderer.ts";
import type { Numbers } from "../source/source.ts";

/** x and y of each row from 0 to 65535, then the cluster of each. */
interface Given {
  readonly frame: Numbers | undefined;
  readonly label: string;
}

const glide = 350;
const side = 65_535;

export function LiveMap({ frame, label }: Given) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const renderer = useRef<PointRenderer | undefined>(undefined);
  const theme = useSignal(0);
  /** Where the points are now: also in the middle of a glide. */
  const places = useRef<readonly [Float32Array, Float32Array]>([new Float32Array(0), new Float32Array(0)]);
  const draw = (): void => {
    const element = canvas.current;
    const drawing = renderer.current;
    if (!element || !drawing || element.clientWidth === 0) return;
    const size = { width: element.clientWidth, height: element.clientHeight };
    const whole = { left: 0, top: 0, right: side, bottom: side };
    drawing.draw(fitting(whole, size, 14), Math.max(1.5, 90 / Math.sqrt(places.current[0].length + 1)));
  };
  useEffect(() => {
    const element = canvas.current!;
    const opened = openRenderer(element, draw);
    renderer.current = opened;
    const observer = new ResizeObserver(() => {
      opened.resize(element.clientWidth, element.clientHeight, Math.min(2, devicePixelRatio));
      draw();
    });
    observer.observe(element);
    onThemeChange(() => theme.value++);
    return () => {
      observer.disconnect();
      opened.free();
    };
  }, []);
  useEffect(() => {
    const drawing = renderer.current;
    if (!frame || !drawing) return undefined;
    const rows = frame.length / 3;
    const [oldX, oldY] = places.current;
    const isFirst = oldX.length !== rows;
    const [x, y] = [new Float32Array(rows), new Float32Array(rows)];
    places.current = [x, y];
    const { clusters, soft } = shownTheme();
    const colors = Uint32Array.from(
      { length: rows },
      (_, row) => clusters[frame[2 * rows + row]! % clusters.length] ?? soft,
    );
    const begun = performance.now();
    let asked = 0;
    const go = (): void => {
      const share =
        isFirst || matchMedia("(prefers-reduced-motion: reduce)").matches
          ? 1
          : Math.min(1, (performance.now() - begun) / glide);
      // Slow at both ends: 3s² − 2s³.
      const eased = share * share * (3 - 2 * share);
      for (let row = 0; row < rows; row++) {
        const [toX, toY] = [frame[2 * row]!, frame[2 * row + 1]!];
        x[row] = isFirst ? toX : oldX[row]! + (toX - oldX[row]!) * eased;
        y[row] = isFirst ? toY : oldY[row]! + (toY - oldY[row]!) * eased;
      }
      drawing.place(x, y);
      if (asked === 0) drawing.color(colors);
      draw();
      if (share < 1) asked = requestAnimationFrame(go);
    };
    go();
    return () => cancelAnimationFrame(asked);
  }, [frame, theme.value]);
  return <canvas ref={canvas} class="live" role="img" aria-label={label} />;
}
