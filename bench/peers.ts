/**
 * Telltale beside what people use instead: the same rows and seeds, in one run. Cells are dealt out to lanes that work
 * side by side, each bound to processors of its own, so that whatever else the machine does meets all alike. Each cell
 * is a process and a line of OUT; what has its line is not run again, what takes over 30 minutes is stopped and marked,
 * and what is not done after --minutes has no line yet. The longest begin, by what other seeds of theirs took.
 *
 * usage: npm run -s bench -- peers --data DIR [--tables DIR] [--only DATA/METHOD,…] [--lanes N] [--first 0]
 *          [--processors 2] [--gpu] [--minutes M] [--python python3] [--out bench/results/peers.jsonl]
 *        (tables: those of bench/peers/tables.py; packages: bench/peers/requirements.txt; --gpu: for ClustPy;
 *        --first: the lane to begin with, beside another run)
 *        npm run -s bench -- peers --write       writes docs/peers.md and its picture from what is recorded
 */

import { spawn } from "node:child_process";
import { appendFile, readdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fit } from "../src/doors/node.ts";
import { scoresOf } from "../src/training/scoresOf.ts";
import { commitOf } from "./commit.ts";
import { load, loadFolder } from "./data.ts";
import { cellsOf, dataSets, peers as known, nameOf, type PeerCell, type PeerLine } from "./peersCells.ts";
import { peersPages } from "./peersPage.ts";
import { linesIn } from "./records.ts";

const longest = 30;

interface Options {
  readonly data: string;
  readonly tables: string;
  readonly python: string;
  /** Of each lane. */
  readonly processors: string;
  /** ClustPy's networks learn on one. */
  readonly gpu: boolean;
}

export async function peers(parameters: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      data: { type: "string", default: "" },
      tables: { type: "string", default: "" },
      only: { type: "string", default: "" },
      lanes: { type: "string", default: String(Math.max(1, Math.floor(availableParallelism() / 2))) },
      first: { type: "string", default: "0" },
      processors: { type: "string", default: "2" },
      gpu: { type: "boolean", default: false },
      minutes: { type: "string", default: "1000" },
      python: { type: "string", default: "python3" },
      out: { type: "string", default: "bench/results/peers.jsonl" },
      cell: { type: "string" },
      write: { type: "boolean", default: false },
    },
  });
  if (values.write) {
    for (const [file, text] of await peersPages()) await writeFile(file, text);
    return;
  }
  if (values.cell) {
    console.log(JSON.stringify(await ownCell(values.cell, values)));
    return;
  }
  if (!values.data && !values.tables) {
    throw new Error("bench: say with --data where the data sets are, with --tables where the tables are, or both");
  }
  const recorded = await linesIn<PeerLine>(values.out);
  const cells = await cellsLeft(values, recorded);
  const deadline = performance.now() + 60_000 * Number(values.minutes);
  const left = (): number => deadline - performance.now();
  const lane = async (number: number): Promise<void> => {
    const next = (): PeerCell | undefined => takeFirst(cells, (cell) => expected(cell, recorded) < left());
    for (let cell = next(); cell; cell = next()) {
      const line = await run(cell, number, values, left());
      if (line) await appendFile(values.out, `${JSON.stringify(line)}\n`);
    }
  };
  const first = Number(values.first);
  await Promise.all(Array.from({ length: Number(values.lanes) }, (_, number) => lane(first + number)));
}

/** Those that were asked for and have no line yet, the longest first. */
async function cellsLeft(
  { data, tables, only }: Options & { only: string },
  recorded: readonly PeerLine[],
): Promise<PeerCell[]> {
  const wanted = only.split(",").filter(Boolean);
  const done = new Set(recorded.map(({ cell }) => cell));
  return cellsOf(tables ? (await readdir(tables)).sort() : [])
    .filter((cell) => data || !(cell.data in dataSets))
    .filter((cell) => wanted.length === 0 || wanted.some((name) => isIn(nameOf(cell), name)))
    .filter((cell) => !done.has(nameOf(cell)))
    .sort((a, b) => expected(b, recorded) - expected(a, recorded));
}

/** Milliseconds, as long as another seed took; a few minutes where none has run. */
function expected({ data, method }: PeerCell, recorded: readonly PeerLine[]): number {
  const other = recorded.find((line) => line.data === data && line.method === method);
  return other?.stopped ? 60_000 * longest : 1000 * (other?.seconds ?? 300);
}

function takeFirst<T>(values: T[], fits: (value: T) => boolean): T | undefined {
  const at = values.findIndex(fits);
  return at < 0 ? undefined : values.splice(at, 1)[0];
}

