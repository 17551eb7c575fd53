/** Training as people run it: built, in a thread of its own, with checkpoints on disk. */

import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Batch, Data } from "../../src/data/data.ts";
import type { Epoch } from "../../src/training/epoch.ts";
import { readCheckpoint } from "../../src/worker/checkpoints.ts";
import { blobs, tiny } from "../support/blobs.ts";

const built = new URL("../../dist/src/doors/inside.js", import.meta.url).href;
const telltale = (await import(built)) as typeof import("../../src/doors/inside.ts");
const easy = blobs();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("a training in a thread of its own", () => {
  it("leaves this thread free, shows its epochs and gives a model", async () => {
    const training = telltale.fit(easy.rows, { clusters: 3, ...tiny, pretraining: 200, restarts: 2 });
    let epochs = 0;
    const before = performance.eventLoopUtilization();
    for await (const _ of training) epochs++;
    // However hard the other thread works, and whoever else does: this one waits, and is there for others.
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
    // Two pretrainings, a teacher that begins and ends, and one student.
    expect(epochs).toBe(2 * 200 + 2 + (1 + 6));
    const model = await training;
    expect([...(await model.predict(easy.rows))]).toEqual([...model.labels]);
    await model.close();
  });

  it("learns from rows that stay here, batch by batch, and gives the bits of rows that travelled", async () => {
    const { tensor, ...streamed } = telltale.inMemory(easy.rows);
    expect(tensor).toBeDefined();
    let [begun, ended] = [0, 0];
    const watched = async function* (batches: Iterable<Batch> | AsyncIterable<Batch>): AsyncGenerator<Batch> {
      begun++;
      try {
        yield* batches;
      } finally {
        ended++;
      }
    };
    const data: Data = {
      ...streamed,
      shuffled: (size, random) => watched(streamed.shuffled(size, random)),
      inOrder: (size) => watched(streamed.inOrder(size)),
    };
    const options = { clusters: 3, ...tiny, device: "cpu" } as const;
    const [here, there] = [await telltale.fit(easy.rows, options), await telltale.fit(data, options)];
    expect(there.fit.state).toEqual(here.fit.state);
    expect([...there.labels]).toEqual([...here.labels]);
    expect(begun).toBeGreaterThan(20);
    expect(ended).toBe(begun);
    await Promise.all([here.close(), there.close()]);

    const stopping = new AbortController();
    const onEpoch = ({ phase, epoch }: Epoch) => phase === "clustering" && epoch === 2 && stopping.abort();
    const endless = telltale.fit(data, { ...options, epochs: 1e6, onEpoch, signal: stopping.signal });
    await expect(endless).rejects.toThrow("aborted");
    expect(ended).toBe(begun);
  });

  it("says of rows that cannot be read what their owner says", async () => {
    const { tensor: _, ...streamed } = telltale.inMemory(easy.rows);
    const shuffled: Data["shuffled"] = () => {
      throw new RangeError("disk: it is gone");
    };
    const training = telltale.fit({ ...streamed, shuffled }, { clusters: 3, ...tiny });
    const error = await Promise.resolve(training).catch((reason) => reason);
    expect(error).toBeInstanceOf(RangeError);
    expect(error.message).toBe("disk: it is gone");

    // Whatever it is that is thrown, and in the middle of a pass.
    for (const thrown of [Object.assign(new Error("again"), { code: "EIO" }), "a sentence", null]) {
      const inOrder: Data["inOrder"] = function* (size) {
        for (const batch of streamed.inOrder(size) as Iterable<Batch>) {
          yield batch;
          throw thrown;
        }
      };
      const failing = telltale.fit({ ...streamed, inOrder }, { clusters: 3, ...tiny, scaling: "standard" });
      expect(await Promise.resolve(failing).catch((reason) => reason)).toBe(thrown);
    }
  });

  it("is stopped even while it waits for rows that do not come", async () => {
    const { tensor: _, ...streamed } = telltale.inMemory(easy.rows);
    const stopping = new AbortController();
    const shuffled: Data["shuffled"] = async function* () {
      setTimeout(() => stopping.abort(), 50);
      yield await new Promise<never>(() => {});
    };
    const training = telltale.fit({ ...streamed, shuffled }, { clusters: 3, ...tiny, signal: stopping.signal });
    await expect(training).rejects.toThrow("aborted");
  });

  it("gives the bits that it gives in this thread", async () => {
    const options = { clusters: 3, method: "pcx", ...tiny } as const;
    const there = await telltale.fit(easy.rows, options);
    // An own method is code, which cannot travel.
    const here = await telltale.fit(easy.rows, { ...options, method: telltale.methodOf("pcx") });
    expect(here.fit.state).toEqual(there.fit.state);
  });

  it("stops when a signal says so, and when nobody wants more epochs", async () => {
    const stopping = new AbortController();
    const onEpoch = ({ epoch }: Epoch) => epoch === 5 && stopping.abort(new Error("enough"));
    const long = { clusters: 3, ...tiny, pretraining: 100_000 } as const;
    const training = telltale.fit(easy.rows, { ...long, onEpoch, signal: stopping.signal });
    await expect(training).rejects.toThrow("enough");
    const unwanted = telltale.fit(easy.rows, long);
    for await (const epoch of unwanted) if (epoch.epoch === 3) break;
    await expect(unwanted).rejects.toThrow("fit: the training was stopped before it ended");
  });

  it("tells everyone who waits the same: the end, or the error", async () => {
    const training = telltale.fit(easy.rows, { clusters: 3, ...tiny });
    const [one, other] = await Promise.all([training, training]);
    expect(one).toBe(other);
    const failing = telltale.fit(easy.rows, { clusters: 3, lamda: 1 } as never);
    for (let attempt = 0; attempt < 2; attempt++) await expect(failing).rejects.toThrow("did you mean lambda?");
  });

  it("says what is wrong in the words of the loop", async () => {
    await expect(telltale.fit(easy.rows, { clusters: 500 })).rejects.toThrow(
      "telltale: there cannot be more clusters than rows, got 500 for 120 rows",
    );
    const error = await Promise.resolve(telltale.fit(easy.rows, { clusters: 500 })).catch((reason) => reason);
    expect(error).toBeInstanceOf(RangeError);
    await expect(telltale.fitByName(easy.rows, { clusters: 3, method: "tel" })).rejects.toThrow(
      'method: there is no "tel"; did you mean tell?',
    );
  });
});

describe("a training that is killed", () => {
  /** Runs the training, which is killed without warning once it has seen so many epochs. */
  function run(file: string, killAfter = Number.POSITIVE_INFINITY): Promise<string> {
    const script = fileURLToPath(new URL("../support/train-to-checkpoint.mjs", import.meta.url));
    const child = spawn(process.execPath, [script, file, String(killAfter)], { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    return new Promise((resolve) => child.on("close", () => resolve(output.trim())));
  }

  it("goes on from its checkpoint, however often, and ends as if nothing had happened", async () => {
    const undisturbed = await run(join(folder, "whole.safetensors"));
    expect(undisturbed).toMatch(/^[0-9a-f]{64}$/);
    const file = join(folder, "killed.safetensors");
    for (const killAfter of [7, 13, 11, 9]) expect(await run(file, killAfter)).toBe("");
    expect(await run(file)).toBe(undisturbed);
    // What a kill may leave behind is a temporary file beside the whole one, never a broken one in its place.
    const checkpoint = await readCheckpoint(file);
    expect(checkpoint.plan.method).toBe("tell");
    expect((await readdir(folder)).filter((name) => name.endsWith(".safetensors"))).toHaveLength(2);
  });
});
