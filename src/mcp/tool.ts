/** What a tool is: a sentence, a schema, and an answer. */

import type * as v from "valibot";
import type { Asked, Handler } from "../api/handlers.ts";
import type { RouteName } from "../api/routes.ts";
import type { Given } from "../server/given.ts";

export interface Said {
  readonly data: unknown;
  /** PNG. */
  readonly picture?: Uint8Array;
}

export interface Tool<S extends v.GenericSchema = v.GenericSchema> {
  readonly about: string;
  readonly input: S;
  /** Whether it can do without the file that a run was fitted to, which need not have been named. */
  readonly needsNoRows?: boolean;
  answer(input: v.InferOutput<S>, given: Given, signal: AbortSignal): Promise<Said>;
}

/** With the types of its own schema. */
export function tool<S extends v.GenericSchema>(declared: Tool<S>): Tool {
  return declared as unknown as Tool;
}

type Wanted<N extends RouteName> = Partial<Omit<Asked<N>, "lastEvent">>;

/** Asks what the page would ask at that route. */
export function ask<N extends Exclude<RouteName, "session" | "openapi">>(
  { answers }: Given,
  route: N,
  wanted: Wanted<N>,
): ReturnType<Handler<N>> {
  const handler = answers[route] as unknown as Handler<N>;
  return handler({
    in: {},
    query: undefined,
    body: undefined,
    lastEvent: undefined,
    ...wanted,
  } as Asked<N>) as ReturnType<Handler<N>>;
}
