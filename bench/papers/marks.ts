/**
 * Why a cell differs from what was published, or cannot be run here: a sign beside it and a sentence below the table.
 */

export const marks = {
  absent: { sign: "∅", about: "the data is not here; docs/papers/README.md says where it goes and how it is run" },
  augmentation: {
    sign: "✂",
    about: "learns from augmented images or a large backbone: out of scope, by decision",
  },
  tuned: { sign: "†", about: "the publication tuned this parameter on labels; ours is chosen without" },
  inconsistent: { sign: "≠", about: "inconsistent in print, so no target" },
  sample: {
    sign: "s",
    about: "ours is on a part of the data: the test split, or a sample from which the rest is assigned",
  },
  other: { sign: "o", about: "ours is another sample of the same collection" },
  reconstruction: {
    sign: "r",
    about: "ours is a reconstruction: most columns were computed anew from the raw signals",
  },
  features: { sign: "f", about: "the publication ran it on codes of an autoencoder; ours is on the rows themselves" },
  diagonal: { sign: "d", about: "ours has diagonal covariances, as columns are many; the publication does not say" },
  unsaid: { sign: "?", about: "the publication does not say on which features" },
  best: {
    sign: "★",
    about: "the restart with the smallest clustering loss, as published; the others are in the records",
  },
  shorter: { sign: "…", about: "fewer epochs than published" },
  practical: { sign: "p", about: "our practical profile, where the one as published has not been run" },
  retuned: { sign: "λ", about: "λ relative to the losses at the start; the publication chose it by labels" },
  missing: { sign: "·", about: "not run yet" },
  gpu: { sign: "G", about: "not run yet; would take a processor more than 150 minutes, so it needs a GPU" },
  rounded: { sign: "≈", about: "some seeds are rounded: their records were lost, and are to be run again" },
} as const satisfies Readonly<Record<string, { readonly sign: string; readonly about: string }>>;

export type Mark = keyof typeof marks;

/** What a data set is, where it is not the publication's whole. */
export const dataMarks: Readonly<Record<string, Mark>> = {
  "cifar10-test": "sample",
  "cifar10-test-centered": "sample",
  "mnist-test": "sample",
  "mnist-test-centered": "sample",
  reuters10k: "other",
  "reuters10k-centered": "other",
  har: "reconstruction",
};
