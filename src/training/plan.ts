/** What is to be done, resolved to the last option, and the formulas that follow from it. */

import { type ColumnWeights, columnScaling, type Shares } from "../data/columnScaling.ts";
import { type Data, rowsAtOnce } from "../data/data.ts";
import { type Feature, isDiscrete } from "../data/feature.ts";
import {
  columnMeans,
  lengthScaling,
  pixelScaling,
  type Scaled,
  type Scaling,
  sharedScaling,
  standardScaling,
} from "../data/scaling.ts";
import { divide, negate } from "../graph/elementwise.ts";
import { type Node, type Variable, variable } from "../graph/node.ts";
import { softmax } from "../graph/reduce.ts";
import type { Autoencoder } from "../nn/autoencoders.ts";
import { inference } from "../nn/layers.ts";
import { withShares } from "../nn/shares.ts";
import { paceOf } from "../numerics/pace.ts";
import { type OptionTable, resolve, type ValuesOf } from "../options.ts";
import { checkMemory, memoryLimit } from "../tensor/budget.ts";
import { Random } from "../tensor/random.ts";
import { filled, sizeOf } from "../tensor/tensor.ts";
import { withExplainingWeights } from "./explainingWeights.ts";
import { mostClusters } from "./fitSchemas.ts";
import type { Members } from "./membership.ts";
import type { Clustering, Method, Profile } from "./method.ts";
import {
  buildNetwork,
  checkSizes,
  isConvolutional,
  kindOf,
  type NetworkBuilder,
  type NetworkNeeds,
} from "./network.ts";
import { networkSize } from "./networkSize.ts";
import { unscaled } from "./scaled.ts";
import { type SharedOptions, sharedOptions } from "./sharedOptions.ts";

export interface Plan extends NetworkNeeds {
  readonly method: Method;
  readonly profile: Profile;
  readonly options: SharedOptions & ValuesOf<OptionTable>;
  readonly seed: number;
  readonly count: number;
  /** What happens to rows before anything else sees them, and is undone where the model draws rows. */
  readonly scaling?: Scaling;
  /** Of a table, the mean of each column: what stands for a missing number where nothing else was said. */
  readonly means?: readonly number[];
  /** Which centers make up which clusters, where a person has changed that; without it each is one. */
  readonly members?: Members;
  /** The numbers of a row that are shares, such as the values of a category: they are drawn and learned as such. */
  readonly shares?: readonly Shares[];
  /** The user's own network, in place of the option. */
  readonly network?: NetworkBuilder;
}

/** Of a plan, what has to be said; of the rest, what may be. */
type Wanted = Pick<Plan, "clusters"> &
  Partial<Pick<Plan, "seed" | "profile" | "network">> & {
    /** Options of the method and the shared ones, where they differ from the profile's. */
    readonly options?: Readonly<Record<string, unknown>>;
    /** What may be used, in megabytes; by default a share of what is free. */
    readonly memory?: number;
  };

export function plan(
  method: Method,
  { row, range, count, tensor: held }: Pick<Data, "row" | "range" | "count" | "tensor">,
  { clusters, seed = 1, profile = "practical", options = {}, network, memory }: Wanted,
): Plan {
  const where = method.name;
  if (!Number.isInteger(clusters) || clusters < 1) {
    throw new RangeError(`${where}: clusters must be a whole number from 1, got ${clusters}`);
  }
  if (clusters > count) {
    throw new RangeError(
      `${where}: there cannot be more clusters than rows, got ${clusters} for ${count} ${count === 1 ? "row" : "rows"}`,
    );
  }
  if (clusters > mostClusters) {
    throw new RangeError(`${where}: there can be up to ${mostClusters} clusters, got ${clusters}`);
  }
  const byProfile = method.profiles[profile];
  if (!byProfile) {
    const known = Object.keys(method.profiles).join(", ");
    throw new RangeError(`${where}: the profile must be one of ${known}, got "${profile}"`);
  }
  const table = { ...sharedOptions, ...method.options };
  const { effort } = resolve(where, table, options, byProfile) as { readonly effort?: string };
  const byEffort = method.efforts?.[effort ?? ""] ?? {};
  const resolved = resolve(where, table, options, byEffort, byProfile) as Plan["options"];
  const batch = resolved.batch || batchFor(count);
  const hidden = options.hidden === undefined ? hiddenFor(resolved, row, profile) : resolved.hidden;
  // As many epochs as the steps fill; the last may end early.
  const epochs =
    resolved.steps > 0
      ? Math.min(resolved.epochs, Math.ceil(resolved.steps / stepsAnEpoch(count, batch)))
      : resolved.epochs;
  if (!network) checkSizes(where, { ...resolved, hidden }, row);
  const planned = {
    method,
    profile,
    options: { ...resolved, batch, hidden, epochs },
    clusters,
    seed,
    row,
    range,
    count,
    ...(network && { network }),
  };
  // Of the rows in memory the thread that trains has a copy.
  const bytes = bytesToTrain(planned) + 2 * (held?.data.byteLength ?? 0);
  const what = `a training with ${clusters} clusters, rows of ${sizeOf(row)} numbers and ${batch} of them in a batch`;
  const cure = "choose smaller hidden, filters, latent, batch or clusters, or fewer columns";
  checkMemory({ where, what, bytes, cure }, memoryLimit(memory));
  return planned;
}

