/**
 * Does a sweep over a queue survive what happens to workers and servers? 24 tiny fits on two workers; one of them is
 * killed with -9 three times, and the server is restarted once, in Redis (with its append-only file) and in PostgreSQL.
 * There must be 24 runs, none twice, with the bits of a sweep that nobody disturbed. Then what people mistype, a sweep
 * that is taken back, fails and is resumed, and a worker whose disk is full.
 *
 * needs: apt-get install redis-server postgresql
 * usage: npm run -s bench -- queue [--servers redis,postgres] [--out bench/results/queue.json]
 */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Random } from "../src/tensor/random.ts";
import { commitOf } from "./commit.ts";
import { freePort, waitFor } from "./servers.ts";

const command = fileURLToPath(new URL("../src/cli/main.js", import.meta.url));
const settings = [
  ...["--method", "tell,kmeans", "--clusters", "2-4", "--seeds", "4"],
  ..."--set hidden=8 --set latent=3 --set batch=20 --set pretraining=3 --set epochs=2 --set restarts=1".split(" "),
];
const jobs = 24;
/** After so many runs one worker is killed, and after so many the server is started anew. */
const [killsAfter, restartAfter] = [[3, 9, 18], 14];

interface Server {
  readonly address: string;
  readonly version: string;
  /** Addresses that are wrong, and what must be said. */
  readonly wrong: readonly (readonly [address: string, words: RegExp])[];
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function queue(options: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      servers: { type: "string", default: "redis,postgres" },
      out: { type: "string", default: "bench/results/queue.json" },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), "telltale-queue-"));
  await chmod(folder, 0o755);
  const results: unknown[] = [];
  try {
    await writeFile(join(folder, "rows.csv"), tableOf(Random.seeded(1)));
    const before = performance.now();
    await telltale(folder, ["sweep", "rows.csv", "--out", "undisturbed/rows", ...settings]);
    const undisturbed = await bitsIn(join(folder, "undisturbed/rows/runs"));
    console.log(`undisturbed, without a queue: ${undisturbed.size} runs in ${seconds(before)} s`);
    for (const name of values.servers.split(",")) {
      const server = await { redis: startRedis, postgres: startPostgres }[name]!(join(folder, name));
      try {
        const found = await disturbed(join(folder, name), server, undisturbed);
        console.log(JSON.stringify({ server: name, ...found }));
        const mistakes = await mistaken(join(folder, name), server);
        const back = await takenBack(join(folder, name), server);
        const full = await fullDisk(join(folder, name), server);
        results.push({ server: name, version: server.version, ...found, mistakes, takenBack: back, full });
        console.log(JSON.stringify(results.at(-1)));
      } finally {
        await server.stop();
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const machine = { processor: cpus()[0]!.model, cores: availableParallelism(), node: process.version };
  const bullmq = JSON.parse(await readFile("node_modules/bullmq/package.json", "utf8")).version;
  const about = { measured: new Date().toISOString(), machine, bullmq, commit: commitOf() };
  const record = { bench: "queue", ...about, command: `bench queue --servers ${values.servers}`, results };
  await writeFile(values.out, `${JSON.stringify(record, undefined, 2)}\n`);
}

/** The sweep, with everything that happens to it. */
async function disturbed(folder: string, server: Server, undisturbed: ReadonlyMap<string, string>) {
  const out = join(folder, "shared/rows");
  const root = join(folder, "shared");
  await mkdir(root, { recursive: true });
  const words = ["work", "--queue", server.address, "--out", root, "--workers", "1"];
  const said: string[] = [];
  const begin = (): ChildProcess => {
    const child = start(folder, words);
    child.stderr!.on("data", (text) => said.push(String(text)));
    return child;
  };
  let victim = begin();
  let victimSaid = textOf(victim);
  const other = begin();
  const started = performance.now();
  const sweep = start(folder, ["sweep", "../rows.csv", "--out", out, "--queue", server.address, ...settings, "-q"]);
  const told = textOf(sweep);
  const ended = once(sweep, "exit") as Promise<[number | null]>;
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const kills = [...killsAfter];
  let restarts = 0;
  for (; !isOver; await Promise.race([wait(200), ended])) {
    const runs = (await namesIn(join(out, "runs"))).length;
    if (kills.length > 0 && runs >= kills[0]!) {
      kills.shift();
      // In the middle of a job, not between two.
      await Promise.race([ended, underWay(join(out, "work"), victimSaid)]);
      const gone = once(victim, "exit");
      victim.kill("SIGKILL");
      await gone;
      victim = begin();
      victimSaid = textOf(victim);
    }
    if (restarts === 0 && runs >= restartAfter) {
      restarts++;
      await server.restart();
    }
  }
  const [code] = await ended;
  for (const child of [victim, other]) {
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
  }
  const found = await bitsIn(join(out, "runs"));
  const same = [...undisturbed].filter(([name, bits]) => found.get(name) === bits).length;
  const left =
    (await namesIn(join(out, "work"))).length > 0
      ? await namesIn(join(out, "work", (await namesIn(join(out, "work")))[0]!))
      : [];
  const put = said.join("").match(/ done$/gm)?.length ?? 0;
  const answer = JSON.parse(await readFile(join(out, "sweep.json"), "utf8").catch(() => "{}"));
  const result = {
    jobs,
    ...{ runs: found.size, sameBits: same, kills: killsAfter.length - kills.length, restarts },
    /** Runs that workers have put into their place: one each, or fewer where a worker died before it could say so. */
    put,
    leftUnfinished: left.length,
    answered: answer.fits?.length ?? 0,
    exitCode: code,
    seconds: seconds(started),
  };
  if (found.size !== jobs || same !== jobs || put > jobs || code !== 0 || answer.fits?.length !== jobs) {
    throw new Error(`queue: ${JSON.stringify(result)}\n${told()}\n${said.join("")}`);
  }
  return result;
}

/** Until a worker that says what it does is in the middle of a job. */
async function underWay(work: string, said: () => string): Promise<void> {
  for (;;) {
    const name = /^(\S+) begun$/.exec(said().trim().split("\n").at(-1)!)?.[1];
    const hosts = name === undefined ? [] : await namesIn(work);
    const there = await Promise.all(hosts.map((host) => namesIn(join(work, host))));
    if (there.flat().includes(name!)) return;
    await wait(20);
  }
}

/**
 * A sweep that waits is taken back: it ends, and no worker does any of it. Resumed from its folder alone it fails,
 * since its rows are away; resumed once more it is done.
 */
async function takenBack(folder: string, { address }: Server) {
  const [rows, away] = [join(folder, "rows.csv"), join(folder, "away.csv")];
  await copyFile(join(folder, "../rows.csv"), rows);
  const out = join(folder, "shared/back");
  const at = ["--queue", address];
  const work = ["work", ...at, "--out", join(folder, "shared")];
  const two = ["--method", "kmeans", "--clusters", "3", "--seeds", "2"];
  const swept = answerOf(folder, ["sweep", "rows.csv", "--out", out, ...at, ...two]);
  let cancel: Ended;
  do {
    // Until both of its jobs have come.
    await wait(200);
    cancel = await answerOf(folder, ["sweep", "cancel", out, ...at]);
  } while (!cancel.out.startsWith("2 "));
  const [first, passed] = [await swept, await answerOf(folder, [...work, "--until-empty"])];
  const none = (await namesIn(join(out, "runs"))).length;
  await rename(rows, away);
  const worker = start(folder, work);
  const failed = await answerOf(folder, ["sweep", "resume", out, ...at]);
  await rename(away, rows);
  const resumed = await answerOf(folder, ["sweep", "resume", out, ...at]);
  const gone = once(worker, "exit");
  worker.kill("SIGTERM");
  await gone;
  const runs = (await namesIn(join(out, "runs"))).length;
  const codes = [first.code, passed.code, none, failed.code, resumed.code, runs];
  if (`${codes}` !== "1,0,0,1,0,2")
    throw new Error(`queue: ${JSON.stringify({ codes, first, passed, failed, resumed })}`);
  return {
    said: cancel.out,
    worker: passed.out,
    runs: none,
    withoutRows: failed.code,
    resumed: resumed.code,
    runsThen: runs,
  };
}

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A command of ours, and what it has said. */
async function answerOf(cwd: string, words: readonly string[]): Promise<Ended> {
  const child = start(cwd, words);
  const [out, err] = [textOf(child, "stdout"), textOf(child)];
  const [code] = (await once(child, "exit")) as [number];
  return { code, out: out().trim(), err: err() };
}

/** One line each, exit code 1, and no password in it. */
async function mistaken(folder: string, { wrong }: Server): Promise<string[]> {
  const lines: string[] = [];
  for (const [address, words] of wrong) {
    const { code, err } = await answerOf(folder, ["work", "--queue", address, "--out", "nowhere", "-q"]);
    const line = err.trim();
    if ((code !== 1 && code !== 2) || line.includes("\n") || !words.test(line) || /secret|mistyped/.test(line)) {
      throw new Error(`queue: ${address} gave ${code}: ${line}`);
    }
    lines.push(line);
  }
  return lines;
}

/** A worker whose disk is full puts its job back, says so and ends; another one does the work. */
async function fullDisk(folder: string, { address }: Server): Promise<string> {
  const small = join(folder, "small");
  await mkdir(small);
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", small]);
  try {
    const out = join(folder, "shared/full");
    const one = ["--method", "kmeans", "--clusters", "3", "--seeds", "1", "-q"];
    const sweep = start(folder, ["sweep", "../rows.csv", "--out", out, "--queue", address, ...one]);
    const [told, ended] = [textOf(sweep), once(sweep, "exit") as Promise<[number]>];
    const full = start(folder, ["work", "--queue", address, "--out", small, "-q"]);
    const line = textOf(full);
    const [code] = (await once(full, "exit")) as [number];
    if (code !== 1 || !/the disk is full/.test(line()) || line().trim().includes("\n")) {
      throw new Error(`queue: a full disk gave ${code}: ${line()}`);
    }
    const good = start(folder, ["work", "--queue", address, "--out", join(folder, "shared"), "-q", "--until-empty"]);
    const [[done]] = await Promise.all([ended, once(good, "exit")]);
    if (done !== 0) throw new Error(`queue: after a full disk the sweep ended with ${done}: ${told()}`);
    return line().trim().replaceAll(folder, "");
  } finally {
    execFileSync("umount", [small]);
  }
}

async function startRedis(folder: string): Promise<Server> {
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const words = [
    "--port",
    port,
    "--dir",
    folder,
    "--appendonly",
    "yes",
    "--appendfsync",
    "always",
    "--requirepass",
    "secret",
  ];
  let process = spawn("redis-server", words, { stdio: "ignore" });
  const address = `redis://:secret@127.0.0.1:${port}`;
  await waitFor(port);
  return {
    address,
    version: execFileSync("redis-server", ["--version"], { encoding: "utf8" }).match(/v=([\d.]+)/)![1]!,
    wrong: wrongOf("redis", `redis://:mistyped@127.0.0.1:${port}`, await freePort()),
    async restart() {
      process.kill("SIGTERM");
      await once(process, "exit");
      await wait(1000);
      process = spawn("redis-server", words, { stdio: "ignore" });
      await waitFor(port);
    },
    async stop() {
      process.kill("SIGTERM");
      await once(process, "exit");
    },
  };
}

/** PostgreSQL does not run as root: then as the user whom Debian has made for it. */
async function startPostgres(folder: string): Promise<Server> {
  await mkdir(folder, { recursive: true });
  const bin = execFileSync("pg_config", ["--bindir"], { encoding: "utf8" }).trim();
  const isRoot = process.getuid?.() === 0;
  const data = join(folder, "data");
  await mkdir(data);
  if (isRoot) execFileSync("chown", ["postgres", data]);
  const run = (program: string, ...words: string[]): void => {
    const whole = [join(bin, program), ...words];
    execFileSync(
      ...((isRoot ? ["runuser", ["-u", "postgres", "--", ...whole]] : [whole[0]!, whole.slice(1)]) as [
        string,
        string[],
      ]),
      { stdio: "ignore", cwd: "/" },
    );
  };
  const password = join(data, "..", "password");
  await writeFile(password, "secret\n");
  await chmod(password, 0o644);
  run("initdb", "-D", data, "-A", "scram-sha-256", "-U", "telltale", `--pwfile=${password}`);
  const port = await freePort();
  const start = ["-D", data, "-w", "-o", `-p ${port} -k ${data} -c listen_addresses=127.0.0.1`];
  run("pg_ctl", "start", ...start, "-l", join(data, "log"));
  const address = `postgres://telltale:secret@127.0.0.1:${port}/postgres`;
  return {
    address,
    version: execFileSync(join(bin, "postgres"), ["--version"], { encoding: "utf8" }).match(/\d+[.\d]*/)![0],
    wrong: [
      ...wrongOf("postgres", `postgres://telltale:mistyped@127.0.0.1:${port}/postgres`, await freePort()),
      [`postgres://telltale:secret@127.0.0.1:${port}/nothing`, /there is no such database/] as const,
    ],
    async restart() {
      run("pg_ctl", "stop", "-D", data, "-m", "fast");
      await wait(1000);
      run("pg_ctl", "start", ...start, "-l", join(data, "log"));
    },
    async stop() {
      run("pg_ctl", "stop", "-D", data, "-m", "fast");
    },
  };
}

function wrongOf(protocol: string, password: string, port: string): Server["wrong"] {
  return [
    [password, /the user or the password is wrong/],
    [`${protocol}://127.0.0.1:${port}`, /nobody answers there/],
    [`${protocol}://nowhere.invalid`, /there is no such host/],
    ["amqp://127.0.0.1", /a queue must be an address such as redis:/],
  ];
}

function start(cwd: string, words: readonly string[]): ChildProcess {
  return spawn(process.execPath, [command, ...words], { cwd, stdio: ["ignore", "pipe", "pipe"] });
}

function textOf(child: ChildProcess, stream: "stdout" | "stderr" = "stderr"): () => string {
  let text = "";
  child[stream]!.on("data", (more) => {
    text += more;
  });
  return () => text;
}

async function telltale(cwd: string, words: readonly string[]): Promise<void> {
  const { code, err } = await answerOf(cwd, words);
  if (code !== 0) throw new Error(`queue: ${words.join(" ")} ended with ${code}: ${err}`);
}

/** What was learned, by the name of its run. */
async function bitsIn(runs: string): Promise<Map<string, string>> {
  const hashOf = async (name: string): Promise<string> =>
    createHash("sha256")
      .update(await readFile(join(runs, name, "weights.safetensors")))
      .digest("hex");
  const names = await namesIn(runs);
  return new Map(await Promise.all(names.map(async (name) => [name, await hashOf(name)] as const)));
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 1000);
}

function tableOf(random: Random, rows = 120): string {
  const places = [
    [10, 2, 300],
    [40, 9, 100],
    [25, 5, 700],
  ];
  const noise = random.normals(3 * rows);
  const lines = Array.from({ length: rows }, (_, i) =>
    places[i % 3]!.map((value, c) => (value * (1 + 0.05 * noise[3 * i + c]!)).toFixed(4)).join(),
  );
  return `a,b,c\n${lines.join("\n")}\n`;
}
