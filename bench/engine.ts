/**
 * How fast is a training step?
 *
 * Measures one step (forward, backward, Adam; batch 256) of the 784-500-500-2000-10 autoencoder and of TELL's
 * convolutional one on 28×28 images, this machine's matrix product through the same runtime, and PyTorch's steps where
 * `import torch` works: in rounds, one after the other, as medians, since clocks and neighbours change from minute to
 * minute.
 *
 * usage: npm run -s bench -- engine [--json] [--device cpu|gpu|wasm] [--rounds N]
 */

import { cpus } from "node:os";
import { parseArgs } from "node:util";
import {
  type Autoencoder,
  adam,
  filled,
  fullyConnected,
  gatherRows,
  gradient,
  input,
  matmul,
  meanSquaredError,
  type Node,
  type Program,
  program,
  Random,
  Session,
  slice,
  tellConvolutional,
  trainingPass,
  type Values,
  variable,
} from "../src/doors/engine.ts";
import { type Device, type DeviceName, devices, findDevice, tensor } from "../src/doors/inside.ts";
import { medianOf } from "./records.ts";
import { Torch } from "./torch.ts";

const batch = 256;
const side = 2048;
const imageCount = 4096;

export async function engine(parameters: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...parameters],
    options: {
      json: { type: "boolean", default: false },
      device: { type: "string", default: "cpu" },
      rounds: { type: "string", default: "5" },
    },
  });
  const device = await findDevice(devices, options.device as DeviceName);
  const torch = await Torch.start(device.name === "gpu" ? "cuda" : "cpu");
  const result = await measure(device, torch, Number(options.rounds));
  torch?.stop();
  if (options.json) console.log(JSON.stringify(result));
  else printTable(result);
}

type Result = Awaited<ReturnType<typeof measure>>;

async function measure(device: Device, torch: Torch | undefined, rounds: number) {
  const memory = await memoryOf1000Steps(device);
  const dense = fullyConnected({ columns: 784, latent: 10 }, Random.seeded(1));
  const conv = tellConvolutional({ channels: 1, height: 28, width: 28, latent: 10 }, Random.seeded(1));
  const product = await Session.open(squareProduct(), device);
  const denseOne = await Training.start(dense, device, 1);
  const denseMany = await Training.start(dense, device, 8);
  const denseBest = await Training.start(dense, device);
  const convBest = await Training.start(conv, device);

  /** What is measured in every round, one after the other: milliseconds, of which the round keeps the median. */
  const work = {
    product: () => burst(4, () => product.run()),
    dense: () => denseBest.burst(48),
    torchDense: async () => torch?.steps("dense", 32) ?? [],
    one: () => denseOne.burst(12),
    many: () => denseMany.burst(24),
    conv: () => convBest.burst(16),
    torchConv: async () => torch?.steps("conv", 12) ?? [],
  };
  type Name = keyof typeof work;
  const measured: Record<Name, number>[] = [];
  for (let turn = 0; turn < rounds; turn++) {
    const medians = {} as Record<Name, number>;
    for (const [name, run] of Object.entries(work)) medians[name as Name] = medianOf(await run());
    measured.push(medians);
  }
  const ms = (name: Name): number => round(medianOf(measured.map((turn) => turn[name])));
  // Ratios within a round, then their median: the machine's speed changes from minute to minute.
  const ratio = (a: Name, b: Name): number => medianOf(measured.map((turn) => turn[a] / turn[b]));
  const ofTorch = (ours: Name, theirs: Name): number | null => (torch ? round(ratio(ours, theirs)) : null);
  return {
    device: device.description,
    machine: `${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.versions.node}`,
    torch: torch ? { settings: torch.settings, denseMs: ms("torchDense"), convMs: ms("torchConv") } : null,
    sgemmGflops: round((2 * side ** 3) / ms("product") / 1e6),
    dense: {
      ms: ms("dense"),
      ofSgemm: round((operations(dense) / (2 * side ** 3)) * ratio("product", "dense")),
      ofTorch: ofTorch("dense", "torchDense"),
    },
    conv: { ms: ms("conv"), ofTorch: ofTorch("conv", "torchConv") },
    steps: { 1: ms("one"), 8: ms("many") },
    stepsPerRun: { dense: denseBest.stepsPerRun, conv: convBest.stepsPerRun },
    rssMb: memory.after1000,
    memoryMb: memory,
  };
}

/** A training that can be timed in bursts. */
class Training {
  readonly #session: Session;
  readonly #data: Values[];

  private constructor(session: Session, data: Values[]) {
    this.#session = session;
    this.#data = data;
  }

