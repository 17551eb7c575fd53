/** Who may ask the server, and how: tried as an attacker would. */

import { readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { type Route, routes } from "../../src/api/routes.ts";
import { type Client, folder, pumpsFile, pumpsRun, raw, served } from "./support.ts";

let client: Client;
let other: Client;
beforeAll(async () => {
  await pumpsRun();
  client = await served({ paths: [`${folder}/runs`, await pumpsFile()] });
  other = await served({ paths: [`${folder}/runs`] });
});
afterAll(async () => {
  await client.server.close();
  await other.server.close();
});

/** Every route with something in its braces. */
const everyRoute = Object.entries<Route>(routes).map(([name, route]) => {
  const path = route.path.replace("{run}", "pumps").replace("{fit}", "fit-1").replace("{what}", "cluster");
  return { ...route, name, path: path.replaceAll(/\{\w+\}/g, "0") };
});

const sent = ({ method, body }: Pick<Route, "method" | "body">) => ({
  method,
  headers: {
    ...(method === "POST" && {
      Origin: client.origin,
      "Content-Type": body === "bytes" ? "application/octet-stream" : "application/json",
    }),
  },
  ...(method === "POST" && { body: "{}" }),
});

describe("without a session", () => {
  it.each(everyRoute.filter(({ name }) => name !== "session"))("$method $path is refused", async (route) => {
    const { status, text } = await raw(client.origin, route.path, sent(route));
    expect(status).toBe(401);
    expect(JSON.parse(text).problem).toContain("no session");
  });

  it("nothing but the page itself is answered, also for addresses that are none", async () => {
    expect((await raw(client.origin, "/")).status).toBe(200);
    expect((await raw(client.origin, "/anything")).status).toBe(401);
  });

  it("the cookie of another port opens nothing", async () => {
    expect((await raw(client.origin, "/api/runs", { headers: { Cookie: other.cookie } })).status).toBe(401);
    const renamed = `${client.cookie.split("=")[0]}=${other.cookie.split("=")[1]}`;
    expect((await raw(client.origin, "/api/runs", { headers: { Cookie: renamed } })).status).toBe(401);
    expect(
      (await raw(client.origin, "/api/runs", { headers: { Cookie: `${client.cookie}; ${renamed}` } })).status,
    ).toBe(401);
  });
});

describe("the token", () => {
  const exchange = (token: unknown) =>
    raw(client.origin, "/api/session", { ...sent(routes.session), body: JSON.stringify({ token }) });

  it("is behind # in the address, where no server and no log sees it", () => {
    expect(client.server.address).toBe(`${client.origin}/#token=${client.server.token}`);
    expect(Buffer.from(client.server.token, "base64url")).toHaveLength(32);
  });

  it("becomes a cookie that scripts cannot read and other sites do not send, named by the port", async () => {
    const { status, headers } = await exchange(client.server.token);
    expect(status).toBe(204);
    const { port } = new URL(client.origin);
    expect(headers["set-cookie"]).toEqual([
      expect.stringMatching(new RegExp(`^telltale-${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`)),
    ]);
    expect(headers["set-cookie"]![0]).not.toContain(client.server.token);
  });

  it("is good as long as the server runs: a second browser opens the same address", async () => {
    for (let browser = 0; browser < 2; browser++) {
      const { headers } = await exchange(client.server.token);
      const [Cookie = ""] = headers["set-cookie"]![0]!.split(";");
      expect((await raw(client.origin, "/api/runs", { headers: { Cookie } })).status).toBe(200);
    }
    expect(other.server.token).not.toBe(client.server.token);
  });

  it.each([["another"], [""], [17], [null], ["x".repeat(101)]])("%j is no token", async (token) => {
    const { status, headers } = await exchange(token);
    expect([400, 401]).toContain(status);
    expect(headers["set-cookie"]).toBeUndefined();
  });

  it("in an address opens nothing", async () => {
    expect((await raw(client.origin, `/api/runs?token=${client.server.token}`)).status).toBe(401);
  });
});

describe("a page of another origin", () => {
  it.each([
    "evil.example",
    "evil.example:7411",
    "localhost",
    "127.0.0.1",
    "localhost:1",
    "127.0.0.1:80",
    "",
    "LOCALHOST:PORT.evil.example",
  ])("whose name was bound to this machine finds nothing: Host %j", async (host) => {
    for (const path of ["/", "/api/runs"])
      expect((await client.get(path, { Host: host })).status).toBeGreaterThanOrEqual(400);
  });

  it.each([
    "https://evil.example",
    "null",
    "http://localhost",
    "http://127.0.0.1:1",
    "HTTP://ORIGIN",
    "http://ORIGIN.evil.example",
  ])("can neither read nor write: Origin %s", async (given) => {
    const origin = given.replace("ORIGIN", new URL(client.origin).host);
    expect((await client.get("/api/runs", { Origin: origin })).status).toBe(403);
    expect((await client.post("/api/runs/pumps/table", {}, { Origin: origin })).status).toBe(403);
  });

  it.each(["cross-site", "same-site"])("is known by Sec-Fetch-Site: %s", async (site) => {
    expect((await client.get("/api/runs", { "Sec-Fetch-Site": site })).status).toBe(403);
    expect((await client.get("/", { "Sec-Fetch-Site": site })).status).toBe(403);
  });

  it("is asked for its origin by whatever changes something", async () => {
    const { origin, cookie } = client;
    for (const route of everyRoute.filter(({ method }) => method === "POST")) {
      const { Origin: _, ...headers } = sent(route).headers;
      const { status } = await raw(origin, route.path, {
        method: "POST",
        headers: { ...headers, Cookie: cookie },
        body: "{}",
      });
      expect(status, route.path).toBe(403);
    }
  });

  it("is given no leave by any header of ours", async () => {
    for (const path of ["/", "/api/runs", "/api/nothing"]) {
      const { headers } = await client.get(path);
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
    }
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""])(
    "sends no form: %s",
    async (type) => {
      expect((await client.post("/api/runs/pumps/table", {}, { "Content-Type": type })).status).toBe(415);
    },
  );
});

describe("every method", () => {
  it.each(["DELETE", "OPTIONS", "PUT", "PATCH", "TRACE", "PROPFIND"])(
    "%s is refused, with a session and without",
    async (method) => {
      for (const headers of [{}, { Cookie: client.cookie, Origin: client.origin }]) {
        for (const path of ["/", "/api/runs", "/api/session"]) {
          expect((await raw(client.origin, path, { method, headers })).status).toBe(405);
        }
      }
    },
  );

  it("nothing is upgraded: there is no WebSocket", async () => {
    const asked = {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Key": "x".repeat(24),
      "Sec-WebSocket-Version": "13",
    };
    expect((await client.get("/api/events", asked)).status).toBe(400);
  });
});

describe("a path", () => {
  const tricks = [
    "//api/runs",
    "/api//runs",
    "/api/runs/%2e%2e/%2e%2e/etc/passwd",
    "/../../etc/passwd",
    "/api/../api/runs",
    "/api%2fruns",
    "/api%2Fruns",
    "/api%5cruns",
    "/api\\runs",
    "/.env",
    "/%00",
    "http://evil.example/api/runs",
    "//evil.example/",
    "*",
    `/${"a".repeat(3000)}`,
  ];
  it.each(tricks)("with two meanings has none: %s", async (path) => {
    expect([400, 404]).toContain((await client.get(path)).status);
  });

  it("names no file: whatever stands for a run, a fit or a frame is an id that the server made", async () => {
    const secret = readFileSync(`${folder}/pumps.csv`, "utf8").slice(0, 40);
    for (const name of ["..", "run.json", "runs", "pumps.csv", `${folder}/runs/pumps`, "%2e%2e", "pumps%20", "PUMPS"]) {
      const { status, text } = await client.get(`/api/runs/${encodeURIComponent(name)}`);
      expect([400, 404]).toContain(status);
      expect(text).not.toContain(secret);
    }
  });
});

test("a header that must be there once, and is there twice, is refused", async () => {
  const { port } = new URL(client.origin);
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () => {
      socket.end(
        `GET /api/runs HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.example\r\nCookie: ${client.cookie}\r\nConnection: close\r\n\r\n`,
      );
    });
    let text = "";
    socket.on("data", (piece) => {
      text += piece;
    });
    socket.on("end", () => resolve(text)).on("error", reject);
  });
  expect(answer).toMatch(/^HTTP\/1\.1 400/);
});

