/** A stream as people run it: in a process that may be killed without warning. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { cp, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asCsv, asJson, someRows } from "../run/rows.ts";
import { finishedRun } from "../support/run.ts";

const script = fileURLToPath(new URL("../support/stream-rows.mjs", import.meta.url));
const rows = someRows(12_000);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-stream-"));
  await finishedRun(join(folder, "fitted"), { source: { ids: ["name"] } });
});
afterAll(() => rm(folder, { recursive: true }));

type Names = [input: string, run: string, out: string];

interface Attempt {
  readonly run: string;
  readonly input: string;
  readonly out: string;
  /** How the rows come: by the file's name, through a pipe, or as a file that is standard input. */
  readonly by: "name" | "pipe" | "file";
  /** Killed so many milliseconds after its first commit. */
  readonly kill?: number;
}

/** What it has printed: nothing, if it was killed. */
async function attempt({ run, input, out, by, kill }: Attempt): Promise<string> {
  const file = by === "file" ? await open(input) : undefined;
  const child = spawn(process.execPath, [script, run, by === "name" ? input : "-", out, "2"], {
    stdio: [file?.fd ?? "pipe", "pipe", "pipe"],
  });
  // Whoever is killed does not read on.
  child.stdin?.on("error", () => {});
  if (by === "pipe") createReadStream(input, { highWaterMark: 1000 }).pipe(child.stdin!);
  let [output, errors] = ["", ""];
  child.stdout!.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr!.on("data", (chunk) => {
    if (kill !== undefined && errors === "") setTimeout(() => child.kill("SIGKILL"), kill);
    errors += chunk;
  });
  const [code, signal] = await once(child, "close");
  await file?.close();
  if (code !== 0 && signal !== "SIGKILL") throw new Error(errors);
  return output;
}

describe("a stream that is killed", () => {
  it.each([
    ["a file of CSV", "name", asCsv(rows), 4],
    ["a pipe of JSON lines", "pipe", asJson(rows), 4],
    ["standard input that is a file", "file", asCsv(rows), 2],
  ] as const)("goes on in %s, and no row is lost or comes twice", async (_, by, text, kills) => {
    const [input, run, out] = ["rows", "run", "out"].map((name) => join(folder, `${name}-${by}`)) as Names;
    await writeFile(input, text);
    await cp(join(folder, "fitted"), `${run}-whole`, { recursive: true });
    const whole = JSON.parse(await attempt({ run: `${run}-whole`, input, out: `${out}-whole`, by }));
    expect(whole).toMatchObject({ first: 0, rows: rows.length, finished: true });

    // It is killed at random moments until it comes to its end, and all begins again until it has been killed often
    // enough.
    for (let killed = 0; killed < kills; ) {
      await rm(out, { force: true });
      await rm(run, { recursive: true, force: true });
      await cp(join(folder, "fitted"), run, { recursive: true });
      let [output, attempts] = ["", 0];
      for (; output === ""; attempts++)
        output = await attempt({
          run,
          input,
          out,
          by,
          ...(killed + attempts < kills && { kill: Math.random() * 700 }),
        });
      killed += attempts - 1;
      const last = JSON.parse(output);
      expect(last.first > 0).toBe(attempts > 1);
      expect(last.first + last.rows).toBe(rows.length);
      expect(last.drift).toEqual(whole.drift);
      expect(await readFile(out, "utf8")).toBe(await readFile(`${out}-whole`, "utf8"));
      for (const name of ["weights.safetensors", "model.onnx"]) {
        const [one, other] = [await readFile(join(run, name)), await readFile(join(`${run}-whole`, name))];
        expect(one.equals(other)).toBe(true);
      }
    }
  });
});
