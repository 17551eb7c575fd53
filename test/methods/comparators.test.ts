/** What the five papers compare with, by name: 27 of 27 are here, listed and described. */

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { methods } from "../../src/methods/index.ts";
import { taughtBy } from "../../src/methods/taughtBy.ts";
import { teacherOf, teachers } from "../../src/teachers/index.ts";
import { telltale } from "../cli/inProcess.ts";

/** As the papers call them, and what they are here. Those that learn from augmented images are out of scope. */
const compared: Readonly<Record<string, string>> = {
  "k-means": "kmeans",
  GMM: "mixture",
  FCM: "fcm",
  SC: "njw",
  LRR: "lrr",
  LRSC: "lrsc",
  LSR1: "lsr1",
  LSR2: "lsr2",
  SLRR: "slrr",
  "LSC-R": "lsc-r",
  "LSC-K": "lsc-k",
  NMF: "nmf",
  "NMF-LP": "lccf",
  GNMF: "gnmf",
  ZAC: "zac",
  ACAL: "average",
  ACWL: "weighted",
  AGG: "ward",
  SSC: "ssc",
  SMR: "smr",
  "AE+k-means": "aekm",
  "DAE+k-means": "aekm",
  DEC: "dec",
  IDEC: "idec",
  DCN: "dcn",
  VaDE: "vade",
  DEPICT: "depict",
};

test("there are 27 of them, each a method or a teacher, and so under the contract tests of all", () => {
  expect(Object.keys(compared)).toHaveLength(27);
  const known = [...Object.keys(methods), ...Object.keys(teachers)];
  expect(Object.values(compared).filter((name) => !known.includes(name))).toEqual([]);
});

test("a teacher answers to the name that papers have for it, and that name can teach", () => {
  for (const [called, name] of Object.entries(compared)) {
    if (Object.hasOwn(methods, name)) continue;
    expect(teacherOf(called.toLowerCase()).name, called).toBe(name);
    expect(taughtBy(called.toLowerCase())?.name, called).toBe(taughtBy(name)!.name);
  }
});

test("`telltale methods` lists them all, and docs/comparators.md says what each is called here", async () => {
  const listed = JSON.parse((await telltale("methods", "--json")).out) as { name: string }[];
  const names = new Set(listed.map(({ name }) => name));
  const page = await readFile("docs/comparators.md", "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("|"));
  for (const [called, name] of Object.entries(compared)) {
    expect(names, called).toContain(name);
    const row = rows.find((line) =>
      line
        .split("|")[1]!
        .split(",")
        .some((each) => each.trim() === called),
    );
    expect(row, called).toContain(`\`${name}\``);
  }
});
