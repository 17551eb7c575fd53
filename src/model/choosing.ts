/** How many clusters, where that is left open: the rows, or the codes of one pretraining, show the groups. */

import type { RowsLike } from "../data/data.ts";
import { toData } from "../data/data.ts";
import type { Device } from "../runtime/device.ts";
import { type ClusterChoice, chooseClusters, usualRange } from "../training/chooseClusters.ts";
import type { Epoch } from "../training/epoch.ts";
import { isOpenToPlainRows } from "../training/plainRows.ts";
import { type Plan, withScaling } from "../training/plan.ts";
import { pretrainingOptions } from "../training/sharedOptions.ts";
import { train } from "../training/train.ts";
import { checkedMethod, jobOf, type NamedFitOptions, type OpenClusters, suitedPlan, toScale } from "./fitOptions.ts";
import { Model } from "./model.ts";
import { codesAsSeen, rowsAsSeen } from "./rowsAsSeen.ts";

/** Whether there is anything to choose. */
export function isOpen(clusters: NamedFitOptions["clusters"]): clusters is OpenClusters {
  return clusters !== undefined && typeof clusters !== "number";
}

/** The range in which the number is looked for: from 1 where it is left open altogether. */
export function rangeOf(where: string, clusters: OpenClusters, rows: number): readonly [number, number] {
  if (clusters === "auto") return usualRange(rows);
  const [from, to] = typeof clusters === "string" ? (clusters.split("-").map(Number) as [number, number]) : clusters;
  if (Number.isInteger(from) && Number.isInteger(to) && from >= 2 && to >= from) return [from, to];
  throw new RangeError(
    `${where}: a range of clusters must go from a whole number from 2 to a larger one, got ${typeof clusters === "string" ? clusters : `${from}-${to}`}`,
  );
}

/** What was said, with the number of clusters that was found, and why. */
interface Chosen {
  readonly options: NamedFitOptions;
  readonly choice: ClusterChoice;
}

/** Looks at the rows, where they may go without a network and are clear; else at them and at their codes. */
export async function* choosing(
  rows: RowsLike,
  said: NamedFitOptions & { readonly clusters: OpenClusters },
  device: Device,
): AsyncGenerator<Epoch, Chosen> {
  const method = checkedMethod(said);
  const { seed = 1, missing, signal } = said;
  const data = toData(rows, missing);
  const range = rangeOf(method.name, said.clusters, data.count);
  const stopping = { ...(signal && { signal }) };
  const planned = (clusters: number): Promise<Plan> => suitedPlan(method, data, { ...said, clusters });
  const first = await planned(range[1]);
  const plain: ClusterChoice | undefined = isOpenToPlainRows(first)
    ? await chooseClusters(
        [await rowsAsSeen({ plan: await withScaling(first, data, toScale(said)) }, data)],
        range,
        seed,
        stopping,
      )
    : undefined;
  if (plain && plain.chosen > 1 && plain.between?.[0] === plain.between?.[1]) {
    return { choice: plain, options: { ...said, clusters: plain.chosen } };
  }

  const { options: resolved } = first;
  const fit = yield* train(
    await jobOf(
      rows,
      {
        ...{ method: "aekm", clusters: range[1], seed, keepPretrained: true, ...stopping },
        ...(missing && { missing }),
        ...(said.columns && { columns: said.columns }),
        ...(said.weight && { weight: said.weight }),
        ...(said.memory !== undefined && { memory: said.memory }),
        ...(typeof said.network === "function" && { network: said.network }),
        options: {
          ...Object.fromEntries(pretrainingOptions.map((name) => [name, resolved[name]])),
          latent: resolved.latent || 10,
          pretraining: resolved.pretraining || 20,
          restarts: 1,
          epochs: 0,
        },
      },
      device,
    ),
  );
  const model = new Model(fit, device);
  try {
    const views = [await rowsAsSeen(model, data), await codesAsSeen(model, data, seed)];
    const choice = await chooseClusters(views, range, seed, stopping);
    const isShared = pretrainAlike(first, await planned(choice.chosen));
    const pretrained = said.pretrained ?? (isShared ? fit.pretrained : undefined);
    return { choice, options: { ...said, clusters: choice.chosen, ...(pretrained && { pretrained }) } };
  } finally {
    await model.close();
  }
}

/** Whether the pretraining of one is that of the other: a code as long as there are clusters needs one for each. */
export function pretrainAlike(one: Plan, other: Plan): boolean {
  if (one.options.latent === 0 || one.options.pretraining === 0) return false;
  return pretrainingOptions.every((name) => `${one.options[name]}` === `${other.options[name]}`);
}