/**
 * What a training takes, about: measured for networks of a million to thirty million weights. For each weight, the
 * value, its gradient, the optimizer's memory and what is between two steps, of up to 16 steps in one run; for each
 * number that a layer gives, in a batch and in a pass over all rows, the number, its gradient and what is between them.
 */
const bytesPerWeight = 180;
const bytesPerActivation = { learning: 32, passing: 16 };
/** Of each number of a cluster, as it is written and shown: exemplar, mean, deviation, typical rows. */
const bytesPerShown = 200;
/** Of each number that a method keeps for a row. */
const bytesPerKept = 24;
/** Codes of so many rows are held for the first centers, and for the map. */
const mostCodes = 100_000;

function bytesToTrain({ method, options, clusters, row, count, network }: Plan): number {
  // A network of one's own is known only once it is built.
  const { weights, activations, latent } = network
    ? { weights: 0, activations: 0, latent: 0 }
    : networkSize(options, { row, clusters });
  const { perRow = 0, inBatch = 0 } = method.holds?.({ options, clusters, count, latent }) ?? {};
  const layers = activations + 2 * sizeOf(row) + 4 * clusters + inBatch;
  const learning = Math.min(options.batch, count) * layers * bytesPerActivation.learning;
  const passing = Math.min(rowsAtOnce(row), count) * layers * bytesPerActivation.passing;
  const kept = count * perRow * bytesPerKept;
  const codes = Math.min(count, mostCodes) * latent * 16;
  const shown = clusters * sizeOf(row) * bytesPerShown;
  return (weights + 2 * clusters * latent) * bytesPerWeight + learning + passing + kept + codes + shown;
}

/** What a scaling is found by, beside the rows. */
interface ToScale {
  readonly missing?: readonly number[];
  /** What the numbers of a row are, and how much their columns weigh; to be known where `scaling` is "columns". */
  readonly features?: readonly Feature[];
  readonly weight?: ColumnWeights;
  readonly signal?: AbortSignal;
}

/** The plan with its scaling, for which the rows have to be looked at. */
export async function withScaling(plan: Plan, data: Data, to: ToScale): Promise<Plan> {
  const { missing, signal } = to;
  const found = await scalingOf(plan, data, to);
  if (!missing) return { ...plan, ...found, ...(await meansOf(data, found.scaling, signal)) };
  const { scaling = { shift: [0], factor: [1] }, ...range } = found;
  return { ...plan, ...range, scaling: { ...scaling, missing } };
}

/** Pictures have no columns, and what columns share no means: then one more pass finds them. */
async function meansOf(
  data: Data,
  scaling: Scaling | undefined,
  signal: AbortSignal | undefined,
): Promise<Pick<Plan, "means">> {
  if (data.row.length > 1) return {};
  const isMean = scaling !== undefined && scaling.shift.length === sizeOf(data.row) && scaling.shift.length > 1;
  return { means: isMean && !scaling.logarithm ? scaling.shift : await columnMeans(data, signal) };
}

async function scalingOf(
  { options: { scaling }, profile, method, clusters, seed }: Plan,
  data: Data,
  { features, weight, signal }: ToScale,
): Promise<Partial<Scaled> & Pick<Plan, "shares">> {
  const [low, high] = data.range;
  const isTable = data.row.length === 1;
  if (scaling === "columns") {
    if (features?.length !== sizeOf(data.row)) {
      throw new RangeError(
        `${method.name}: scaling columns needs to know what the ${sizeOf(data.row)} numbers of a row are, got ${features?.length ?? 0} columns; say them as columns`,
      );
    }
    const found = await columnScaling(data, features, weight, signal);
    // What somebody says stays as it is.
    const isSaid = weight && features.some((feature) => isDiscrete(feature) && Object.hasOwn(weight, feature.column));
    if (isSaid) return found;
    return withExplainingWeights(found, data, features, { clusters, seed, pace: paceOf(signal) });
  }
  if (scaling === "standard") return standardScaling(data, signal);
  if (scaling === "shared") return sharedScaling(data, signal);
  if (scaling === "length") return lengthScaling(data, signal);
  if (scaling === "none") return {};
  if (low >= -1 && high <= 1) {
    if (!isTable || profile === "paper") return {};
    // Embeddings and word counts of length 1 have very small numbers: a network would first learn that all are nearly
    // 0.
    const found = await lengthScaling(data, signal);
    return found.scaling.factor[0]! > muchTooSmall ? found : {};
  }
  if (isTable) return standardScaling(data, signal);
  return low >= 0 ? pixelScaling(high) : {};
}

/** So many times smaller than 1 numbers are, on average. */
const muchTooSmall = 4;

