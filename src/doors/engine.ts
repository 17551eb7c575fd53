/** `telltale/engine`: formulas that differentiate themselves, programs, and where they run. */

export { decodeNpy, encodeNpy, encodeNpyGz } from "../formats/npy.ts";
export { decodeSafetensors, encodeSafetensors } from "../formats/safetensors.ts";
export { describe } from "../graph/describe.ts";
export * from "../nn/autoencoders.ts";
export * from "../nn/optimizers.ts";
export { type CompileOptions, compile } from "../runtime/compile.ts";
export type { Device, DeviceName } from "../runtime/device.ts";
export { type Program, program } from "../runtime/program.ts";
export { type RunOptions, Session, type SessionOptions, type Values } from "../runtime/session.ts";
export type { State } from "../runtime/state.ts";
export { decodeCheckpoint, encodeCheckpoint } from "../training/checkpoint.ts";
export * from "./formulas.ts";
