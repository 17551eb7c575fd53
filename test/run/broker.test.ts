/** Streams from a broker, as far as that needs no server: addresses, messages, what is written once, what is said. */

import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { brokerAddress } from "../../src/run/stream/broker/address.ts";
import { type Outlet, rowIn } from "../../src/run/stream/broker/broker.ts";
import { brokerSink } from "../../src/run/stream/broker/brokerSink.ts";
import { type Answer, settled } from "../../src/run/stream/broker/kafkaPartition.ts";
import { openBroker } from "../../src/run/stream/broker/openBroker.ts";
import { bytesOf } from "../../src/run/stream/broker/redis.ts";
import { checkMetricsFile, metricsText, writeMetrics } from "../../src/run/stream/metrics.ts";
import { driftText } from "../../src/run/stream/reports.ts";

test("an address has a server and ends in a name", () => {
  expect(brokerAddress("nats://me:pa%2Fss@host:4333/ORDERS?subject=orders.eu")).toMatchObject({
    ...{ kind: "nats", host: "host", port: 4333, user: "me", password: "pa/ss", name: "ORDERS", subject: "orders.eu" },
  });
  expect(brokerAddress("redis://:pw@[::1]/3/orders")).toMatchObject({
    ...{ kind: "redis", host: "::1", port: 6379, password: "pw", database: 3, name: "orders", isEncrypted: false },
  });
  expect(brokerAddress("rediss://host/a%2Fb")).toMatchObject({ name: "a/b", database: 0, isEncrypted: true });
  expect(brokerAddress("kafka://host/orders")).toMatchObject({
    ...{ kind: "kafka", host: "host", port: 9092, name: "orders", mechanism: "PLAIN", isEncrypted: false },
  });
  expect(brokerAddress("kafkas://me:pw@host/orders?partition=12&mechanism=SCRAM-SHA-512")).toMatchObject({
    ...{ port: 9093, user: "me", password: "pw", partition: 12, mechanism: "SCRAM-SHA-512", isEncrypted: true },
  });
});

test.each([
  ...["nats://host", "nats://host/", "nats://host/a/b", "redis://host/x/y", "redis://host/1/2/3", "amqp://host/x"],
  ...[
    "kafka://host:9092",
    "kafka://host/x?partition=-1",
    "kafka://host/x?mechanism=GSSAPI",
    "redis://host/x?partition=1",
  ],
  ...["redis://host/a b", "redis://host/%E0%A4%A", "redis://host/x?subject=y", "nats:x"],
  ...["nats://host/x?durable=y", "nats://host/x#y"],
])("any other is refused in a line: %s", async (address) => {
  await expect(openBroker(address)).rejects.toThrow(/^\S.*: a broker must be an address that ends in a name, such as/);
});

test("a password is never told", async () => {
  const told = await openBroker("redis://me:12/secret@host/x").catch((error: Error) => error.message);
  expect(told).toMatch(/^host\/x: a broker must be .*; write special letters of a password as %2F for \/$/);
});

test("an entry of Redis is an object in one field, or a column in each", () => {
  const entry = (...fields: string[]): unknown =>
    JSON.parse(new TextDecoder().decode(bytesOf(fields.map((field) => Buffer.from(field)))));
  expect(entry("json", ' {"a": 1}')).toEqual({ a: 1 });
  expect(entry("a", "1.5")).toEqual({ a: "1.5" });
  expect(entry("a", "1.5", "b", "NA", "__proto__", "x")).toEqual(
    JSON.parse('{"a": "1.5", "b": null, "__proto__": "x"}'),
  );
  // What is no JSON stays as it came, and is set aside as that.
  expect(bytesOf([Buffer.from("json"), Buffer.from([123, 255])])).toEqual(Buffer.from([123, 255]));
});

