/** What each cluster is, from passes over the rows: one, and a second where somebody wants every row's placement. */

import type { RowsBeside } from "../../data/beside.ts";
import type { Data } from "../../data/data.ts";
import { Moments } from "../../numerics/moments.ts";
import { type Program, program } from "../../runtime/program.ts";
import { sizeOf, tensor } from "../../tensor/tensor.ts";
import { clusterCount, leadingCenter, leastDistances } from "../../training/membership.ts";
import { BesideTally, countedBeside } from "../beside/besideTally.ts";
import type { Explainable } from "../explainable.ts";
import { FarRows } from "../outlier.ts";
import { type IdsInOrder, type PlacedBatch, placeRows } from "../placement.ts";
import { attends, attentionsOf } from "../rows/attention.ts";
import { type ColumnsOfRow, clusterNames, featuresOf } from "./clusterNames.ts";
import type { ClusterSummary, Difference, ShownRow } from "./clusterSummary.ts";
import { contrast } from "./contrast.ts";
import { Tally } from "./tally.ts";

export interface SummarizeOptions {
  /** What each number of a row is, where they have names. */
  readonly columns?: ColumnsOfRow;
  readonly ids?: IdsInOrder;
  /** Columns that were not used to cluster, which tell something about clusters all the same. */
  readonly beside?: RowsBeside;
  /** How many rows, and how many differences, are kept of each cluster. */
  readonly typical?: number;
  readonly borderline?: number;
  readonly differences?: number;
  /** Whether rows are far by their distance alone, as where the model's ONNX file is all that will place them. */
  readonly byDistance?: boolean;
  /** Called with every batch in order, in a second pass: an outlier is only known once all rows have been seen. */
  readonly onBatch?: (batch: PlacedBatch) => void | Promise<void>;
  /** Stops between batches. */
  readonly signal?: AbortSignal;
}

/** A summary of each cluster, by its number. Memory does not grow with the number of rows. */
export async function summarize(
  model: Explainable,
  data: Data,
  options: SummarizeOptions = {},
): Promise<ClusterSummary[]> {
  const { columns = [], ids, onBatch, signal } = options;
  const width = sizeOf(data.row);
  if (columns.length > 0 && columns.length !== width) {
    throw new RangeError(
      `summarize: columns must name each of the ${width} numbers of a row, got ${columns.length} names`,
    );
  }
  const rows = { ...(ids && { ids }), ...(signal && { signal }) };
  const beside = options.beside && new BesideTally(options.beside.columns, clusterCount(model.plan), data.count);
  const placed = placeRows(model, data, rows);
  const batches = beside ? countedBeside(placed, options.beside!, beside) : placed;
  const tallies = await tallied(model, batches, width, options);
  const summaries = await withAttention(model, await summed(model, tallies, options, beside));
  if (onBatch) {
    const reach = summaries;
    for await (const batch of placeRows(model, data, { ...rows, reach })) await onBatch(batch);
  }
  return summaries;
}

async function tallied(
  { plan, formulas }: Explainable,
  batches: AsyncIterable<PlacedBatch>,
  width: number,
  { typical = 8, borderline = 8, byDistance = false }: SummarizeOptions,
): Promise<Tallied> {
  const clusters = clusterCount(plan);
  const all = new FarRows("far");
  const tallies = Array.from({ length: clusters }, (_, j) => new Tally(j, width, typical, borderline));
  const without = new Set(formulas.clustering.decoderIsStale ? tallies.keys() : []);
  for await (const { x, placements, far: found, ids, beside, distances } of batches) {
    placements.forEach((placement, i) => {
      const id = ids?.[i]?.join(", ");
      const far = byDistance ? { distance: found[i]!.distance } : found[i]!;
      const named = { ...(id !== undefined && { id }), ...(beside && { beside: beside[i]! }) };
      const row = { placement, far, values: x.data, at: i * width, ...named };
      all.add(far);
      tallies[placement.cluster]!.add(row);
      // A cluster without rows takes its exemplar from another's, where no decoder draws one.
      for (const j of without) {
        if (tallies[j]!.size > 0) without.delete(j);
        else tallies[j]!.see(row, distances.data[i * clusters + j]!);
      }
    });
  }
  return { tallies, all };
}

/** So many clusters are told of one by one. */
const mostClusters = 5;

