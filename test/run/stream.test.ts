/** Rows that arrive: what is written does not depend on how they come, nor on how often the stream is stopped. */

import { appendFile, cp, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRunOn } from "../../src/run/folder/openRun.ts";
import { type StreamOptions, streamRowsOn } from "../../src/run/stream/streamRows.ts";
import { cpu } from "../../src/runtime/native.ts";
import { Random } from "../../src/tensor/random.ts";
import { finishedRun } from "../support/run.ts";
import { asCsv, asJson, inPieces, someRows } from "./rows.ts";

const streamRows = streamRowsOn([cpu]);
const rows = someRows(150);

let folder: string;
let fitted: string;
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-stream-"));
  fitted = join(folder, "fitted");
  await finishedRun(fitted, { source: { ids: ["name"] } });
});
afterAll(() => rm(folder, { recursive: true }));

/** A run of its own for each stream, and names for its files. */
async function fresh() {
  const run = join(folder, `run${++count}`);
  await cp(fitted, run, { recursive: true });
  return { run, out: join(folder, `out${count}`), input: join(folder, `input${count}`) };
}

/** The output of an undisturbed stream. */
async function undisturbed(text: string, options: Partial<StreamOptions> = {}): Promise<string> {
  const { run, out } = await fresh();
  await streamRows(run, { format: "csv", batch: 16, input: inPieces(text, 1), out, ...options });
  return readFile(out, "utf8");
}

const weights = (run: string): Promise<Buffer> => readFile(join(run, "weights.safetensors"));

