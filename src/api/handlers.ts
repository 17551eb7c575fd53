/** What answers a route, in types: what it is given, and what it gives. A server has one for each; so has a tab. */

import type * as v from "valibot";
import type { parameters, RouteName, routes } from "./routes.ts";

export interface Binary {
  readonly numbers: Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;
}

export interface FileReply {
  readonly bytes: Uint8Array;
  readonly type: string;
  readonly name: string;
}

type ReplyOf<A> = A extends { readonly kind: "json"; readonly schema: infer S extends v.GenericSchema }
  ? v.InferOutput<S>
  : A extends { readonly kind: "binary" }
    ? Binary
    : A extends { readonly kind: "picture" }
      ? Uint8Array
      : A extends { readonly kind: "file" }
        ? FileReply
        : A extends { readonly kind: "events" }
          ? ReadableStream<Uint8Array>
          : { readonly cookie: string };

type InPath<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | InPath<Rest> : never;
type Parameters<P extends string> = {
  readonly [N in InPath<P> & keyof typeof parameters]: v.InferOutput<(typeof parameters)[N]>;
};

type OutputOf<T, K extends string> = T extends { readonly [X in K]: infer S extends v.GenericSchema }
  ? v.InferOutput<S>
  : T extends { readonly [X in K]: "bytes" }
    ? AsyncIterable<Uint8Array>
    : undefined;

/** What a handler is given, checked. */
export interface Asked<N extends RouteName> {
  readonly in: Parameters<(typeof routes)[N]["path"]>;
  readonly query: OutputOf<(typeof routes)[N], "query">;
  readonly body: OutputOf<(typeof routes)[N], "body">;
  /** Of events: the last one that was seen. */
  readonly lastEvent: number | undefined;
}

export type Handler<N extends RouteName> = (asked: Asked<N>) => Promise<ReplyOf<(typeof routes)[N]["answer"]>>;
/** One for each route: the compiler misses any that is not there. */
export type Handlers = { readonly [N in RouteName]: Handler<N> };
export type SomeHandlers<N extends RouteName> = { readonly [M in N]: Handler<M> };