/** Puts beside the first row of each kind how much it attends to each cluster, where the method's loss says so. */
async function withAttention(model: Explainable, summaries: ClusterSummary[]): Promise<ClusterSummary[]> {
  if (!attends(model)) return summaries;
  const asked = async ([first, ...rest]: readonly ShownRow[]): Promise<ShownRow[]> => {
    if (!first) return [];
    const x = tensor("float32", [1, ...model.plan.row], Float32Array.from(first.values));
    const [attention] = attentionsOf(await model.run(x), mostClusters);
    return [{ ...first, attention: attention! }, ...rest];
  };
  const told: ClusterSummary[] = [];
  for (const summary of summaries) {
    const { typical, borderline } = summary;
    told.push({ ...summary, typical: await asked(typical), borderline: await asked(borderline) });
  }
  return told;
}

/** What was counted of each cluster, and how far the rows of all are from their own. */
interface Tallied {
  readonly tallies: readonly Tally[];
  readonly all: FarRows;
}

async function summed(
  model: Explainable,
  { tallies, all: everyRow }: Tallied,
  { columns = [], differences = 20 }: SummarizeOptions,
  counted?: BesideTally,
): Promise<ClusterSummary[]> {
  const { row } = model.plan;
  const all = new Moments(sizeOf(row));
  for (const { moments } of tallies) all.merge(moments);
  const features = featuresOf(columns);
  const scale = { deviation: all.deviation(), row, features };
  const drawn = await model.exemplars();
  // What the model itself would put elsewhere shows another cluster: a ring's center is in the middle of the ring.
  const ledBack = drawn && (await model.run(drawn)).label!.data;
  const between = await centerDistances(model);

  const distinguishing = tallies.map(({ moments, size }) =>
    size === 0 || size === all.count ? [] : contrast(moments.mean, all.meanWithout(moments), scale, differences),
  );
  const apart = (cluster: number, others: readonly number[]): Difference[] => {
    const rest = new Moments(sizeOf(row));
    for (const other of others) rest.merge(tallies[other]!.moments);
    return contrast(tallies[cluster]!.moments.mean, rest.mean, scale, differences);
  };
  const beside = counted?.describe() ?? [];
  const names = clusterNames({
    ...{ distinguishing, features, apart },
    beside: beside.map((said) => counted!.naming(said)),
  });
  return tallies.map((tally, cluster) => {
    const center = leadingCenter(model.plan, cluster);
    const own = drawn?.data.subarray(center * all.mean.length, (center + 1) * all.mean.length);
    const decoded = ledBack && Number(ledBack[center]) !== cluster && tally.size > 0 ? undefined : own;
    const exemplar = decoded ?? tally.nearestRow() ?? [];
    const nearest = nearestOther(cluster, between, tallies);
    return {
      cluster,
      ...names[cluster]!,
      share: all.count > 0 ? tally.size / all.count : 0,
      // A number that never varies is what it always is; a decoder only comes near it.
      exemplar: Array.from(exemplar, (value, i) => (scale.deviation[i] === 0 ? all.mean[i]! : value)),
      exemplarFrom: decoded ? ("decoder" as const) : ("nearest row" as const),
      distinguishing: distinguishing[cluster]!,
      ...(nearest !== undefined && {
        nearest: {
          cluster: nearest,
          distance: between[cluster]![nearest]!,
          differences:
            tally.size === 0 ? [] : contrast(tally.moments.mean, tallies[nearest]!.moments.mean, scale, differences),
        },
      }),
      ...tally.summary(everyRow, counted?.textAt),
      ...(counted?.textFrom !== undefined && { textFrom: counted.textFrom }),
      ...(beside[cluster] && beside[cluster].length > 0 && { beside: beside[cluster] }),
    };
  });
}

/** The other cluster, with rows, whose distance from this one's center is least. */
function nearestOther(own: number, between: readonly (readonly number[])[], tallies: readonly Tally[]) {
  let nearest: number | undefined;
  for (let j = 0; j < tallies.length; j++) {
    if (j === own || tallies[j]!.size === 0) continue;
    if (nearest === undefined || between[own]![j]! < between[own]![nearest]!) nearest = j;
  }
  return nearest;
}

/** d_b(ω_a): how far the leading center of each cluster a is from each cluster b, in the method's distance. */
async function centerDistances(model: Explainable): Promise<number[][]> {
  const session = await model.session(centersProgram);
  const { between } = await session.run();
  const k = clusterCount(model.plan);
  return Array.from({ length: k }, (_, cluster) => {
    const at = leadingCenter(model.plan, cluster) * k;
    return [...(between!.data as Float32Array).subarray(at, at + k)];
  });
}

function centersProgram({ plan, formulas: { clustering } }: Explainable): Program {
  return program({ outputs: { between: leastDistances(clustering.distances(clustering.centers), plan.members) } });
}
