/** Trains in a worker until it is told to stop, and answers with the number of steps it made. Run by worker.test.ts. */
import { parentPort } from "node:worker_threads";

const built = new URL("../../dist/src/", import.meta.url);
const load = (path) => import(new URL(path, built).href);
const { devices } = await load("node.js");
const { findDevice } = await load("runtime/device.js");
const { Session } = await load("runtime/session.js");
const { program } = await load("runtime/program.js");
const { variable } = await load("graph/node.js");
const { add, multiply } = await load("graph/elementwise.js");
const { matmul } = await load("graph/products.js");
const { sum } = await load("graph/reduce.js");
const { filled } = await load("tensor/tensor.js");

// A product of 700×700 matrices per step: long enough that a stop nearly always arrives inside a run.
const weight = variable("weight", filled("float32", [700, 700], 1e-3));
const count = variable("count", filled("float32", [], 0));
const next = multiply(matmul(weight, weight), 1);
const step = program({
  outputs: { total: sum(next) },
  updates: [
    [weight, next],
    [count, add(count, 1)],
  ],
});

const controller = new AbortController();
parentPort.once("message", () => controller.abort());
const session = await Session.open(step, await findDevice(devices, "cpu"));
parentPort.postMessage({ started: true });
try {
  await session.runMany(Array(1_000_000).fill({}), { signal: controller.signal });
} catch (error) {
  const counted = (await session.state.read("count")).data[0];
  await session.close();
  parentPort.postMessage({ stopped: error.name, steps: session.steps, counted });
}
