/** Why a row is in its cluster and not in another one. */

import { toData } from "../../data/data.ts";
import type { Feature } from "../../data/feature.ts";
import { sizeOf, type Tensor, tensor } from "../../tensor/tensor.ts";
import { clusterCount, leadingCenter } from "../../training/membership.ts";
import { type ColumnsOfRow, featuresOf, nameAt } from "../clusters/clusterNames.ts";
import type { ClusterSummary } from "../clusters/clusterSummary.ts";
import { type ShownColumn, shownColumns, spoken } from "../columnWords.ts";
import { type Explainable, nearestCenters, type Pair } from "../explainable.ts";
import { outlierOf, remotenessOf } from "../outlier.ts";
import { placementsOf } from "../placement.ts";
import { attends, attentionsOf } from "./attention.ts";
import type { Explanation, InputPart, LatentPart, Why } from "./explanation.ts";
import { inputParts } from "./inputParts.ts";
import { latentParts, partNames } from "./latentParts.ts";
import { nearestTypical } from "./nearestTypical.ts";
import type { PathOptions } from "./pathIntegral.ts";
import { wordsFor } from "./words.ts";

export interface ExplainOptions extends PathOptions {
  /** The cluster to compare with; by default the second nearest. */
  readonly against?: number;
  /** Where input parts begin, in the data's own units: by default the exemplar of the other cluster. */
  readonly baseline?: ArrayLike<number>;
  /** What each number of a row is, where they have names. */
  readonly columns?: ColumnsOfRow;
  /** The places of values that the row does not have itself, and the column's mean stands for. */
  readonly filled?: readonly number[];
  /** What `summarize` gave: for names, outliers, typical rows, and exemplars where the decoder has none. */
  readonly summaries?: readonly ClusterSummary[];
}

/** Explains one row: its numbers in the data's own units, flattened, or as a tensor of the row's shape. */
export async function explainRow(
  model: Explainable,
  row: ArrayLike<number> | Tensor,
  options: ExplainOptions = {},
): Promise<Explanation> {
  const { plan } = model;
  const { summaries } = options;
  const numbers = "data" in row ? Float32Array.from(row.data as ArrayLike<number>, Number) : row;
  const filled = new Set(options.filled);
  const share =
    Array.from(numbers).filter((value, i) => !Number.isNaN(value) && !filled.has(i)).length / numbers.length;
  const x = checked("the row", numbers, model);
  const values = await (model.place?.(x) ?? model.run(x));
  const { placements, far } = placementsOf(values, [0], { known: [share] });
  const { row: _, outlier: __, ...placement } = placements[0]!;
  const cluster = summaries?.[placement.cluster];
  const known = { ...placement, ...(cluster && { outlier: outlierOf(far[0]!, cluster) }) };
  const names = summaries?.map(({ name }) => name);
  const by = cluster?.far && share > 0 ? remotenessOf(far[0]!, cluster.far).by : undefined;
  if (clusterCount(plan) === 1) return { placement: known, words: wordsFor({ placement: known }, { names, by }) };

  const pair = { own: placement.cluster, other: options.against ?? placement.second };
  const centers = await nearestCenters(model, x, pair);
  const { parts, margins, codes } = await latentParts(model, x, centers);
  const why: Why = {
    ...pair,
    margin: margins[0]!,
    latent: await named(model, parts[0]!, codes, centers),
    input: await byInput(model, x.data, centers, pair.other, options),
    near: {
      own: await nearestTypical(model, codes, summaries?.[pair.own]),
      other: await nearestTypical(model, codes, summaries?.[pair.other]),
    },
  };
  const features = featuresOf(options.columns ?? []);
  const attention = attends(model) ? { attention: attentionsOf(values)[0]! } : {};
  return { placement: known, why, ...attention, words: wordsFor({ placement: known, why }, { names, features, by }) };
}

