/** The teachers, by name, the simplest first. */

import { average, ward, weighted } from "./agglomerative.ts";
import { comparators } from "./comparators/index.ts";
import { consensus } from "./consensus.ts";
import { density } from "./density.ts";
import { kmeans, spherical } from "./kmeans.ts";
import { manifold, manifoldMixture } from "./manifold.ts";
import { mixture } from "./mixture.ts";
import { spectral } from "./spectral.ts";
import type { Teacher } from "./teacher.ts";
import { balancedVotes, votes } from "./votes.ts";

export const teachers = {
  kmeans,
  spherical,
  ward,
  average,
  weighted,
  mixture,
  votes,
  "balanced-votes": balancedVotes,
  spectral,
  manifold,
  "manifold-mixture": manifoldMixture,
  density,
  consensus,
  ...comparators,
} as const satisfies Readonly<Record<string, Teacher>>;

export type TeacherName = keyof typeof teachers;

/** What papers call some of them. */
const otherNames: Readonly<Record<string, TeacherName>> = {
  gmm: "mixture",
  agg: "ward",
  acal: "average",
  acwl: "weighted",
  sc: "njw",
  "nmf-lp": "lccf",
  zeta: "zac",
};

/** The name by which a teacher is listed, where it is called as papers do; any other name as it is. */
export function listedName(name: string): string {
  return Object.hasOwn(otherNames, name) ? otherNames[name]! : name;
}

/** The names that papers have for a teacher. */
export function otherNamesOf(name: TeacherName): readonly string[] {
  return Object.keys(otherNames).filter((other) => otherNames[other] === name);
}

/** Those that are told how many clusters there are: whoever teaches a student must be. */
export type ToldName = Exclude<TeacherName, "density">;

export const toldNames = (Object.keys(teachers) as TeacherName[]).filter(
  (name): name is ToldName => teachers[name].clusters === "told",
);

export function isTeacherName(name: string): name is TeacherName {
  return Object.hasOwn(teachers, name);
}

/** The teacher of a name, its own or one that papers have for it. */
export function teacherOf(name: string): Teacher {
  const listed = listedName(name);
  if (isTeacherName(listed)) return teachers[listed];
  throw new RangeError(`teacher: there is no "${name}"; there are ${Object.keys(teachers).join(", ")}`);
}
