import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const main = fileURLToPath(new URL("../../dist/src/cli/main.js", import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The command as it is installed, in a process of its own. */
function telltale(words: readonly string[], { closed = false, env = {} } = {}): Promise<Ended> {
  const child = spawn(process.execPath, [main, ...words], { env: { ...process.env, ...env } });
  let [out, err] = ["", ""];
  if (closed) child.stdout.destroy();
  child.stdout.on("data", (text) => {
    out += text;
  });
  child.stderr.on("data", (text) => {
    err += text;
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, err })));
}

test("the real command: 0 when done, 2 for wrong usage, 1 for what failed, and no stack", async () => {
  const [done, usage, failed] = await Promise.all([
    telltale(["--version"]),
    telltale(["methods", "--jsn"]),
    telltale(["fit", "there/is/no/such/file.csv", "--out", "there/is/no/run"]),
  ]);
  expect(done).toMatchObject({ code: 0, err: "" });
  expect(usage).toEqual({ code: 2, out: "", err: "telltale methods: unknown option '--jsn'; did you mean --json?\n" });
  expect(failed).toEqual({
    code: 1,
    out: "",
    err: "telltale fit: there/is/no/such/file.csv: there is no such file\n",
  });
});

test("a stack is there for whoever asks", async () => {
  const { err } = await telltale(["methods", "--jsn"], { env: { TELLTALE_DEBUG: "1" } });
  expect(err).toMatch(/did you mean --json\?\n.*\n\s+at /);
});

test("nobody reads what it prints: it ends quietly", async () => {
  expect(await telltale(["methods", "tell", "--json"], { closed: true })).toEqual({ code: 0, out: "", err: "" });
});
