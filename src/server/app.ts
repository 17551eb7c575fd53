/**
 * From a request to a response: the guard, then the table of routes, then the answer; whatever fails is one sentence.
 */

import type { IncomingMessage } from "node:http";
import { Hono } from "hono";
import type { Asked, Handlers } from "../api/handlers.ts";
import { type Route, type RouteName, routes } from "../api/routes.ts";
import type { Assets } from "./assets.ts";
import { type GuardSettings, guard } from "./guard.ts";
import { always, unkept } from "./headers.ts";
import { Refused, refusalOf } from "./refused.ts";
import { checked, parametersIn, responseOf } from "./replies.ts";

/** Bytes of a request that is JSON. */
const mostJson = 2 ** 20;

interface Around {
  readonly assets: Assets;
  readonly handlers: Handlers;
  readonly guard: Omit<GuardSettings, "isOpen" | "takesBytes">;
}

type Bindings = { readonly incoming: IncomingMessage };

export function createApp({ assets, handlers, guard: settings }: Around) {
  const { session, upload } = routes;
  const guarded: GuardSettings = {
    ...settings,
    isOpen: (method, path) => (method === "POST" ? path === session.path : assets.has(path)),
    takesBytes: (path) => path === upload.path,
  };
  const app = new Hono<{ Bindings: Bindings }>();
  app.use("*", async ({ env }, next) => {
    guard(env.incoming, guarded);
    await next();
  });
  for (const [name, route] of Object.entries<Route>(routes)) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ":$1");
    app.on(route.method, path, async ({ req }) => {
      const query = Object.fromEntries(Object.entries(req.queries()).map(([key, [value = ""]]) => [key, value]));
      const last = req.header("last-event-id");
      const asked = {
        in: parametersIn(req.param()),
        query: route.query && checked("the query", route.query, query),
        body: await bodyOf(route, req.raw),
        lastEvent: last !== undefined && /^\d{1,15}$/.test(last) ? Number(last) : undefined,
      };
      const handler = handlers[name as RouteName] as (asked: Asked<never>) => Promise<unknown>;
      return responseOf(route, await handler(asked as Asked<never>));
    });
  }
  app.get("*", ({ req }) => {
    const asset = assets.get(req.path);
    if (!asset) throw new Refused(404, "there is nothing at this address");
    const kept = asset.isLasting ? { "Cache-Control": "private, max-age=31536000, immutable" } : unkept;
    return new Response(asset.bytes as Uint8Array<ArrayBuffer>, {
      headers: { ...always, ...kept, "Content-Type": asset.type },
    });
  });
  app.notFound(() => problemOf(new Refused(404, "there is nothing at this address")));
  app.onError((error) => problemOf(error));
  return app;
}

/** The JSON of a request as its schema says, or its bytes as they come. */
async function bodyOf({ body }: Route, request: Request): Promise<unknown> {
  if (!body) return undefined;
  const bytes = piecesOf(request);
  if (body === "bytes") return bytes;
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of bytes) {
    length += piece.length;
    if (length > mostJson) throw new Refused(413, `a request must have at most ${mostJson} bytes`);
    pieces.push(piece);
  }
  return checked("the request", body, jsonOf(pieces));
}

/** Whoever goes away in the middle has sent half of it. */
async function* piecesOf({ body }: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* (body ?? []) as AsyncIterable<Uint8Array>;
  } catch {
    throw new Refused(400, "the request was cut off");
  }
}

function jsonOf(pieces: readonly Uint8Array[]): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(pieces)));
  } catch {
    throw new Refused(400, "the request must be JSON");
  }
}

export function problemOf(error: unknown): Response {
  const { status, sentence } = refusalOf(error, "telltale view");
  const headers = { ...always, ...unkept, "Content-Type": "application/json" };
  return new Response(JSON.stringify({ problem: sentence }), { status, headers });
}
