/**
 * telltale curate: clusters renamed, merged, split, and rows moved, as a person sees fit; each edit can be taken back.
 */

import type { Command } from "commander";
import { type Curation, curate, type DeviceName, type Edit, type Edited, type Preview } from "../../doors/inside.ts";
import { percent } from "../../text/shares.ts";
import { thousands } from "../../text/thousands.ts";
import { wrongUsage } from "../ending.ts";
import { deviceOption, memoryOption, methodFileOption, storedSqlOption } from "../rows.ts";
import { counted, cut, table } from "../tables.ts";
import { type CommonOptions, type Surroundings, Talk, withCommonOptions } from "../talk.ts";
import { given, names, wholeNumber } from "../values.ts";

interface Options extends CommonOptions {
  readonly name?: readonly string[];
  readonly into?: number;
  readonly teacher?: string;
  readonly to?: number;
  readonly tag?: string;
  readonly who?: string;
  readonly yes?: boolean;
  readonly preview?: boolean;
  readonly device?: DeviceName;
  readonly method?: string;
  readonly memory?: number;
  readonly runStoredSql?: boolean;
}

/** What is wanted of a word after the verb and of the options, as an edit. */
const edits: Readonly<Record<string, (words: readonly string[], options: Options) => Edit>> = {
  rename: ([cluster, ...name]) => ({
    kind: "rename",
    cluster: oneNumber(cluster, "rename", "a cluster"),
    name: wanted(name.join(" "), "rename", "a name, such as rename 3 night"),
  }),
  merge: ([clusters], { name }) => ({
    kind: "merge",
    clusters: numbers(clusters, "merge", "clusters, such as merge 1,4"),
    ...(name && { name: name.join(", ") }),
  }),
  split: ([cluster], { into = 2, teacher = "ward", name }) => ({
    kind: "split",
    cluster: oneNumber(cluster, "split", "a cluster"),
    ...{ into, teacher },
    ...(name && { names: name }),
  }),
  move: ([rows], { to }) => {
    if (to === undefined) throw wrongUsage("move needs --to, the cluster that the rows go to");
    return { kind: "move", rows: numbers(rows, "move", "rows, such as move 17,40-52"), to };
  },
  gather: ([rows], { name }) => ({
    kind: "gather",
    rows: numbers(rows, "gather", "rows, such as gather 17,40-52"),
    name: wanted(name?.join(", "), "gather", "--name, what the new cluster is called"),
  }),
  mark: ([rows], { tag = "" }) => ({ kind: "mark", rows: numbers(rows, "mark", "rows, such as mark 17,40-52"), tag }),
};

const steps = ["undo", "redo", "apply"] as const;

export function define(command: Command, around: Surroundings): void {
  command
    .argument("<run>", "a run folder")
    .argument("<what>", `${[...Object.keys(edits), ...steps].join(", ")} or log`)
    .argument("[words...]", "clusters or rows by their numbers, such as 1,4 or 17,40-52; of rename, the name")
    .addHelpText(
      "after",
      "\nEvery edit is a line of curation.jsonl, and goes into a model of its own, curated/; the fit stays\n" +
        "as it is. assign, explain, report and export then use that model, unless --original is said.",
    )
    .optionsGroup("Edit:")
    .option("--name <names>", "what the merged or gathered cluster, or the parts of a split one, are called", names)
    .option("--into <parts>", "how many parts a cluster is split into (default: 2)", wholeNumber(2))
    .option("--teacher <name>", "who divides its rows (default: ward; docs/teachers.md)")
    .option("--to <cluster>", "where rows are moved to", wholeNumber())
    .option("--tag <word>", "what rows are marked with; without it, their marks go")
    .option("--who <name>", "who makes the edit (default: who is logged in)")
    .option("--preview", "say what it would change, and change nothing")
    .option("-y, --yes", "do it although more than 0.1 % of the other rows change")
    .addOption(storedSqlOption())
    .addOption(memoryOption())
    .addOption(deviceOption())
    .addOption(methodFileOption());
  withCommonOptions(
    command,
    "telltale curate runs/sensors rename 3 night shift",
    "telltale curate runs/sensors merge 1,4 --name idle",
    "telltale curate runs/sensors split 2 --into 3 --preview",
    "telltale curate runs/sensors move 17,40-52 --to 3",
    "telltale curate runs/sensors undo",
  );
  command.action((path: string, what: string, words: readonly string[], options: Options) =>
    curated(path, what, words, options, around),
  );
}

