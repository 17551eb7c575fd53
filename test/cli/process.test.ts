import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { telltale } from "./process.ts";

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
  expect(err).toMatch(/did you mean --json\?\n.*\n(.*\n)?\s+at /);
});

test.each([
  ["an error", `throw new TypeError("part.map is not a function")`, "part.map is not a function"],
  ["a promise", `Promise.reject({ odd: true })`, `{"odd":true}`],
])("%s that nobody waited for ends in one line as well", async (_, code, reason) => {
  // As soon as somebody listens, however long the command takes to be loaded.
  const thrown = `const timer = setInterval(() => {
    if (process.listenerCount("uncaughtException") === 0) return;
    clearInterval(timer);
    setTimeout(() => { ${code} }, 100);
  }, 20);`;
  const preload = `data:text/javascript,${encodeURIComponent(thrown)}`;
  const main = fileURLToPath(new URL("../../dist/src/cli/main.js", import.meta.url));
  // It waits for rows that never come.
  const child = spawn(process.execPath, ["--import", preload, main, "fit", "-"]);
  let err = "";
  child.stderr.on("data", (text) => {
    err += text;
  });
  const [status] = await once(child, "close");
  const cure = "please report it: TELLTALE_DEBUG=1 shows where it happened";
  expect([status, err]).toEqual([1, `telltale: met something it was not made for (${reason}); ${cure}\n`]);
});

test("nobody reads what it prints: it ends quietly", async () => {
  expect(await telltale(["methods", "tell", "--json"], { closed: true })).toEqual({ code: 0, out: "", err: "" });
});
