/** ONNX as it is, in this very thread. It imports little, since a process is started for it. */

import type { Tensor } from "../tensor/tensor.ts";
import type { Device, ForeignModel } from "./device.ts";
import { fromDevice, toDevice } from "./deviceTensor.ts";

export async function openHere(bytes: Uint8Array, { runtime, options }: Device): Promise<ForeignModel> {
  const session = await runtime.InferenceSession.create(bytes, options);
  return {
    inputNames: session.inputNames,
    outputNames: session.outputNames,
    async run(inputs, outputs) {
      const feeds = Object.fromEntries(Object.entries(inputs).map(([name, t]) => [name, toDevice({ runtime }, t)]));
      const results = await session.run(feeds, outputs);
      const given: Record<string, Tensor> = {};
      for (const name of outputs) given[name] = fromDevice(results[name]!, results[name]!.data);
      return given;
    },
    close: () => session.release(),
  };
}

/** What ONNX Runtime says, in one line, without the places in its own source. */
export function plainReason({ message }: Error): string {
  const line = message
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\S*\.(?:cc|cpp|h|hpp):\d+ .*?\) (?:\S+ was false\. )?/g, "")
    .trim();
  return line.length > 240 ? `${line.slice(0, 240)}…` : line || "without a reason";
}
