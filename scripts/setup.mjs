/**
 * Installs what is missing and builds what has changed. Every command begins with it, so that each works right after
 * `git clone`.
 * (npm skips `pre…` scripts where `ignore-scripts` is set, so this cannot be one of them.)
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { inline } from "./inline.mjs";
import { buildPage } from "./page.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`telltale: Node 20.19 or newer is needed, this is ${process.versions.node}`);
  process.exit(1);
}

/** The exact packages of package-lock.json, with nothing run at install: no script, no download from outside npm. */
if (!installed()) {
  console.error("telltale: installing packages (npm ci --ignore-scripts)");
  run("npm", ["ci", "--ignore-scripts", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"]);
}
await inline();
if (hasLeftovers()) rmSync(`${root}dist`, { recursive: true });
run(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", "tsconfig.build.json"]);
await buildPage();

/** A source that was moved leaves what was built of it, which the package would ship: then all is built anew. */
function hasLeftovers() {
  if (!existsSync(`${root}dist`)) return false;
  const built = readdirSync(`${root}dist`, { recursive: true }).filter(
    (path) => path.endsWith(".js") && !/^(page|tab|look)/.test(path),
  );
  return built.some((path) => !existsSync(`${root}${path.replace(/js$/, "ts")}`));
}

/**
 * npm writes down what it installed; a package is missing if the lock wants another version, optional ones for other
 * systems aside.
 */
function installed() {
  const record = `${root}node_modules/.package-lock.json`;
  if (!existsSync(record)) return false;
  const wanted = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8")).packages;
  const here = JSON.parse(readFileSync(record, "utf8")).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === "" || here[path]?.version === version || (optional && !here[path]),
  );
}

function run(command, parameters) {
  try {
    execFileSync(command, parameters, {
      cwd: root,
      stdio: ["ignore", 2, 2],
      shell: command === "npm" && process.platform === "win32",
    });
  } catch (error) {
    process.exit(error.status ?? 1);
  }
}
