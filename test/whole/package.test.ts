import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData, type Problem } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, expect, test } from "vitest";

interface Bill {
  readonly $schema: string;
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: object };
  readonly components: readonly { name: string; purl: string; licenses: unknown[]; hashes: unknown[] }[];
}

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

/** The way of before 2022, which knows no doors. */
const isOldResolution = (problem: Problem): boolean =>
  "resolutionKind" in problem && problem.resolutionKind === "node10";

test("the types of every door are right for ES modules, which is what it is", async () => {
  const found = await checkPackage(createPackageFromTarballData(new Uint8Array(await readFile(tarball))));
  const problems = found.types
    ? found.problems.filter((problem) => problem.kind !== "CJSResolvesToESM" && !isOldResolution(problem))
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

test("the tarball has a bill of materials: every production dependency with version, licence and purl, and no machine's name", async () => {
  const installed = join(folder, "app", "node_modules", "telltale");
  const text = await readFile(join(installed, "sbom.cdx.json"), "utf8");
  const bill = JSON.parse(text) as Bill;
  expect([bill.bomFormat, bill.specVersion]).toEqual(["CycloneDX", "1.5"]);
  expect(text.replace(bill.$schema, "")).not.toMatch(/https?:|registry|\/(home|tmp|root|work)\//);
  const listed = new Map(bill.components.map((component) => [component.name, component]));
  const { name, version, dependencies, optionalDependencies } = JSON.parse(
    await readFile(join(installed, "package.json"), "utf8"),
  );
  expect(bill.metadata.component).toMatchObject({ name, version });
  for (const [each, wanted] of Object.entries({ ...dependencies, ...optionalDependencies })) {
    expect(listed.get(each)).toMatchObject({ version: wanted, purl: `pkg:npm/${each.replace("@", "%40")}@${wanted}` });
  }
  for (const { licenses, hashes, purl } of bill.components) {
    expect([licenses.length, hashes.length, purl.startsWith("pkg:npm/")]).toEqual([1, 1, true]);
  }
});

test("every door is there, and has its types", async () => {
  const app = join(folder, "app");
  const code = `for (const door of ["telltale", "telltale/engine", "telltale/metrics", "telltale/method"])
    console.log(door, Object.keys(await import(door)).length > 2);`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code], { cwd: app });
  expect(stdout.trim().split("\n")).toEqual(
    ["telltale", "telltale/engine", "telltale/metrics", "telltale/method"].map((door) => `${door} true`),
  );
});

test("a method written outside, with telltale/method alone, runs through the library and through the command", async () => {
  const app = join(folder, "app");
  const command = join(app, "node_modules", "telltale", "dist", "src", "cli", "main.js");
  await cp(join(root, "examples", "fuzzy.mjs"), join(app, "fuzzy.mjs"));
  await cp(join(root, "examples", "sensors.csv"), join(app, "sensors.csv"));
  const telltale = (...words: string[]) => run(process.execPath, [command, ...words, "--quiet"], { cwd: app });

  const code = `import { fit, openRows } from "telltale"; import fuzzy from "./fuzzy.mjs";
    const { data } = await openRows("sensors.csv");
    const model = await fit(data, { clusters: 4, method: fuzzy, fuzzifier: 1.5, scaling: "standard" });
    console.log(model.plan.method.name, new Set(model.labels).size); await model.close();`;
  await writeFile(join(app, "library.mjs"), code);
  expect((await run(process.execPath, ["library.mjs"], { cwd: app })).stdout.trim()).toBe("fuzzy 4");

  await telltale("fit", "sensors.csv", "-k", "4", "--method", "./fuzzy.mjs", "--set", "fuzzifier=1.5", "--out", "run");
  const { settings } = JSON.parse(await readFile(join(app, "run", "run.json"), "utf8"));
  expect(settings).toMatchObject({ method: "fuzzy", methodFile: { file: "fuzzy.mjs" } });
  expect(settings.methodFile.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(settings)).not.toContain(app);

  // What needs only the model needs no code; what needs the formulas asks for it again, as it was.
  const { stdout: assigned } = await telltale("assign", "run", "sensors.csv");
  expect(assigned.trim().split("\n")).toHaveLength(1201);
  await telltale("export", "run", "--target", "onnx", "--out", "fuzzy.onnx");
  await telltale("report", "run");
  await expect(telltale("explain", "run", "--row", "3")).rejects.toThrow("give it again with --method fuzzy.mjs");
  const { stdout: why } = await telltale("explain", "run", "--row", "3", "--method", "./fuzzy.mjs");
  expect(why).toContain("row 3 (pump-0003): In cluster");
  const { stdout: streamed } = await telltale("stream", "run", "sensors.csv", "--frozen", "--method", "fuzzy.mjs");
  const clusters = (text: string, at: number): string[] =>
    text
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",")[at]!);
  expect(clusters(streamed, 2)).toEqual(clusters(assigned, 1));
  await writeFile(join(app, "fuzzy.mjs"), `${await readFile(join(app, "fuzzy.mjs"), "utf8")}// changed\n`);
  await expect(telltale("explain", "run", "--row", "3", "--method", "fuzzy.mjs")).rejects.toThrow("has changed since");
  await expect(telltale("explain", "run", "--row", "3", "--method", "tell")).rejects.toThrow("fuzzy, which is code");
});

test("installed from its tarball, a fit writes a report with its scripts and its style", async () => {
  const app = join(folder, "app");
  const command = join(app, "node_modules", "telltale", "dist", "src", "cli", "main.js");
  await writeFile(join(app, "rows.csv"), "a,b\n0,0\n0,1\n9,9\n9,8\n");
  await run(process.execPath, [command, "fit", "rows.csv", "-k", "2", "--method", "kmeans", "--out", "tiny"], {
    cwd: app,
  });
  const page = await readFile(join(app, "tiny", "report.html"), "utf8");
  expect(page).toContain("<style>:root{");
  expect(page.match(/<script>\(function\(\)\{/g)?.length).toBe(3);
});
