/** A training on a few rows, looked at in several of its epochs: what the figures are drawn from. */

import { type Tensor, toNumbers } from "../../src/doors/engine.ts";
import type { Device, Fit } from "../../src/doors/inside.ts";
import { inMemory, tensor } from "../../src/doors/inside.ts";
import { encodePng } from "../../src/formats/png.ts";
import { map } from "../../src/map/map.ts";
import { fitting, modelOf } from "../../src/model/fitting.ts";
import { Model } from "../../src/model/model.ts";
import type { Epoch } from "../../src/training/epoch.ts";
import type { Checkpoint } from "../../src/training/job.ts";
import { commitOf } from "../commit.ts";
import { load } from "../data.ts";

export interface Few {
  readonly rows: Tensor<"float32">;
  readonly truth: Int32Array;
  readonly clusters: number;
}

/** The first rows of a data set. */
export async function few(root: string, name: string, count: number): Promise<Few> {
  const { data, labels, classes } = await load(root, name);
  const { shape, data: values } = data.tensor!;
  const width = values.length / shape[0]!;
  return {
    rows: tensor("float32", [count, ...shape.slice(1)], values.slice(0, count * width)),
    truth: labels.slice(0, count),
    clusters: classes,
  };
}

export interface Said {
  readonly method: string;
  readonly profile?: "paper" | "practical";
  readonly options: Readonly<Record<string, unknown>>;
  readonly seed?: number;
}

export interface Stage {
  readonly phase: Epoch["phase"];
  readonly epoch: number;
  readonly model: Model;
  /** The same network with other centers. */
  withCenters(centers: Tensor<"float32">): Model;
}

export interface Trained {
  readonly fit: Fit;
  readonly history: readonly Epoch[];
  readonly stages: readonly Stage[];
  close(): Promise<void>;
}

/** A training to its end, scored after every epoch, and a model of it as it was in the wanted ones. */
export async function trained(
  { rows, truth, clusters }: Few,
  { method, profile = "practical", options, seed = 1 }: Said,
  device: Device,
  wanted: (epoch: Pick<Epoch, "phase" | "epoch">) => boolean = () => false,
): Promise<Trained> {
  const kept: Checkpoint[] = [];
  let last: Epoch | undefined;
  const said = {
    ...{ method, profile, clusters, seed, labels: truth },
    options: { ...options, restarts: 1 },
    onCheckpoint: async (take: () => Promise<Checkpoint>) => {
      if (last && wanted(last)) kept.push(await take());
    },
  };
  const training = fitting(inMemory(rows), said, device);
  let step = await training.next();
  while (!step.done) {
    last = step.value;
    step = await training.next();
  }
  const fit = step.value;
  const stages = kept.map(({ phase, epoch, state }) => {
    const modelWith = (own: Checkpoint["state"]): Model => modelOf({ ...fit, state: own }, undefined, device, Model);
    const withCenters = (centers: Tensor<"float32">): Model => modelWith(new Map([...state, ["centers", centers]]));
    return { phase, epoch, model: modelWith(state), withCenters };
  });
  return {
    fit,
    history: fit.history,
    stages,
    close: async () => {
      for (const { model } of stages) await model.close();
    },
  };
}

/** A network that a processor trains in seconds. */
export const small = { network: "fullyConnected", hidden: [256, 256, 512], batch: 64 } as const;

/** The codes in two dimensions, with their labels: our own map where the papers have t-SNE. */
export async function picture(
  codes: Tensor<"float32">,
  truth: ArrayLike<number>,
  centers?: Tensor<"float32">,
): Promise<{ points: [number, number, number][]; centers: [number, number][] }> {
  const [n, d] = codes.shape as [number, number];
  const k = centers?.shape[0] ?? 0;
  const all = new Float32Array((n + k) * d);
  all.set(codes.data);
  if (centers) all.set(centers.data, n * d);
  const { positions } = await map(tensor("float32", [n + k, d], all), { seed: 1 });
  const at = toNumbers(positions as Tensor).map((value) => Math.round(100 * value) / 100);
  const place = (i: number): [number, number] => [at[2 * i]!, at[2 * i + 1]!];
  return {
    points: Array.from({ length: n }, (_, i) => [...place(i), truth[i]!] as [number, number, number]),
    centers: Array.from({ length: k }, (_, j) => place(n + j)),
  };
}

/** Rows that are pictures of one channel, from 0 to 1, as PNGs. */
export function pngsOf(rows: Tensor<"float32">, side: number): string[] {
  const width = side * side;
  return Array.from({ length: rows.shape[0]! }, (_, i) => {
    const pixels = Uint8Array.from(rows.data.subarray(i * width, (i + 1) * width), (value) =>
      Math.max(0, Math.min(255, Math.round(255 * value))),
    );
    return Buffer.from(encodePng(pixels, side, side, 1)).toString("base64");
  });
}

/** What every measurement says of itself. */
export const said = (command: string) => ({ commit: commitOf(), command: `bench papers ${command} --run` });

/** Scores and losses after every epoch of clustering. */
export function curveOf(history: readonly Epoch[]): Record<string, [number, number][]> {
  const clustering = history.filter(({ phase }) => phase === "clustering");
  const of = (value: (epoch: Epoch) => number | undefined): [number, number][] =>
    clustering.flatMap((epoch) => {
      const found = value(epoch);
      return found === undefined ? [] : [[epoch.epoch, Number(found.toPrecision(5))]];
    });
  return {
    ACC: of(({ scores }) => scores && 100 * scores.accuracy!),
    NMI: of(({ scores }) => scores && 100 * scores.nmi!),
    ARI: of(({ scores }) => scores && 100 * scores.ari!),
    loss: of(({ losses }) => losses.loss),
  };
}
