/** The formulas of a plan as programs: what runs in an epoch, between epochs and in the end. */

import { add, multiply, square, stopGradient, subtract } from "../graph/elementwise.ts";
import { gradient } from "../graph/gradient.ts";
import { input, type Node, reach, type Update, type Variable, variable } from "../graph/node.ts";
import { argmin, mean, sum } from "../graph/reduce.ts";
import { nearest } from "../nn/distances.ts";
import { corruption, inference, noise, trainingPass } from "../nn/layers.ts";
import { meanSquaredError, squaredDistance } from "../nn/losses.ts";
import { adam, type Optimizer, optimizers } from "../nn/optimizers.ts";
import type { Device } from "../runtime/device.ts";
import { type Program, program } from "../runtime/program.ts";
import { filled } from "../tensor/tensor.ts";
import { dataName, type Feed } from "./feed.ts";
import type { BatchFormulas, Step } from "./method.ts";
import type { Formulas, Plan } from "./plan.ts";

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

  constructor(plan: Plan, formulas: Formulas, feed: Feed, device: Device) {
    this.#plan = plan;
    this.#formulas = formulas;
    this.#feed = feed;
    // A GPU counts operations, not elements: there all parameters are updated as one.
    this.#together = device.keepsState ? { together: Number.POSITIVE_INFINITY } : {};
    this.#sizes = variable("epoch.sizes", filled("float32", [plan.clusters], 0));
  }

  /** Reconstruction, from rows of which a share may be masked, and to which noise may be added. */
  pretraining(): Program {
    const { network } = this.#formulas;
    const { x } = this.#feed;
    const pass = trainingPass();
    const { options } = this.#plan;
    const masked = corruption("corruption", options.corruption).apply(x, pass);
    const shown = noise("pretraining", options.pretrainingNoise).apply(masked, pass);
    const measure = options.pretrainingLoss === "sum" ? squaredDistance : meanSquaredError;
    const loss = measure(network.decode(network.encode(shown, pass), pass), x);
    const updates = this.#learn(adam(this.#together), loss, network.parameters);
    return program({ outputs: { loss }, updates: [...updates, ...pass.updates] });
  }

  /** A step of the method, with the counts of rows per cluster and the spread of the codes. */
  step(formulas: (batch: BatchFormulas) => Step): Program {
    const { clustering } = this.#formulas;
    const { optimizer, momentum, weightDecay } = this.#plan.options;
    const rule = optimizers[optimizer]({ ...(optimizer === "sgd" && { momentum }), weightDecay, ...this.#together });
    const pass = trainingPass();
    const { z, loss, terms, updates } = formulas({
      ...this.#feed,
      pass,
      learn: (target, parameters) => this.#learn(rule, target, parameters),
      move: (parameters, gradients) => rule(parameters, gradients, this.#scalar("rate")),
      scheduled: (name) => this.#scalar(name),
    });
    const code = stopGradient(clustering.placed?.(z) ?? z);
    const members = sum(nearest(clustering.distances(code)), { axes: [0] });
    const spread = sum(mean(square(subtract(code, mean(code, { axes: [0], keep: true }))), { axes: [0] }));
    return program({
      outputs: { loss, ...terms, spread },
      updates: [...updates, ...pass.updates, [this.#sizes, add(this.#sizes, members)]],
    });
  }

  /** Centers and counts, which then begin anew, and what the method does between epochs. */
  endOfEpoch(): Program {
    const { centers, afterEpoch = [] } = this.#formulas.clustering;
    return program({
      outputs: { omega: add(centers, 0), counted: add(this.#sizes, 0), first: add(this.firstSpread, 0) },
      updates: [[this.#sizes, multiply(this.#sizes, 0)], ...afterEpoch],
    });
  }

  /** Codes as the network gives them, or as the method places them beside its centers. */
  codes(placed: boolean): Program {
    const { code } = this.#formulas;
    return program({ outputs: { z: placed ? add(code(this.#feed.x), 0) : this.#encoded() } });
  }

  assignment(): Program {
    const distances = this.#formulas.clustering.distances(this.#encoded());
    return program({ outputs: { label: argmin(distances), distances } });
  }

  /** The clusters of codes that are fed. */
  clustersOfCodes(): Program {
    const { network, clustering } = this.#formulas;
    return program({ outputs: { label: argmin(clustering.distances(input("codes", ["n", network.latent]))) } });
  }

  /** The centers, and what the decoder makes of them. */
  exemplars(): Program {
    return program({ outputs: this.#formulas.shown() });
  }

  probabilities(): Program {
    return program({ outputs: { p: this.#formulas.probabilities(this.#encoded()) } });
  }

  /** What each row gives to what is kept per row, and what is kept of all. */
  perRow(): Program {
    return program({ outputs: { value: this.#formulas.clustering.perRow!.value(this.#encoded()) } });
  }

  combinedRows(): Program {
    const { variable: kept, combined } = this.#formulas.clustering.perRow!;
    return program({ outputs: { kept: combined(input("all", ["n", kept.shape[1]!])) } });
  }

  /** The names of what a model needs: no optimizer's memory, nothing that is kept per row. */
  modelVariables(): string[] {
    const { loss, updates } = this.#formulas.clustering.follow(this.#encoded(), this.#scalar("rate"));
    const following = program({ outputs: { loss }, updates });
    const programs = [this.assignment(), this.probabilities(), this.exemplars(), following];
    return [...new Set(programs.flatMap(({ variables }) => variables).map(({ attributes }) => attributes.name))].filter(
      (name) => name !== dataName,
    );
  }

  #encoded(): Node {
    return this.#formulas.network.encode(this.#feed.x, inference);
  }

  /** What the loss does not depend on stays as it is. */
  #learn(rule: Optimizer, loss: Node, parameters: readonly Variable[]): Update[] {
    const reached = new Set(reach([loss]));
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
