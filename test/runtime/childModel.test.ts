/** Somebody else's ONNX in a process of its own. Needs what is built, since a process runs no TypeScript. */

import { execFileSync, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { ChildModel } from "../../src/runtime/child/childModel.ts";
import type { DeviceName } from "../../src/runtime/device.ts";
import { tensor } from "../../src/tensor/tensor.ts";
import { integersOf, looping, model, node, tensorOf, value } from "../onnx/strangers.ts";

const open = (bytes: Uint8Array, more: { memory?: number; signal?: AbortSignal; device?: DeviceName } = {}) =>
  ChildModel.open(bytes, { device: "cpu", ...more });

const x = tensor(
  "float32",
  [2, 4],
  Float32Array.from({ length: 8 }, (_, i) => i),
);
const plusOne = model({ node: [node("Add", ["x", "one"], ["y"])], initializer: [tensorOf("one", [1], [1])] });
/** [n, 4] to a tensor of so many gigabytes, and back. */
const large = model({
  node: [node("Expand", ["x", "shape"], ["big"]), node("ReduceMax", ["big"], ["y"])],
  initializer: [integersOf("shape", [2 ** 27, 1, 4])],
  output: [value("y", ["a", "b", "c"])],
});

/** Whether a process of this number is there. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(isSo: () => boolean): Promise<void> {
  await expect.poll(isSo, { interval: 20, timeout: 30_000 }).toBe(true);
}

describe.each(["cpu", "wasm"] as const)("on %s", (device) => {
  it("gives what the model gives, several runs at a time, and tells what it takes and gives", async () => {
    const opened = await open(plusOne, { device });
    expect([opened.inputNames, opened.outputNames]).toEqual([["x"], ["y"]]);
    const runs = await Promise.all([1, 2, 3].map(() => opened.run({ x }, ["y"])));
    for (const { y } of runs)
      expect(y).toEqual(
        tensor(
          "float32",
          [2, 4],
          x.data.map((value) => value + 1),
        ),
      );
    await opened.close();
  });

  it("a run without an end is ended by the signal at once", async () => {
    const stop = new AbortController();
    const opened = await open(looping(), { device });
    const running = opened.run({ x }, ["y"], stop.signal);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const started = performance.now();
    stop.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    await opened.close();
    // By itself it would never end.
    expect(performance.now() - started).toBeLessThan(5000);
    await expect(opened.run({ x }, ["y"])).rejects.toThrow("it was stopped");
  });

  it("a run that takes more memory than it may is ended, and says so", async () => {
    const opened = await open(large, { device, memory: 300 });
    await expect(opened.run({ x: tensor("float32", [1, 4], x.data.slice(0, 4)) }, ["y"])).rejects.toThrow(
      "it needs more than 300 MB beyond its weights; raise the limit with --memory",
    );
    await opened.close();
  });
});

it("what ONNX Runtime says comes in one line, without places in its source", async () => {
  const wrong = await open(model({ node: [node("Add", ["x", "missing"], ["y"])] })).catch((error: Error) => error);
  expect((wrong as Error).message).toMatch(/missing/);
  expect((wrong as Error).message).not.toMatch(/\n|\.cc:/);
  const opened = await open(plusOne);
  const failed = await opened.run({ x: tensor("float32", [2, 3], x.data.slice(0, 6)) }, ["y"]).catch((e: Error) => e);
  expect((failed as Error).message).toMatch(/dimension/);
  expect((failed as Error).message).not.toMatch(/\n|\.cc:/);
  // And it goes on.
  expect((await opened.run({ x }, ["y"])).y!.shape).toEqual([2, 4]);
  await opened.close();
});

it("a process that dies leaves an error, and nobody else is hurt", async () => {
  const opened = await open(looping());
  const running = opened.run({ x }, ["y"]);
  // The newest: one that was closed before may still be on its way out.
  const asked = ["-n", "-P", String(process.pid), "-f", "child/child.js"];
  process.kill(Number(execFileSync("pgrep", asked, { encoding: "utf8" })), "SIGSEGV");
  await expect(running).rejects.toThrow(/its process ended by itself \(SIGSEGV\)/);
  await opened.close();
});

it("works in a thread, and an open model keeps neither a thread nor a process alive", async () => {
  const script = `
    const { ChildModel } = await import(${JSON.stringify(new URL("../../dist/src/runtime/child/childModel.js", import.meta.url).href)});
    const opened = await ChildModel.open(${JSON.stringify([...plusOne])}.reduce((all, byte, i) => { all[i] = byte; return all; }, new Uint8Array(${plusOne.length})), { device: "cpu" });
    const { y } = await opened.run({ x: { dtype: "float32", shape: [1, 4], data: new Float32Array(4) } }, ["y"]);
    process.stdout.write(String(y.data));`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(printed).toBe("1,1,1,1");
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  const thread = new Worker(url, { stdout: true });
  expect(await new Promise((resolve) => thread.once("exit", resolve))).toBe(0);
});

it("ends when its parent is gone, also in the middle of a run without an end", async () => {
  const script = `
    const { ChildModel } = await import(${JSON.stringify(new URL("../../dist/src/runtime/child/childModel.js", import.meta.url).href)});
    const opened = await ChildModel.open(Uint8Array.from(JSON.parse(process.argv[1])), { device: "cpu" });
    void opened.run({ x: { dtype: "float32", shape: [1, 4], data: new Float32Array(4) } }, ["y"]);
    setTimeout(() => process.stdout.write("running"), 200);`;
  const bytes = JSON.stringify([...looping()]);
  const parent = spawn(process.execPath, ["--input-type=module", "-e", script, bytes], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
  });
  await new Promise((resolve) => parent.stdout.once("data", resolve));
  const [pid] = execFileSync("pgrep", ["-P", String(parent.pid)], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map(Number);
  expect(isThere(pid!)).toBe(true);
  parent.kill("SIGKILL");
  await until(() => !isThere(pid!));
});
