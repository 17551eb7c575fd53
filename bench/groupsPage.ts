/** The figures of docs/groups.md, as bench/results/groups.json and groups-codes.json have them. */

import { readFile } from "node:fs/promises";
import { withTable } from "./summary.ts";
import { table } from "./writtenTable.ts";

const page = "docs/groups.md";

export async function groupsPages(): Promise<Map<string, string>> {
  const read = async (name: string) => JSON.parse(await readFile(`bench/results/${name}.json`, "utf8")) as Groups;
  const [rows, codes] = [await read("groups"), await read("groups-codes")];
  let text = await readFile(page, "utf8");
  text = withTable(page, text, ["clouds"], cloudsTable(rows, codes));
  text = withTable(page, text, ["blobs"], blobsTable(rows));
  text = withTable(page, text, ["numbers"], numbersOf(rows));
  return new Map([[page, text]]);
}

interface Counted {
  readonly of: number;
  readonly seconds: number;
}

interface Groups {
  readonly falseAlarms: Readonly<Record<string, Counted & { readonly alarms: number }>>;
  readonly detected: Readonly<Record<string, Counted & { readonly detected: number; readonly rightNumber: number }>>;
  readonly numbers: Readonly<Record<string, Found>>;
  readonly trials: number;
}

interface Found {
  readonly truth: number;
  readonly found: number;
  readonly between: readonly [number, number];
  /** By the largest silhouette of k-means. */
  readonly silhouette: number;
  readonly seconds: number;
}

function cloudsTable({ falseAlarms, trials }: Groups, codes: Groups): string {
  const rows = Object.entries(falseAlarms).map(([name, { alarms, seconds }]) => {
    const both = codes.falseAlarms[name];
    return [name, `${alarms}`, seconds.toFixed(1), both ? `${both.alarms}` : "–", both?.seconds.toFixed(1) ?? "–"];
  });
  return table(["one cloud", `false alarms in ${trials}`, "seconds", "with codes", "seconds"], rows);
}

function blobsTable({ detected, trials }: Groups): string {
  const rows = Object.entries(detected).map(([name, { detected, rightNumber }]) => [
    name,
    `${detected}`,
    `${rightNumber}`,
  ]);
  return table(["separated blobs (centers 6 deviations apart or more)", `detected in ${trials}`, "right number"], rows);
}

/** Blobs by how many there are, in a sentence; tables one by one. */
function numbersOf({ numbers }: Groups): string {
  const all = Object.entries(numbers);
  const blobs = all.filter(([name]) => isBlobs(name)).map(([, found]) => found);
  const tables = all.filter(([name]) => !isBlobs(name));
  const right = (of: readonly Found[], by: "found" | "silhouette"): number =>
    of.filter((each) => each[by] === each.truth).length;
  const found = tables.map(([, each]) => each);
  const rows = tables.map(([name, each]) => [
    name,
    `${each.truth}`,
    wordsOf(each),
    `${each.silhouette}`,
    each.seconds.toFixed(1),
  ]);
  return [
    `Generated blobs of 2 to 10 clusters in 5 columns: ${right(blobs, "found")} of ${blobs.length} right (silhouette: ${right(blobs, "silhouette")}).`,
    `Tables, each column standardized, against the classes and against the largest silhouette of k-means (the rule before): ${right(found, "found")} of ${found.length} as many as classes; silhouette ${right(found, "silhouette")}.`,
    table(["table", "classes", "found", "silhouette", "seconds"], rows),
  ].join("\n\n");
}

const isBlobs = (name: string): boolean => / blobs, /.test(name);

/** 4; one cloud; 1–2, 2 taken */
function wordsOf({ found, between: [least, most] }: Found): string {
  if (least < most) return `${least}–${most}, ${found} taken`;
  return found === 1 ? "one cloud" : `${found}`;
}
