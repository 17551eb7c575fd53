/** Places on a map in 16 bits each: as fine as any screen, and half as long on the way. */

/** Where 65535 stands for no place, the largest place is one less. */
const largest = 65_534;

export interface QuantizedMap {
  /** x and y of each row, 65535 twice where it is not on the map. */
  readonly places: Uint16Array;
  /** [left, top, right, bottom]: what 0 and 65534 stand for. */
  readonly bounds: readonly [number, number, number, number];
  readonly shown: number;
}

/** Of x and y of each row, NaN where it is not on the map. */
export function quantized(places: Float32Array): QuantizedMap {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  let shown = 0;
  for (let at = 0; at < places.length; at += 2) {
    const [x, y] = [places[at]!, places[at + 1]!];
    if (Number.isNaN(x) || Number.isNaN(y)) continue;
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    shown++;
  }
  if (shown === 0) [left, top, right, bottom] = [0, 0, 0, 0];
  const all = new Uint16Array(places.length).fill(largest + 1);
  const [wide, tall] = [right - left || 1, bottom - top || 1];
  for (let at = 0; at < places.length; at += 2) {
    const [x, y] = [places[at]!, places[at + 1]!];
    if (Number.isNaN(x) || Number.isNaN(y)) continue;
    all[at] = Math.round(((x - left) / wide) * largest);
    all[at + 1] = Math.round(((y - top) / tall) * largest);
  }
  return { places: all, bounds: [left, top, right, bottom], shown };
}
