/** The command `telltale view`: it says where it is, ends when it is told to, and a kill costs nothing. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Fit } from "../../src/api/fits.ts";
import { folder, pumpsFile, pumpsRun, raw } from "./support.ts";

const main = fileURLToPath(new URL("../../dist/src/cli/main.js", import.meta.url));

interface Viewed {
  readonly child: ChildProcess;
  readonly address: string;
  readonly runs: number;
  readonly sources: number;
  /** What it, and the processes that it began, have said on standard error. */
  said(): string;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
}

async function view(...words: string[]): Promise<Viewed> {
  const temporary = join(folder, "temporary");
  mkdirSync(temporary, { recursive: true });
  const child = spawn(process.execPath, [main, "view", ...words, "--no-open", "--json", "--port", "0"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, TMPDIR: temporary },
  });
  let [text, said] = ["", ""];
  child.stderr!.on("data", (piece) => {
    said += piece;
  });
  for await (const piece of child.stdout!) {
    text += piece;
    if (text.trimEnd().endsWith("}")) break;
  }
  const told = JSON.parse(text) as { address: string; origin: string; runs: number; sources: number };
  const changing = { Origin: told.origin, "Content-Type": "application/json" };
  const body = JSON.stringify({ token: told.address.split("#token=")[1] });
  const begun = await raw(told.origin, "/api/session", { method: "POST", headers: changing, body });
  const Cookie = begun.headers["set-cookie"]![0]!.split(";")[0]!;
  return {
    ...{ ...told, child, said: () => said },
    get: async (path) => JSON.parse((await raw(told.origin, path, { headers: { Cookie } })).text),
    post: async (path, body) =>
      JSON.parse(
        (await raw(told.origin, path, { method: "POST", headers: { ...changing, Cookie }, body: JSON.stringify(body) }))
          .text,
      ),
  };
}

async function until<T>(ask: () => Promise<T>, holds: (found: T) => boolean): Promise<T> {
  for (;;) {
    const found = await ask();
    if (holds(found)) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test("it lists what it was given, ends well with Ctrl-C, and leaves nothing behind", async () => {
  const path = await pumpsRun();
  const { child, address, runs, sources, post } = await view(
    path,
    await pumpsFile("more.csv"),
    "--out",
    `${folder}/empty`,
  );
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
  expect([runs, sources]).toEqual([1, 1]);
  const page = await post<{ total: number }>("/api/runs/pumps/table", {});
  expect(page.total).toBe(90);
  expect(readdirSync(join(folder, "temporary"))).not.toEqual([]);
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(readdirSync(join(folder, "temporary"))).toEqual([]);
  expect(readdirSync(folder)).not.toContain("empty");
});

test("killed in the middle of a fit, it is started again and the run resumed", async () => {
  let words: string[] = [];
  let said = (): string => "";
  const file = await pumpsFile();
  // Where the kill comes too late for a quick machine, a longer one is tried.
  for (let pretraining = 500, isDone = true; isDone; pretraining *= 4) {
    words = [file, "--out", `${folder}/killed-${pretraining}`];
    const first = await view(...words);
    const fit = await first.post<Fit>("/api/fits", {
      source: "data-1",
      name: "long",
      method: "tell",
      clusters: 3,
      rows: { columns: ["pressure", "flow"] },
      options: { pretraining, epochs: 3, restarts: 1, hidden: [8], latent: 2 },
    });
    const seen = await until(
      () => first.get<Fit>(`/api/fits/${fit.id}`),
      ({ epochs }) => epochs.length > 20,
    );
    first.child.kill("SIGKILL");
    await once(first.child, "exit");
    isDone = seen.epochs.length >= pretraining;
    said = first.said;
  }
  const second = await view(...words);
  try {
    const runs = await second.get<{ id: string; state: string }[]>("/api/runs");
    expect(runs).toMatchObject([{ id: "long", state: "stopped" }]);
    // The process that fits notices that nobody is there any more, and lets go of the folder.
    const again = await until(
      () => second.post<Fit>("/api/runs/long/resume", {}),
      ({ id }) => id !== undefined,
    );
    const ended = await until(
      async () => {
        const now = await second.get<Fit>(`/api/fits/${again.id}`);
        if (now.state === "failed") return second.post<Fit>(`/api/fits/${again.id}/resume`, {});
        return now;
      },
      ({ state }) => state === "done",
    );
    // It has gone on, and not begun anew.
    expect(ended.epochs[0]!.epoch).toBeGreaterThan(1);
    expect(said(), "the process that fits ends without a word").not.toMatch(/Error/);
    expect(await second.get("/api/runs")).toMatchObject([{ id: "long", state: "done" }]);
  } finally {
    second.child.kill("SIGINT");
    await once(second.child, "exit");
  }
});
