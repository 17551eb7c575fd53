/** How long a fit takes, about, before anything of it has begun: by what is known of its rows. */

import { defaultMethod } from "../../methods/index.ts";
import { methodOf } from "../../methods/methodOf.ts";
import { rangeOf } from "../../model/choosing.ts";
import type { DeviceName } from "../../runtime/device.ts";
import { networkSize } from "../../training/networkSize.ts";
import { isOpenToPlainRows } from "../../training/plainRows.ts";
import { type Plan, plan } from "../../training/plan.ts";
import type { FileFitOptions } from "./fitRun.ts";
import { lessonOptions } from "./ownTeacher.ts";
import { Timetable } from "./timetable.ts";

export interface ExpectedFit {
  readonly seconds: number;
  /** What it consists of, in words. */
  readonly parts: readonly string[];
  /** Where the rows may turn out to need no network: how long it takes then. */
  readonly withoutNetwork?: number;
}

/**
 * Of one step, 6 numbers are multiplied for each weight and row. Measured on two cores: 5.1 thousand million of them,
 * the papers' autoencoder with a batch of 256, in 40 ms natively and in 150 as WebAssembly; a step by itself 0.4 ms.
 */
const [perSecond, stepSeconds] = [{ cpu: 1.27e11, gpu: 1.5e12, wasm: 3.4e10 } as const, 4e-4];

export function expectedFit(
  rows: { readonly count: number; readonly row: readonly number[] },
  options: Pick<FileFitOptions, "method" | "profile" | "seed" | "options" | "clusters" | "effort">,
  device: DeviceName,
): ExpectedFit {
  const { clusters, profile, seed, effort } = options;
  const method = methodOf(options.method ?? defaultMethod);
  const isOpen = typeof clusters !== "number";
  const most = isOpen ? rangeOf("fit", clusters ?? "auto", rows.count)[1] : clusters;
  const planned = plan(method, { ...rows, range: [0, 1] } as never, {
    clusters: most,
    ...(profile && { profile }),
    ...(seed !== undefined && { seed }),
    options: { ...lessonOptions(method, { ...(effort !== undefined && { effort }) }), ...options.options },
  });
  const isChosen = method.isTaught === true && planned.options.taughtBy === "auto";
  const isPlain = isChosen && isOpenToPlainRows(planned);
  const facts = { plan: planned, isOpen, isChosen, isPlain, groups: true, map: true, report: true };
  const whole = new Timetable(facts, performance.now()).before(epochSeconds(planned, device));
  const plain = new Timetable(facts, performance.now()).withoutNetwork();
  return { ...whole, ...(plain && { withoutNetwork: plain.seconds }) };
}

function epochSeconds(planned: Plan, device: DeviceName): number {
  const { options, count } = planned;
  if (options.network === "none") return 0;
  const { weights } = networkSize(options, planned);
  const steps = Math.ceil(count / options.batch);
  return (6 * weights * count) / perSecond[device] + steps * stepSeconds;
}
