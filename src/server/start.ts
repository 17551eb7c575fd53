/** The server of `telltale view`: on this machine alone unless told, and for whoever has the token. */

import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { createAdaptorServer } from "@hono/node-server";
import type { Handlers } from "../api/handlers.ts";
import { version } from "../version.ts";
import { createApp } from "./app.ts";
import { readAssets } from "./assets.ts";
import { type GivenOptions, openGiven } from "./given.ts";
import { openapi } from "./openapi.ts";
import { Sessions } from "./session.ts";

export interface ViewOptions extends GivenOptions {
  /** The name or address to listen at; this machine alone unless told. `0.0.0.0` and `::` are all that it has. */
  readonly host?: string;
  /** The port to begin with; where it is taken, the next ones are tried. */
  readonly port?: number;
}

export interface ViewServer {
  /** With the token behind #, which a browser keeps to itself. */
  readonly address: string;
  /** The same at every address of this machine that it listens at: one where it listens at one. */
  readonly addresses: readonly string[];
  readonly origin: string;
  readonly token: string;
  readonly runs: number;
  readonly sources: number;
  readonly sweeps: number;
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
  const names = namesOf(host, server.address() as AddressInfo);
  const withPort = (name: string): string => `${inAddress(name)}:${port}`;
  doors.app = createApp({
    assets,
    handlers,
    guard: {
      hosts: (address) => names.answered(address).map(withPort),
      hasSession: (cookies) => sessions.hasSession(cookies),
    },
  });
  const [origin = "", ...others] = names.shown.map((name) => `http://${withPort(name)}`);
  const addresses = [origin, ...others].map((each) => `${each}/#token=${sessions.token}`);
  return {
    origin,
    addresses,
    address: addresses[0]!,
    token: sessions.token,
    runs: (await given.shelf.list()).length,
    sources: given.sources.list().length,
    sweeps: (await given.sweeps.list()).length,
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

interface Names {
  /** By which it is told to people, the first to begin with. */
  readonly shown: readonly string[];
  /** By which it may be asked, of a request that came in at an address. */
  readonly answered: (address: string | undefined) => readonly string[];
}

/** Where it listens at all addresses, each of them answers to itself; nowhere to a name that was not given. */
function namesOf(host: string, { address }: AddressInfo): Names {
  const here = ["localhost", loopback, "::1"];
  if (address === "0.0.0.0" || address === "::") {
    const own = Object.values(networkInterfaces())
      .flatMap((found) => found ?? [])
      .filter(({ internal, family, scopeid }) => !internal && !scopeid && (family === "IPv4" || address === "::"))
      .sort((one, other) => one.family.localeCompare(other.family));
    return {
      shown: [...own.map((found) => found.address), loopback],
      answered: (at = "") => [...here, at.replace(/^::ffff:/, "")],
    };
  }
  const isHere = here.includes(host);
  return { shown: [isHere ? address : host], answered: () => (isHere ? here : [host]) };
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
