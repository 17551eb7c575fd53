/** A training as it is told, by a server and by a tab alike: its epochs, and the frames of its moving map. */

import type { Device, FitEpoch, Frame } from "./fits.ts";
import type { Binary } from "./handlers.ts";

/** An epoch of the library, as far as it is told. */
export interface ToldEpoch extends Omit<FitEpoch, "losses" | "sizes"> {
  readonly losses: Readonly<Record<string, number>>;
  readonly sizes?: readonly number[];
}

export function epochOf({
  restart,
  phase,
  epoch,
  epochs,
  losses,
  sizes,
  changed,
  seconds,
  remaining,
}: ToldEpoch): FitEpoch {
  return {
    ...{ restart, phase, epoch, epochs, losses: { ...losses }, seconds, remaining },
    ...(sizes && { sizes: [...sizes] }),
    ...(changed !== undefined && { changed }),
  };
}

/** Where it is after an epoch, and what is left. */
export function progressAt({ phase, epoch, epochs, remaining }: Omit<ToldEpoch, "losses">) {
  return { remaining, stage: { words: phase, share: epochs > 0 ? epoch / epochs : 0 } };
}

/** How rows look that are pictures. */
export function lookOf({ row, range }: { readonly row: readonly number[]; readonly range: readonly [number, number] }) {
  return { row: [...row], range: [...range] as [number, number] };
}

/** A device, whether it is here or not. */
export function deviceOf(
  found: Pick<Device, "name"> &
    ({ readonly here: true; readonly description: string } | { readonly here: false; readonly reason: string }),
): Device {
  return { name: found.name, here: found.here, words: found.here ? found.description : found.reason };
}

/** Rows as they lie at an epoch: places as x and y, and their clusters. */
interface Drawn extends Pick<Frame, "restart" | "phase" | "epoch" | "clusters"> {
  readonly places: Uint16Array;
  readonly labels: Uint16Array;
  readonly exemplars?: Float32Array | undefined;
}

/** What is told of it; whoever wants to see it asks for the rest. */
export function frameOf({ restart, phase, epoch, clusters, labels, exemplars }: Drawn, frame: number): Frame {
  return {
    ...{ frame, restart, phase, epoch, clusters, rows: labels.length },
    hasExemplars: exemplars !== undefined,
  };
}

/** Places, then clusters. */
export function framed({ places, labels }: Pick<Drawn, "places" | "labels">): Binary {
  const numbers = new Uint16Array(places.length + labels.length);
  numbers.set(places);
  numbers.set(labels, places.length);
  return { numbers };
}
