/**
 * Does anything that a stranger can send hurt? Files of every format and every file of a run folder, damaged at random;
 * arguments, environments and disks that nobody has: in a process that takes one after another, and a share of them
 * through the real command. Prints eight numbers, of which the last six must be 0, and fails where they are not.
 *
 * usage: npm run -s bench -- hostile [--inputs 10000] [--command 500] [--seed 1] [--seconds S] [--longest 30]
 *          [--processes 1]    (side by side, two inputs at a time each; --part I/N is one of them)
 *          [--out bench/results/hostile.json] [--keep FOLDER]    (the inputs with a fault, one of each kind)
 *        npm run -s bench -- hostile --case SEED|FILE [--minimise FILE]
 *        npm run -s bench -- hostile --client 10000 [--seed 1]    (requests to the server of telltale view)
 */

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { hash } from "../../src/tensor/random.ts";
import { commitOf } from "../commit.ts";
import { attackServer } from "./client.ts";
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
      processes: { type: "string", default: "1" },
      part: { type: "string", default: "0/1" },
      samples: { type: "string" },
      out: { type: "string", default: "bench/results/hostile.json" },
      keep: { type: "string" },
      case: { type: "string" },
      minimise: { type: "string" },
      client: { type: "string" },
    },
  });
  if (values.client !== undefined) return client(Number(values.client), Number(values.seed));
  if (values.case !== undefined) return replay(values.case, Number(values.longest), values.minimise);
  const [inputs, command, seed] = [Number(values.inputs), Number(values.command), Number(values.seed)];
  const [part, parts] = values.part.split("/").map(Number) as [number, number];
  const processes = Number(values.processes);
  const alone = (samples: string): Promise<Result> =>
    attacked(samples, {
      ...{ inputs, command, seed, part, parts },
      longest: Number(values.longest),
      ...(values.seconds && { seconds: Number(values.seconds) }),
      ...(values.keep && { keep: values.keep }),
      onProgress: (line) => console.error(line),
    });
  const result = values.samples
    ? await alone(values.samples)
    : await withSamples((samples) => (processes > 1 ? sideBySide(processes, samples, parameters) : alone(samples)));
  for (const [name, count] of Object.entries(result.numbers)) console.log(`${name}: ${count}`);
  for (const { kind, detail, seed, what, words, count } of result.found) {
    console.error(
      `${count} × ${kind}, --case ${seed}: telltale ${words.join(" ").slice(0, 160)}\n    ${what}: ${detail}`,
    );
  }
  const record = {
    ...result.numbers,
    seed,
    commit: commitOf(),
    command: `bench hostile --inputs ${inputs} --command ${command} --seed ${seed}`,
    ...(processes > 1 && { processes }),
    seconds: result.seconds,
    slowest: result.slowest,
    found: result.found,
    notes: result.notes,
  };
  // Where it was tried concerns nobody.
  const text = JSON.stringify(record, null, 2).replaceAll(/[^\s"'(]*telltale-(hostile|samples)-\w+/g, "@");
  await writeFile(values.out, `${text}\n`);
  if (faultKinds.some((kind) => result.numbers[kind] !== 0)) process.exitCode = 1;
}

/** Counts that must be 0, and a file of all of them. */
async function client(requests: number, seed: number): Promise<void> {
  const started = performance.now();
  const result = await attackServer(join(dist, "src/cli/main.js"), requests, seed);
  const { memory, statuses, found, requests: _, ...faults } = result;
  for (const [name, count] of Object.entries({ requests: result.requests, ...faults }))
    console.log(`${name}: ${count}`);
  console.log(`memory: ${memory.before} MB before, ${memory.most} MB at most`);
  for (const line of found) console.error(line);
  const command = `bench hostile --client ${requests} --seed ${seed}`;
  const record = {
    ...result,
    seed,
    commit: commitOf(),
    command,
    seconds: Math.round((performance.now() - started) / 1000),
  };
  await writeFile("bench/results/hostile-client.json", `${JSON.stringify(record, null, 2)}\n`);
  if (Object.values(faults).some((count) => count !== 0)) process.exitCode = 1;
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
  /** Of all inputs only each `parts`-th, from `part` on. */
  readonly part?: number;
  readonly parts?: number;
  /** A folder for the inputs with a fault, one of each kind. */
  readonly keep?: string;
  readonly onProgress?: (line: string) => void;
}

interface Found extends Fault, Pick<Input, "what" | "words"> {
  readonly seed: number;
  count: number;
}

interface Note {
  readonly note: string;
  readonly seed: number;
  count: number;
}

/** A command that says how far it has come may take more than the longest silence: how long the longest took. */
interface Slowest {
  readonly seconds: number;
  readonly seed: number;
  readonly words: string;
}

interface Result {
  readonly slowest: Slowest;
  readonly numbers: Record<"inputs" | "through the command" | (typeof faultKinds)[number], number>;
  readonly found: readonly Found[];
  readonly notes: readonly Note[];
  readonly seconds: number;
}

/** Tries so many inputs, two at a time. */
export async function attacked(samples: string, attack: Attack): Promise<Result> {
  const { inputs, command, seed, longest = 30, seconds, part = 0, parts = 1, keep, onProgress } = attack;
  const started = performance.now();
  const numbers = none();
  const found = new Map<string, Found>();
  const notes = new Map<string, Note>();
  let slowest: Slowest = { seconds: 0, seed: 0, words: "" };
  const stride = command > 0 ? inputs / command : Number.POSITIVE_INFINITY;
  let next = part;
  const isLate = (): boolean => seconds !== undefined && performance.now() - started > 1000 * seconds;
  const work = async (): Promise<void> => {
    const lane = new Lane({ dist, samples, longest });
    while (next < inputs && !isLate()) {
      const at = next;
      next += parts;
      const isCommand = Math.floor((at + 1) / stride) > Math.floor(at / stride);
      const input = await inputOf(seedOf(seed, at, isCommand), samples);
      const outcome = await lane.tried(input);
      numbers.inputs++;
      if (outcome.seconds > slowest.seconds) {
        const words = input.words.join(" ").slice(0, 160);
        slowest = { seconds: Math.round(10 * outcome.seconds) / 10, seed: input.seed!, words };
      }
      if (isCommand) numbers["through the command"]++;
      for (const fault of faultsIn(input, outcome)) {
        numbers[fault.kind]++;
        const signature = signatureOf(fault, input);
        const known = found.get(signature);
        if (known) known.count++;
        else {
          found.set(signature, { ...fault, seed: input.seed!, what: input.what, words: input.words, count: 1 });
          if (keep !== undefined) await kept(keep, input, fault);
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
  return { numbers, slowest, found: [...found.values()], notes: [...notes.values()], seconds: taken };
}

function none(): Result["numbers"] {
  const faults = Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as Record<(typeof faultKinds)[number], number>;
  return { inputs: 0, "through the command": 0, ...faults };
}

/** The same inputs, dealt out to processes of this bench. */
async function sideBySide(processes: number, samples: string, parameters: readonly string[]): Promise<Result> {
  const started = performance.now();
  const parts = await Promise.all(
    Array.from({ length: processes }, async (_, i): Promise<Result> => {
      const out = join(samples, `part-${i}.json`);
      const words = ["hostile", ...parameters, "--part", `${i}/${processes}`, "--samples", samples, "--out", out];
      const child = fork(process.argv[1]!, words, { stdio: ["ignore", "ignore", "inherit", "ipc"], execArgv: [] });
      await once(child, "close");
      const { found, notes, seconds, slowest, ...counts } = JSON.parse(await readFile(out, "utf8"));
      return { numbers: counts, slowest, found, notes, seconds };
    }),
  );
  const numbers = none();
  for (const name of Object.keys(numbers) as (keyof typeof numbers)[]) {
    for (const part of parts) numbers[name] += part.numbers[name];
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  const slowest = parts.map((part) => part.slowest).reduce((a, b) => (a.seconds >= b.seconds ? a : b));
  return {
    ...{ numbers, slowest, seconds },
    found: parts.flatMap(({ found }) => found),
    notes: parts.flatMap(({ notes }) => notes),
  };
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

async function kept(folder: string, input: Input, fault: Fault): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${fault.kind.replaceAll(/\W+/g, "-")}-${input.seed}.json`), asJson(input));
}
