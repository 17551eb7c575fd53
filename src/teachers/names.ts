/** What teachers are called, for whoever speaks of them and asks none: the teachers themselves are many files. */

/** Those that are told how many clusters there are, the simplest first: whoever teaches a student must be. */
export const toldNames = [
  "kmeans",
  "spherical",
  "ward",
  "average",
  "weighted",
  "mixture",
  "votes",
  "balanced-votes",
  "spectral",
  "manifold",
  "manifold-mixture",
  "consensus",
  // Those that papers compare with.
  "fcm",
  "nmf",
  "gnmf",
  "lccf",
  "njw",
  "lsc-r",
  "lsc-k",
  "lsr1",
  "lsr2",
  "lrsc",
  "lrr",
  "slrr",
  "smr",
  "ssc",
  "zac",
] as const;

export type ToldName = (typeof toldNames)[number];

/** And one that finds out. */
export type TeacherName = ToldName | "density";

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
