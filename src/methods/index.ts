/** The methods, by name. */

import type { Method } from "../training/method.ts";
import { nearest } from "../training/options.ts";
import { dcn } from "./dcn.ts";
import { dec, idec } from "./dec.ts";
import { dkmAnnealed, dkmPretrained } from "./dkm.ts";
import { hit, hoe, homo, hot } from "./invariance.ts";
import { aekm, kmeans } from "./kmeans.ts";
import { kmeansnet } from "./kmeansnet.ts";
import { pcx, pcxImbalanced } from "./pcx.ts";
import { tell } from "./tell.ts";

// biome-ignore format: one line each
const all: readonly Method[] = [
  tell, kmeansnet, dkmPretrained, dkmAnnealed, pcx, pcxImbalanced, homo, hoe, hot, hit, kmeans, aekm, dec, idec, dcn,
];

export const methods: ReadonlyMap<string, Method> = new Map(all.map((method) => [method.name, method]));

/** The method of a name. */
export function methodOf(name: string): Method {
  const method = methods.get(name);
  if (method) return method;
  const near = nearest(name, [...methods.keys()]);
  throw new RangeError(
    `method: there is no "${name}"${near ? `; did you mean ${near}?` : `; there are ${[...methods.keys()].join(", ")}`}`,
  );
}