test("of Kafka's transactions nothing is read that was taken back, by whomever and how often", () => {
  const batch = (producer: number, firstOffset: number, kind: "plain" | "open" | "mark", ...texts: string[]) => ({
    ...{
      firstOffset: BigInt(firstOffset),
      lastOffsetDelta: Math.max(texts.length, 1) - 1,
      producerId: BigInt(producer),
    },
    attributes: { plain: 0, open: 1 << 4, mark: (1 << 4) | (1 << 5) }[kind],
    records: texts.map((text, offsetDelta) => ({ offsetDelta, value: text === "" ? null : Buffer.from(text) })),
  });
  const records = [
    ...[
      batch(1, 10, "open", "taken", "back"),
      batch(2, 12, "open", "kept"),
      batch(1, 13, "mark"),
      batch(-1, 14, "plain", ""),
    ],
    ...[
      batch(1, 15, "open", "also kept"),
      batch(1, 16, "mark"),
      batch(1, 17, "open", "taken back"),
      batch(1, 18, "mark"),
    ],
    ...[batch(3, 19, "mark"), batch(2, 20, "mark"), batch(-1, 21, "plain", "last")],
  ];
  const abortedTransactions = [10, 17].map((firstOffset) => ({ producerId: 1n, firstOffset: BigInt(firstOffset) }));
  const told = ({ records: found, next }: ReturnType<typeof settled>): unknown => ({
    found: found.map(({ offset, bytes }) => [Number(offset), new TextDecoder().decode(bytes)]),
    next: Number(next),
  });
  const answer = { records, abortedTransactions } as unknown as Answer;
  // A message of no bytes is one.
  const found = [[12, "kept"], [14, ""], [15, "also kept"], [21, "last"]]; // biome-ignore format: rows
  expect(told(settled(answer, 10n))).toEqual({ found, next: 22 });
  // What is asked for may begin within a batch; the rest of it is there already.
  expect(told(settled(answer, 11n))).toEqual({ found, next: 22 });
  expect(told(settled(answer, 15n))).toEqual({ found: found.slice(2), next: 22 });
  expect(told(settled({ ...answer, records: [] }, 22n))).toEqual({ found: [], next: 22 });
});

test("rows are known by the number that they begin with", () => {
  expect(rowIn('{"row":17,"cluster":0}')).toBe(17);
  for (const other of ['{"cluster":0,"row":17}', '{"row":-1}', '{"row":"17"}', "", "17"])
    expect(rowIn(other)).toBe(undefined);
});

/** A broker in memory, whose answers may be lost before or after it has written. */
function memory(faults: readonly ("before" | "after" | "half" | undefined)[]) {
  const kept: string[] = [];
  const left = [...faults];
  const outlet: Outlet = {
    rows: async () => kept.length,
    async append(texts, first) {
      expect(first).toBe(kept.length);
      const fault = left.shift();
      if (fault === "before") throw new Error("no answer");
      kept.push(...texts.slice(0, fault === "half" ? 1 : undefined));
      if (fault) throw new Error("no answer");
    },
  };
  return { kept, outlet };
}

const columns = [
  { name: "row", type: "integer" },
  { name: "cluster", type: "integer" },
] as const;

test("each row is written once and in its order, whichever answer is lost", async () => {
  const { kept, outlet } = memory(["before", "half", "after", undefined]);
  const sink = brokerSink("nats://host/out", outlet, columns, 0, undefined);
  await sink.write([[0, 5], [1, 6], [2, 7]]); // biome-ignore format: rows
  await sink.write([[3, 8]]);
  expect(kept).toEqual([5, 6, 7, 8].map((cluster, row) => JSON.stringify({ row, cluster })));
  expect(sink.length).toBe(4);
  // After a kill, a batch that was written and not committed comes again.
  const again = brokerSink("nats://host/out", outlet, columns, 3, undefined);
  await again.write([[3, 8], [4, 9]]); // biome-ignore format: rows
  expect(kept).toHaveLength(5);
});