describe("a stream", () => {
  it("writes a line for each row, with what assign says", async () => {
    const { run, out } = await fresh();
    const done = await streamRows(run, { format: "jsonl", out, frozen: true, input: inPieces(asCsv(rows), 5) });
    expect(done).toEqual({ first: 0, rows: 150, skipped: 0, finished: true, out });
    const lines = (await readFile(out, "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ row }) => row)).toEqual(rows.map((_, i) => i));
    expect(lines.map(({ name }) => name)).toEqual(rows.map(({ name }) => name));
    expect(Object.keys(lines[0])).toEqual("row name cluster confidence second margin distance outlier".split(" "));
    const model = await (await openRunOn([cpu])(fitted)).model();
    const { labels, probabilities } = await model.assign(rows.map(({ numbers }) => numbers));
    await model.close();
    expect(lines.map(({ cluster }) => cluster)).toEqual([...labels]);
    expect(lines[7].confidence).toBeCloseTo(probabilities.data[7 * 3 + labels[7]!]!, 6);
    // Nothing has moved.
    expect(await weights(run)).toEqual(await weights(fitted));
  });

  it("gives the same for CSV and JSON lines, in pieces of any size, with any separator and line break", async () => {
    const wanted = await undisturbed(asCsv(rows));
    expect(wanted.split("\n")[0]).toBe("row,name,cluster,confidence,second,margin,distance,outlier");
    for (const text of [
      asCsv(rows, { last: false }),
      asCsv(rows, { separator: "\t", lineBreak: "\r\n" }),
      `\ufeff${asCsv(rows, { separator: ";", lineBreak: "\n\n" })}`,
      asJson(rows),
      `\ufeff${asJson(rows).replaceAll("\n", "\r\n \r\n")}`,
    ]) {
      for (const seed of [2, 3])
        expect(await undisturbed(text, { input: inPieces(text, seed, 7 ** seed) })).toBe(wanted);
    }
    const { input } = await fresh();
    await writeFile(input, asCsv(rows));
    const { run, out } = await fresh();
    await streamRows(run, { format: "csv", batch: 16, source: input, out });
    expect(await readFile(out, "utf8")).toBe(wanted);
  });

  it("moves the centers, and these become the run's model", async () => {
    const { run, out } = await fresh();
    const before = await readFile(join(run, "model.onnx"));
    const reports: number[] = [];
    const onDrift = (report: { rows: number }) => reports.push(report.rows);
    const done = await streamRows(run, { format: "csv", out, rate: 0.5, input: inPieces(asCsv(rows), 5), onDrift });
    expect(done.drift?.rows).toBe(150);
    expect(reports.at(-1)).toBe(150);
    expect(Math.max(...done.drift!.moved)).toBeGreaterThan(0.01);
    expect(await readFile(join(run, "model.onnx"))).not.toEqual(before);
    const open = async (path: string) => (await openRunOn([cpu])(path)).model();
    const [old, moved] = [await open(fitted), await open(run)];
    const [from, to] = [await old.centers(), await moved.centers()];
    const distance = (j: number, [, d] = from.shape as [number, number]): number =>
      Math.hypot(...Array.from({ length: d }, (_, c) => to.data[j * d + c]! - from.data[j * d + c]!));
    expect(done.drift!.moved.every((length, j) => Math.abs(distance(j) - length) < 1e-6)).toBe(true);
    await Promise.all([old.close(), moved.close()]);
  });

  it("writes to standard output as well", async () => {
    const { run } = await fresh();
    let text = "";
    const output = new Writable({
      write: (chunk, _, done) => {
        text += chunk;
        done();
      },
    });
    await streamRows(run, { format: "csv", batch: 16, input: inPieces(asCsv(rows), 5), output });
    expect(text).toBe(await undisturbed(asCsv(rows)));
  });
});

describe("a stream that is stopped", () => {
  const random = Random.seeded(9);

  /** Stops it again and again, with pieces of other sizes each time, until it has come to its end. */
  async function disturbed(options: (attempt: number) => Partial<StreamOptions>, run: string, out: string) {
    let [stops, total] = [0, 0];
    for (let attempt = 0; attempt < 200; attempt++) {
      const stopping = new AbortController();
      let left = random.below(40 + 25 * attempt);
      const counted = options(attempt);
      const input = counted.input && stoppedAfter(counted.input);
      async function* stoppedAfter(pieces: AsyncIterable<Uint8Array>) {
        for await (const piece of pieces) {
          if (left-- <= 0) stopping.abort();
          yield piece;
        }
      }
      // Whoever reads a file is stopped some time after it has begun.
      const onEvent = () => void (input ?? setTimeout(() => stopping.abort(), random.below(100 + 50 * attempt)));
      const done = await streamRows(run, {
        format: "csv",
        out,
        ...(total === 0 && { batch: 16 }),
        ...counted,
        ...(input && { input }),
        signal: stopping.signal,
        onEvent,
      }).catch((error) => {
        // Stopped while it let pass what it has had already.
        if (error !== stopping.signal.reason) throw error;
        return { rows: 0, finished: false, drift: undefined };
      });
      total += done.rows;
      if (done.finished) return { stops, total, drift: done.drift };
      stops++;
      // What a kill would leave: lines that were written and never committed.
      if (random.below(2) === 0 && (await stat(out).catch(() => undefined))) await appendFile(out, "7,half a li");
    }
    throw new Error("it never ends");
  }

  it.each([
    ["CSV", asCsv(someRows(400))],
    ["JSON lines", asJson(someRows(400))],
  ])("goes on in a pipe of %s that is given again, as if nothing had happened", async (_, text) => {
    const whole = await fresh();
    const wanted = await undisturbed(text);
    const { drift } = await streamRows(whole.run, {
      format: "csv",
      batch: 16,
      out: whole.out,
      input: inPieces(text, 1),
    });
    const { run, out } = await fresh();
    const done = await disturbed((attempt) => ({ input: inPieces(text, attempt + 10) }), run, out);
    expect(await readFile(out, "utf8")).toBe(wanted);
    expect(done.stops).toBeGreaterThan(3);
    expect(done.total).toBe(400);
    expect(done.drift).toEqual(drift);
    expect(await weights(run)).toEqual(await weights(whole.run));
  });

  it.each(["kmeansnet", "pcx", "dec"])("goes on with whatever %s moves", async (method) => {
    const own = join(folder, method);
    await finishedRun(own, { method, source: { ids: ["name"] } });
    await cp(own, `${own}-stopped`, { recursive: true });
    const text = asCsv(rows.slice(0, 64));
    const common = { format: "csv", batch: 16 } as const;
    const whole = await streamRows(own, { ...common, out: `${own}.csv`, input: inPieces(text, 1) });
    const stopping = new AbortController();
    async function* half() {
      yield new TextEncoder().encode(text).slice(0, text.length / 2);
      stopping.abort();
    }
    const stopped = { ...common, out: `${own}-stopped.csv` };
    const first = await streamRows(`${own}-stopped`, { ...stopped, input: half(), signal: stopping.signal });
    expect(first.rows).toBeGreaterThan(0);
    const last = await streamRows(`${own}-stopped`, { ...stopped, input: inPieces(text, 2) });
    expect(last.drift).toEqual(whole.drift);
    expect(await readFile(`${own}-stopped.csv`, "utf8")).toBe(await readFile(`${own}.csv`, "utf8"));
    expect(await weights(`${own}-stopped`)).toEqual(await weights(own));
  });

  it("goes on in a file", async () => {
    const text = asCsv(someRows(1200));
    const wanted = await undisturbed(text);
    // A quick machine may come to the end before it is stopped: then all begins again.
    for (let stops = 0, round = 0; stops === 0; round++) {
      expect(round).toBeLessThan(50);
      const { run, out, input } = await fresh();
      await writeFile(input, text);
      const done = await disturbed(() => ({ source: input }), run, out);
      expect(done.total).toBe(1200);
      expect(await readFile(out, "utf8")).toBe(wanted);
      stops = done.stops;
    }
  });

  it("guards formulas from its first line to its last, or not at all", async () => {
    const { run, out, input } = await fresh();
    const named = rows.map((row, i) => ({ ...row, name: i % 2 ? `=1+${i}` : `-${i}` }));
    const text = asCsv(named);
    await writeFile(input, text.slice(0, text.indexOf("\n", text.length / 2) + 1));
    const options = { format: "csv", batch: 8, source: input, out, frozen: true } as const;
    await streamRows(run, { ...options, guardFormulas: true });
    await writeFile(input, text);
    await expect(streamRows(run, options)).rejects.toThrow("was begun with --guard-formulas; say it again");
    await streamRows(run, { ...options, guardFormulas: true });
    const names = (await readFile(out, "utf8"))
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",")[1]);
    expect(names).toEqual(named.map(({ name }) => (name.startsWith("=") ? `'${name}` : name)));
    await expect(streamRows(run, { ...options, format: "jsonl", guardFormulas: true })).rejects.toThrow("in csv only");
  });

  it("follows a file that grows, half lines and all, and leaves what makes no batch", async () => {
    const text = asCsv(rows);
    const bytes = new TextEncoder().encode(text);
    const { run, out, input } = await fresh();
    await writeFile(input, "");
    const stopping = new AbortController();
    const common = { format: "csv", source: input, out, batch: 16 } as const;
    // Nine batches are whole, and are committed once nothing more comes.
    const onDrift = ({ rows }: { rows: number }) => rows === 144 && stopping.abort();
    const following = streamRows(run, { ...common, follow: true, signal: stopping.signal, onDrift });
    for (let at = 0; at < bytes.length; at += 2500) {
      await appendFile(input, bytes.subarray(at, at + 2500));
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    expect(await following).toMatchObject({ rows: 144, finished: false });
    expect(await streamRows(run, common)).toMatchObject({ first: 144, rows: 6, finished: true });
    expect(await readFile(out, "utf8")).toBe(await undisturbed(text));
    // It has grown again: a new stream of the same file goes on at its end.
    await appendFile(input, asCsv(rows.slice(0, 3)).replace(/^.*\n/, ""));
    expect(await streamRows(run, common)).toMatchObject({ first: 150, rows: 3 });
    expect(await streamRows(run, common)).toMatchObject({ first: 153, rows: 0, finished: true });
    expect(await readFile(out, "utf8")).toMatch(/^152,.*\n$/m);
  });

  it("commits while nothing comes, and stops at once", async () => {
    const { run, out } = await fresh();
    const text = asCsv(rows.slice(0, 40));
    async function* silent() {
      yield new TextEncoder().encode(text);
      await new Promise(() => {});
    }
    const stopping = new AbortController();
    let [commits, stopped] = [0, 0];
    const onDrift = ({ rows }: { rows: number }) => {
      if (rows !== 32 || commits++ > 0) return;
      // Long enough for another commit, which must not come: there is nothing new.
      setTimeout(() => {
        stopped = performance.now();
        stopping.abort();
      }, 1200);
    };
    const options = { format: "csv", out, batch: 16, input: silent(), signal: stopping.signal } as const;
    const done = await streamRows(run, { ...options, onDrift });
    expect(performance.now() - stopped).toBeLessThan(5000);
    expect(done).toMatchObject({ rows: 32, finished: false });
    expect(commits).toBe(1);
  });

  it("takes the next pipe for new rows once one has ended, and counts on", async () => {
    const { run, out } = await fresh();
    const text = (part: typeof rows) => asCsv(part);
    const common = { format: "csv", out, batch: 16 } as const;
    await streamRows(run, { ...common, input: inPieces(text(rows.slice(0, 96)), 1) });
    const done = await streamRows(run, { ...common, input: inPieces(text(rows.slice(96)), 1) });
    expect(done).toMatchObject({ first: 96, rows: 54 });
    expect(done.drift?.rows).toBe(150);
    // 96 rows are whole batches, so that it is all the same.
    expect(await readFile(out, "utf8")).toBe(await undisturbed(text(rows)));
  });

  it("goes on with other rows when it is told that they are others", async () => {
    const { run, out } = await fresh();
    const common = { format: "csv", out, batch: 16 } as const;
    const first = inPieces(asCsv(rows.slice(0, 100)), 1, 50);
    const stopping = new AbortController();
    async function* live() {
      yield* first;
      stopping.abort();
    }
    expect(await streamRows(run, { ...common, input: live(), signal: stopping.signal })).toMatchObject({ rows: 96 });
    const input = () => inPieces(asCsv(rows.slice(96)), 1);
    await expect(streamRows(run, { ...common, input: input() })).rejects.toThrow("say --new-input");
    expect(await streamRows(run, { ...common, input: input(), newInput: true })).toMatchObject({ first: 96, rows: 54 });
    expect(await readFile(out, "utf8")).toBe(await undisturbed(asCsv(rows)));
  });

  it("forgets everything when it is told to restart", async () => {
    const { run, out } = await fresh();
    const common = { format: "csv", out } as const;
    await streamRows(run, { ...common, input: inPieces(asJson(rows), 1), rate: 0.9, batch: 7 });
    await streamRows(run, { ...common, input: inPieces(asCsv(rows), 1), batch: 16, restart: true });
    expect(await readFile(out, "utf8")).toBe(await undisturbed(asCsv(rows)));
  });
});

describe("what is wrong is said", () => {
  const header = "name,a,b,c d,größe";
  const good = Array.from({ length: 20 }, (_, i) => `row ${i},0.1,0.2,0.9,0.3`);
  const text = (...lines: string[]): string => `${[header, ...lines].join("\n")}\n`;
  const source = "the input";
  const cure = "correct it, or leave such rows out with --skip-bad";

  async function failing(given: string, options: Partial<StreamOptions> = {}): Promise<string> {
    const { run, out } = await fresh();
    const before = await readdir(run);
    const error = await streamRows(run, { format: "csv", out, input: inPieces(given, 4), ...options }).catch((e) => e);
    expect(error).toBeInstanceOf(Error);
    // Nothing was done, so that nothing is left.
    expect(await readdir(run)).toEqual(before);
    expect(await stat(out).catch(() => undefined)).toBeUndefined();
    return error.message;
  }

  it.each([
    ["a word", ["x,0.1,zwei,0.9,0.3"], 'column b must be a number, got "zwei"'],
    ["nothing", ["x,0.1,,0.9,0.3"], "column b must have a value, it has none; the run was fitted to whole rows"],
    ["an infinity", ["x,0.1,1e39,0.9,0.3"], 'column b must be finite and below 3.4e38, got "1e39"'],
    ["too few", ["x,0.1"], 'must have 5 values as the first line has, it has 2: "x,0.1"'],
    ["an open quote", ['"x,0.1,0.2,0.9,0.3', "more"], 'has a quote (") that is opened and never closed'],
    ["a quote inside", ['"x"y,0.1,0.2,0.9,0.3'], 'must have a "," after a closing quote, got "y,0.1,0.2,0.9,0.3"'],
  ])("about a row with %s", async (_, lines, message) => {
    const given = text('"two\nlines",0.1,0.2,0.9,0.3', ...lines);
    expect(await failing(given)).toBe(`${source}: line 4: ${message}; ${cure}`);
  });

  it("about lines that are no JSON, or no UTF-8, or no text at all", async () => {
    const json = '{"a":0.1,"b":0.2,"c d":0.9,"größe":0.3}\n';
    const wrong = async (line: string): Promise<string> => failing(`${json}${line}\n`);
    expect(await wrong('{"a":')).toBe(`${source}: line 2: must be a whole JSON object, got "{\\"a\\":"; ${cure}`);
    expect(await wrong("[1]")).toBe(
      `${source}: line 2: must be a JSON object such as {"price": 3.5}, got "[1]"; ${cure}`,
    );
    expect(await wrong('{"a":0.1,"b":"?","c d":0.9,"größe":0.3}')).toContain('column b must be a number, got "?"');
    expect(await failing("[{}]")).toBe(`${source}: must have one JSON object in each line, got a list of them`);
    const bytes = async function* (...pieces: number[][]) {
      for (const piece of pieces) yield Uint8Array.from(piece);
    };
    const latin = [...new TextEncoder().encode(`${header}\n`), 0xe9, ...new TextEncoder().encode(",1,1,1,1\n")];
    expect(await failing("", { input: bytes(latin) })).toBe(
      `${source}: line 2: must be UTF-8; convert other text: iconv -f WINDOWS-1252 -t UTF-8; ${cure}`,
    );
    const packed = [0x1f, 0x8b, 8, 0, 0, 0];
    expect(await failing("", { input: bytes(packed) })).toBe(
      `${source}: must be CSV or JSON lines in UTF-8; unpack it, or convert it: iconv -f UTF-16 -t UTF-8`,
    );
  });

  it("about columns", async () => {
    expect(await failing("name,a,b,x\n1,2,3,4\n")).toBe(
      `${source}: the first line must name the columns that the run was fitted to, c d, größe are missing; it has name, a, b, x`,
    );
    expect(await failing('{"a":1}\n')).toContain("the first object must have the columns");
    const { run, out } = await fresh();
    const notices: unknown[] = [];
    await streamRows(run, {
      format: "csv",
      out,
      input: inPieces(asCsv(rows), 1),
      onEvent: (event) => notices.push(event),
    });
    expect(notices.slice(1)).toEqual([{ kind: "notice", sentence: "ignoring the column note" }]);
  });

  it("about a line without an end", async () => {
    async function* endless() {
      yield new TextEncoder().encode(`${header}\n"`);
      for (;;) yield new Uint8Array(1 << 20).fill(97);
    }
    expect(await failing("", { input: endless() })).toBe(
      `${source}: line 2 must not be longer than 16 MB; close the quote that is open there`,
    );
  });

  it("once all that came before counts: it goes on when the row has been corrected", async () => {
    const { run, out, input } = await fresh();
    const options = { format: "csv", out, source: input, batch: 8 } as const;
    await writeFile(input, text(...good.slice(0, 19), "x,oops,0.2,0.9,0.3"));
    await expect(streamRows(run, options)).rejects.toThrow(`${input}: line 21: column a must be a number, got "oops"`);
    expect((await readFile(out, "utf8")).trimEnd().split("\n")).toHaveLength(17);
    await writeFile(input, text(...good));
    expect(await streamRows(run, options)).toMatchObject({ first: 16, rows: 4, finished: true });
    expect(await readFile(out, "utf8")).toBe(await undisturbed(text(...good), { batch: 8 }));
  });

  it("or the row is left out, with an empty line in its place", async () => {
    const bad = ["x,oops,0.2,0.9,0.3", "x,1", '"é",,0.2,0.9,0.3'];
    const { run, out } = await fresh();
    const given = text(...good.slice(0, 3), ...bad, ...good.slice(3));
    const done = await streamRows(run, { format: "csv", out, batch: 4, skipBad: true, input: inPieces(given, 1) });
    expect(done).toMatchObject({ rows: 23, skipped: 3 });
    expect(done.drift?.rows).toBe(20);
    const lines = (await readFile(out, "utf8")).split("\n");
    expect(lines.slice(4, 7)).toEqual(["3,x,,,,,,", '4,"",,,,,,', "5,é,,,,,,"]);
    expect(lines[7]).toMatch(/^6,row 3,\d/);
  });

  it("about an input or an output that is not what it was", async () => {
    const { run, out, input } = await fresh();
    const options = { format: "csv", out, batch: 8 } as const;
    const part = async function* () {
      yield new TextEncoder().encode(text(...good));
      throw new Error("the line is dead");
    };
    await expect(streamRows(run, { ...options, input: part() })).rejects.toThrow("the line is dead");
    const state = await readFile(join(run, "stream", "state.safetensors"));
    const refused = (more: Partial<StreamOptions>) =>
      expect(streamRows(run, { ...options, input: inPieces(text(...good), 1), ...more })).rejects;

    const other = "this is not the input that the stream was stopped in";
    await refused({ input: inPieces(text(...good).replace("row 3", "ROW 3"), 1) }).toThrow(`${source}: ${other}`);
    await refused({ input: inPieces(text(...good.slice(0, 5)), 1) }).toThrow("or --restart to begin anew");
    await writeFile(input, text(...good).replace("row 3", "ROW 3"));
    await refused({ input: undefined as never, source: input }).toThrow(`${input}: ${other}`);
    await refused({ batch: 9 }).toThrow("batch must be what the stream was stopped with, 8, got 9");
    await refused({ rate: 0.2 }).toThrow("rate must be what the stream was stopped with, 0.1, got 0.2");
    await refused({ out: `${out}2` }).toThrow(`was stopped while it wrote to ${out}, got ${out}2`);
    await refused({ format: "jsonl" }).toThrow(`${out}: holds csv and cannot go on as jsonl`);
    const written = await readFile(out);
    await writeFile(out, written.subarray(0, 40));
    await refused({}).toThrow(`${out}: must have the ${written.length} bytes that the stream has written, it has 40`);
    await writeFile(out, written);
    await writeFile(join(run, "lock"), String(process.ppid));
    await refused({}).toThrow("another process writes there");
    await rm(join(run, "lock"));

    // None of this has changed anything.
    expect(await readFile(join(run, "stream", "state.safetensors"))).toEqual(state);
    await writeFile(input, text(...good));
    expect(await streamRows(run, { ...options, source: input })).toMatchObject({ first: 16, rows: 4 });
    expect(await readFile(out, "utf8")).toBe(await undisturbed(text(...good), { batch: 8 }));
    await writeFile(`${out}3`, "mine");
    await refused({ out: `${out}3`, batch: 8 }).toThrow(`${out}3: is there already; choose another file, or delete it`);
    await writeFile(join(run, "stream", "state.safetensors"), state.subarray(0, 100));
    await refused({}).toThrow("what the stream has kept, stream/state.safetensors, cannot be read");
  });
});

describe("the file that a stream writes to", () => {
  it("is not the one that a stranger's folder names, unless it begins as the stream has begun it", async () => {
    const { run, out } = await fresh();
    await streamRows(run, { format: "csv", out, input: inPieces(asCsv(rows), 5) });
    const mine = "dear diary,\n".repeat(10_000);
    await writeFile(out, mine);
    for (const restart of [false, true]) {
      const again = streamRows(run, { format: "csv", out, restart, input: inPieces(asCsv(rows), 5) });
      await expect(again).rejects.toThrow("does not begin as the stream has begun it");
    }
    expect(await readFile(out, "utf8")).toBe(mine);
  });

  it("is no link, not even one that leads nowhere", async () => {
    const { run, out, input } = await fresh();
    await symlink(input, out);
    const going = streamRows(run, { format: "csv", out, input: inPieces(asCsv(rows), 5) });
    await expect(going).rejects.toThrow("its links lead in a circle, or are not followed");
    await expect(stat(input)).rejects.toThrow("ENOENT");
  });
});
