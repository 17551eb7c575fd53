/** What installing the package installs, as far as it can be told without asking anybody. */

import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

interface Entry {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}
interface Lock {
  readonly name: string;
  readonly version: string;
  readonly packages: Readonly<Record<string, Entry>>;
}
interface Bill {
  readonly metadata: { readonly component: object };
  readonly components: readonly { readonly [name: string]: unknown }[];
}

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const { faultsInLock, faultsInBill, isAllowed } = (await import(at("scripts/audit.mjs"))) as {
  faultsInLock(lock: Lock): string[];
  faultsInBill(bill: Bill, lock: Lock): string[];
  isAllowed(expression: string): boolean;
};
const { billOfMaterials } = (await import(at("scripts/sbom.mjs"))) as { billOfMaterials(): string };
const json = async (name: string) => JSON.parse(await readFile(at(name), "utf8"));
const [lock, bill] = [(await json("package-lock.json")) as Lock, (await json("sbom.cdx.json")) as Bill];

test("every package that a user installs has an allowed licence, a hash, and no script that nobody has read", () => {
  expect(faultsInLock(lock)).toEqual([]);
});

test("what the pages are bundled from is among them, licences beside the bundle", async () => {
  const imported = new Set<string>();
  for (const folder of ["src/page", "src/report/browser"]) {
    for (const name of await readdir(at(folder), { recursive: true })) {
      if (!/\.tsx?$/.test(name)) continue;
      const text = await readFile(at(`${folder}/${name}`), "utf8");
      // from "preact/hooks", import("papaparse"); what begins with a dot is ours.
      for (const [, found] of text.matchAll(/(?:from |import\()"((?:@[\w-]+\/)?[\w-]+)/g)) imported.add(found!);
    }
  }
  const listed = new Set(
    bill.components.map(({ purl }) => decodeURIComponent(String(purl)).replace(/^pkg:npm\/|@[^@]*$/g, "")),
  );
  expect(imported.size).toBeGreaterThan(5);
  expect([...imported].filter((name) => !listed.has(name))).toEqual([]);
  for (const page of ["page", "tab", "look"]) {
    expect(await readFile(at(`dist/${page}/licences.txt`), "utf8")).toMatch(/^preact [\d.]+, MIT$/m);
  }
});

const hash = "sha512-AAAA";
const good: Entry = { version: "1.0.0", license: "MIT", integrity: hash };
const lockOf = (
  entry: Entry,
  way: "dependencies" | "optionalDependencies" | "devDependencies" = "dependencies",
): Lock => ({
  name: "own",
  version: "2.0.0",
  packages: { "": { [way]: { other: "1.0.0" } }, "node_modules/other": entry },
});

test.each<[string, Lock, string[]]>([
  ["nothing wrong", lockOf(good), []],
  ["a licence that asks for more", lockOf({ ...good, license: "GPL-3.0" }), ["the licence GPL-3.0 is not allowed"]],
  ["no licence", lockOf({ version: "1.0.0", integrity: hash }), ["the licence undefined is not allowed"]],
  [
    "LGPL that nobody can leave out",
    lockOf({ ...good, license: "LGPL-3.0-or-later" }),
    ["the licence LGPL-3.0-or-later"],
  ],
  ["LGPL in what is optional", lockOf({ ...good, license: "LGPL-3.0-or-later" }, "optionalDependencies"), []],
  ["a script at install", lockOf({ ...good, hasInstallScript: true }), ["runs a script when it is installed"]],
  ["a script in what is optional", lockOf({ ...good, hasInstallScript: true }, "optionalDependencies"), []],
  [
    "a script of developers alone",
    lockOf({ ...good, hasInstallScript: true, license: "GPL-3.0" }, "devDependencies"),
    [],
  ],
  ["an address", lockOf({ ...good, resolved: "https://registry.example/other.tgz" }), ["names an address"]],
  ["no hash", lockOf({ version: "1.0.0", license: "MIT" }), ["has no sha512 of it", "has no hash of it"]],
])("a lock with %s", (_, found, words) => {
  const faults = faultsInLock(found);
  expect(faults.length).toBe(words.length);
  for (const [i, word] of words.entries()) expect(faults[i]).toContain(word);
});

test("of an OR one licence must be allowed, of an AND every one", () => {
  expect(["(MIT OR GPL-3.0)", "MIT AND ISC", "(Apache-2.0 AND BSD-3-Clause)"].map((each) => isAllowed(each))).toEqual([
    true,
    true,
    true,
  ]);
  expect(["MIT AND GPL-3.0", "GPL-3.0 OR AGPL-3.0", "UNLICENSED"].map((each) => isAllowed(each))).toEqual([
    false,
    false,
    false,
  ]);
});

test("the bill of materials says what the lock says; `npm run sbom` writes it anew", () => {
  expect(faultsInBill(bill, lock)).toEqual([]);
  expect(faultsInBill({ ...bill, components: bill.components.slice(1) }, lock)).toHaveLength(1);
  const older = bill.components.map((component, i) =>
    i === 0 ? { ...component, purl: "pkg:npm/x@1", licenses: [] } : component,
  );
  expect(faultsInBill({ ...bill, components: older }, lock)).toHaveLength(2);
  expect(faultsInBill(bill, { ...lock, version: "99.0.0" })).toEqual(["it must be that of telltale@99.0.0"]);
});

test("it is the same each time it is made: no time, no random number, no folder", () => {
  const made = billOfMaterials();
  expect(billOfMaterials()).toBe(made);
  expect(made).not.toMatch(/timestamp|\/(home|tmp|root|work)\//);
});
