/** A training as pictures: what the network makes of the same rows, epoch by epoch. */

import type { Epoch, Phase } from "../training/epoch.ts";
import { MovingMap } from "./movingMap.ts";

/** Where some rows are at an epoch, always the same ones. */
export interface Frame {
  readonly restart: number;
  readonly phase: Phase;
  readonly epoch: number;
  readonly clusters: number;
  /** x and y of each row, from 0 to 65535. */
  readonly places: Uint16Array;
  /** Of each row; all 0 before there are clusters. */
  readonly labels: Uint16Array;
  /** A row for each cluster, in the data's own units. */
  readonly exemplars?: Float32Array;
}

/** The square in which they move goes a little beyond them. */
const half = 1.25;

export class MovingFrames {
  readonly #map: MovingMap;

  /** `last`: the picture to go on from, of a training that was stopped. */
  constructor(last?: Pick<Frame, "places">) {
    const start = last && Float64Array.from(last.places, (place) => half * ((2 * place) / 65_535 - 1));
    this.#map = new MovingMap(undefined, start);
  }

  /** The picture of an epoch, begun where the last one ended. */
  async next(
    { restart, phase, epoch }: Pick<Epoch, "restart" | "phase" | "epoch">,
    { codes, labels, exemplars }: NonNullable<Epoch["watched"]>,
    signal?: AbortSignal,
  ): Promise<Frame> {
    const positions = await this.#map.next(codes, signal);
    const places = Uint16Array.from(positions, (value) =>
      Math.round(65_535 * Math.min(1, Math.max(0, (value / half + 1) / 2))),
    );
    return {
      ...{ restart, phase, epoch, places },
      labels: Uint16Array.from(labels ?? new Uint16Array(places.length / 2)),
      clusters: exemplars?.shape[0] ?? (labels ? Math.max(...labels) + 1 : 0),
      ...(exemplars && { exemplars: exemplars.data }),
    };
  }
}
