import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);
let folder: string;
let tarball: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-package-"));
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: root });
  tarball = join(folder, (await readdir(folder)).find((name) => name.endsWith(".tgz"))!);
  // As npm would install it, with the dependencies that are here already.
  const installed = join(folder, "app", "node_modules", "telltale");
  await mkdir(installed, { recursive: true });
  await run("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"]);
  const { dependencies, optionalDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const place = join(folder, "app", "node_modules", name);
    await mkdir(join(place, ".."), { recursive: true });
    await symlink(join(root, "node_modules", name), place);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("publint finds nothing to complain about", async () => {
  const { messages, pkg } = await publint({ pkgDir: join(folder, "app", "node_modules", "telltale"), strict: true });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

test("the types are right for ES modules, which is what it is", async () => {
  const found = await checkPackage(createPackageFromTarballData(new Uint8Array(await readFile(tarball))));
  const problems = found.types
    ? found.problems.filter(({ kind }) => kind !== "CJSResolvesToESM" && kind !== "NoResolution")
    : ["no types"];
  expect(problems).toEqual([]);
});

test("installed from its tarball, the command and the library work in an empty folder", async () => {
  const app = join(folder, "app");
  const command = join(app, "node_modules", "telltale", "dist", "src", "cli", "main.js");
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  expect((await run(process.execPath, [command, "--version"], { cwd: app })).stdout.trim()).toBe(version);
  const code = `import { fit } from "telltale"; const m = await fit([[0, 0], [0, 1], [9, 9], [9, 8]], { clusters: 2, method: "kmeans" }); console.log(new Set(m.labels).size); await m.close();`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code], { cwd: app });
  expect(stdout.trim()).toBe("2");
});

test("installed from its tarball, a fit writes a report with its scripts and its style", async () => {
  const app = join(folder, "app");
  const command = join(app, "node_modules", "telltale", "dist", "src", "cli", "main.js");
  await writeFile(join(app, "rows.csv"), "a,b\n0,0\n0,1\n9,9\n9,8\n");
  await run(process.execPath, [command, "fit", "rows.csv", "-k", "2", "--method", "kmeans", "--out", "run"], {
    cwd: app,
  });
  const page = await readFile(join(app, "run", "report.html"), "utf8");
  expect(page).toContain("<style>:root{");
  expect(page.match(/<script>\(function\(\)\{/g)?.length).toBe(3);
});