/** A plan as plain data. */
export interface PlanDescription {
  readonly method: string;
  readonly profile: Profile;
  readonly options: Readonly<Record<string, unknown>>;
  readonly clusters: number;
  readonly seed: number;
  readonly row: readonly number[];
  readonly range: readonly [number, number];
  readonly count: number;
  readonly scaling?: Scaling;
  readonly means?: readonly number[];
  readonly shares?: readonly Shares[];
  readonly members?: Members;
  /** Of the user's own network, its formulas as text. */
  readonly network?: string;
  readonly evaluateEvery?: number;
  /** A fingerprint of the rows, and of the labels that are taught where they are the person's own. */
  readonly rows?: number;
  readonly teacher?: number;
}

export function describePlan({ method, network, ...rest }: Plan): PlanDescription {
  return { method: method.name, ...rest, ...(network && { network: `${network}` }) };
}

/** A training can only be resumed with what it was begun with. */
export function checkSame(now: PlanDescription, then: PlanDescription): void {
  const flat = ({ options, ...rest }: PlanDescription): Record<string, unknown> => ({ ...rest, ...options });
  const [given, begun] = [flat(now), flat(then)];
  for (const [name, value] of Object.entries(given)) {
    // What an older Telltale did not have was not said.
    const isNew = name === "means" ? then.means === undefined : name in now.options && !(name in then.options);
    if (isNew) continue;
    if (JSON.stringify(value) !== JSON.stringify(begun[name])) {
      throw new RangeError(
        `resume: ${name} must be what the training was begun with, ${JSON.stringify(begun[name])}, got ${JSON.stringify(value)}`,
      );
    }
  }
}

/**
 * The papers' widths are for rows of hundreds of numbers; a table of five columns needs no two thousand. Convolutions
 * have their own.
 */
function hiddenFor({ network, hidden }: SharedOptions, row: readonly number[], profile: Profile): readonly number[] {
  if (isConvolutional(kindOf(network, row))) return [];
  const columns = sizeOf(row);
  if (profile === "paper" || columns >= 200) return hidden;
  const width = Math.max(64, 32 * Math.round(columns / 4));
  return [width, width, 4 * width].map((size, i) => Math.min(size, sharedOptions.hidden.fallback[i]!));
}

/**
 * A power of two that gives about 270 steps an epoch: it is steps that count, and small data has few (docs/results.md).
 */
function batchFor(count: number): number {
  return Math.min(256, Math.max(32, 2 ** Math.round(Math.log2(count / 270))));
}

/** Whether it is `steps`, not `epochs`, that end the training. */
export function isEndedBySteps({ options: { steps, epochs, batch }, count }: Plan): boolean {
  return steps > 0 && steps <= epochs * stepsAnEpoch(count, batch);
}

/** How many batches there are in an epoch. */
export function stepsAnEpoch(count: number, batch: number): number {
  return Math.ceil(count / batch);
}

/** The formulas of a plan. They depend on nothing else, so that a saved state always finds its variables again. */
export interface Formulas {
  readonly network: Autoencoder;
  readonly clustering: Clustering;
  /** The scale on which distances become probabilities; measured once training has ended. */
  readonly temperature: Variable;
  /** Rows to codes, where the centers are. */
  code(x: Node): Node;
  /** [n, k], rows that sum to one. */
  probabilities(z: Node): Node;
  /** The centers, and the rows that the decoder makes of them, in the units of the data. */
  shown(): { omega: Node; exemplars: Node };
}

export function formulate(plan: Plan, restart: number): Formulas {
  const { method, options, clusters, count } = plan;
  const random = streamOf(plan, restart);
  const network = plan.network
    ? plan.network(plan.row, random.fork("weights"))
    : drawingShares(buildNetwork(options, plan, random.fork("weights")), plan);
  const clustering = method.start({ options, clusters, network, count, random: random.fork("method") });
  const temperature = variable("temperature", filled("float32", [], 1));
  return {
    network,
    clustering,
    temperature,
    code(x) {
      const z = network.encode(x, inference);
      return clustering.comparable?.(z) ?? z;
    },
    shown() {
      const { centers } = clustering;
      const decoded = network.decode(clustering.exemplar?.(centers) ?? centers, inference);
      return { omega: centers, exemplars: unscaled(decoded, plan.scaling) };
    },
    probabilities: (z) =>
      clustering.probabilities?.(z) ?? softmax(divide(negate(clustering.distances(z)), temperature)),
  };
}

/** Without a network a center is a mean of rows, whose shares are right already. */
function drawingShares(network: Autoencoder, { shares = [], scaling }: Plan): Autoencoder {
  if (shares.length === 0 || !scaling || network.parameters.length === 0) return network;
  const seen = shares.map((group) => {
    const [from, to] = [group.first, group.first + group.count];
    return { ...group, shift: scaling.shift.slice(from, to), factor: scaling.factor.slice(from, to) };
  });
  return withShares(network, seen);
}

/**
 * Every stream of a restart comes from here by name, none from the method: the same seed gives every method the same
 * weights and the same batches.
 */
export function streamOf({ seed }: Pick<Plan, "seed">, restart: number): Random {
  return Random.seeded(seed).fork(`restart ${restart}`);
}
