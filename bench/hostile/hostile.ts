/**
 * Does anything that a stranger can send hurt? Files of every format and every file of a run folder, damaged at random;
 * arguments, environments and disks that nobody has: in a process that takes one after another, and a share of them
 * through the real command. Prints eight numbers, of which the last six must be 0, and fails where they are not.
 *
 * usage: npm run -s bench -- hostile [--inputs 10000] [--command 500] [--seed 1] [--seconds S] [--longest 30]
 *          [--out bench/results/hostile.json] [--keep FOLDER]    (the inputs with a fault, one of each kind)
 *        npm run -s bench -- hostile --case SEED|FILE [--minimise FILE]
 */

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { hash } from "../../src/tensor/random.ts";
import { commitOf } from "../commit.ts";
import { inputOf } from "./generate.ts";
import { asJson, type Input } from "./input.ts";
import { Lane } from "./lane.ts";
import { minimised } from "./minimise.ts";
import { type Fault, faultKinds, faultsIn, notesOn, signatureOf } from "./outcome.ts";
import { makeSamples } from "./samples.ts";

// From bench/hostile/ under test, from dist/bench/hostile/ when it is built.
const root = fileURLToPath(new URL(import.meta.url.includes("/dist/") ? "../../../" : "../../", import.meta.url));
const dist = join(root, "dist");
const lanes = 2;

