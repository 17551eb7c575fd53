/** The methods, by name. */

import type { Method } from "../training/method.ts";
import { dcn } from "./dcn.ts";
import { dec, idec } from "./dec.ts";
import { depict } from "./depict.ts";
import { dkmAnnealed, dkmPretrained } from "./dkm.ts";
import { hit, hoe, homo, hot } from "./invariance.ts";
import { aekm, kmeans } from "./kmeans.ts";
import { kmeansnet } from "./kmeansnet.ts";
import { pcx, pcxImbalanced } from "./pcx.ts";
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

export function isMethodName(name: string): name is MethodName {
  return Object.hasOwn(methods, name);
}
