/** The formulas of a plan as programs, for training and for the model that comes out of it. */

import { flatten } from "../graph/arrange.ts";
import { add, cast, greater, multiply, negate, sqrt, square, stopGradient, subtract } from "../graph/elementwise.ts";
import { gradient } from "../graph/gradient.ts";
import { input, type Node, reachable, type Update, type Variable, variable } from "../graph/node.ts";
import { matmul } from "../graph/products.ts";
import { argmin, max, mean, sum } from "../graph/reduce.ts";
import { nearest } from "../nn/distances.ts";
import { corruption, inference, noise, trainingPass } from "../nn/layers.ts";
import { type Optimizer, optimizers } from "../nn/optimizers.ts";
import { cosineReconstruction, meanReconstruction, summedReconstruction } from "../nn/reconstruction.ts";
import type { Device } from "../runtime/device.ts";
import { type Program, program } from "../runtime/program.ts";
import { filled } from "../tensor/tensor.ts";
import { dataName, type Feed } from "./feed.ts";
import { leastDistances, summedProbabilities } from "./membership.ts";
import type { BatchFormulas, Step } from "./method.ts";
import type { Formulas, Plan } from "./plan.ts";
import { filledIn, unscaled } from "./scaled.ts";

/** Each builds the same program whenever it is asked, and is what sessions know the program by. */
type Build = () => Program;

const reconstructions = { mean: meanReconstruction, sum: summedReconstruction, cosine: cosineReconstruction };

export class Programs {
  readonly #plan: Plan;
  readonly #formulas: Formulas;
  readonly #feed: Feed;
  readonly #together: { together?: number };
  readonly #inputs = new Map<string, Node>();
  /** Rows per cluster, counted through an epoch. */
  readonly #sizes: Variable;
  /** The spread of the codes when the clusters began. */
  readonly firstSpread = variable("epoch.spread", filled("float32", [], 0));
  /** A step of the method for each kind of epoch. */
  readonly steps: ReadonlyMap<string, Build>;
  /** What adds up over rows. */
  readonly summed: readonly Variable[];