/** Whether parts of a cell's name, one after the other, are these; `kmeans` is also that of standardized columns. */
function isIn(cell: string, name: string): boolean {
  return [cell, cell.replace("+", "")].some((text) => `/${text}/`.includes(`/${name}/`));
}

/** One cell in a process of its own on its processors; nothing where time was up or a package is not installed. */
async function run(
  cell: PeerCell,
  lane: number,
  { data, tables, python, processors, gpu }: Options,
  left: number,
): Promise<PeerLine | undefined> {
  const [name, limit] = [nameOf(cell), longest * 60_000];
  const places = [...(data ? ["--data", data] : []), ...(tables ? ["--tables", tables] : [])];
  const words = known[cell.method]?.own
    ? [process.execPath, process.argv[1]!, "peers", "--cell", name, ...places]
    : [python, "bench/peers/peers.py", cell.data, cell.method, String(cell.seed), ...places];
  const own = Array.from({ length: Number(processors) }, (_, at) => Number(processors) * lane + at);
  const environment = {
    ...process.env,
    ...Object.fromEntries(["OMP", "OPENBLAS", "MKL", "NUMBA"].map((of) => [`${of}_NUM_THREADS`, processors])),
    ...(gpu ? {} : { CUDA_VISIBLE_DEVICES: "" }),
  };
  const { status, printed, said } = await finished(
    ["taskset", "-c", own.join(), ...words],
    environment,
    Math.min(limit, left),
  );
  const about = { cell: name, ...cell };
  const waiting = Math.round((100 * loadavg()[0]!) / availableParallelism()) / 100;
  const machine = `${cpus()[0]?.model.trim()}, ${processors} of ${cpus().length} processors`;
  const where = { machine, waiting, commit: commitOf() };
  const last = said.trim().split("\n").at(-1) ?? "";
  if (status === 0) {
    const found = JSON.parse(printed.trim().split("\n").at(-1)!) as Pick<PeerLine, "scores" | "seconds">;
    const percent = (100 * found.scores!.accuracy).toFixed(1);
    console.log(`${name.padEnd(36)} ACC ${percent}  ARI ${found.scores!.ari.toFixed(3)}  ${found.seconds} s`);
    return { ...about, ...found, ...where };
  }
  if (status === "late" && left < limit) return undefined;
  console.log(`${name.padEnd(36)} ${status === "late" ? `stopped after ${longest} minutes` : last}`);
  if (status === 127 || /ModuleNotFoundError|ENOENT/.test(last)) return undefined;
  return { ...about, stopped: status === "late" ? `over ${longest} minutes` : last.slice(0, 200), ...where };
}

/** What a process printed, and how it ended: by itself, or since time was up. */
function finished(words: readonly string[], environment: NodeJS.ProcessEnv, milliseconds: number) {
  const child = spawn(words[0]!, words.slice(1), { env: environment });
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, milliseconds);
  const text = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    text.out += part;
  });
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    text.err = (text.err + part).slice(-10_000);
  });
  return new Promise<{ status: number | "late"; printed: string; said: string }>((resolve) => {
    child.on("error", ({ message }) => {
      clearTimeout(late);
      resolve({ status: 1, printed: "", said: message });
    });
    child.on("close", (code, signal) => {
      clearTimeout(late);
      const said = signal && !isLate ? `${text.err}\nended by ${signal}` : text.err;
      resolve({ status: isLate ? "late" : (code ?? 1), printed: text.out, said });
    });
  });
}

/** A cell of Telltale: the rows as they are, the number of clusters and the effort, nothing else. */
async function ownCell(name: string, { data: root, tables }: Options) {
  const [data, method, seed] = name.split("/") as [string, string, string];
  const labelled = await (data in dataSets ? load(root, data) : loadFolder(join(tables, data)));
  const effort = method === "telltale-quick" ? "quick" : "normal";
  const started = performance.now();
  const model = await fit(labelled.data, { clusters: labelled.classes, seed: Number(seed), device: "cpu", effort });
  const seconds = Math.round((performance.now() - started) / 10) / 100;
  const { accuracy, nmi, ari } = scoresOf(labelled.labels, model.labels);
  const { teacher, view } = model.fit.taught!;
  const found = {
    scores: { accuracy, nmi, ari },
    clusters: new Set(model.labels).size,
    seconds,
    peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
    teacher: `${teacher} of ${view}`,
    threads: availableParallelism(),
  };
  await model.close();
  return found;
}
