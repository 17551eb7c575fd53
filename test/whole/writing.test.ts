/** Nothing is lost: runs that are replaced while things fail, are stopped or killed, and disks that are full. */

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Random } from "../../src/tensor/random.ts";
import { telltale as here } from "../cli/inProcess.ts";
import { telltale } from "../cli/process.ts";

const main = fileURLToPath(new URL("../../dist/src/cli/main.js", import.meta.url));
const quick = "--method tell -k 3 --set hidden=16 --set pretraining=2 --epochs 2 --restarts 1 -q".split(" ");
let cwd: string;
/** A finished run of seed 1, kept apart. */
let one: string;
const at = (name: string): string => join(cwd, name);

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "telltale-writing-"));
  await writeFile(at("rows.csv"), table(240));
  await writeFile(at("many.csv"), table(20_000));
  one = at("one");
  expect(await telltale(["fit", "rows.csv", "--out", "one", ...quick], { cwd })).toMatchObject({ code: 0 });
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

function table(rows: number): string {
  const noise = Random.seeded(1).normals(3 * rows);
  const centers = [
    [10, 2, 300],
    [40, 9, 100],
    [25, 5, 700],
  ];
  const lines = Array.from({ length: rows }, (_, i) =>
    centers[i % 3]!.map((value, c) => (value * (1 + 0.05 * noise[3 * i + c]!)).toFixed(4)).join(),
  );
  return `a,b,c\n${lines.join("\n")}\n`;
}

/** Every file below a folder, by its hash. */
async function contents(path: string): Promise<Record<string, string>> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hashes = await Promise.all(
    files.sort().map(async (file) => {
      const hash = createHash("sha256").update(await readFile(file));
      return [file.slice(path.length + 1), hash.digest("hex")] as const;
    }),
  );
  return Object.fromEntries(hashes);
}

const isThere = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined;
const learned = async (path: string): Promise<string> => (await contents(path))["weights.safetensors"]!;

/** A method that can be written down, and fails once it is to be trained. */
const failing = `import { isMainThread } from "node:worker_threads";
import fuzzy from ${JSON.stringify(fileURLToPath(new URL("../../examples/fuzzy.mjs", import.meta.url)))};
export default { ...fuzzy, name: "failing", start(...given) {
  if (!isMainThread) throw new RangeError("cannot go on");
  return fuzzy.start(...given);
} };`;

describe("a fit that fails", () => {
  test("before it has learned anything leaves nothing behind, and with --force the old run as it was", async () => {
    await writeFile(at("failing.mjs"), failing);
    const words = ["fit", "rows.csv", "-k", "3", "-q", "--method", "./failing.mjs", "--out"];
    const fresh = await telltale([...words, "deep/new"], { cwd });
    expect(fresh).toMatchObject({ code: 1, out: "", err: expect.stringContaining("cannot go on") });
    expect(await isThere(at("deep"))).toBe(false);
    await cp(one, at("failed"), { recursive: true });
    await writeFile(at("failed/notes.txt"), "mine");
    const before = await contents(at("failed"));
    expect(await telltale([...words, "failed", "--force"], { cwd })).toMatchObject({ code: 1, out: "" });
    expect(await contents(at("failed"))).toEqual(before);
  });

  test("keeps what it has learned, and goes on from there to the same bits", async () => {
    // The second restart fails, as long as a file is there.
    await writeFile(
      at("late.mjs"),
      `import { existsSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import fuzzy from ${JSON.stringify(fileURLToPath(new URL("../../examples/fuzzy.mjs", import.meta.url)))};
let starts = 0;
export default { ...fuzzy, name: "late", start(...given) {
  if (!isMainThread && starts++ > 0 && existsSync("fails")) throw new RangeError("cannot go on");
  return fuzzy.start(...given);
} };`,
    );
    const words =
      "fit rows.csv -k 3 --set hidden=16 --set pretraining=2 --epochs 2 --restarts 2 -q --no-groups --no-map --method ./late.mjs";
    const fit = (...rest: string[]) => telltale([...words.split(" "), "--out", ...rest], { cwd });
    expect(await fit("undisturbed")).toMatchObject({ code: 0 });
    await cp(one, at("late-forced"), { recursive: true });
    await writeFile(at("fails"), "");
    for (const rest of [["late-new"], ["late-forced", "--force"]]) {
      const ended = await fit(...rest);
      expect(ended).toMatchObject({ code: 1, out: "" });
      expect(ended.err).toContain(
        `cannot go on; what was trained is kept: go on with telltale fit --resume ${rest[0]} --method late.mjs\n`,
      );
    }
    expect(await learned(at("late-forced/.replaced"))).toBe(await learned(one));
    await rm(at("fails"));
    for (const out of ["late-new", "late-forced"]) {
      expect(await telltale(["fit", "--resume", out, "--method", "./late.mjs", "-q"], { cwd })).toMatchObject({
        code: 0,
      });
      expect(await learned(at(out))).toBe(await learned(at("undisturbed")));
      expect(await isThere(at(`${out}/.replaced`))).toBe(false);
    }
  });

  // None comes as far as training, so that no process is needed.
  test.each([
    ["a source that is not there", "none.csv", []],
    ["more clusters than rows", "rows.csv", ["-k", "241"]],
    ["an option that is none", "rows.csv", ["--set", "epochz=1"]],
    ["a column that is not there", "rows.csv", ["--columns", "z"]],
    ["a network that is none", "rows.csv", ["--network", "rows.csv"]],
  ])("does so before anything has changed: %s", async (_, source, more) => {
    const words = ["fit", at(source), ...more.map((word) => word.replace(/^rows\.csv$/, at("rows.csv")))];
    const before = await contents(one);
    const ended = await here(...words, "--out", one, "--force");
    expect(ended.code, ended.err).toBeGreaterThan(0);
    expect(await contents(one)).toEqual(before);
    expect((await here(...words, "--out", at("deep/new"))).code).toBeGreaterThan(0);
    expect(await isThere(at("deep"))).toBe(false);
  });

  test("rows are never read from the folder that is written to", async () => {
    await cp(one, at("inside"), { recursive: true });
    await mkdir(at("inside/data"));
    await cp(at("rows.csv"), at("inside/data/rows.csv"));
    const before = await contents(at("inside"));
    for (const source of ["inside/data/rows.csv", "inside/assignments.parquet", "inside/exemplars", "inside"]) {
      const ended = await here("fit", at(source), "--out", at("inside"), "--force", ...quick);
      expect(ended, source).toMatchObject({ code: 1, err: expect.stringContaining("choose another folder") });
    }
    expect(await contents(at("inside"))).toEqual(before);
  });
});

