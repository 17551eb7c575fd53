/** The server of `telltale view`: on this machine alone unless told, and for whoever has the token. */

import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { Handlers } from "../api/handlers.ts";
import { version } from "../version.ts";
import { createApp } from "./app.ts";
import { readAssets } from "./assets.ts";
import { type GivenOptions, openGiven } from "./given.ts";
import { openapi } from "./openapi.ts";
import { Sessions } from "./session.ts";

export interface ViewOptions extends GivenOptions {
  /** The name or address to listen at; this machine alone unless told. */
  readonly host?: string;
  /** The port to begin with; where it is taken, the next ones are tried. */
  readonly port?: number;
}

export interface ViewServer {
  /** With the token behind #, which a browser keeps to itself. */
  readonly address: string;
  readonly origin: string;
  readonly token: string;
  readonly runs: number;
  readonly sources: number;
  /** Stops fits at the next safe moment, and leaves nothing behind. */
  close(): Promise<void>;
}

const loopback = "127.0.0.1";
/** So many ports are tried after the first. */
const tried = 20;

export async function startServer(options: ViewOptions): Promise<ViewServer> {
  const { host = loopback } = options;
  const given = await openGiven(options);
  const assets = await readAssets();
  // Who may ask is known once the port is: until then nobody is.
  const doors: { app?: ReturnType<typeof createApp> } = {};
  const server = createAdaptorServer({
    fetch: (request: Request, env: unknown) => doors.app!.fetch(request, env as never),
    // What is in a header is checked by the guard, to the letter.
    autoCleanupIncoming: true,
  }) as Server;
  server.headersTimeout = 10_000;
  server.requestTimeout = 120_000;
  server.keepAliveTimeout = 5_000;
  server.maxHeadersCount = 100;
  const port = await listen(server, host, options.port ?? 7411);
  const sessions = new Sessions(port);
  const handlers: Handlers = {
    ...given.answers,
    session: async ({ body: { token } }) => ({ cookie: sessions.cookieFor(token) }),
    openapi: async () => openapi(version) as { openapi: string },
  };
  const shown = host === loopback || host === "::1" ? "localhost" : host;
  const hosts = [...new Set([shown, host, ...(shown === "localhost" ? [loopback, "[::1]"] : [])])].map(
    (name) => `${inAddress(name)}:${port}`,
  );
  doors.app = createApp({
    assets,
    handlers,
    guard: { hosts, hasSession: (cookies) => sessions.hasSession(cookies) },
  });
  const origin = `http://${inAddress(shown === "localhost" ? loopback : shown)}:${port}`;
  return {
    origin,
    address: `${origin}/#token=${sessions.token}`,
    token: sessions.token,
    runs: (await given.shelf.list()).length,
    sources: given.sources.list().length,
    async close() {
      given.hub.close();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await given.close();
      await closed;
    },
  };
}

function inAddress(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

/** At the port, or at the next that is free; 0 is any. */
async function listen(server: Server, host: string, first: number): Promise<number> {
  for (let port = first; ; port++) {
    try {
      server.listen({ host, port, exclusive: true });
      await once(server, "listening");
      return (server.address() as AddressInfo).port;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EADDRINUSE" && port < first + tried) continue;
      throw new RangeError(`view: cannot listen at ${host}:${port} (${code}); choose another with --port or --host`);
    }
  }
}
