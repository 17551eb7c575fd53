/** Where the page gets everything from: a server, or a run in the tab. The table of routes says what can be asked. */

import type { Words } from "../../api/address.ts";
import type { ServerEvent } from "../../api/fits.ts";
import type { Answer, Body, RouteName } from "../../api/routes.ts";

export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/** What holds numbers of each type. */
export const arrays = {
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

export interface Asked<N extends RouteName> {
  readonly path?: Words;
  readonly query?: Words;
  readonly body?: Body<N>;
  readonly signal?: AbortSignal;
}

export interface Source {
  /**
   * `server`: `telltale view`; `tab`: this page alone, which trains and looks; `file`: one run in one file, to be
   * looked at.
   */
  readonly kind: "server" | "tab" | "file";
  /** An answer in JSON. */
  ask<N extends RouteName>(route: N, asked?: Asked<N>): Promise<Answer<N>>;
  /** An answer that is one number after the other. */
  numbers(route: RouteName, asked?: Asked<RouteName>): Promise<Numbers>;
  /** Where a picture is; `version` changes with what it shows. */
  picture(route: "exemplar" | "picture", path: Words, version?: number): string | Promise<string>;
  /** A file to keep. */
  file<N extends "selection" | "model">(
    route: N,
    asked: Asked<N>,
  ): Promise<{ readonly name: string; readonly content: Blob }>;
  /** One data file, or in a tab pictures. */
  upload(files: readonly File[]): Promise<Answer<"upload">>;
  /**
   * What happens from now on; the answer ends it. `onLost` where nothing comes any more, `false` once it does again;
   * `onGap` where nobody has listened for a while.
   */
  listen(onEvent: (event: ServerEvent) => void, onLost: (lost: boolean) => void, onGap: () => void): () => void;
}

/** What a source says that it cannot do, in a sentence for people. */
export class Refusal extends Error {
  readonly status: number;

  constructor(problem: string, status: number) {
    super(problem);
    this.name = "Refusal";
    this.status = status;
  }
}
