/** What a model is on disk: its weights, and the same as ONNX files that run anywhere. */

import { sha256 } from "../../disk/sha256.ts";
import { encodeSafetensors } from "../../formats/safetensors.ts";
import { type ContractOptions, decoderOnnx, modelOnnx } from "../../model/exportOnnx.ts";
import type { Model } from "../../model/model.ts";
import { savedWeights } from "../../model/storedModel.ts";
import { joinOnnx } from "../../onnx/join.ts";
import { describeOnnx } from "../../onnx/read.ts";
import type { Epoch } from "../../training/epoch.ts";
import type { RunFolder } from "./runFolder.ts";

export interface SaveModelOptions extends Pick<ContractOptions, "names" | "columns"> {
  /** The frozen encoder that comes first. */
  readonly encoder?: Uint8Array;
}

/** Whether model.onnx takes the rows themselves, or what encoder.onnx makes of them. */
export interface SavedModel {
  readonly takes: "rows" | "features";
}

/** Writes what a model is on disk. */
export async function saveModel(folder: RunFolder, model: Model, options: SaveModelOptions = {}): Promise<SavedModel> {
  const { takes, files } = await modelFiles(model, options);
  await folder.writeAll(files);
  return { takes };
}

/** The weights, and model.onnx, decoder.onnx and encoder.onnx made of them. */
export async function modelFiles(
  model: Model,
  { encoder = model.encoder?.bytes, ...options }: SaveModelOptions = {},
): Promise<SavedModel & { readonly files: ReadonlyMap<string, Uint8Array> }> {
  const weights = encodeSafetensors(await savedWeights(model));
  const { takes, files } = await onnxFiles(model, weights, { ...options, ...(encoder && { encoder }) });
  const first: [string, Uint8Array][] = [["weights.safetensors", weights]];
  if (encoder) first.push(["encoder.onnx", encoder]);
  return { takes, files: new Map([...first, ...files]) };
}

/** model.onnx, and decoder.onnx where there is one. */
export async function onnxFiles(
  model: Model,
  weights: Uint8Array,
  { encoder, ...options }: SaveModelOptions = {},
): Promise<SavedModel & { readonly files: ReadonlyMap<string, Uint8Array> }> {
  const metadata = { weights: sha256(weights) };
  const clusters = await modelOnnx(model, {
    ...options,
    metadata: { ...metadata, ...(encoder && { input: "features of encoder.onnx" }) },
  });
  const joined = encoder && joinOnnx(encoder, clusters);
  const decoder = await decoderOnnx(model, { metadata });
  const files = new Map([["model.onnx", joined ?? clusters]]);
  if (decoder) files.set("decoder.onnx", decoder);
  return { takes: encoder && !joined ? "features" : "rows", files };
}

/** How the training went, an epoch a line. */
export function epochLines(epochs: readonly Epoch[]): string {
  return epochs.map((epoch) => `${JSON.stringify(epoch)}\n`).join("");
}

/**
 * Whether an ONNX file was made of these weights: following a stream moves the centers, and writes the weights first.
 */
export function isMadeOf(onnx: Uint8Array, weights: Uint8Array): boolean {
  return describeOnnx(onnx).metadata.weights === sha256(weights);
}
