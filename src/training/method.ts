/** What a clustering method adds to the one loop. */

import type { Node, Update, Variable } from "../graph/node.ts";
import type { Autoencoder } from "../nn/autoencoders.ts";
import type { Pass } from "../nn/layers.ts";
import type { OptionTable, ValuesOf } from "../options.ts";
import type { Random } from "../tensor/random.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { SharedOptions } from "./sharedOptions.ts";

/** `paper` follows the publication, `practical` is what to run. */
export type Profile = "paper" | "practical";

export interface Method<Own extends OptionTable = OptionTable> {
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  /** Authors, title, place, year. */
  readonly paper: string;
  /** Whether it learns from a partition: one of the teachers' (src/teachers), or the person's own. */
  readonly isTaught?: boolean;
  /** What more or less effort sets, of its own and of the shared options, where it has an option `effort`. */
  readonly efforts?: Readonly<Record<string, Partial<SharedOptions & ValuesOf<Own>>>>;
  /** Its own options, beside the shared ones. */
  readonly options: Own;
  /** What each profile sets, of its own and of the shared options. */
  readonly profiles: Readonly<Record<Profile, Partial<SharedOptions & ValuesOf<Own>>>>;
  /** What it holds beside the network, in numbers: for every row, and for every row of a batch. */
  holds?(problem: Pick<Problem<ValuesOf<Own>>, "options" | "clusters" | "count"> & Pick<Autoencoder, "latent">): {
    readonly perRow?: number;
    readonly inBatch?: number;
  };
  /** Writes the problem down. */
  start(problem: Problem<ValuesOf<Own>>): Clustering;
}

export interface Problem<Own = Record<never, never>> {
  readonly options: SharedOptions & Own;
  readonly clusters: number;
  readonly network: Autoencoder;
  /** The number of rows, for methods that keep something for each. */
  readonly count: number;
  /** For first values. */
  readonly random: Random;
}

/** A method at work: formulas over its variables, and a few hooks. */
export interface Clustering {
  /** The centers [k, latent], as a formula of the variables. */
  readonly centers: Node;
  /** Codes as the method compares them with its centers, such as scaled to length 1; without it, as they are. */
  comparable?(z: Node): Node;
  /** How far each code is from each cluster, [n, k]. The label is the nearest, always. */
  distances(z: Node): Node;
  /**
   * What each number of a code adds to the distances, and after these whatever else does, by `partNames`: [n, k, m].
   * They sum to the distances, up to something that is the same for every cluster. Without it, (zᵢ − ωⱼᵢ)² in
   * proportion to the distance.
   */
  parts?(z: Node): Node;
  /** What the parts beyond the numbers of a code are called, such as a bias. */
  readonly partNames?: readonly string[];
  /**
   * [n, k], rows that sum to one; without it, softmax(−distances / temperature) with a temperature measured on the
   * data.
   */
  probabilities?(z: Node): Node;
  /**
   * First values for variables, from codes of the pretrained network; a variable without one keeps its initial value.
   */
  begin(start: Start): ReadonlyMap<Variable, Tensor>;
  /**
   * Values of variables with which the centers are these, [k, latent]: so that one that has lost its rows can be put
   * elsewhere. Without it, centers are moved by the method alone.
   */
  withCenters?(centers: Tensor<"float32">): ReadonlyMap<Variable, Tensor>;
  /** The formulas of one step, for each kind of epoch. */
  readonly steps: Readonly<Record<string, (batch: BatchFormulas) => Step>>;
  /** Which kind an epoch (from 0) is; without it, the only one. */
  kindOf?(epoch: number): string;
  /** Numbers that change from epoch to epoch, each fed as the input of its name. */
  schedule?(epoch: number, epochs: number): Readonly<Record<string, number>>;
  /** What happens to variables at the end of an epoch. */
  readonly afterEpoch?: readonly Update[];
  /** Variables that add something up over rows, so that those of several machines add up too. */
  readonly summed?: readonly Variable[];
  /** Something kept for every row and renewed in a pass over all of them. */
  readonly perRow?: PerRow;
  /** Moves the centers towards codes that have just arrived; the network stays. */
  follow(z: Node, rate: Node): Follow;
  /** What more the model says of codes, by the name of its output: [n, …] each. */
  outputs?(z: Node): Readonly<Record<string, Node>>;
  /** Whether a row's loss is its distances, weighed by its probabilities, so that it can be read as attention. */
  readonly attends?: boolean;
  /** What is decoded to show a center; without it, the center. */
  exemplar?(centers: Node): Node;
  /** True where the optimizer keeps its memory from pretraining, whose loss must then have the same scale. */
  readonly continuesOptimizer?: boolean;
  /** What a person should know before training begins. */
  readonly notices?: readonly string[];
  /** True where training leaves the decoder behind, so that it no longer fits the encoder. */
  readonly decoderIsStale?: boolean;
}

export interface Start {
  /** Codes of the data, [m, latent]: all of them, or a sample where they are many. */
  readonly codes: Tensor<"float32">;
  /** Of a method that is taught, the cluster of each of these rows, −1 for none. */
  readonly labels?: Int32Array;
  readonly random: Random;
}

/** What a step is written with. */
export interface BatchFormulas {
  readonly x: Node;
  /** Where the rows are in the data, for what is kept per row. */
  readonly rows: Node;
  /** What each row is taught, for a method that is taught: the number of a cluster, −1 for nothing. */
  readonly label: Node;
  readonly pass: Pass;
  /** The updates by which the optimizer lowers a loss. */
  learn(loss: Node, parameters: readonly Variable[]): Update[];
  /** The updates by which the optimizer moves parameters against gradients that the method has made itself. */
  move(parameters: readonly Variable[], gradients: readonly Node[]): Update[];
  /** A number of the method's schedule. */
  scheduled(name: string): Node;
}

export interface Step {
  /** The codes that the loss saw. */
  readonly z: Node;
  readonly loss: Node;
  /** Parts of the loss, and other scalars worth following. */
  readonly terms?: Readonly<Record<string, Node>>;
  readonly updates: readonly Update[];
}

export interface Follow {
  readonly loss: Node;
  readonly updates: readonly Update[];
}

export interface PerRow {
  /** [count, m]. */
  readonly variable: Variable;
  /** Whether it is renewed before this epoch. */
  renews(epoch: number): boolean;
  /** What one row gives, [n, m]. */
  value(z: Node): Node;
  /** Gives each row the mean of what its nearest rows have, so many times over. */
  readonly spread?: { readonly neighbours: number; readonly rounds: number };
  /** From all of these, [count, m], what is kept. */
  combined(all: Node): Node;
}