async function curated(
  path: string,
  what: string,
  words: readonly string[],
  options: Options,
  around: Surroundings,
): Promise<void> {
  const step = steps.find((name) => name === what);
  if (!step && what !== "log" && !Object.hasOwn(edits, what)) {
    throw wrongUsage(`there is no ${what}; it is one of ${[...Object.keys(edits), ...steps, "log"].join(", ")}`);
  }
  const edit = Object.hasOwn(edits, what) ? edits[what]!(words, options) : undefined;
  const talk = new Talk(around, options);
  const { who, device, method, memory, runStoredSql } = options;
  const rows = given({ memory, runStoredSql });
  const curation = await curate(path, { ...given({ who, device, method }), rows, signal: around.signal });
  try {
    if (edit && options.preview) {
      const preview = await curation.preview(edit);
      talk.result(preview, () => previewText(preview, "would be"));
    } else if (edit) {
      const made = await curation.edit(edit, given({ confirm: options.yes }));
      talk.result(made, () => `${wordsOf(curation, made)}\n${previewText(made, "are")}`);
    } else if (step) {
      const done = await curation[step]();
      talk.result(done, () =>
        done.waits === undefined ? clustersText(done.clusters) : `it waits, since ${done.waits}`,
      );
    } else {
      const history = curation.history();
      talk.result(history, () => historyText(history));
    }
  } finally {
    await curation.close();
  }
}

function wordsOf(curation: Curation, { entry }: Edited): string {
  return curation.history().find(({ number }) => number === entry.number)!.words;
}

function previewText({ others, share, asked, followed, waits, clusters, edit }: Preview, are: string): string {
  if (waits !== undefined) return `it waits, since ${waits}\nonce the rows are there: telltale curate RUN apply`;
  const isOfRows = edit.kind === "move" || edit.kind === "gather";
  return [
    ...(isOfRows ? [`${thousands(followed)} of ${counted(asked, "row")} ${are} where it says`] : []),
    `${counted(others, "other row")} ${are} in another cluster (${percent(share)} of all)`,
    "",
    clustersText(clusters.map((cluster, i) => ({ ...cluster, cluster: i }))),
  ].join("\n");
}

function clustersText(
  clusters: readonly { readonly cluster: number; readonly name: string; readonly size?: number }[],
): string {
  const columns = [{ title: "cluster", align: "right" }, { title: "rows", align: "right" }, { title: "name" }] as const;
  return table(
    columns,
    clusters.map(({ cluster, name, size }) => [
      String(cluster),
      size === undefined ? "" : thousands(size),
      cut(name, 60),
    ]),
  );
}

function historyText(history: ReturnType<Curation["history"]>): string {
  if (history.length === 0) return "nobody has changed anything";
  const columns = [{ title: "", align: "right" }, { title: "when" }, { title: "who" }, { title: "what" }] as const;
  return table(
    columns,
    history.map(({ number, at, who, words, state }) => [
      ...[String(number), at.slice(0, 16).replace("T", " "), cut(who, 20)],
      state === "holds" ? words : `${words} (${state === "undone" ? "taken back" : "waits for the rows"})`,
    ]),
  );
}

/** 1,4 or 17,40-52: the most numbers that one range stands for is a million. */
function numbers(text: string | undefined, verb: string, what: string): number[] {
  const parts = (text ?? "").split(",").map((part) => /^\s*(\d{1,10})(?:-(\d{1,10}))?\s*$/.exec(part));
  if (parts.some((part) => !part)) throw wrongUsage(`${verb} needs ${what}`);
  return parts.flatMap((part) => {
    const [from, to] = [Number(part![1]), Number(part![2] ?? part![1])];
    if (to < from || to - from >= 1e6) throw wrongUsage(`${verb}: ${part![0]} is no range of up to a million numbers`);
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
}

function oneNumber(text: string | undefined, verb: string, what: string): number {
  const [first, ...more] = numbers(text, verb, `${what} by its number`);
  if (more.length > 0) throw wrongUsage(`${verb} needs ${what}, got ${more.length + 1} of them`);
  return first!;
}

function wanted(text: string | undefined, verb: string, what: string): string {
  if (text?.trim()) return text.trim();
  throw wrongUsage(`${verb} needs ${what}`);
}
