/** docs/peers.md and its picture, every figure from bench/results. */

import { readFile } from "node:fs/promises";
import { dataSets, type PeerGroup, type PeerLine, peers } from "./peersCells.ts";
import { pictureOf } from "./peersPicture.ts";
import { deviationOf, grouped, linesIn, meanOf, medianOf, percent } from "./records.ts";
import { withTable } from "./summary.ts";
import { table } from "./writtenTable.ts";

const page = "docs/peers.md";
const front = "README.md";
const picture = "docs/pictures/peers.svg";

/** The page and the picture as the recorded cells have them now. */
export async function peersPages(): Promise<Map<string, string>> {
  const lines = await linesIn<PeerLine>("bench/results/peers.jsonl");
  const sets = lines.filter(({ data }) => data in dataSets);
  const small = lines.filter(({ data }) => !(data in dataSets));
  const groups = groupsOf(sets);
  let text = await readFile(page, "utf8");
  text = withTable(page, text, ["peers"], tablesOf(groups, sets));
  text = withTable(page, text, ["tables"], smallTables(groupsOf(small)));
  text = withTable(page, text, ["versions"], versionsOf(lines));
  text = withTable(page, text, ["machine of tables"], machinesOf(small));
  text = withTable(page, text, ["manifold"], manifoldTable(await linesIn("bench/results/manifold.jsonl")));
  text = withTable(page, text, ["iteration"], iterationTable(await linesIn("bench/results/kmeansIteration.jsonl")));
  return new Map([
    [page, text],
    [picture, pictureOf(groups)],
    [front, withTable(front, await readFile(front, "utf8"), ["peers"], shortTable(groups))],
  ]);
}

function groupsOf(lines: readonly PeerLine[]): PeerGroup[] {
  const order = Object.keys(peers);
  const place = (method: string): number => 2 * order.indexOf(plain(method)) + Number(method.endsWith("+"));
  const byData = grouped(lines, ({ data }) => data);
  const usual = new Map([...byData].map(([data, own]) => [data, [...byMachine(own).keys()][0]]));
  return [...grouped(lines, ({ data, method }) => `${data}/${method}`).values()]
    .map((own) => {
      const { data, method } = own[0]!;
      const title = peers[plain(method)]!.title + (method.endsWith("+") ? ", standardized" : "");
      const done = own.filter(({ scores }) => scores);
      const here = done.filter((line) => machineOf(line) === usual.get(data));
      const elsewhere = here.length === 0;
      return { data, method, title, lines: own, timed: elsewhere ? done : here, elsewhere };
    })
    .sort((a, b) => place(a.method) - place(b.method));
}

const plain = (method: string): string => method.replace("+", "");

/** Of each data set the accuracy and the seconds of those that a reader has heard of. */
function shortTable(groups: readonly PeerGroup[]): string {
  const methods = ["telltale-normal", "kmeans", "mixture", "spectral", "hdbscan", "n2d"];
  const rows = Object.entries(dataSets).map(([data, title]) => [
    title.replace(/, \d+ classes/, ""),
    ...methods.map((method) => {
      const group = groups.find((each) => each.data === data && each.method === method);
      const done = group?.lines.filter(({ scores }) => scores) ?? [];
      if (done.length === 0) return "–";
      return `${percent(meanOf(done.map(({ scores }) => scores!.accuracy)))} (${secondsOf([group!])} s)`;
    }),
  ]);
  const titles = methods.map((method) => peers[method]!.title.replace("scikit-learn ", ""));
  return table(["", ...titles], rows);
}

/** One table for each data set. */
function tablesOf(groups: readonly PeerGroup[], lines: readonly PeerLine[]): string {
  const shown = Object.entries(dataSets).map(([data, title]) => {
    const rows = groups.filter((group) => group.data === data).map(rowOf);
    const where = machinesOf(lines.filter((line) => line.data === data));
    return `## ${title}\n\n${where}\n\n${table(["method", "seeds", "ACC", "NMI", "ARI", "seconds", "peak MB"], rows)}`;
  });
  return shown.join("\n\n");
}