test("a fit that replaces a run and is stopped can be resumed; only its end removes the old run", async () => {
  await cp(one, at("stopped"), { recursive: true });
  const before = await contents(one);
  const words = ["fit", "rows.csv", "--out", "stopped", "--force", ...quick.slice(0, -1), "--seed", "2"];
  let sent = false;
  const stopped = await telltale([...words, "--epochs", "1000000"], {
    cwd,
    onTalk(said, child) {
      if (!sent && said.includes("clustering 1/")) sent = child.kill("SIGINT");
    },
  });
  expect(stopped.code, stopped.err).toBe(130);
  const { "moved.json": _, ...aside } = await contents(at("stopped/.replaced"));
  expect(aside).toEqual(before);
  // Another one is to replace it, and fails: the run that is whole comes back.
  await writeFile(at("failing.mjs"), failing);
  await cp(at("stopped"), at("stopped-too"), { recursive: true });
  const forced = ["fit", "rows.csv", "-k", "3", "--method", "./failing.mjs", "--out", "stopped-too", "--force"];
  expect((await telltale(forced, { cwd })).code).toBe(1);
  expect(await contents(at("stopped-too"))).toEqual(before);
  // A shorter one, so that it ends.
  expect((await telltale(words, { cwd })).code).toBe(0);
  expect(await isThere(at("stopped/.replaced"))).toBe(false);
  expect(JSON.parse(await readFile(at("stopped/run.json"), "utf8"))).toMatchObject({ settings: { seed: 2 } });
});

test("kill -9 during fit --force, at random moments: the old run or a new one that can be resumed, never neither", async () => {
  const fit = (out: string): string[] => ["fit", "rows.csv", "--out", out, "--force", "--seed", "2", ...quick];
  const started = performance.now();
  expect((await telltale(fit("two"), { cwd })).code).toBe(0);
  const usual = performance.now() - started;
  const [before, after] = [await learned(one), await learned(at("two"))];
  const random = Random.seeded(3);
  // Four times; test/run/crash.test.ts ends at every operation on files in turn.
  for (let round = 0; round < 4; round++) {
    const out = `killed-${round % 2}`;
    if (!(await isThere(at(`${out}/.replaced`)))) {
      await rm(at(out), { recursive: true, force: true });
      await cp(one, at(out), { recursive: true });
      await writeFile(at(`${out}/notes.txt`), "mine");
    }
    await killed(fit(out), usual * (0.2 + 0.8 * random.uniform()));
    const assigned = await telltale(["assign", out, "rows.csv", "-q"], { cwd });
    if (assigned.code === 0) expect([before, after]).toContain(await learned(at(out)));
    else {
      expect(assigned.err).toContain("telltale fit --resume");
      expect(await isThere(at(`${out}/.replaced/run.json`))).toBe(true);
      if (round < 2) continue;
      expect((await telltale(["fit", "--resume", out, "-q"], { cwd })).code).toBe(0);
      expect(await learned(at(out))).toBe(after);
      expect(await isThere(at(`${out}/.replaced`))).toBe(false);
    }
    expect(await readFile(at(`${out}/notes.txt`), "utf8")).toBe("mine");
  }
});

