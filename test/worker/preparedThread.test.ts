/** A thread that begins before there is anything to train: it is used once, and ends where nobody needs it. */

import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const dist = new URL("../../dist/src/", import.meta.url).href;

function printed(code: string): string {
  const imports = `
    import { dismissThread, prepareThread } from ${JSON.stringify(`${dist}worker/fitInWorker.js`)};
    import { fit } from ${JSON.stringify(`${dist}doors/node.js`)};`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", imports + code], {
    encoding: "utf8",
    timeout: 60_000,
  });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.trim();
}

test("one that nobody needs ends by itself, and so does the program", () => {
  expect(printed("prepareThread(); prepareThread(); dismissThread(); dismissThread(); console.log('ended');")).toBe(
    "ended",
  );
});

test("a training that takes it finds what it finds in a thread of its own, and so does the next", () => {
  const found = printed(`
    const rows = Array.from({ length: 60 }, (_, i) => [i % 3, (i * 7) % 5]);
    const labels = async () => [...(await fit(rows, { clusters: 3, method: "kmeans", seed: 1, device: "cpu" })).labels].join("");
    const own = await labels();
    prepareThread();
    const [taken, next] = [await labels(), await labels()];
    dismissThread();
    console.log(taken === own && next === own && own.length === 60);`);
  expect(found).toBe("true");
});
