/** New rows in a picture that is there already. */

import { NeighbourSearch } from "../numerics/neighbours/neighbours.ts";
import { paceOf } from "../numerics/pace.ts";
import { type Tensor, tensor } from "../tensor/tensor.ts";
import { approximate, type CodeMap, checkCodes } from "./map.ts";

/** What a map's rows are searched with, made when its first new rows come. */
const searches = new WeakMap<CodeMap, NeighbourSearch>();

/**
 * A rough search asks a few rows, of those that are found in a moment: of 50,000 digits after so many numbers, 21 µs
 * each and a trustworthiness of 0.945; the more points there are, the less each of them matters, and an eighth of that
 * takes 3.6 µs for 0.938.
 */
const roughly = { neighbours: 5, few: 2 ** 13, many: 2 ** 10 };
const many = 100_000;

interface PlaceOptions {
  /** For a picture of so many rows: a few near ones say where each belongs, not always the nearest. */
  readonly among?: number;
  readonly signal?: AbortSignal;
}

/**
 * Where rows that were not mapped belong, [n, 2]: at the mean of their nearest mapped rows, each with the weight
 *
 *   wⱼ = 1 / d²ⱼ,
 *
 * so that a row equal to a mapped one lies where that one does. The mapped rows stay where they are, and a row's place
 * does not depend on the others.
 */
export async function placeOnMap(
  map: CodeMap,
  codes: Tensor<"float32">,
  { signal, among }: PlaceOptions = {},
): Promise<Tensor<"float32">> {
  checkCodes("placeOnMap", codes);
  const [n, d] = codes.shape as [number, number];
  const mapped = map.codes.shape[1]!;
  if (d !== mapped) {
    throw new RangeError(
      `placeOnMap: the map has codes of ${mapped} columns, got ${d}; encode the rows with the same model`,
    );
  }
  const pace = paceOf(signal);
  const search = searches.get(map) ?? (await NeighbourSearch.among(map.codes, pace, { approximate }));
  searches.set(map, search);
  const [neighbours, numbers] =
    among === undefined ? [map.neighbours] : [roughly.neighbours, among <= many ? roughly.few : roughly.many];
  const { count, rows, distances } = await search.of(codes, neighbours, pace, numbers);
  const positions = new Float32Array(2 * n);
  for (let i = 0; i < n; i++) {
    // In units of the nearest distance, so that no square is too small or too large to be divided by.
    const nearest = distances[i * count]!;
    let [x, y, total] = [0, 0, 0];
    for (let at = i * count; at < (i + 1) * count; at++) {
      const weight = distances[at] === nearest ? 1 : (nearest / distances[at]!) ** 2;
      x += weight * map.positions.data[2 * rows[at]!]!;
      y += weight * map.positions.data[2 * rows[at]! + 1]!;
      total += weight;
    }
    positions.set([x / total, y / total], 2 * i);
  }
  return tensor("float32", [n, 2], positions);
}
