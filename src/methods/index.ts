/** The methods, by name. */

import { nearest } from "../options.ts";
import { toldNames } from "../teachers/index.ts";
import type { Method } from "../training/method.ts";
import { dcn } from "./dcn.ts";
import { dec, idec } from "./dec.ts";
import { depict } from "./depict.ts";
import { dkmAnnealed, dkmPretrained } from "./dkm.ts";
import { hit, hoe, homo, hot } from "./invariance.ts";
import { aekm, kmeans } from "./kmeans.ts";
import { kmeansnet } from "./kmeansnet.ts";
import { pcx, pcxImbalanced } from "./pcx.ts";
import { taughtBy } from "./taughtBy.ts";
import { tell } from "./tell.ts";
import { telltale } from "./telltale.ts";
import { vade } from "./vade.ts";

export const methods = {
  telltale,
  tell,
  kmeansnet,
  "dkm-p": dkmPretrained,
  "dkm-a": dkmAnnealed,
  pcx,
  "pcx-imba": pcxImbalanced,
  homo,
  hoe,
  hot,
  hit,
  kmeans,
  aekm,
  dec,
  idec,
  dcn,
  vade,
  depict,
} as const satisfies Readonly<Record<string, Method>>;

export type MethodName = keyof typeof methods;

/** What is run where nobody says how. */
export const defaultMethod = "telltale" satisfies MethodName;

/** A method of ours by its name, or nothing. */
export function oursOf(name: string): Method | undefined {
  return isMethodName(name) ? methods[name] : taughtBy(name);
}

function isMethodName(name: string): name is MethodName {
  return Object.hasOwn(methods, name);
}

/** The method of a name; of a teacher's name, the default student taught by it. */
export function methodOf(name: string): Method {
  const ours = oursOf(name);
  if (ours) return ours;
  const known = Object.keys(methods);
  const near = nearest(name, [...known, ...toldNames]);
  throw new RangeError(
    `method: there is no "${name}"${near ? `; did you mean ${near}?` : `; there are ${known.join(", ")}, and the teachers of docs/teachers.md`}`,
  );
}
