import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decodeNpy, encodeNpy } from "../../src/formats/npy.ts";
import { encodePng } from "../../src/formats/png.ts";
import { pixelsOf } from "../../src/report/parts/pictures.ts";
import { Random } from "../../src/tensor/random.ts";
import { tensor } from "../../src/tensor/tensor.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);
let folder: string;
let readme: string;

const blocks = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, code]) => code!);

/** A folder with the files that the README speaks of. */
beforeAll(async () => {
  readme = await readFile(`${root}README.md`, "utf8");
  folder = await mkdtemp(join(tmpdir(), "telltale-readme-"));
  for (const name of ["sensors.csv", "fuzzy.mjs"]) await cp(`${root}examples/${name}`, join(folder, name));
  const [header, ...lines] = (await readFile(join(folder, "sensors.csv"), "utf8")).trim().split("\n");
  await writeFile(join(folder, "new.csv"), `${[header, ...lines.slice(0, 100)].join("\n")}\n`);
  await writeFile(join(folder, "firmware.txt"), `${lines.map((line) => line.split(",").at(-1)).join("\n")}\n`);
  const clusters = lines.map((line) => `${line.split(",")[0]},${Number(line.split(",")[5]) > 60 ? "fast" : "slow"}`);
  await writeFile(join(folder, "clusters.csv"), `reading_id,cluster\n${clusters.join("\n")}\n`);
  await mkdir(join(folder, "photos"));
  const digits = await decodeNpy(await readFile(`${root}data/digits/images.npy.gz`));
  for (let i = 0; i < 60; i++) {
    const row = Array.from(digits.data.subarray(i * 784, (i + 1) * 784) as Uint8Array);
    const { pixels } = pixelsOf(row, { row: [1, 28, 28], range: [0, 255] }, 28);
    await writeFile(join(folder, "photos", `${i}.png`), encodePng(pixels, 28, 28, 1));
  }
  const noise = Random.seeded(1).normals(400 * 16);
  const vectors = noise.map((value, at) => 0.2 * value + Math.cos(at * ((Math.floor(at / 16) % 4) + 1)));
  await writeFile(join(folder, "vectors.npy"), encodeNpy(tensor("float32", [400, 16], vectors)));
  const rows = Array.from(
    { length: 400 },
    (_, i) => `('v${i}', [${[...vectors.subarray(16 * i, 16 * i + 16)].join()}])`,
  );
  const database = await DuckDBInstance.create();
  const connection = await database.connect();
  await connection.run(
    `copy (select * from (values ${rows.join()}) t(id, embedding)) to '${join(folder, "vectors.parquet")}'`,
  );
  connection.closeSync();
  // "telltale" is the project itself, as its package.json exports it.
  await mkdir(join(folder, "node_modules"));
  await symlink(root, join(folder, "node_modules", "telltale"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("the README's commands work, one after the other", async () => {
  const commands = blocks("sh")
    .flatMap((block) => block.split("\n"))
    .filter((line) => line.startsWith("telltale "));
  expect(commands.length).toBeGreaterThan(8);
  await writeFile(
    join(folder, "telltale"),
    `#!/bin/sh\nexec "${process.execPath}" "${root}dist/src/cli/main.js" "$@"\n`,
    {
      mode: 0o755,
    },
  );
  for (const command of commands) {
    const environment = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    await expect(run("sh", ["-c", command], { cwd: folder, env: environment }), command).resolves.toBeDefined();
  }
  // What the README shows of the first run is what came out.
  const said = blocks("text")[0]!
    .split("\n")
    .filter((line) => /^ +\d/.test(line));
  const clusters = JSON.parse(await readFile(join(folder, "runs/sensors/clusters.json"), "utf8"));
  expect(said.map((line) => line.trim().split(/\s+/)[1])).toEqual(
    clusters.map(({ size }: { size: number }) => String(size)),
  );
  expect((await readFile(join(folder, "assigned.csv"), "utf8")).split("\n")).toHaveLength(102);
});

test("the README's programs print what it says they print", async () => {
  const programs = blocks("ts");
  expect(programs.length).toBeGreaterThan(0);
  for (const [i, code] of programs.entries()) {
    const file = join(folder, `program-${i}.mjs`);
    await writeFile(file, code);
    const { stdout } = await run(process.execPath, [file], { cwd: folder });
    const promised = [...code.matchAll(/console\.log\(.*\); +\/\/ (.*)/g)].map(([, text]) => text);
    expect(promised.length).toBeGreaterThan(0);
    expect(stdout.trimEnd().split("\n")).toEqual(promised);
  }
});

test("the programs of the README and the docs have the types that the package gives them, strictly", async () => {
  const pages = (await readdir(`${root}docs`, { recursive: true })).filter((name) => name.endsWith(".md"));
  const files: string[] = [];
  for (const page of ["README.md", ...pages.map((name) => `docs/${name}`)]) {
    const text = await readFile(`${root}${page}`, "utf8");
    for (const [i, [, code]] of [...text.matchAll(/```ts\n([\s\S]*?)```/g)].entries()) {
      // By its name, an error says where it is.
      const file = join(folder, `${page.replaceAll("/", "-")}-${i}.mts`);
      await writeFile(file, code!);
      files.push(file);
    }
  }
  expect(files.length).toBeGreaterThan(4);
  const strict = "--strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes".split(" ");
  const how = "--noEmit --module nodenext --target es2023 --skipLibCheck --types node".split(" ");
  const roots = ["--typeRoots", join(root, "node_modules/@types")];
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const found = await run(process.execPath, [compiler, ...strict, ...how, ...roots, ...files], { cwd: folder }).catch(
    ({ stdout }) => ({ stdout }),
  );
  expect(found.stdout).toBe("");
});

test("the links in the README and the docs lead somewhere", async () => {
  const methods = (await readdir(`${root}docs/methods`)).map((name) => `docs/methods/${name}`);
  const pages = (await readdir(`${root}docs`)).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`);
  expect(pages.length + methods.length).toBeGreaterThan(10);
  for (const page of ["README.md", "CHANGELOG.md", ...pages, ...methods]) {
    const text = await readFile(`${root}${page}`, "utf8");
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link]) => link!);
    for (const link of links) {
      await expect(stat(new URL(link, `file://${root}${page}`)), `${page}: ${link}`).resolves.toBeDefined();
    }
  }
});