test("a server that has lost rows is said, and nothing is written behind the gap", async () => {
  const { kept, outlet } = memory([]);
  const sink = brokerSink("nats://me:secret@host/out", outlet, columns, 2, undefined);
  await expect(sink.write([[2, 7]])).rejects.toThrow(
    "nats://host/out: must have the 2 rows that the stream has written, it has 0; restore them, or say --restart to begin anew elsewhere",
  );
  expect(kept).toEqual([]);
});

/** A server that says something to whoever connects, and the same to each thing that is said to it. */
async function served(greeting: string, answer: string, work: (port: number) => Promise<void>): Promise<void> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    if (greeting) socket.write(greeting);
    // Redis is asked in lists, of which several may come at once.
    socket.on("data", (asked) => socket.write(answer.repeat(`${asked}`.match(/^\*\d+\r$/gm)?.length ?? 1)));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await work((server.address() as AddressInfo).port);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

const info = JSON.stringify({ server_id: "x", version: "2.10.0", proto: 1, auth_required: true, max_payload: 1024 });

test.each([
  ["nats", `INFO ${info}\r\n`, "-ERR 'Authorization Violation'\r\n"],
  ["redis", "", "-WRONGPASS invalid username-password pair or user is disabled.\r\n"],
])("a wrong password of %s is said in a line", async (protocol, greeting, answer) => {
  await served(greeting, answer, async (port) => {
    const address = `${protocol}://me:secret@127.0.0.1:${port}/rows`;
    await expect(openBroker(address)).rejects.toThrow(
      `${protocol}://127.0.0.1:${port}/rows: the broker cannot be used: the user or the password is wrong; correct the address`,
    );
  });
});

test.each(["nats", "redis", "kafka"])("%s where nobody answers is said at once", async (protocol) => {
  let closed = 0;
  await served("", "", async (port) => {
    closed = port;
  });
  await expect(openBroker(`${protocol}://127.0.0.1:${closed}/rows`)).rejects.toThrow(
    `${protocol}://127.0.0.1:${closed}/rows: the broker cannot be used: nobody answers there; start the server, or correct the address`,
  );
});

const figures = {
  ...{ rows: 1280, skipped: 3, committed: 1700000000 },
  drift: { rows: 1277, moved: [0.25, 0], loss: 0.5, firstLoss: 0.4, unsure: 0.125 },
};

test("figures are text as Prometheus reads it", () => {
  const text = metricsText(figures);
  expect(text).toContain("# TYPE telltale_stream_rows_total counter\ntelltale_stream_rows_total 1280\n");
  expect(text).toContain(
    'telltale_stream_center_moved{cluster="0"} 0.25\ntelltale_stream_center_moved{cluster="1"} 0\n',
  );
  const line = /^(# (HELP|TYPE) telltale_\w+ .+|telltale_\w+(\{cluster="\d+"\})? \d+(\.\d+)?)$/;
  expect(text.trimEnd().split("\n").filter((each) => !line.test(each))).toEqual([]); // biome-ignore format: one line
  expect(metricsText({ rows: 0, skipped: 0, committed: 1 })).not.toContain("loss");
});

test("the drift is one JSON object", () => {
  expect(JSON.parse(driftText(figures))).toEqual({
    ...{ rows: 1280, skipped: 3, loss: 0.5, firstLoss: 0.4, unsure: 0.125, moved: [0.25, 0] },
  });
});

test("a file of figures is replaced, and nobody else's is", async () => {
  const folder = await mkdtemp(join(tmpdir(), "telltale-metrics-"));
  try {
    const file = join(folder, "stream.prom");
    await checkMetricsFile(file);
    await writeMetrics(file, figures);
    await checkMetricsFile(file);
    await writeMetrics(file, { ...figures, rows: 2 });
    expect(await readFile(file, "utf8")).toContain("rows_total 2\n");
    await writeFile(file, "mine");
    await expect(checkMetricsFile(file)).rejects.toThrow(/is there already and not the metrics of a stream/);
    await expect(checkMetricsFile(folder)).rejects.toThrow(/is there already/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
