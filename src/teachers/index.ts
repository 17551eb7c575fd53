/** The teachers, by name, the simplest first. */

import { average, ward, weighted } from "./agglomerative.ts";
import { comparators } from "./comparators/index.ts";
import { consensus } from "./consensus.ts";
import { density } from "./density.ts";
import { kmeans, spherical } from "./kmeans.ts";
import { manifold, manifoldMixture } from "./manifold.ts";
import { mixture } from "./mixture.ts";
import { listedName, type TeacherName } from "./names.ts";
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
} as const satisfies Readonly<Record<TeacherName, Teacher>>;

export function isTeacherName(name: string): name is TeacherName {
  return Object.hasOwn(teachers, name);
}

/** The teacher of a name, its own or one that papers have for it. */
export function teacherOf(name: string): Teacher {
  const listed = listedName(name);
  if (isTeacherName(listed)) return teachers[listed];
  throw new RangeError(`teacher: there is no "${name}"; there are ${Object.keys(teachers).join(", ")}`);
}
