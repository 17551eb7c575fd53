import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";

/** Messages of a worker, one at a time. */
function inbox(worker: Worker): () => Promise<Record<string, unknown>> {
  return () =>
    new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
}

test("a training in a worker is stopped between runs, without harm, five times over", async () => {
  for (let round = 0; round < 5; round++) {
    const worker = new Worker(new URL("../support/stoppable-worker.mjs", import.meta.url));
    const next = inbox(worker);
    expect(await next()).toEqual({ started: true });
    await new Promise((resolve) => setTimeout(resolve, 20 + 17 * round));
    worker.postMessage("stop");
    const { stopped, steps, counted } = await next();
    expect(stopped).toBe("AbortError");
    expect(steps).toBeGreaterThan(0);
    // The state is that of the last finished step, whole.
    expect(counted).toBe(steps);
    await worker.terminate();
  }
});