test("the page runs scripts of its own origin only, evaluates nothing, and is in nobody's frame", async () => {
  const { headers } = await client.get("/");
  const policy = String(headers["content-security-policy"]);
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  expect(headers).toMatchObject({
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
  });
});

test("what is answered is kept by no cache, and data is never sent as a page", async () => {
  for (const path of ["/api/runs", "/api/runs/pumps", "/api/runs/pumps/rows/4", "/api/runs/pumps/map"]) {
    const { headers } = await client.get(path);
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["content-type"]).toMatch(/^application\/(json|octet-stream)$/);
  }
});

test("it listens on this machine alone, unless told otherwise", async () => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((address) => address && !address.internal && address.family === "IPv4");
  const { port } = new URL(client.origin);
  expect(new URL(client.origin).hostname).toBe("127.0.0.1");
  if (!outside) return;
  const reached = await new Promise((resolve) => {
    const socket = connect(Number(port), outside.address, () => resolve("reached"));
    socket.on("error", () => resolve("refused")).setTimeout(1000, () => resolve("refused"));
  });
  expect(reached).toBe("refused");
});

test("with another host the token is asked for all the same, and only that name is answered", async () => {
  const wide = await served({ paths: [`${folder}/runs`], host: "localhost" });
  try {
    expect((await raw(wide.origin, "/api/runs")).status).toBe(401);
    expect((await wide.get("/api/runs")).status).toBe(200);
    expect((await wide.get("/api/runs", { Host: `evil.example:${new URL(wide.origin).port}` })).status).toBe(421);
  } finally {
    await wide.server.close();
  }
});

