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

test("nobody reads what it prints: it ends quietly", async () => {
  expect(await telltale(["methods", "tell", "--json"], { closed: true })).toEqual({ code: 0, out: "", err: "" });
});
