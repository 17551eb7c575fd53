/** New rows in a picture that is there already. */

import { NeighbourSearch } from "../numerics/neighbours/neighbours.ts";
import { paceOf } from "../numerics/pace.ts";
import { type Tensor, tensor } from "../tensor/tensor.ts";
import { approximate, type CodeMap, checkCodes } from "./map.ts";

/** What a map's rows are searched with, made when its first new rows come. */
const searches = new WeakMap<CodeMap, NeighbourSearch>();

/** A rough search asks a few rows, of those that are found in a moment. */
const roughly = { neighbours: 5, numbers: 2 ** 13 };

interface PlaceOptions {
  /** For very many rows: a few near ones say where a row belongs, not always the nearest. */
  readonly isRough?: boolean;
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
  { signal, isRough = false }: PlaceOptions = {},
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
  const neighbours = isRough ? roughly.neighbours : map.neighbours;
  const { count, rows, distances } = await search.of(codes, neighbours, pace, isRough ? roughly.numbers : undefined);
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