/** Addresses of this machine beside the usual one; where there is Linux, all of 127.x.x.x are. */
const ownAddresses = [
  ...Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4")
    .map(({ address }) => address),
  ...(process.platform === "linux" ? ["127.0.0.2"] : []),
];

describe("at all addresses of the machine, --host 0.0.0.0,", () => {
  let wide: Client;
  beforeAll(async () => {
    wide = await served({ paths: [`${folder}/runs`], host: "0.0.0.0" });
  });
  afterAll(() => wide.server.close());

  it("an address is printed for each, and opens there with the token that is in it", async () => {
    const { port } = new URL(wide.origin);
    const printed = wide.server.addresses.map((address) => new URL(address).hostname);
    expect(printed).toEqual([...ownAddresses.filter((address) => !address.startsWith("127.")), "127.0.0.1"]);
    expect(wide.server.address).toBe(wide.server.addresses[0]);
    for (const address of [...ownAddresses, "127.0.0.1"]) {
      const origin = `http://${address}:${port}`;
      const post = { method: "POST", headers: { Origin: origin, "Content-Type": "application/json" } };
      const begun = await raw(origin, "/api/session", { ...post, body: JSON.stringify({ token: wide.server.token }) });
      expect(begun.status, address).toBe(204);
      const [Cookie = ""] = String(begun.headers["set-cookie"]).split(";");
      expect((await raw(origin, "/api/runs", { headers: { Cookie } })).status, address).toBe(200);
      expect((await raw(origin, "/api/runs")).status, address).toBe(401);
    }
  });

  it.each(["evil.example", "0.0.0.0", "127.0.0.3"])(
    "%s is none of them: its request came in elsewhere",
    async (name) => {
      const { port } = new URL(wide.origin);
      const { status, text } = await wide.get("/api/runs", { Host: `${name}:${port}` });
      expect([status, JSON.parse(text).problem]).toEqual([421, expect.stringContaining("has printed")]);
    },
  );
});

describe("what is sent", () => {
  it("as JSON has at most a megabyte", async () => {
    const { status } = await client.post("/api/runs/pumps/table", { filter: { text: "x".repeat(2 ** 20) } });
    expect(status).toBe(413);
  });

  it("as a file is bounded, whole or not there at all, and replaces nothing", async () => {
    const small = await served({ paths: [], out: `${folder}/uploaded`, mostUploaded: 1000 });
    const upload = (name: string, body: string) =>
      raw(small.origin, `/api/sources?name=${name}`, {
        method: "POST",
        headers: { Origin: small.origin, Cookie: small.cookie, "Content-Type": "application/octet-stream" },
        body,
      });
    try {
      expect((await upload("large.csv", "a,b\n".repeat(1000))).status).toBe(413);
      expect(JSON.parse((await upload("small.csv", "a,b\n1,2\n")).text)).toMatchObject({
        name: "small.csv",
        kind: "upload",
      });
      expect((await upload("small.csv", "c,d\n1,2\n")).status).toBe(422);
      for (const name of ["..%2fx.csv", ".hidden", "a%00b.csv", "%2Fetc%2Fx", "x%5cy"]) {
        expect((await upload(name, "a\n")).status, name).toBe(400);
      }
      expect(readFileSync(`${folder}/uploaded/uploads/small.csv`, "utf8")).toBe("a,b\n1,2\n");
      expect(JSON.parse((await small.get("/api/sources")).text)).toHaveLength(1);
      renameSync(`${folder}/uploaded/uploads`, `${folder}/elsewhere`);
      symlinkSync("../elsewhere", `${folder}/uploaded/uploads`);
      expect((await upload("other.csv", "a,b\n1,2\n")).text).toContain("is a link");
      expect(readdirSync(`${folder}/elsewhere`)).toEqual(["small.csv"]);
    } finally {
      await small.server.close();
    }
  });
});
