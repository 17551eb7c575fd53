/**
 * The software bill of materials that the package brings along: npm's own, in CycloneDX, of package-lock.json alone,
 * without what differs from machine to machine (the time, a random number, the folder, the version of npm).
 *
 * usage: npm run sbom           writes sbom.cdx.json; `npm run audit` says when it is out of date
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { productionOf } from "./dependencies.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The bill as text, the same for the same lock. */
export function billOfMaterials() {
  const lock = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8"));
  const bill = everything();
  // npm's own --omit dev leaves out what developers need as well, such as commander.
  const installed = [...productionOf(lock).values()].map(({ name, version }) => `${name}@${version}`);
  const own = `${lock.name}@${lock.version}`;
  const isShipped = (reference) => reference === own || installed.includes(reference);
  const known = {
    $schema: bill.$schema,
    bomFormat: bill.bomFormat,
    specVersion: bill.specVersion,
    version: 1,
    metadata: { lifecycles: bill.metadata.lifecycles, component: { ...bill.metadata.component, name: lock.name } },
    components: bill.components
      .filter((component) => isShipped(component["bom-ref"]))
      .map(plain)
      .sort((a, b) => (a["bom-ref"] < b["bom-ref"] ? -1 : 1)),
    dependencies: bill.dependencies
      .filter(({ ref }) => isShipped(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isShipped).sort() }))
      .sort((a, b) => (a.ref < b.ref ? -1 : 1)),
  };
  // A number of its own, as CycloneDX asks for: that of what it says.
  const hash = createHash("sha256").update(JSON.stringify(known)).digest("hex");
  const serial = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `5${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ];
  const { $schema, bomFormat, specVersion, ...rest } = known;
  return `${JSON.stringify({ $schema, bomFormat, specVersion, serialNumber: `urn:uuid:${serial.join("-")}`, ...rest }, null, 2)}\n`;
}

function everything() {
  const parameters = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only", "--loglevel=error"];
  const shell = process.platform === "win32";
  return JSON.parse(execFileSync("npm", parameters, { cwd: root, encoding: "utf8", shell, maxBuffer: 2 ** 26 }));
}

/** Without where a registry has it, and without what is empty. */
function plain({ properties, externalReferences, ...component }) {
  return component;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(`${root}sbom.cdx.json`, billOfMaterials());
