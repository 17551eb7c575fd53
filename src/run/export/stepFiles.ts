/**
 * The training step of a run, for whoever trains on several machines (docs/scale.md): ONNX programs from state and
 * rows to the next state, the state to begin with, and a manifest that says what is fed and how states are merged.
 */

import { basename, dirname, join } from "node:path";
import { encodeSafetensors } from "../../formats/safetensors.ts";
import type { Input } from "../../graph/node.ts";
import { compile, nextName } from "../../runtime/compile.ts";
import type { Program } from "../../runtime/program.ts";
import type { ParallelSteps } from "../../training/parallelSteps.ts";
import { version } from "../../version.ts";
import type { Run } from "../folder/openRun.ts";
import { stepsOfRun } from "../folder/stepsOfRun.ts";

/** The files by path; the manifest is `out`, and names the others. */
export async function stepFiles(run: Run, out: string): Promise<Map<string, Uint8Array | string>> {
  const { settings, source } = run.description;
  const { plan, steps } = await stepsOfRun(run);
  const base = basename(out.replace(/\.json$/, ""));
  const kinds = [...steps.steps.keys()];
  const fileOf = (kind: string): string => (kinds.length === 1 ? `${base}.onnx` : `${base}.${kind}.onnx`);
  const [endFile, stateFile] = [`${base}.end.onnx`, `${base}.safetensors`];
  const manifest = {
    format: "telltale step",
    version: 1,
    telltale: version,
    method: settings.method,
    clusters: plan.clusters,
    row: plan.row,
    batch: plan.options.batch,
    /** Whether a number of x may be NaN, which is then filled in. */
    fillsMissing: plan.scaling?.missing !== undefined,
    features: source.features,
    programs: {
      ...Object.fromEntries([...steps.steps].map(([kind, step]) => [kind, described(fileOf(kind), step)])),
      end: described(endFile, steps.end),
    },
    epochs: steps.epochs.map(({ kind, scheduled }) => ({ program: kind, scalars: fed(steps, kind, scheduled) })),
    state: { file: stateFile, tensors: steps.state.map(kept) },
  };
  const metadata = { producer: "telltale", method: settings.method };
  const beside = (name: string): string => join(dirname(out), name);
  return new Map<string, Uint8Array | string>([
    [out, `${JSON.stringify(manifest, undefined, 2)}\n`],
    ...[...steps.steps].map(([kind, step]) => [beside(fileOf(kind)), compile(step, { metadata })] as const),
    [beside(endFile), compile(steps.end, { metadata })],
    [beside(stateFile), encodeSafetensors(await firstState(run, steps), { format: "telltale state" })],
  ]);
}

/** What the model has learned; all else as training begins with it. */
async function firstState(run: Run, { state }: ParallelSteps) {
  const learned = await run.tensors();
  return new Map(
    state.map(({ variable: { attributes } }) => [attributes.name, learned.get(attributes.name) ?? attributes.initial]),
  );
}

function described(file: string, { inputs, outputs, updates }: Program) {
  return {
    file,
    inputs: inputs.map(inputOf),
    outputs: Object.keys(outputs),
    /** Of each tensor of the state that changes, the output that has its next value. */
    updates: Object.fromEntries(
      updates.map(
        ([
          {
            attributes: { name },
          },
        ]) => [name, nextName(name)],
      ),
    ),
  };
}

/** Rows and numbers are fed; the rest is drawn anew for every step. */
function inputOf({ attributes: { name, draw }, shape, dtype }: Input) {
  return { name, shape, dtype, from: draw ?? (shape.length === 0 ? "scalar" : "rows") };
}

const kept = ({ variable, merge }: ParallelSteps["state"][number]) => ({
  name: variable.attributes.name,
  shape: variable.shape,
  dtype: variable.dtype,
  merge,
});

/** Of the numbers of an epoch, those that its program takes. */
function fed({ steps }: ParallelSteps, kind: string, scheduled: Readonly<Record<string, number>>) {
  const names = new Set(steps.get(kind)!.inputs.map(({ attributes }) => attributes.name));
  return Object.fromEntries(Object.entries(scheduled).filter(([name]) => names.has(name)));
}
