/** A hostile client against the real server: what it answers, what it touches, and how much memory it takes. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HostileRequest, requestOf } from "./ofClients.ts";
import { snapshot } from "./touched.ts";

export interface ClientResult {
  readonly requests: number;
  /** Without a session all must be 4xx, but for the page itself; with one none may be 5xx. */
  readonly "without a session, answered": number;
  readonly "5xx": number;
  readonly "without an answer": number;
  readonly crashes: number;
  readonly "files touched": number;
  /** In megabytes: before, and the most that was seen. */
  readonly memory: { readonly before: number; readonly most: number };
  readonly statuses: Readonly<Record<string, number>>;
  /** What was wrong, the first of each kind. */
  readonly found: readonly string[];
}

/** Two thousand rows of three kinds. */
const rows = Array.from(
  { length: 300 },
  (_, i) => `p${i},${(i % 3) * 4 + Math.sin(i)},${(i % 3) * -3 + Math.cos(i)},"note ${i}"`,
);

/** So many at a time. */
const lanes = 8;

/** Sends so many requests to a server over a run that was made for it. */
export async function attackServer(command: string, requests: number, seed: number): Promise<ClientResult> {
  const root = await mkdtemp(join(tmpdir(), "telltale-client-"));
  try {
    await writeFile(join(root, "pumps.csv"), `id,a,b,note\n${rows.join("\n")}\n`);
    const fit = spawn(
      process.execPath,
      [command, "fit", "pumps.csv", "-k", "3", "--method", "kmeans", "--out", "runs/pumps", "--no-report", "-q"],
      { cwd: root, stdio: "ignore" },
    );
    await once(fit, "exit");
    await mkdir(join(root, "sweep"));
    await writeFile(join(root, "sweep/jobs.jsonl"), '{"name":"../runs/pumps"}\n');
    const server = spawn(
      process.execPath,
      [command, "view", "runs", "sweep", "pumps.csv", "--no-open", "--port", "0", "--json", "-q"],
      { cwd: root, stdio: ["ignore", "pipe", "inherit"] },
    );
    let isGone = false;
    server.on("exit", () => {
      isGone = true;
    });
    const { origin, address } = JSON.parse(await printed(server.stdout)) as { origin: string; address: string };
    try {
      return await attacked({
        root,
        origin,
        token: address.split("#token=")[1]!,
        requests,
        seed,
        memory: () => memoryOf(server.pid!),
        isGone: () => isGone,
      });
    } finally {
      if (!isGone) {
        server.kill("SIGINT");
        await once(server, "exit");
      }
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

interface Attacked {
  readonly root: string;
  readonly origin: string;
  readonly token: string;
  readonly requests: number;
  readonly seed: number;
  readonly memory: () => Promise<number>;
  readonly isGone: () => boolean;
}

async function attacked({ root, origin, token, requests, seed, memory, isGone }: Attacked): Promise<ClientResult> {
  const { host } = new URL(origin);
  const begun = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers: { Origin: origin, "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  });
  const cookie = begun.headers.get("set-cookie")!.split(";")[0]!;
  // What is read once is read before it is counted.
  for (const path of ["", "/map", "/columns/1", "/rows/1/explanation", "/between?a=0&b=1"])
    await fetch(`${origin}/api/runs/pumps${path}`, { headers: { Cookie: cookie } });
  const before = { files: await snapshot(root), memory: await memory() };
  const count = { answered: 0, broken: 0, silent: 0 };
  const statuses: Record<string, number> = {};
  const found = new Map<string, string>();
  const note = (what: string, { method, path }: HostileRequest, at: number): void => {
    if (!found.has(what)) found.set(what, `${what}: request ${at}: ${method} ${path.slice(0, 120)}`);
  };
  let [next, most] = [0, before.memory];
  const work = async (): Promise<void> => {
    while (next < requests && !isGone()) {
      const at = next++;
      const request = requestOf(1000 * seed + at, { host, cookie, run: "pumps" });
      const status = await sent(origin, request);
      statuses[status ?? "none"] = (statuses[status ?? "none"] ?? 0) + 1;
      const isPage = request.path.split("?")[0] === "/";
      if (status === undefined) {
        count.silent++;
        note("without an answer", request, at);
      } else if (status !== "closed" && status >= 500) {
        count.broken++;
        note("5xx", request, at);
      } else if (status !== "closed" && status < 400 && !request.isInSession && !isPage) {
        count.answered++;
        note("answered without a session", request, at);
      }
      if (at % 100 === 0) most = Math.max(most, await memory());
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  const after = await snapshot(root);
  const paths = new Set([...before.files.keys(), ...after.keys()]);
  const touched = [...paths].filter((path) => before.files.get(path) !== after.get(path));
  for (const path of touched.slice(0, 5)) found.set(path, `touched: ${path.slice(root.length)}`);
  return {
    requests: next,
    "without a session, answered": count.answered,
    "5xx": count.broken,
    "without an answer": count.silent,
    crashes: isGone() ? 1 : 0,
    "files touched": touched.length,
    memory: { before: before.memory, most },
    statuses,
    found: [...found.values()],
  };
}

/** What a socket takes in before the other side has read anything. */
const largeBody = 2 ** 16;

/**
 * The status of what comes back; nothing where nothing does. An answer that has no end, as of events, is left.
 * Whoever is refused while a large body is still on its way may find the connection closed before the answer is read.
 */
function sent(origin: string, { method, path, headers, body }: HostileRequest): Promise<number | "closed" | undefined> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = "";
    const done = (status: number | "closed" | undefined): void => {
      socket.destroy();
      resolve(status);
    };
    socket.setTimeout(30_000, () => done(undefined));
    socket.on("error", ({ code }: NodeJS.ErrnoException) => {
      const isCut = body.length > largeBody && (code === "ECONNRESET" || code === "EPIPE");
      done(statusIn(text) ?? (isCut ? "closed" : undefined));
    });
    socket.on("close", () => done(statusIn(text)));
    socket.on("data", (piece) => {
      text += piece.toString("latin1").slice(0, 100);
      if (statusIn(text) !== undefined) done(statusIn(text));
    });
    socket.on("connect", () => {
      const head = [`${method} ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)].join("\r\n");
      socket.write(`${head}\r\n\r\n`, "latin1");
      socket.write(body);
    });
  });
}

function statusIn(text: string): number | undefined {
  const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
  return status === undefined ? undefined : Number(status);
}

async function printed(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const piece of stream) {
    text += piece;
    if (text.trimEnd().endsWith("}")) return text;
  }
  throw new Error(`view: ended before it said where it is: ${text}`);
}

/** In megabytes; 0 where the system does not tell. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024);
}