export async function hostile(parameters: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      inputs: { type: "string", default: "10000" },
      command: { type: "string", default: "500" },
      seed: { type: "string", default: "1" },
      seconds: { type: "string" },
      longest: { type: "string", default: "30" },
      out: { type: "string", default: "bench/results/hostile.json" },
      keep: { type: "string" },
      case: { type: "string" },
      minimise: { type: "string" },
    },
  });
  if (values.case !== undefined) return replay(values.case, Number(values.longest), values.minimise);
  const [inputs, command, seed] = [Number(values.inputs), Number(values.command), Number(values.seed)];
  const result = await withSamples((samples) =>
    attacked(samples, {
      inputs,
      command,
      seed,
      longest: Number(values.longest),
      ...(values.seconds && { seconds: Number(values.seconds) }),
      onProgress: (line) => console.error(line),
    }),
  );
  if (values.keep) await keep(values.keep, result.found);
  for (const [name, count] of Object.entries(result.numbers)) console.log(`${name}: ${count}`);
  const found = result.found.map(({ input, fault, count }) => ({
    ...fault,
    seed: input.seed,
    what: input.what,
    words: input.words,
    count,
  }));
  for (const { kind, detail, seed, what, words, count } of found) {
    console.error(
      `${count} × ${kind}, --case ${seed}: telltale ${words.join(" ").slice(0, 160)}\n    ${what}: ${detail}`,
    );
  }
  const record = {
    ...result.numbers,
    seed,
    commit: commitOf(),
    command: `bench hostile --inputs ${inputs} --command ${command} --seed ${seed}`,
    seconds: result.seconds,
    found,
    notes: result.notes,
  };
  // Where it was tried concerns nobody.
  const text = JSON.stringify(record, null, 2).replaceAll(/[^\s"'(]*telltale-(hostile|samples)-\w+/g, "@");
  await writeFile(values.out, `${text}\n`);
  if (faultKinds.some((kind) => result.numbers[kind] !== 0)) process.exitCode = 1;
}

export interface Attack {
  readonly inputs: number;
  /** How many of them go through the command. */
  readonly command: number;
  readonly seed: number;
  /** In seconds: what hangs that long hangs. */
  readonly longest?: number;
  /** Ends then, however many inputs are left. */
  readonly seconds?: number;
  readonly onProgress?: (line: string) => void;
}

export interface Found {
  readonly input: Input;
  readonly fault: Fault;
  count: number;
}

type Numbers = Record<"inputs" | "through the command" | (typeof faultKinds)[number], number>;

/** Tries so many inputs, two at a time. */
export async function attacked(samples: string, { inputs, command, seed, longest = 30, seconds, onProgress }: Attack) {
  const started = performance.now();
  const numbers: Numbers = {
    inputs: 0,
    "through the command": 0,
    ...(Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as Record<(typeof faultKinds)[number], number>),
  };
  const found = new Map<string, Found>();
  const notes = new Map<string, { note: string; seed: number; count: number }>();
  const stride = command > 0 ? inputs / command : Number.POSITIVE_INFINITY;
  let next = 0;
  const isLate = (): boolean => seconds !== undefined && performance.now() - started > 1000 * seconds;
  const work = async (): Promise<void> => {
    const lane = new Lane({ dist, samples, longest });
    while (next < inputs && !isLate()) {
      const at = next++;
      const isCommand = Math.floor((at + 1) / stride) > Math.floor(at / stride);
      const input = await inputOf(seedOf(seed, at, isCommand), samples);
      const outcome = await lane.tried(input);
      numbers.inputs++;
      if (isCommand) numbers["through the command"]++;
      for (const fault of faultsIn(input, outcome)) {
        numbers[fault.kind]++;
        const signature = signatureOf(fault, input);
        const known = found.get(signature);
        if (known) known.count++;
        else {
          found.set(signature, { input, fault, count: 1 });
          onProgress?.(`hostile: ${fault.kind}, --case ${input.seed}: ${input.what}: ${fault.detail}`);
        }
      }
      for (const note of notesOn(outcome)) {
        const key = note.replaceAll(/\/\S+|\d+/g, "#").slice(0, 90);
        const known = notes.get(key);
        if (known) known.count++;
        else notes.set(key, { note, seed: input.seed!, count: 1 });
      }
      if (numbers.inputs % 250 === 0) onProgress?.(`hostile: ${numbers.inputs} of ${inputs}`);
    }
    await lane.close();
  };
  await Promise.all(Array.from({ length: lanes }, work));
  const taken = Math.round((performance.now() - started) / 1000);
  return { numbers, found: [...found.values()], notes: [...notes.values()], seconds: taken };
}

/** Even ones are tried inside, odd ones by a command. */
function seedOf(seed: number, at: number, isCommand: boolean): number {
  return 2 * (hash(`${seed}/${at}`) >>> 1) + (isCommand ? 1 : 0);
}

/** Lets `use` have the samples, made by the build that is tried. */
async function withSamples<T>(use: (samples: string) => Promise<T>): Promise<T> {
  const samples = await mkdtemp(join(tmpdir(), "telltale-samples-"));
  try {
    await makeSamples(samples, join(dist, "src/cli/main.js"));
    return await use(samples);
  } finally {
    await rm(samples, { recursive: true, force: true });
  }
}

/** A lane for single cases. */
export function laneFor(samples: string, longest = 30): Lane {
  return new Lane({ dist, samples, longest });
}

async function replay(name: string, longest: number, to: string | undefined): Promise<void> {
  await withSamples(async (samples) => {
    const lane = laneFor(samples, longest);
    const input = /^\d+$/.test(name)
      ? await inputOf(Number(name), samples)
      : (JSON.parse(await readFile(name, "utf8")) as Input);
    const outcome = await lane.tried(input);
    const faults = faultsIn(input, outcome);
    console.log(
      asJson({ ...input, files: Object.fromEntries(Object.keys(input.files).map((file) => [file, "…"])) }).trim(),
    );
    console.log(
      JSON.stringify({ ...outcome, out: outcome.out.slice(-1000), faults, notes: notesOn(outcome) }, null, 2),
    );
    if (faults.length > 0) process.exitCode = 1;
    if (to !== undefined) {
      const kind = faults[0]?.kind;
      const isSame = async (smaller: Input): Promise<boolean> =>
        faultsIn(smaller, await lane.tried(smaller)).some((fault) => fault.kind === kind);
      await writeFile(to, asJson(kind ? await minimised(input, isSame) : input));
    }
    await lane.close();
  });
}

async function keep(folder: string, found: readonly Found[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { input, fault } of found) {
    await writeFile(join(folder, `${fault.kind.replaceAll(/\W+/g, "-")}-${input.seed}.json`), asJson(input));
  }
}
