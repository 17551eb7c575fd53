/**
 * Looks at everything that installing the package installs: licences, install scripts, hashes in the lock, the bill of
 * materials; and, where the registry answers, known advisories and the registry's signatures. Prints a line for each,
 * fails where one is wrong. What the registry does not answer is said, and is no failure.
 *
 * usage: npm run audit [-- --offline]
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { productionOf } from "./dependencies.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Licences under which others may use, change and sell what they install with us, whatever theirs is. */
const allowed = ["MIT", "ISC", "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0"];
/** And one that asks for more: for a library linked at run time, that can be exchanged and need not be installed. */
const allowedWhereOptional = ["LGPL-3.0-or-later"];

/** Install scripts that somebody has read, by the exact version: another version is to be read again. */
const read = {
  "protobufjs@7.6.6": "compares version numbers in two package.json files, and prints a warning",
};

/** Every fault of a lock, a sentence each. Nothing is asked of anybody. */
export function faultsInLock(lock) {
  const faults = [];
  for (const [path, entry] of productionOf(lock)) {
    const what = `${entry.name}@${entry.version}`;
    const licences = [...allowed, ...(entry.isOptional ? allowedWhereOptional : [])];
    if (!isAllowed(entry.license ?? "none", licences))
      faults.push(`${what}: the licence ${entry.license} is not allowed`);
    if (entry.hasInstallScript && !entry.isOptional && !(what in read)) {
      faults.push(`${what}: runs a script when it is installed, and is not optional`);
    }
    if (!/^sha512-/.test(entry.integrity ?? "")) faults.push(`${what}: the lock has no sha512 of it (${path})`);
  }
  for (const [path, { resolved, integrity, link }] of Object.entries(lock.packages)) {
    if (resolved !== undefined) faults.push(`${path}: the lock names an address, ${resolved}`);
    if (path !== "" && !link && !integrity) faults.push(`${path}: the lock has no hash of it`);
  }
  return [...new Set(faults)];
}

/** An expression of SPDX: of an OR one part must be allowed, of an AND every one. */
export function isAllowed(expression, licences = allowed) {
  const inner = expression.replace(/^\((.*)\)$/, "$1");
  if (inner.includes(" OR ")) return inner.split(" OR ").some((part) => isAllowed(part, licences));
  return inner.split(" AND ").every((part) => licences.includes(part));
}

/** Where the bill of materials and the lock do not say the same. */
export function faultsInBill(bill, lock) {
  const shipped = [...productionOf(lock).values()];
  const listed = new Map(bill.components.map((component) => [component["bom-ref"], component]));
  const faults = shipped.flatMap(({ name, version, license, integrity }) => {
    const component = listed.get(`${name}@${version}`);
    if (!component) return [`${name}@${version} is not in it`];
    const wanted = `pkg:npm/${name.replace("@", "%40")}@${version}`;
    const hash = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
    return [
      ...(component.purl === wanted ? [] : [`${name}: the purl must be ${wanted}, is ${component.purl}`]),
      ...(licenceOf(component) === license ? [] : [`${name}: the licence must be ${license}`]),
      ...(component.hashes?.[0]?.content === hash ? [] : [`${name}: the hash is another than the lock's`]),
    ];
  });
  const known = new Set(shipped.map(({ name, version }) => `${name}@${version}`));
  const own = `${lock.name}@${lock.version}`;
  if (bill.metadata.component["bom-ref"] !== own) faults.push(`it must be that of ${own}`);
  return [
    ...faults,
    ...[...listed.keys()].filter((name) => !known.has(name)).map((name) => `${name} is not installed`),
  ];
}

function licenceOf({ licenses }) {
  const [first] = licenses ?? [];
  return first?.expression ?? first?.license?.id ?? first?.license?.name;
}

/** What npm answers as JSON; nothing where the registry does not answer. */
function asked(...parameters) {
  const options = {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    shell: process.platform === "win32",
  };
  let text;
  try {
    text = execFileSync("npm", parameters, options);
  } catch (error) {
    // It also fails where it has found something, which it then says.
    text = error.stdout;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const noAnswer = { said: "the registry does not answer", faults: [] };

function advisories() {
  const found = asked("audit", "--omit", "dev", "--json");
  if (!found?.metadata?.vulnerabilities) return noAnswer;
  const known = Object.values(found.vulnerabilities ?? {}).map(
    ({ name, severity, range }) => `${name} ${range}: ${severity}`,
  );
  return { said: "known advisories", faults: known };
}

function signatures() {
  const found = asked("audit", "signatures", "--omit", "dev", "--json");
  if (!Array.isArray(found?.invalid)) return noAnswer;
  const wrong = [...found.invalid, ...found.missing].map(
    ({ name, version }) => `${name}@${version}: the signature is missing or wrong`,
  );
  return { said: "signatures and provenance of the registry", faults: wrong };
}

function json(name) {
  return JSON.parse(readFileSync(`${root}${name}`, "utf8"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lock = json("package-lock.json");
  const installed = productionOf(lock).size;
  const checks = {
    [`${installed} packages: licences, install scripts, hashes`]: { faults: faultsInLock(lock) },
    "bill of materials (npm run sbom writes it anew)": { faults: faultsInBill(json("sbom.cdx.json"), lock) },
    ...(process.argv.includes("--offline") ? {} : { advisories: advisories(), signatures: signatures() }),
  };
  for (const [name, { said, faults }] of Object.entries(checks)) {
    console.log(`${faults.length > 0 ? "✗" : said === noAnswer.said ? "–" : "✓"} ${name}${said ? `: ${said}` : ""}`);
    for (const fault of faults) console.log(`    ${fault}`);
  }
  if (Object.values(checks).some(({ faults }) => faults.length > 0)) process.exitCode = 1;
}
