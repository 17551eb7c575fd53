/** Requests that a stranger's program or page could send to the server of `telltale view`, drawn from a seed. */

import { Buffer } from "node:buffer";
import fc from "fast-check";
import { type Route, routes } from "../../src/api/routes.ts";
import { Random } from "../../src/doors/engine.ts";
import { hash } from "../../src/tensor/random.ts";
import { drawn, pick } from "./mutations.ts";

export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** Whether it has the cookie of somebody who may ask. */
  readonly isInSession: boolean;
}

export interface Aim {
  readonly host: string;
  readonly cookie: string;
  /** What really is there. */
  readonly run: string;
}

const methods = ["GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "get", "GE T"];

/** What leads elsewhere on some server or other. */
const paths = [
  "/../../../../etc/passwd",
  "//etc/passwd",
  "/api/runs/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
  "/api/runs/..;/..;/",
  "/%5c..%5cwindows",
  "/.git/config",
  "/api/runs/pumps/../../../run.json",
  "http://169.254.169.254/latest",
  "/api/runs/pumps%00.json",
  "/?x=/../..",
  "*",
  "/api/openapi.json#x",
  "/api/fits/__proto__",
  "/api/runs/constructor",
];

/** Names and values by which servers have been fooled. */
const odd = [
  "__proto__",
  "constructor",
  "toString",
  "null",
  "-1",
  "1e9",
  "999999999",
  "NaN",
  "%F0%9F",
  "'",
  '"',
  "<script>",
  "0x10",
  "a".repeat(300),
];

const anything = fc.jsonValue({ maxDepth: 4 });

export function requestOf(seed: number, aim: Aim): HostileRequest {
  const random = Random.seeded(hash(`client ${seed}`));
  const isInSession = random.below(2) === 0;
  const known = pick(random, Object.values<Route>(routes));
  const isKnown = random.below(5) > 0;
  const path = isKnown
    ? known.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => partOf(random, name, aim))
    : pick(random, [...paths, `/${drawn(random, fc.webPath())}`]);
  const query =
    random.below(3) === 0
      ? `?${pick(random, ["a", "b", "steps", "against", "name", "x"])}=${encodeURIComponent(pick(random, odd))}&a=${random.below(9)}`
      : "";
  // Half of them know what the route wants, so that what is behind the guard is reached.
  const method = random.below(2) === 0 ? known.method : pick(random, methods);
  const body = method === "GET" || method === "HEAD" ? Buffer.alloc(0) : bodyOf(random, known);
  return {
    method,
    path: `${path}${query}`,
    headers: headersOf(random, aim, { method, body, isInSession, known }),
    body,
    isInSession,
  };
}

function partOf(random: Random, name: string, { run }: Aim): string {
  if (random.below(3) === 0) return encodeURIComponent(pick(random, odd));
  return { run, fit: "fit-1", what: "cluster" }[name] ?? String(random.below(200));
}

/** Nothing that it could really begin: what is true of it is broken somewhere. */
function bodyOf(random: Random, { body }: Route): Buffer {
  const kind = random.below(6);
  if (kind === 0) return Buffer.from(Array.from({ length: random.below(2000) }, () => random.below(256)));
  if (kind === 1) return Buffer.from("[".repeat(50_000));
  if (kind === 2) return Buffer.alloc(2 ** 20 + 10, "x");
  const value = drawn(random, anything);
  if (kind === 3 || body === "bytes" || !body) return Buffer.from(JSON.stringify(value));
  const almost = {
    filter: {
      text: pick(random, odd),
      clusters: [random.below(5), value],
      ranges: [{ column: random.below(9), from: 0, to: value }],
      mask: "A".repeat(random.below(100)),
    },
    sort: { by: pick<unknown>(random, [random.below(12), "row", "cluster; drop table rows", value]) },
    format: pick(random, ["csv", "parquet", "../x"]),
    token: pick(random, odd),
    source: pick(random, odd),
    name: pick(random, odd),
    edit: {
      kind: pick(random, ["merge", "split", "move", "x"]),
      cluster: value,
      rows: [-1, value],
      clusters: [0, value],
    },
    version: value,
  };
  const names = Object.keys(almost).filter(() => random.below(2) === 0) as (keyof typeof almost)[];
  return Buffer.from(JSON.stringify(Object.fromEntries(names.map((name) => [name, almost[name]]))));
}

interface Heading {
  readonly method: string;
  readonly body: Buffer;
  readonly isInSession: boolean;
  readonly known: Route;
}

/** As they should be, each perhaps wrong. */
function headersOf(
  random: Random,
  { host, cookie }: Aim,
  { method, body, isInSession, known }: Heading,
): [string, string][] {
  const mostly = (right: string, ...wrong: string[]): string => (random.below(6) > 0 ? right : pick(random, wrong));
  const type = known.body === "bytes" ? "application/octet-stream" : "application/json";
  const own = isInSession
    ? cookie
    : pick(random, ["", "telltale-1=x", `${cookie}x`, cookie.replace("=", "=a"), "x".repeat(4000)]);
  return [
    ["Host", mostly(host, "evil.example", "localhost", "", `${host}.evil.example`)],
    ...(method === "GET" || method === "HEAD" ? [] : ([["Content-Length", String(body.length)]] as [string, string][])),
    ...(random.below(8) > 0
      ? ([["Origin", mostly(`http://${host}`, "null", "https://evil.example", `http://${host}.evil.example`)]] as [
          string,
          string,
        ][])
      : []),
    ["Content-Type", mostly(type, "text/plain", "multipart/form-data", "application/json, text/html")],
    ["Sec-Fetch-Site", mostly("same-origin", "cross-site", "none", "same-site")],
    ...(own ? ([["Cookie", own]] as [string, string][]) : []),
    ...(random.below(10) === 0 ? ([["Last-Event-ID", pick(random, odd)]] as [string, string][]) : []),
    ...(random.below(20) === 0 ? ([["X-Forwarded-Host", host]] as [string, string][]) : []),
    ...(random.below(20) === 0 ? ([["X-HTTP-Method-Override", "DELETE"]] as [string, string][]) : []),
    ["Connection", "close"],
  ];
}