  static async start(autoencoder: Autoencoder, device: Device, stepsPerRun?: number, rows = batch): Promise<Training> {
    const session = await Session.open(trainingStep(autoencoder, device), device, stepsPerRun ? { stepsPerRun } : {});
    const random = Random.seeded(2);
    const size = rows * autoencoder.row.reduce((a, b) => a * b, 1);
    const batchOf = (): Values =>
      device.keepsState
        ? {
            rows: tensor(
              "int32",
              [rows],
              Int32Array.from({ length: rows }, () => random.below(imageCount)),
            ),
          }
        : { x: tensor("float32", [rows, ...autoencoder.row], random.uniforms(size)) };
    const rate = filled("float32", [], 1e-3);
    const data = Array.from({ length: session.stepsPerRun }, () => ({ ...batchOf(), rate }));
    return new Training(session, data);
  }

  get stepsPerRun(): number {
    return this.#session.stepsPerRun;
  }

  /** At least this many steps after one run of warming up: milliseconds per step, one number per run. */
  async burst(steps: number): Promise<number[]> {
    const runs = Math.ceil(steps / this.#data.length);
    const times = await burst(runs + 1, () => this.#session.runMany(this.#data));
    return times.map((ms) => ms / this.#data.length);
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}

function trainingStep(autoencoder: Autoencoder, device: Device): Program {
  // A GPU keeps the data and is told which rows to take, as a training does; a processor is handed the rows.
  const x = device.keepsState
    ? gatherRows(images(autoencoder.row), input("rows", ["n"], "int32"))
    : input("x", ["n", ...autoencoder.row]);
  const rate = input("rate", []);
  const pass = trainingPass();
  const loss = meanSquaredError(autoencoder.decode(autoencoder.encode(x, pass), pass), x);
  const gradients = gradient(loss, autoencoder.parameters);
  const optimizer = device.name === "gpu" ? adam({ together: Number.POSITIVE_INFINITY }) : adam();
  return program({
    outputs: { loss },
    updates: [...optimizer(autoencoder.parameters, gradients, rate), ...pass.updates],
  });
}

function images(row: readonly number[]): Node {
  const shape = [imageCount, ...row];
  return variable("images", tensor("float32", shape, Random.seeded(4).uniforms(shape.reduce((a, b) => a * b, 1))));
}

/** One product of two large matrices, of which a single row leaves the runtime. */
function squareProduct(): Program {
  const matrix = (name: string) =>
    variable(name, tensor("float32", [side, side], Random.seeded(3).uniforms(side * side)));
  return program({ outputs: { row: slice(matmul(matrix("a"), matrix("b")), 0, 0, 1) } });
}

/** Multiplications and additions of a dense step: x·W, xᵀ·dy, and dy·Wᵀ for every layer but the first. */
function operations({ parameters }: Autoencoder): number {
  const weights = parameters
    .filter(({ shape }) => shape.length === 2)
    .map(({ shape }) => (shape[0] as number) * (shape[1] as number));
  const all = weights.reduce((a, b) => a + b, 0);
  return 2 * batch * (3 * all - weights[0]!);
}

/** Resident memory in MB after 100 and after 1,000 steps of the dense training, alone in the process. */
async function memoryOf1000Steps(device: Device) {
  const training = await Training.start(fullyConnected({ columns: 784, latent: 10 }, Random.seeded(1)), device);
  const resident = () => Math.round(process.memoryUsage.rss() / 2 ** 20);
  await training.burst(100);
  const after100 = resident();
  await training.burst(900);
  const after1000 = resident();
  await training.close();
  return { after100, after1000 };
}

/** Milliseconds of each run but the first: after a change of program it is slow (caches, memory). */
async function burst(runs: number, run: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < runs; i++) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return times.slice(1);
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}

function printTable(result: Result): void {
  const { dense, conv, steps, torch, memoryMb } = result;
  const ratio = (value: number | null): string => (value === null ? "–" : `${value} × PyTorch`);
  const rows = [
    ["matrix product 2048³", `${result.sgemmGflops} GFLOP/s`, ""],
    [
      "dense step",
      `${dense.ms} ms`,
      `${ratio(dense.ofTorch)}, ${Math.round(dense.ofSgemm * 100)} % of the product's rate`,
    ],
    ["convolutional step", `${conv.ms} ms`, ratio(conv.ofTorch)],
    ["dense, 1 step per run", `${steps[1]} ms`, ""],
    ["dense, 8 steps per run", `${steps[8]} ms`, ""],
    ["memory", `${result.rssMb} MB`, `after 1,000 dense steps; ${memoryMb.after100} MB after 100`],
  ];
  console.log(
    `${result.device}; steps per run: dense ${result.stepsPerRun.dense}, convolutional ${result.stepsPerRun.conv}\n${result.machine}`,
  );
  console.log(
    torch
      ? `PyTorch: dense ${torch.denseMs} ms, convolutional ${torch.convMs} ms (${torch.settings})\n`
      : "PyTorch: python3 does not import it\n",
  );
  for (const [what, value, note] of rows) console.log(`${what!.padEnd(24)}${value!.padStart(14)}   ${note}`);
}
