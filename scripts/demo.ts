/**
 * Trains an autoencoder on the 10,000 digits that ship with the repository and draws what it makes of them into one HTML file.
 * usage: npm run demo [-- --epochs N --out FILE]
 */

import { readFile, rename, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  adam,
  decodeNpy,
  devices,
  filled,
  findDevice,
  fullyConnected,
  gradient,
  inference,
  input,
  meanSquaredError,
  program,
  Random,
  Session,
  type Tensor,
  tensor,
  trainingPass,
  type Values,
} from "../src/node.ts";
import { demoPage } from "./demo-page.ts";

const { values: options } = parseArgs({
  options: { epochs: { type: "string", default: "20" }, out: { type: "string", default: "demo.html" } },
});
const epochs = Number(options.epochs);
if (!Number.isInteger(epochs) || epochs < 1) {
  console.error(`demo: --epochs must be a whole number from 1, got ${options.epochs}`);
  process.exit(2);
}

const pixels = 28 * 28;
const batchSize = 128;
const rate = filled("float32", [], 1e-3);
const random = Random.seeded(1);

// The digits, from bytes to numbers between 0 and 1. This file runs from dist/scripts/.
const bytes = await decodeNpy(await readFile(new URL("../../data/digits/images.npy.gz", import.meta.url)));
const digits = Float32Array.from(bytes.data as Uint8Array, (byte) => byte / 255);
const count = bytes.shape[0]!;

// 784 pixels, squeezed into 10 numbers and back.
const autoencoder = fullyConnected({ columns: pixels, latent: 10, output: "sigmoid" }, random.fork("weights"));
const x = input("x", ["n", pixels]);
const pass = trainingPass();
const loss = meanSquaredError(autoencoder.decode(autoencoder.encode(x, pass), pass), x);
const step = program({
  outputs: { loss },
  updates: adam()(autoencoder.parameters, gradient(loss, autoencoder.parameters), input("rate", [])),
});
const device = await findDevice(devices);
const training = await Session.open(step, device);

console.error(`demo: training 784-500-500-2000-10 on ${count.toLocaleString("en")} digits (${device.description})`);
const started = performance.now();
const curve: number[] = [];
for (let epoch = 0; epoch < epochs; epoch++) {
  const outputs = await training.runMany(shuffledBatches());
  curve.push(outputs.reduce((total, values) => total + Number(values.loss!.data[0]), 0) / outputs.length);
  const passed = (performance.now() - started) / 1000;
  const left = (passed / (epoch + 1)) * (epochs - epoch - 1);
  console.error(`epoch ${epoch + 1}/${epochs}  loss ${curve[epoch]!.toFixed(5)}  ${left.toFixed(0)} s left`);
}
const seconds = (performance.now() - started) / 1000;

// The same weights, without training, on the digits to show.
const shown = rowsOf(Int32Array.from({ length: 60 }, (_, i) => i));
const reconstruction = program({ outputs: { y: autoencoder.decode(autoencoder.encode(x, inference), inference) } });
const drawing = await Session.open(reconstruction, device, { state: training.state });
const { y } = await drawing.run({ x: shown });

const page = demoPage({
  originals: shown.data as Float32Array,
  reconstructions: y!.data as Float32Array,
  curve,
  device: device.description,
  seconds,
});
// Written whole or not at all.
const out = resolve(options.out);
await writeFile(`${out}.part`, page);
await rename(`${out}.part`, out);
console.log(
  `loss ${curve.at(-1)!.toFixed(5)} after ${epochs} epochs in ${seconds.toFixed(0)} s; digits and reconstructions are in ${out}`,
);

function shuffledBatches(): Values[] {
  const order = random.permutation(count);
  const starts = Array.from({ length: Math.ceil(count / batchSize) }, (_, i) => i * batchSize);
  return starts.map((start) => ({ x: rowsOf(order.subarray(start, start + batchSize)), rate }));
}

function rowsOf(rows: Int32Array): Tensor {
  const data = new Float32Array(rows.length * pixels);
  for (const [i, row] of rows.entries()) data.set(digits.subarray(row * pixels, (row + 1) * pixels), i * pixels);
  return tensor("float32", [rows.length, pixels], data);
}
