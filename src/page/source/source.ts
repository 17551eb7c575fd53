/** Where the page gets everything from: a server, or a run in the tab. The table of routes says what can be asked. */

import type { ServerEvent } from "../../api/fits.ts";
import type { Answer, Body, RouteName } from "../../api/routes.ts";

export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/** What stands in the braces of a route's path, and what follows its question mark. */
export type Words = Readonly<Record<string, string | number>>;

export interface Asked<N extends RouteName> {
  readonly path?: Words;
  readonly query?: Words;
  readonly body?: Body<N>;
  readonly signal?: AbortSignal;
}

export interface Source {
  /** An answer in JSON. */
  ask<N extends RouteName>(route: N, asked?: Asked<N>): Promise<Answer<N>>;
  /** An answer that is one number after the other. */
  numbers(route: RouteName, asked?: Asked<RouteName>): Promise<Numbers>;
  /** Where a picture is. */
  address(route: "exemplar" | "picture", path: Words): string;
  /** A file to keep. */
  file(route: "selection", asked: Asked<"selection">): Promise<{ readonly name: string; readonly content: Blob }>;
  upload(file: File): Promise<Answer<"upload">>;
  /**
   * What happens from now on; the answer ends it. `onLost` where nothing comes any more, `false` once it does again.
   */
  listen(onEvent: (event: ServerEvent) => void, onLost: (lost: boolean) => void): () => void;
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