function rowOf(group: PeerGroup): string[] {
  const { title, lines } = group;
  const done = lines.filter(({ scores }) => scores);
  if (done.length === 0) return [title, `${lines.length}`, lines[0]!.stopped!, "", "", "", ""];
  const of = (score: "accuracy" | "nmi" | "ari"): number[] => done.map(({ scores }) => scores![score]);
  const all = of("accuracy");
  const spread = all.length > 1 ? ` ± ${percent(deviationOf(all))}` : "";
  return [
    title,
    done.length < lines.length ? `${done.length} of ${lines.length}` : `${done.length}`,
    percent(meanOf(all)) + spread,
    percent(meanOf(of("nmi"))),
    percent(meanOf(of("ari"))),
    secondsOf([group]),
    meanOf(done.map(({ peakMegabytes }) => peakMegabytes!)).toFixed(0),
  ];
}

/** Of more, seconds are not those of a machine with nothing else to do. */
const mostWaiting = 1.25;

function secondsOf(groups: readonly PeerGroup[]): string {
  const timed = groups.flatMap((group) => group.timed);
  const seconds = meanOf(timed.map(({ seconds }) => seconds!));
  const isShared = timed.some(({ waiting = 1 }) => waiting > mostWaiting);
  const elsewhere = groups.some((group) => group.elsewhere);
  return seconds.toFixed(seconds < 10 ? 1 : 0) + (isShared ? " °" : "") + (elsewhere ? " ‡" : "");
}

/**
 * Means over all tables, of methods that have run on all; over those on which every method has run, where these are
 * fewer; and one line for each table beneath.
 */
function smallTables(groups: readonly PeerGroup[]): string {
  const own = groups.filter(({ lines }) => lines.some(({ scores }) => scores));
  const byTable = grouped(own, ({ data }) => data);
  const methods = [...grouped(own, ({ method }) => method).values()];
  const whole = methods.filter((all) => all.length === byTable.size).flat();
  const common = [...byTable].filter(([, all]) => all.length === methods.length).map(([data]) => data);
  const shared = own.filter(({ data }) => common.includes(data));
  const sections = [meansOf(whole)];
  if (common.length > 0 && common.length < byTable.size) {
    sections.push(`On the ${common.length} on which all have run (${common.join(", ")}):`, meansOf(shared));
  }
  const columns = ["telltale-normal", "telltale-quick", "kmeans", "kmeans+", "mixture+", "spectral+", "n2d+", "idec+"];
  const each = [...byTable]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([data, all]) => [
      data,
      ...columns.map((method) => {
        const group = all.find((each) => each.method === method);
        return group ? ariOf(group).toFixed(2).replace("-0.00", "0.00") : "–";
      }),
    ]);
  const titles = columns.map(
    (method) => peers[plain(method)]!.title.replace("scikit-learn ", "") + (method.endsWith("+") ? " +" : ""),
  );
  return [...sections, "ARI on each (+: standardized):", table(["table", ...titles], each)].join("\n\n");
}

function scoreOf({ lines }: PeerGroup, score: "ari" | "accuracy"): number {
  return meanOf(lines.flatMap(({ scores }) => (scores ? [scores[score]] : [])));
}

const ariOf = (group: PeerGroup): number => scoreOf(group, "ari");

/** A line for each method: means over its tables, and how often nobody is more than 0.02 better. */
function meansOf(groups: readonly PeerGroup[]): string {
  const byTable = grouped(groups, ({ data }) => data);
  const best = new Map([...byTable].map(([data, all]) => [data, Math.max(...all.map(ariOf))]));
  const rows = [...grouped(groups, ({ method }) => method).values()].map((all) => [
    all[0]!.title,
    `${all.length}`,
    meanOf(all.map(ariOf)).toFixed(3),
    percent(meanOf(all.map((group) => scoreOf(group, "accuracy")))),
    `${all.filter((group) => ariOf(group) >= best.get(group.data)! - 0.02).length} of ${all.length}`,
    secondsOf(all),
  ]);
  return table(["method", "tables", "mean ARI", "mean ACC", "within 0.02 of the best", "seconds"], rows);
}

