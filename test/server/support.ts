/** A server over a small run of a CSV, and requests as programs and browsers send them: to the letter. */

import { type IncomingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import type { FileFitOptions } from "../../src/doors/inside.ts";
import type { ViewOptions, ViewServer } from "../../src/server/start.ts";
import { folder, write } from "../files/folder.ts";

/** As it is built: a fit is a process of its own, which runs what is built. */
const { startServer } = (await import(
  "../../dist/src/server/start.js" as string
)) as typeof import("../../src/server/start.ts");
export const inside = (await import(
  "../../dist/src/doors/inside.js" as string
)) as typeof import("../../src/doors/inside.ts");
export const { fitRun, openRun, resumeRun } = inside;

export interface Raw {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array;
}

/** What fetch would put right is sent as it is. */
export function raw(origin: string, path: string, { method = "GET", headers = {}, body }: Sent = {}): Promise<Raw> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, path, method, headers, setHost: headers.Host === undefined, agent: false },
      (answer) => {
        const pieces: Buffer[] = [];
        answer.on("data", (piece: Buffer) => pieces.push(piece));
        answer.on("error", reject);
        answer.on("end", () => {
          const bytes = Buffer.concat(pieces);
          resolve({ status: answer.statusCode!, headers: answer.headers, bytes, text: bytes.toString() });
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

export interface Client {
  readonly server: ViewServer;
  readonly origin: string;
  readonly cookie: string;
  get(path: string, headers?: Sent["headers"]): Promise<Raw>;
  post(path: string, body: unknown, headers?: Sent["headers"]): Promise<Raw>;
}

/** A server with somebody in session. */
export async function served(options: ViewOptions): Promise<Client> {
  const server = await startServer({ port: 0, ...options });
  const { origin, token } = server;
  const changing = { Origin: origin, "Content-Type": "application/json" };
  const begun = await raw(origin, "/api/session", {
    method: "POST",
    headers: changing,
    body: JSON.stringify({ token }),
  });
  const cookie = String(begun.headers["set-cookie"]![0]).split(";")[0]!;
  return {
    ...{ server, origin, cookie },
    get: (path, headers = {}) => raw(origin, path, { headers: { Cookie: cookie, ...headers } }),
    post: (path, body, headers = {}) =>
      raw(origin, path, {
        method: "POST",
        headers: { Cookie: cookie, ...changing, ...headers },
        body: JSON.stringify(body),
      }),
  };
}

const sizes = { low: [2, 30], high: [9, 10], middle: [5, 20] } as const;

/** Notes that try to be markup, and a formula of a spreadsheet. */
const odd: Readonly<Record<number, string>> = { 4: "<script>alert(1)</script> and a leak", 7: "=1+1 drips" };

/** Ninety pumps of three kinds: numbers, a category, a date, and a note. */
export function pumpsFile(name = "pumps.csv"): Promise<string> {
  const lines = Array.from({ length: 90 }, (_, i) => {
    const [pressure, flow] = Object.values(sizes)[i % 3]!;
    const shaken = (value: number, by: number): number => value + by * Math.sin(7 * i);
    const note = odd[i] ?? (i % 2 ? "hums, softly" : "leaks at the valve");
    const day = String(1 + (i % 28)).padStart(2, "0");
    return [
      `pump-${i}`,
      shaken(pressure, 0.3),
      shaken(flow, 1),
      i % 5 ? "v1" : "v2",
      `2024-03-${day}`,
      `"${note} ${i}"`,
    ].join(",");
  });
  return write(name, `${["pump,pressure,flow,firmware,installed,note", ...lines].join("\n")}\n`);
}

/** A run of them, in a folder of runs. */
export async function pumpsRun(
  name = "pumps",
  options: Partial<Pick<FileFitOptions, "seed" | "clusters" | "method" | "options">> = {},
): Promise<string> {
  const path = join(folder, "runs", name);
  const source = await pumpsFile();
  await fitRun(source, {
    out: path,
    method: "kmeans",
    clusters: 3,
    device: "cpu",
    report: false,
    ...options,
    rows: { columns: ["pressure", "flow"] },
  });
  return path;
}

export { folder };