test("a disk that is full once a fit has learned: it goes on when there is room", async (context) => {
  const disk = await smallDisk(112);
  if (!disk) return context.skip();
  try {
    const out = join(disk.path, "run");
    const ended = await telltale(["fit", "rows.csv", "--out", out, ...quick], { cwd });
    expect(ended).toMatchObject({ code: 1, out: "" });
    expect(ended.err).toMatch(
      /^telltale fit: .* cannot be written \(the disk is full\).*; the model is saved and can be used: draw the map and write the rest with telltale fit --resume .*\n$/,
    );
    await cp(out, at("roomy"), { recursive: true });
    expect(await telltale(["fit", "--resume", "roomy", "-q"], { cwd })).toMatchObject({ code: 0 });
    expect(await learned(at("roomy"))).toBe(await learned(one));
  } finally {
    disk.remove();
  }
});

/** Runs a command, and kills it after so many milliseconds. */
async function killed(words: readonly string[], milliseconds: number): Promise<void> {
  const child = spawn(process.execPath, [main, ...words], { cwd, stdio: "ignore" });
  const timer = setTimeout(() => child.kill("SIGKILL"), milliseconds);
  await new Promise((resolve) => child.once("exit", resolve));
  clearTimeout(timer);
}

describe("two at once to one output: the second is refused, and what is there is whole", () => {
  test.each([
    ["assign", ["assign", "one", "many.csv", "--out", "assigned.csv", "-q"]],
    ["assign --force", ["assign", "one", "many.csv", "--out", "assigned.csv", "-q", "--force"]],
    ["export", ["export", "one", "--out", "exported.onnx", "-q"]],
    ["fit", ["fit", "rows.csv", "--out", "twice", ...quick]],
  ])("%s", async (_, words) => {
    const both = () => Promise.all([telltale(words, { cwd }), telltale(words, { cwd })]);
    let ended = await both();
    // On a busy machine one may have ended before the other begins, which then replaces what is there as it was told.
    const isTooLate = () => words.includes("--force") && ended.every(({ code }) => code === 0);
    for (let tries = 1; isTooLate() && tries < 10; tries++) ended = await both();
    const failed = ended.filter(({ code }) => code !== 0);
    expect(failed, JSON.stringify(ended)).toHaveLength(1);
    expect(failed[0]!.err).toMatch(/another process writes there|is there already/);
    expect((await readdir(cwd)).filter((name) => /\.(lock|part)$/.test(name))).toEqual([]);
    if (words[0] === "assign") {
      expect((await readFile(at("assigned.csv"), "utf8")).split("\n")).toHaveLength(20_002);
    }
  });

  test("streams of two runs to one file", async () => {
    for (const name of ["a", "b"]) await cp(one, at(name), { recursive: true });
    const words = (run: string): string[] => ["stream", run, "many.csv", "--out", "streamed.csv", "-q"];
    const ended = await Promise.all(["a", "b"].map((run) => telltale(words(run), { cwd })));
    expect(ended.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect((await readFile(at("streamed.csv"), "utf8")).split("\n")).toHaveLength(20_002);
  });
});

describe("a full standard output", () => {
  const there = spawnSync("test", ["-c", "/dev/full"]).status === 0;
  test
    .skipIf(!there)
    .each([
      [["assign", "one", "rows.csv"]],
      [["assign", "one", "rows.csv", "--format", "jsonl"]],
      [["explain", "one", "--row", "3", "--json"]],
      [["compare", "one", "one"]],
      [["export", "one", "--target", "sql", "--force"]],
      [["report", "one"]],
      [["methods"]],
      [["--help"]],
    ])("is said, and is no success: %s", async (words) => {
    const full = await open("/dev/full", "w");
    const child = spawn(process.execPath, [main, ...words], { cwd, stdio: ["ignore", full.fd, "pipe"] });
    let said = "";
    child.stderr!.on("data", (text) => {
      said += text;
    });
    const code = await new Promise((resolve) => child.once("close", resolve));
    await full.close();
    expect(code).toBe(1);
    expect(said).toMatch(/telltale: standard output: cannot be written \(the disk is full\).*\n$/);
  });
});

/** A disk of so many kilobytes, where this process may make one. */
async function smallDisk(kilobytes: number): Promise<{ path: string; remove(): void } | undefined> {
  const path = at(`disk-${kilobytes}`);
  await mkdir(path);
  const [attach, detach] = ["mount", "umount"];
  const { status } = spawnSync(attach!, ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", path]);
  return status === 0 ? { path, remove: () => spawnSync(detach!, [path]) } : undefined;
}

test("a full disk: old results stay, nothing half remains, one line says so", async (context) => {
  const disk = await smallDisk(256);
  if (!disk) return context.skip();
  try {
    await cp(one, join(disk.path, "run"), { recursive: true });
    await writeFile(join(disk.path, "old.csv"), "old");
    const { bavail, bsize } = await import("node:fs/promises").then(({ statfs }) => statfs(disk.path));
    await writeFile(join(disk.path, "filler"), new Uint8Array(Math.max(0, bavail * bsize - 12_000)));
    const before = await contents(disk.path);
    const commands = [
      ["fit", "rows.csv", "--out", join(disk.path, "run"), "--force", ...quick],
      ["fit", "rows.csv", "--out", join(disk.path, "new"), ...quick],
      ["report", join(disk.path, "run"), "-q"],
      ["assign", one, at("many.csv"), "--out", join(disk.path, "old.csv"), "--force", "-q"],
      ["assign", one, at("many.csv"), "--out", join(disk.path, "new.parquet"), "-q"],
      ["export", one, "--target", "csv", "--out", join(disk.path, "old.csv"), "--force", "-q"],
      ["export", one, "--target", "sql", "--out", join(disk.path, "new.sql"), "-q"],
    ];
    for (const words of commands) {
      // What trains needs a process of its own.
      const ended = await (words[0] === "fit" ? telltale(words, { cwd }) : here(...words));
      expect(ended, words.join(" ")).toMatchObject({ code: 1, out: "" });
      expect(ended.err).toMatch(/^telltale \w+: .* cannot be written \(the disk is full\).*\n$/);
      expect(await contents(disk.path), words.join(" ")).toEqual(before);
    }
    // Node takes the first part of what is printed for the whole, where the rest does not fit.
    await rm(join(disk.path, "filler"));
    const whole = await telltale(["assign", "one", "rows.csv", "-q"], { cwd });
    const left = await import("node:fs/promises").then(({ statfs }) => statfs(disk.path));
    const room = Math.floor((whole.out.length - 5000) / left.bsize) * left.bsize;
    await writeFile(join(disk.path, "filler"), new Uint8Array(left.bavail * left.bsize - room));
    const out = await open(join(disk.path, "printed.csv"), "wx");
    const child = spawn(process.execPath, [main, "assign", "one", "rows.csv", "-q"], {
      cwd,
      stdio: ["ignore", out.fd, "pipe"],
    });
    let said = "";
    child.stderr!.on("data", (text) => {
      said += text;
    });
    expect(await new Promise((resolve) => child.once("close", resolve))).toBe(1);
    await out.close();
    expect(said).toContain("what was written is not complete");
  } finally {
    disk.remove();
  }
});

test("a stranger's run whose files are links: nothing outside is written or removed", async () => {
  const names = ["epochs.jsonl", "report.html", "weights.safetensors", "stream", "checkpoint", "exemplars"];
  for (const name of names) {
    const out = `linked-${name}`;
    await cp(one, at(out), { recursive: true });
    await rm(at(`${out}/${name}`), { recursive: true, force: true });
    const isFolder = !name.includes(".");
    if (isFolder) {
      await mkdir(at(`precious-${name}`));
      await writeFile(at(`precious-${name}/mine`), "mine");
    } else await writeFile(at(`precious-${name}`), "mine");
    spawnSync("ln", ["-s", at(`precious-${name}`), at(`${out}/${name}`)]);
    const description = await readFile(at(`${out}/run.json`), "utf8");
    const commands = [
      ["report", at(out)],
      ["stream", at(out), at("rows.csv")],
      ["fit", at("rows.csv"), "--out", at(out), "--force", ...quick],
    ];
    for (const words of commands) {
      const ended = await here(...words);
      expect(ended.code, words.join(" ")).toBe(1);
      expect(ended.err).toMatch(/leads elsewhere|damaged/);
    }
    await writeFile(at(`${out}/run.json`), description.replace('"status": "done"', '"status": "training"'));
    expect(await here("fit", "--resume", at(out))).toMatchObject({
      code: 1,
      err: expect.stringContaining("leads elsewhere"),
    });
    const precious = at(isFolder ? `precious-${name}/mine` : `precious-${name}`);
    expect(await readFile(precious, "utf8")).toBe("mine");
  }
});
