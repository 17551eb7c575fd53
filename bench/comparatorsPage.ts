/** The tables of docs/comparators.md: what was measured of each comparator, beside whoever has measured it too. */

import { readFile, writeFile } from "node:fs/promises";
import { percent } from "./records.ts";

interface Compared extends Readonly<Record<"accuracy" | "nmi" | "ari" | "seconds" | "rows", number>> {
  readonly cell: string;
  readonly teacher?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly called?: string;
  readonly tuned?: boolean;
  readonly published?: readonly [number, number, number];
  readonly versions?: Readonly<Record<string, string>>;
}

export const comparatorsPage = "docs/comparators.md";
const [begin, end] = ["<!-- measured -->", "<!-- /measured -->"];
const sets = { usps: "USPS", "mnist-test": "mnist-test" } as const;

/** The page with its tables as the records have them. */
export async function measuredPage(records: string): Promise<string> {
  const page = await readFile(comparatorsPage, "utf8");
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`bench: ${comparatorsPage} must have ${begin} and ${end}`);
  const lines = (await readFile(records, "utf8"))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Compared);
  const tables = Object.keys(sets).map((set) => tableOf(set as keyof typeof sets, lines));
  return `${page.slice(0, from + begin.length)}\n\n${tables.join("\n\n")}\n\n${page.slice(to)}`;
}

export async function writeMeasured(records: string): Promise<void> {
  await writeFile(comparatorsPage, await measuredPage(records));
}

function tableOf(set: keyof typeof sets, all: readonly Compared[]): string {
  const here = all.filter(({ cell }) => cell.startsWith(`${set}/`));
  const peers = new Map(here.filter(({ teacher }) => !teacher).map((line) => [line.cell.split("/").at(-1)!, line]));
  const own = here.filter((line): line is Compared & { teacher: string } => line.teacher !== undefined);
  own.sort((a, b) => (a.teacher === b.teacher ? a.cell.length - b.cell.length : a.teacher < b.teacher ? -1 : 1));
  if (own.length === 0) return `Of ${sets[set]} nothing has been run yet.`;
  const rows = own.map((line) => {
    const options = Object.entries(line.options ?? {}).map(([name, value]) => `${name}=${value}`);
    const name = [`\`${line.teacher}\``, ...options].join(", ");
    const peer = options.length === 0 ? peers.get(line.teacher) : undefined;
    const theirs = peer && `${scores(peer)} (${peer.cell.split("/")[1]})`;
    const printed = line.published && `${line.published.map((value) => value.toFixed(1)).join(" / ")} (paper)`;
    const who = line.called ?? "";
    const beside = [theirs, printed].filter(Boolean).join("; ");
    return `| ${name}${line.tuned ? " †" : ""} | ${who} | ${scores(line)} | ${beside} | ${line.seconds} |`;
  });
  const head = `| ${sets[set]}, ${own[0]!.rows.toLocaleString("en")} rows, seed 1 | called | ACC / NMI / ARI | elsewhere | seconds |`;
  return [head, "| --- | --- | --- | --- | ---: |", ...rows].join("\n");
}

const scores = ({ accuracy, nmi, ari }: Compared): string => [accuracy, nmi, ari].map(percent).join(" / ");
