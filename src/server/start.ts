/** The server of `telltale view`: on this machine alone unless told, and for whoever has the token. */

import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { devices, findDevice } from "../doors/inside.ts";
import { version } from "../version.ts";
import { compareAnswers } from "./answers/compare.ts";
import { curationAnswers } from "./answers/curation.ts";
import { fitAnswers } from "./answers/fits.ts";
import { rowAnswers } from "./answers/rows.ts";
import { runAnswers } from "./answers/runs.ts";
import { createApp } from "./app.ts";
import { readAssets } from "./assets.ts";
import { Curations } from "./curations.ts";
import { EventHub } from "./eventHub.ts";
import { FitQueue } from "./fits/fitQueue.ts";
import { openapi } from "./openapi.ts";
import type { Handlers } from "./replies.ts";
import { isRun, RunShelf, runsIn } from "./runShelf.ts";
import { Sessions } from "./session.ts";
import { Sources } from "./sources.ts";

export interface ViewOptions {
  /** Runs, folders of runs, and data files. */
  readonly paths: readonly string[];
  /** Where new runs are written: the first folder of runs, or `runs`, unless told. */
  readonly out?: string;
  /** The name or address to listen at; this machine alone unless told. */
  readonly host?: string;
  /** The port to begin with; where it is taken, the next ones are tried. */
  readonly port?: number;
  /** Bytes of an upload at most. */
  readonly mostUploaded?: number;
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
  const given = await sorted(options.paths);
  const out = resolve(options.out ?? given.folders[0] ?? "runs");
  const shelf = new RunShelf({ runs: given.runs, folders: [...new Set([...given.folders, out])] });
  const hub = new EventHub();
  const curations = new Curations();
  const fits = new FitQueue({ hub, shelf, out });
  const sources = new Sources(given.files, join(out, "uploads"), options.mostUploaded);
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
    ...runAnswers(shelf, (path) => fits.isAtWork(path)),
    ...rowAnswers(shelf),
    ...compareAnswers(shelf),
    ...curationAnswers({ shelf, curations, hub }),
    ...fitAnswers({ shelf, sources, fits }),
    session: async ({ body: { token } }) => ({ cookie: sessions.cookieFor(token) }),
    server: async () => ({ version, canFit: true, device: (await findDevice(devices)).description, folder: out }),
    openapi: async () => openapi(version) as { openapi: string },
    events: async ({ lastEvent }) => hub.listen(lastEvent),
  };
  const shown = host === loopback || host === "::1" ? "localhost" : host;
  const hosts = [...new Set([shown, host, ...(shown === "localhost" ? [loopback, "[::1]"] : [])])].map(
    (name) => `${inAddress(name)}:${port}`,
  );
  doors.app = createApp({ assets, handlers, guard: { hosts, hasSession: (cookies) => sessions.hasSession(cookies) } });
  const origin = `http://${inAddress(shown === "localhost" ? loopback : shown)}:${port}`;
  return {
    origin,
    address: `${origin}/#token=${sessions.token}`,
    token: sessions.token,
    runs: (await shelf.list()).length,
    sources: given.files.length,
    async close() {
      hub.close();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await fits.close();
      await curations.close();
      await shelf.close();
      await closed;
    },
  };
}

/** What each path is. */
async function sorted(paths: readonly string[]) {
  const found = {
    runs: [] as string[],
    folders: [] as string[],
    files: [] as { path: string; kind: "file" | "folder" }[],
  };
  for (const path of paths) {
    const there = await stat(path).catch(() => undefined);
    if (!there)
      throw new RangeError(`${path}: there is no such file or folder; name a run, a folder of runs, or a data file`);
    if (!there.isDirectory()) found.files.push({ path, kind: "file" });
    else if (await isRun(path)) found.runs.push(path);
    else if ((await runsIn(path)).length > 0 || (await isEmpty(path))) found.folders.push(path);
    else found.files.push({ path, kind: "folder" });
  }
  return found;
}

async function isEmpty(path: string): Promise<boolean> {
  return (await readdir(path)).length === 0;
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
