/** What `bench peers` runs: methods of this and of other packages, each on every data set with every seed. */

export interface PeerCell {
  readonly data: string;
  readonly method: string;
  readonly seed: number;
}

export interface PeerLine extends PeerCell {
  readonly cell: string;
  readonly scores?: Readonly<Record<"accuracy" | "nmi" | "ari", number>>;
  readonly clusters?: number;
  /** Of the fit alone, by the clock. */
  readonly seconds?: number;
  /** Of the whole process. */
  readonly peakMegabytes?: number;
  readonly teacher?: string;
  readonly versions?: Readonly<Record<string, string>>;
  /** Why there are no scores: it took too long, or ended with an error. */
  readonly stopped?: string;
  readonly machine: string;
  /** The GPU that its networks learned on, if they did. */
  readonly accelerator?: string;
  /** How many processes waited for each processor, on average of the last minute. */
  readonly waiting?: number;
  readonly commit: string;
}

/** A method's seeds on one data set, in the order of `peers`, as it is before the standardized. */
export interface PeerGroup {
  readonly data: string;
  readonly method: string;
  readonly title: string;
  readonly lines: readonly PeerLine[];
  /** Those with scores whose seconds may be compared: on the machine that most of the set ran on, else on another. */
  readonly timed: readonly PeerLine[];
  readonly elsewhere: boolean;
}

interface Peer {
  /** What a person reads. */
  readonly title: string;
  readonly seeds: number;
  /** Ours runs in Node, all else in Python. */
  readonly own?: true;
  /** Networks learn from standardized columns. */
  readonly network?: true;
}

export const peers: Readonly<Record<string, Peer>> = {
  "telltale-normal": { title: "Telltale, normal", seeds: 3, own: true },
  "telltale-quick": { title: "Telltale, quick", seeds: 3, own: true },
  kmeans: { title: "scikit-learn KMeans", seeds: 3 },
  "minibatch-kmeans": { title: "scikit-learn MiniBatchKMeans", seeds: 3 },
  mixture: { title: "scikit-learn GaussianMixture", seeds: 3 },
  // It draws nothing.
  hdbscan: { title: "scikit-learn HDBSCAN", seeds: 1 },
  spectral: { title: "scikit-learn SpectralClustering", seeds: 3 },
  faiss: { title: "faiss k-means", seeds: 3 },
  n2d: { title: "N2D, rebuilt", seeds: 3, network: true },
  dec: { title: "ClustPy DEC", seeds: 1, network: true },
  idec: { title: "ClustPy IDEC", seeds: 1, network: true },
  dcn: { title: "ClustPy DCN", seeds: 1, network: true },
  dkm: { title: "ClustPy DKM", seeds: 1, network: true },
  vade: { title: "ClustPy VaDE", seeds: 1, network: true },
};

/** The data sets that have a table of their own, and what a person calls them. */
export const dataSets: Readonly<Record<string, string>> = {
  "mnist-test": "The test digits (10,000 × 784, 10 classes)",
  usps: "USPS (9,298 × 256, 10 classes)",
  har: "HAR (10,299 × 561, 6 classes)",
  "20news": "20news (18,846 × 2,000, 20 classes)",
};

export function nameOf({ data, method, seed }: PeerCell): string {
  return [data, method, seed].join("/");
}

/**
 * Every cell, first seeds first. Of tables, whose columns may differ in scale, others have the rows as they are and
 * standardized (`+`), networks only the latter; Telltale has them as they are.
 */
export function cellsOf(tables: readonly string[]): PeerCell[] {
  const cells: PeerCell[] = [];
  for (let seed = 1; seed <= 3; seed++) {
    for (const data of [...Object.keys(dataSets), ...tables]) {
      for (const [method, { seeds, own, network }] of Object.entries(peers)) {
        if (seed > seeds) continue;
        const scalings = data in dataSets || own ? [""] : network ? ["+"] : ["", "+"];
        for (const scaling of scalings) cells.push({ data, method: method + scaling, seed });
      }
    }
  }
  return cells;
}