function versionsOf(lines: readonly PeerLine[]): string {
  const versions = Object.assign({}, ...lines.map(({ versions }) => versions)) as Record<string, string>;
  return `${Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(", ")}.`;
}

/** Where cells ran, and what the marks beside seconds say. */
function machinesOf(lines: readonly PeerLine[]): string {
  const [usual, ...others] = byMachine(lines).keys();
  const isShared = lines.some((line) => machineOf(line) === usual && (line.waiting ?? 1) > mostWaiting);
  return [
    `Measured on ${usual ?? "no machine yet"}.`,
    isShared ? "°: others used the processors meanwhile, and it took longer than it has to." : "",
    others.length > 0
      ? `Some ran on another (${others.join("; ")}): their scores count and their seconds do not; ‡: there are no others.`
      : "",
  ]
    .filter(Boolean)
    .join(" ");
}

/** The machine that most cells ran on is the first. */
function byMachine(lines: readonly PeerLine[]): Map<string, PeerLine[]> {
  return new Map([...grouped(lines, machineOf)].sort(([, a], [, b]) => b.length - a.length));
}

function machineOf({ machine, accelerator }: PeerLine): string {
  return accelerator ? `${machine} and one ${accelerator}` : machine;
}

interface ManifoldLine {
  readonly data: string;
  readonly seed: number;
  readonly codes: string;
  readonly rows: number;
  readonly own: { readonly accuracy: number; readonly seconds: number };
  readonly umap: { readonly accuracy: number; readonly seconds: number };
}

function manifoldTable(lines: readonly ManifoldLine[]): string {
  const rows = [...grouped(lines, ({ data }) => data)].map(([data, all]) => {
    const mean = (of: (line: ManifoldLine) => number): number => meanOf(all.map(of));
    const [own, other] = [mean(({ own }) => own.accuracy), mean(({ umap }) => umap.accuracy)];
    const ratio = medianOf(all.map(({ own, umap }) => own.seconds / umap.seconds));
    return [
      `${data} (${all[0]!.rows.toLocaleString("en")} ${all[0]!.codes})`,
      `${all.length}`,
      percent(own),
      percent(other),
      (100 * (own - other)).toFixed(1),
      mean(({ own }) => own.seconds).toFixed(1),
      mean(({ umap }) => umap.seconds).toFixed(1),
      ratio.toFixed(2),
    ];
  });
  const names = [
    "codes",
    "seeds",
    "ACC, ours",
    "ACC, umap-learn",
    "difference",
    "seconds, ours",
    "seconds, umap-learn",
  ];
  return table([...names, "median ratio"], rows);
}

interface IterationLine {
  readonly pairs: number;
  /** Ours, of the first assignment, which has no bounds to go by. */
  readonly first: number;
  readonly milliseconds: Readonly<Record<string, number>>;
  readonly ratios: Readonly<Record<string, number>>;
  readonly machine: string;
}

function iterationTable(lines: readonly IterationLine[]): string {
  const rows = lines.map(({ machine, pairs, first, milliseconds, ratios }) => [
    machine,
    `${pairs}`,
    first.toFixed(0),
    ...["own", "scikit-learn", "faiss"].map((who) => milliseconds[who]!.toFixed(0)),
    ...["scikit-learn", "faiss"].map((who) => ratios[who]!.toFixed(2)),
  ]);
  const names = ["machine", "iterations", "our first assignment, ms", "ours, ms", "scikit-learn, ms", "faiss, ms"];
  return table([...names, "ours / scikit-learn", "ours / faiss"], rows);
}
