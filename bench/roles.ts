/**
 * Are columns understood? Real files (bench/peers/files.py) with the role of every column written down by hand before
 * (bench/roles/expected.json; where two roles are as good, both), against what `telltale inspect` says; and again on
 * perturbed copies of the same files.
 *
 * usage: npm run -s bench -- roles --files FOLDER [--plain] [--only NAME] [--expected bench/roles/fresh.json]
 * [--out bench/results/roles.json]
 */

import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { inspectRows } from "../src/doors/inside.ts";
import { commitOf } from "./commit.ts";
import { type Perturbed, perturbations } from "./roles/perturb.ts";

/** The columns of a file by role, "a|b" where both are right. */
type Expected = Record<string, readonly string[]>;

interface Mistake {
  readonly file: string;
  readonly column: string;
  readonly expected: string;
  readonly got: string;
  readonly reason: string;
}

interface Score {
  columns: number;
  right: number;
  /** Counters and keys that would be learned from: there must be none. */
  leaks: number;
  readonly mistakes: Mistake[];
}

/** In bytes: of larger files no copies are made. */
const mostPerturbed = 2e7;

export async function roles(parameters: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...parameters],
    options: {
      files: { type: "string" },
      only: { type: "string" },
      expected: { type: "string", default: "bench/roles/expected.json" },
      out: { type: "string" },
      plain: { type: "boolean" },
    },
  });
  if (options.files === undefined) throw new Error("roles: --files FOLDER, as bench/peers/files.py has filled it");
  const expected = JSON.parse(await readFile(options.expected, "utf8")) as Record<string, Expected>;
  const names = Object.keys(expected).filter((name) => options.only === undefined || name.startsWith(options.only));
  const folder = await mkdtemp(join(tmpdir(), "telltale-roles-"));
  const scores: Record<string, Score> = {};
  try {
    for (const name of names) {
      const path = join(options.files, name);
      await compare(
        scores,
        "as they are",
        { path, name: (column) => column, keeps: () => true },
        name,
        expected[name]!,
      );
      const isPerturbed = !options.plain && (await stat(path)).size < mostPerturbed;
      for (const [what, perturb] of Object.entries(isPerturbed ? perturbations : {})) {
        const perturbed = await perturb(path, folder);
        if (!perturbed) continue;
        await compare(scores, what, perturbed, name, expected[name]!);
        await rm(perturbed.path);
      }
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  for (const [what, { columns, right, leaks, mistakes }] of Object.entries(scores)) {
    console.log(
      `${what}: ${right} of ${columns} columns right (${((100 * right) / columns).toFixed(1)} %), ${leaks} counters or keys learned from`,
    );
    for (const { file, column, expected, got, reason } of mistakes) {
      console.log(`  ${file}  ${column}: ${got} (${reason}), expected ${expected}`);
    }
  }
  if (options.out === undefined) return;
  const command = `npm run -s bench -- roles --files FOLDER${options.expected === "bench/roles/expected.json" ? "" : ` --expected ${options.expected}`} --out ${options.out}`;
  const result = { commit: commitOf(), command, files: names.length, scores };
  await writeFile(options.out, `${JSON.stringify(result, null, 2)}\n`);
}

async function compare(
  scores: Record<string, Score>,
  what: string,
  { path, name, keeps }: Perturbed,
  file: string,
  expected: Expected,
): Promise<void> {
  scores[what] ??= { columns: 0, right: 0, leaks: 0, mistakes: [] };
  const score = scores[what];
  const { columns } = await inspectRows(path).catch((error: Error) => {
    console.log(`  ${basename(path)}: ${error.message}`);
    return { columns: [] };
  });
  const found = new Map(columns.map((column) => [column.name, column]));
  // A column without a name is called so by whoever reads it.
  const unnamed = columns.find((column) => /^column\d+$/.test(column.name));
  for (const [role, wanted] of Object.entries(expected)) {
    for (const column of wanted) {
      if (!keeps(role)) continue;
      const got = found.get(name(column)) ?? (column === "" ? unnamed : undefined);
      score.columns++;
      if (got && role.split("|").includes(got.role)) {
        score.right++;
        continue;
      }
      // A key that has lost its name may be left out: it must only not be learned from.
      if (got && what === "names that tell nothing" && role === "id" && !got.isUsed) {
        score.right++;
        continue;
      }
      // What is left out by hand are counters, keys and constants.
      if (role === "id" || role === "ignored") score.leaks += got?.isUsed ? 1 : 0;
      score.mistakes.push({
        file,
        column,
        expected: role,
        got: got?.role ?? "none",
        reason: got?.reason ?? "is not there",
      });
    }
  }
}
