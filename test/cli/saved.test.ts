/** The model is saved before the map is drawn: whoever stops then has a run to use, and goes on with the rest. */

import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Random } from "../../src/tensor/random.ts";
import { telltale as here } from "./inProcess.ts";
import { type Ended, telltale } from "./process.ts";

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "telltale-saved-"));
  const noise = Random.seeded(1).normals(3600);
  const lines = Array.from({ length: 1200 }, (_, i) =>
    [`p${i}`, ...[0, 1, 2].map((c) => (9 * Number(i % 3 === c) + noise[3 * i + c]!).toFixed(3))].join(),
  );
  await writeFile(join(cwd, "rows.csv"), `item_id,a,b,c\n${lines.join("\n")}\n`);
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

test("stopped while the map is drawn: the model is there, and the rest is made up for", async () => {
  const run = join(cwd, "run");
  const fit = (): Promise<Ended> => {
    let sent = false;
    return telltale(["fit", "rows.csv", "-k", "3", "--method", "kmeans", "--out", run, "--force"], {
      cwd,
      onTalk(said, child) {
        if (!sent && said.includes("drawing the map")) sent = child.kill("SIGINT");
      },
    });
  };
  // Once more where it was drawn before the signal came.
  let stopped = await fit();
  for (let tries = 1; stopped.code === 0 && tries < 10; tries++) stopped = await fit();
  expect(stopped.code, stopped.err).toBe(130);
  expect(stopped.err).toMatch(/^about \d+ s: a clustering, the map, the report$/m);
  expect(stopped.err).toContain(`the model is saved, and can be used: telltale assign ${run} FILE\n`);
  expect(stopped.err).toMatch(
    /stopped; the model is saved and can be used; the map, the list of rows and the report are still to come: telltale fit --resume .*run\n$/,
  );
  expect(await readdir(run)).not.toContain("report.html");
  const assigned = await here("assign", run, join(cwd, "rows.csv"), "--out", join(cwd, "assigned.csv"), "-q");
  expect(assigned).toMatchObject({ code: 0, err: "" });

  const resumed = await telltale(["fit", "--resume", run, "--json"], { cwd });
  expect(resumed.code, resumed.err).toBe(0);
  expect(resumed.err).not.toContain("clustering");
  const names = await readdir(run);
  expect(names).toEqual(expect.arrayContaining(["assignments.parquet", "report.html", "clusters.json"]));
  const { result } = JSON.parse(await readFile(join(run, "run.json"), "utf8"));
  expect(result).toMatchObject({ map: { shown: 1200 } });
  expect(result.unfinished).toBeUndefined();
  // As if it had not been stopped.
  const whole = join(cwd, "whole");
  await telltale(["fit", "rows.csv", "-k", "3", "--method", "kmeans", "--out", whole, "-q"], { cwd });
  for (const name of ["assignments.parquet", "clusters.json", "weights.safetensors"]) {
    expect((await readFile(join(run, name))).equals(await readFile(join(whole, name))), name).toBe(true);
  }
}, 300_000);
