/** What is to be tried, as a small JSON file. */

import { readRegular } from "../../disk/regularFile.ts";
import { parseJson } from "../../formats/json.ts";
import {
  byName,
  flag,
  list,
  number,
  object,
  perhaps,
  problemIn,
  text,
  unknown,
  wholeNumber,
} from "../../formats/schema.ts";
import { mostClusters, profile } from "../../training/fitSchemas.ts";
import { rowOptions } from "../folder/schemas/runDescription.ts";
import type { SweepOptions } from "./planSweep.ts";

const entries = {
  methods: perhaps(list(text)),
  clusters: perhaps(list(wholeNumber(1, mostClusters))),
  seeds: perhaps(list(wholeNumber(0))),
  options: perhaps(byName(list(unknown))),
  profile: perhaps(profile),
  rows: perhaps(rowOptions),
  weight: perhaps(byName(number)),
  threads: perhaps(wholeNumber(1, 1024)),
  map: perhaps(flag),
  report: perhaps(flag),
};
const planFile = object(entries);

export async function readPlan(file: string): Promise<SweepOptions> {
  const bytes = await readRegular(file, 2 ** 22);
  let found: unknown;
  try {
    found = parseJson(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new TypeError(`${file}: must be JSON (${(error as Error).message})`);
  }
  const problem = problemIn(`${file}:`, planFile, found);
  if (problem) throw new TypeError(problem);
  // A person has written it: what nobody knows is a mistake.
  const strange = Object.keys(found as object).find((key) => !Object.hasOwn(entries, key));
  if (strange === undefined) return found as SweepOptions;
  throw new TypeError(`${file}: there is no ${strange} in a plan; there are ${Object.keys(entries).join(", ")}`);
}
