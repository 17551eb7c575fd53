/** A tensor of ours as one of ONNX Runtime's, and back. Nothing is copied. */

import type { Tensor as OrtTensor } from "onnxruntime-web";
import { type ArrayOf, type DType, type Tensor, tensor } from "../tensor/tensor.ts";
import type { Device } from "./device.ts";

export function toDevice(device: Pick<Device, "runtime">, t: Tensor): OrtTensor {
  return new device.runtime.Tensor(t.dtype as "float32", t.data as Float32Array, t.shape);
}

export function fromDevice({ type, dims }: OrtTensor, data: OrtTensor.DataType): Tensor {
  return tensor(type as DType, dims, data as ArrayOf[DType]);
}