/** A row as [1, …row], of the right size and finite. */
function checked(what: string, row: ArrayLike<number>, { plan }: Explainable): Tensor<"float32"> {
  if (row.length !== sizeOf(plan.row)) {
    const wanted = `the ${sizeOf(plan.row)} numbers of one row [${plan.row}]`;
    throw new RangeError(`explain: ${what} must have ${wanted}, got ${row.length}`);
  }
  const one = toData([row], plan.scaling?.missing).tensor!;
  return tensor("float32", [1, ...plan.row], one.data);
}

async function named(
  model: Explainable,
  parts: readonly number[],
  { data: code }: Tensor<"float32">,
  { own, other }: Pair,
): Promise<LatentPart[]> {
  const centers = await model.centers();
  const d = centers.shape[1]!;
  const names = partNames(model);
  return parts.map((part, i) => {
    const name = names[i] ?? `part ${i}`;
    if (i >= d) return { name, part };
    return { name, part, code: code[i]!, own: centers.data[own * d + i]!, other: centers.data[other * d + i]! };
  });
}

async function byInput(
  model: Explainable,
  row: Float32Array,
  pair: Pair,
  other: number,
  options: ExplainOptions,
): Promise<InputPart> {
  const { columns = [], share, most, filled = [] } = options;
  const known = featuresOf(columns);
  const { shape, ...begun } = { shape: model.plan.row, ...(await baselineOf(model, other, pair.other, options)) };
  const { exemplar } = begun;
  const limits = { ...(share !== undefined && { share }), ...(most !== undefined && { most }) };
  const { parts, start, remainder, evaluations, complete } = await inputParts(model, row, exemplar, pair, limits);
  const features = columnsOf(shape, known).map(({ name, places }) => {
    const [feature] = places as [number];
    const part = places.reduce((sum, place) => sum + parts[place]!, 0);
    const words = [row, exemplar].map((values) => spoken(places, known, values));
    const said = words[0] === undefined ? {} : { said: words as [string, string] };
    const isFilled = places.some((place) => filled.includes(place)) ? { filled: true as const } : {};
    return { feature, name, value: row[feature]!, exemplar: exemplar[feature]!, part, ...said, ...isFilled };
  });
  features.sort((a, b) => Math.abs(b.part) - Math.abs(a.part));
  return { start, parts: [...parts], shape, features, remainder, evaluations, complete, ...begun };
}

/** What is told of one by one: the columns of a row, or its numbers where they have no names; nothing of a picture. */
function columnsOf(shape: readonly number[], features: readonly Feature[]): readonly ShownColumn[] {
  if (shape.length > 1) return [];
  if (features.length > 0) return shownColumns(features);
  return Array.from({ length: sizeOf(shape) }, (_, place) => ({ name: nameAt(place, shape), places: [place] }));
}

/** The exemplar of a cluster by its nearest center: the caller's, a summary's, or what the decoder draws. */
async function baselineOf(
  model: Explainable,
  cluster: number,
  center: number,
  { baseline, summaries }: ExplainOptions,
): Promise<Pick<InputPart, "exemplar" | "exemplarFrom">> {
  if (baseline) return { exemplar: [...checked("the baseline", baseline, model).data], exemplarFrom: "caller" };
  const summary = summaries?.[cluster];
  // What a summary shows is the leading center.
  const isShown = center === leadingCenter(model.plan, cluster) || summary?.exemplarFrom === "nearest row";
  if (summary && isShown && summary.exemplar.length > 0) {
    const { exemplar, exemplarFrom } = summary;
    return { exemplar: [...checked(`the exemplar of cluster ${cluster}`, exemplar, model).data], exemplarFrom };
  }
  const drawn = await model.exemplars();
  if (!drawn) {
    throw new RangeError(
      `explain: ${model.plan.method.name} leaves its decoder behind, so that it cannot draw the exemplar of cluster ${cluster}; give summaries (of model.summarize), or a baseline row`,
    );
  }
  const width = sizeOf(model.plan.row);
  return { exemplar: [...drawn.data.subarray(center * width, (center + 1) * width)], exemplarFrom: "decoder" };
}