  constructor(plan: Plan, formulas: Formulas, feed: Feed, device: Pick<Device, "keepsState">) {
    this.#plan = plan;
    this.#formulas = formulas;
    this.#feed = feed;
    // A GPU counts operations, not elements: there all parameters are updated as one.
    this.#together = device.keepsState ? { together: Number.POSITIVE_INFINITY } : {};
    this.#sizes = variable("epoch.sizes", filled("float32", [plan.clusters], 0));
    const kinds = Object.entries(formulas.clustering.steps);
    this.steps = new Map(kinds.map(([kind, step]) => [kind, () => this.#step(step)]));
    this.summed = [this.#sizes, ...(formulas.clustering.summed ?? [])];
  }

  /** Reconstruction, from rows of which a share may be masked, and to which noise may be added. */
  readonly pretraining: Build = () => {
    const { network } = this.#formulas;
    const { x } = this.#feed;
    const pass = trainingPass();
    const { options } = this.#plan;
    const masked = corruption("corruption", options.corruption).apply(x, pass);
    const disturbed = noise("pretraining", options.pretrainingNoise).apply(masked, pass);
    const measure = reconstructions[options.pretrainingLoss];
    const loss = measure(network, network.encode(disturbed, pass), x, pass);
    const updates = this.#learn(this.#rule(options.pretrainingOptimizer), loss, network.parameters);
    return program({ outputs: { loss }, updates: [...updates, ...pass.updates] });
  };

  /** Centers and counts, which then begin anew, and what the method does between epochs. */
  readonly endOfEpoch: Build = () => {
    const { centers, afterEpoch = [] } = this.#formulas.clustering;
    return program({
      outputs: { omega: centers, counted: this.#sizes, first: this.firstSpread },
      updates: [[this.#sizes, multiply(this.#sizes, 0)], ...afterEpoch],
    });
  };

  /** Codes as the network gives them. */
  readonly codes: Build = () => program({ outputs: { z: this.#encoded() } });

  /** Codes as the method places them beside its centers. */
  readonly comparableCodes: Build = () => program({ outputs: { z: this.#formulas.code(this.#feed.x) } });

  /** Rows as the network sees them, number by number. */
  readonly scaledRows: Build = () => program({ outputs: { z: flatten(this.#feed.x) } });

  /** The nearest cluster of each row, the distances, and the codes. */
  readonly nearestClusters: Build = () => {
    const z = this.#encoded();
    const distances = this.#formulas.clustering.distances(z);
    return program({ outputs: { label: argmin(distances), distances, z } });
  };

  /** The clusters of codes that are fed. */
  readonly clustersOfCodes: Build = () => {
    const { network, clustering } = this.#formulas;
    return program({ outputs: { label: argmin(clustering.distances(input("codes", ["n", network.latent]))) } });
  };

  readonly probabilities: Build = () => program({ outputs: { p: this.#formulas.probabilities(this.#encoded()) } });

  /** What each row gives to what is kept per row. */
  readonly perRow: Build = () =>
    program({ outputs: { value: this.#formulas.clustering.perRow!.value(this.#encoded()) } });

  /** What is kept of all that the rows gave. */
  readonly combinedRows: Build = () => {
    const { variable: kept, combined } = this.#formulas.clustering.perRow!;
    return program({ outputs: { kept: combined(input("all", ["n", kept.shape[1]!])) } });
  };

  /** The centers, and what the decoder makes of them. */
  readonly exemplars: Build = () => program({ outputs: this.#formulas.shown() });

  /** The whole model, from rows x: what is exported. */
  readonly assignment: Build = () => {
    const { means, scaling } = this.#plan;
    const x = means ? filledIn(this.#feed.x, means, scaling) : this.#feed.x;
    const z = this.#formulas.code(x);
    return program({ outputs: { ...this.#formulas.clustering.outputs?.(z), ...this.#assigned(z), z } });
  };

  /**
   * The same, and how far rows are from what the decoder draws of their own center and of themselves: the root of the
   * mean square over their numbers.
   */
  readonly placement: Build = () => {
    const { network, clustering, code } = this.#formulas;
    const x = this.#feed.x;
    const z = code(x);
    const drawn = (codes: Node): Node => flatten(network.decode(clustering.exemplar?.(codes) ?? codes, inference));
    const from = (other: Node): Node => sqrt(mean(square(subtract(flatten(x), other)), { axes: [1] }));
    const own = matmul(nearest(clustering.distances(z)), drawn(clustering.centers));
    return program({ outputs: { ...this.#assigned(z), z, apart: from(own), error: from(drawn(z)) } });
  };

  /** How far rows are from where the clusters are: from the own center, and from what the decoder draws of them. */
  readonly remoteness: Build = () => {
    const { network, clustering, code } = this.#formulas;
    const { x } = this.#feed;
    const z = code(x);
    const drawn = network.decode(clustering.exemplar?.(z) ?? z, inference);
    return program({
      outputs: {
        distance: negate(max(negate(clustering.distances(z)), { axes: [1] })),
        error: mean(square(subtract(flatten(drawn), flatten(x))), { axes: [1] }),
        z,
      },
    });
  };

  /** The cluster layer alone, from codes z: to be put behind any network that gives such codes. */
  readonly layer: Build = () => program({ outputs: this.#assigned(input("z", ["n", this.#formulas.network.latent])) });

  /** From codes z to rows in the units of the data. */
  readonly decoder: Build = () => {
    const { network, clustering } = this.#formulas;
    const z = input("z", ["n", network.latent]);
    const decoded = network.decode(clustering.exemplar?.(z) ?? z, inference);
    return program({ outputs: { x: unscaled(decoded, this.#plan.scaling) } });
  };

  /** Labels of rows that have just arrived, and the step by which the centers follow them. */
  readonly follow: Build = () => {
    const { clustering, code } = this.#formulas;
    const z = code(this.#feed.x);
    const { label, probabilities } = this.#assigned(z);
    const { loss, updates } = clustering.follow(z, this.#scalar("rate"));
    const unsure = mean(cast(greater(0.5, max(probabilities, { axes: [1] })), "float32"));
    return program({ outputs: { label, loss, unsure }, updates });
  };

  /** The names of what a model needs: no optimizer's memory, nothing that is kept per row. */
  modelVariables(): string[] {
    const programs = [this.nearestClusters(), this.probabilities(), this.exemplars(), this.follow()];
    return [...new Set(programs.flatMap(({ variables }) => variables).map(({ attributes }) => attributes.name))].filter(
      (name) => name !== dataName,
    );
  }

  /** A step of the method, with the counts of rows per cluster and the spread of the codes. */
  #step(formulas: (batch: BatchFormulas) => Step): Program {
    const { clustering } = this.#formulas;
    const rule = this.#rule(this.#plan.options.optimizer);
    const pass = trainingPass();
    const { z, loss, terms, updates } = formulas({
      ...this.#feed,
      pass,
      learn: (target, parameters) => this.#learn(rule, target, parameters),
      move: (parameters, gradients) => rule(parameters, gradients, this.#scalar("rate")),
      scheduled: (name) => this.#scalar(name),
    });
    const code = stopGradient(clustering.comparable?.(z) ?? z);
    const members = sum(nearest(clustering.distances(code)), { axes: [0] });
    const spread = sum(mean(square(subtract(code, mean(code, { axes: [0], keep: true }))), { axes: [0] }));
    return program({
      outputs: { loss, ...terms, spread },
      updates: [...updates, ...pass.updates, [this.#sizes, add(this.#sizes, members)]],
    });
  }

  #encoded(): Node {
    return this.#formulas.network.encode(this.#feed.x, inference);
  }

  #assigned(z: Node) {
    const { members } = this.#plan;
    const distances = leastDistances(this.#formulas.clustering.distances(z), members);
    const probabilities = summedProbabilities(this.#formulas.probabilities(z), members);
    return { label: argmin(distances), distances, probabilities };
  }

  #rule(name: keyof typeof optimizers): Optimizer {
    const { momentum, weightDecay, adamEpsilon } = this.#plan.options;
    const own = { sgd: { momentum }, adam: { epsilon: adamEpsilon }, adadelta: {}, adagrad: {}, rmsprop: {} }[name];
    return optimizers[name]({ ...own, weightDecay, ...this.#together });
  }

  /** What the loss does not depend on stays as it is. */
  #learn(rule: Optimizer, loss: Node, parameters: readonly Variable[]): Update[] {
    const reached = new Set(reachable([loss]));
    const moving = parameters.filter((parameter) => reached.has(parameter));
    return moving.length === 0 ? [] : rule(moving, gradient(loss, moving), this.#scalar("rate"));
  }

  /** A number that is fed at every step; the same node for all formulas that ask for it. */
  #scalar(name: string): Node {
    const node = this.#inputs.get(name) ?? input(name, []);
    this.#inputs.set(name, node);
    return node;
  }
}
