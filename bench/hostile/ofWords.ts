/** Command lines: every command with its own options and arguments, as commander knows them, and values of any kind. */

import { Command } from "commander";
import { commands } from "../../src/cli/commands.ts";
import type { Random } from "../../src/doors/engine.ts";
import { canMount, type Written } from "./input.ts";
import { type Kind, memory, quickly } from "./kind.ts";
import { hostileTexts, pick } from "./mutations.ts";
import { queries } from "./ofQueries.ts";

const paths = [
  ...["@/out", "@/none/none/out", "@/rows.csv", "@/run", "@/images", "@/../outside", "@/../outside/canary.txt", "@/."],
  ...[
    "@/out with blanks;touch owned",
    "@/out'\"`$(touch owned)",
    "@/out\nnew",
    "@/out\u001b[31m",
    `@/${"o".repeat(254)}`,
    `@/${"o".repeat(300)}`,
  ],
  ...[`@/${"d/".repeat(600)}out`, "@/canary.txt/out", "@/link", "@/pipe", "@/full", "", "-"],
];
const numbers = [
  "0",
  "-1",
  "1",
  "2",
  "1e308",
  "-0",
  "NaN",
  "0x10",
  "1e3",
  "٣",
  "9".repeat(400),
  "1.5",
  "Infinity",
  "100000000",
  "auto",
  "2-1000000",
  " 3 ",
  "1_000",
];
const settings = [
  "latent=100000000",
  "hidden=100000000",
  "hidden=1e5,1e5,1e5",
  "batch=1000000000",
  "latent=0",
  "hidden=",
  "__proto__=1",
  "rate=1e308",
  "pretraining=0",
  "neighbours=1000000",
  "=",
  "a=b=c",
  "network=convolutional",
  "filters=100000",
];

/** Every command with its own options and arguments, each said or not, with what nobody would say. */
export const ofWords: Kind = async ({ random }) => {
  // The demo and a sweep take minutes, and servers end when they are told to: they have hostile clients of their own.
  const name = pick(
    random,
    Object.keys(commands).filter((each) => !["demo", "mcp", "sweep", "view"].includes(each)),
  );
  const { options, registeredArguments } = await definitionOf(name);
  const writes: Written[] = [
    { path: "runs" },
    ...(name === "export" ? ["run.", "run-"].map((path) => ({ path, prefix: true })) : []),
    ...(name === "stream" || name === "curate" ? [{ path: "run", replaces: true }] : []),
    ...(name === "report"
      ? [
          { path: "run/report.html", replaces: true },
          { path: "run/run.json", replaces: true },
        ]
      : []),
  ];
  const words = [name];
  const good: Readonly<Record<string, string>> = {
    run: "@/run",
    a: "@/run",
    b: "@/run-streamed",
    source: "@/rows.csv",
    state: pick(random, ["@/run/weights.safetensors", "@/rows.csv"]),
    jobs: pick(random, ["@/rows.csv", "@/run/run.json", "@/run/epochs.jsonl"]),
    name: "tell",
    what: pick(random, ["rename", "merge", "split", "move", "mark", "undo", "redo", "log"]),
    words: pick(random, ["0", "0,1", "1-3"]),
  };
  for (const argument of registeredArguments) {
    if (random.below(12) === 0 && words.length > 1) continue;
    const known = good[argument.name()];
    if (known === undefined)
      throw new Error(`hostile: ${name} takes a ${argument.name()}; say here what is a good one`);
    words.push(random.below(5) ? known : pick(random, [...paths, ...hostileTexts.slice(0, 40)]));
  }
  const isForced = random.below(4) === 0;
  if (name === "fit" && random.below(8)) words.push(...quickly);
  if (name === "explain") words.push("--row", random.below(3) ? "1" : pick(random, numbers));
  for (let left = random.below(4); left > 0; left--) {
    const option = pick(random, options);
    if (/^--(force|help|resume|device|follow|queue)$/.test(option.long ?? "")) continue;
    const flag = random.below(4) ? option.long! : (option.short ?? option.long!);
    if (!option.required && !option.optional) words.push(flag);
    else {
      const value = valueFor(option.long!, option.argChoices, random);
      words.push(...(random.below(4) ? [flag, value] : [`${flag}=${value}`]));
    }
  }
  if (
    options.some(({ long }) => long === "--out") &&
    !words.some((word) => /^(-o|--out)/.test(word)) &&
    random.below(3)
  ) {
    words.push("--out", "@/out");
  }
  if (isForced && options.some(({ long }) => long === "--force")) words.push("--force");
  if (random.below(12) === 0)
    words.splice(
      1 + random.below(words.length),
      0,
      pick(random, ["--", "-", "---", "-x", "--nothing", "--out", "\u001b[31m"]),
    );
  return {
    what: words.join(" ").slice(0, 120),
    samples: ["run", "run-streamed", "rows.csv", "images"],
    files: { link: { link: "@/../outside/canary.txt" }, ...(canMount && { full: { device: [1, 7] as const } }) },
    words: words.filter((word) => !word.includes("\0")),
    // A command line is trusted in what it names: what it says may be written.
    writes: [...writes, ...namedOutputs(words, isForced)],
    memory: statedIn(words),
  };
};

/** In megabytes: whoever says more may have more. */
function statedIn(words: readonly string[]): number {
  const said = words.flatMap((word, i) => {
    const value = word === "--memory" ? words[i + 1] : /^--memory=(.*)$/s.exec(word)?.[1];
    return value !== undefined && /^\d+$/.test(value.trim()) ? [Number(value)] : [];
  });
  return Math.max(memory, ...said);
}

/** What --force may replace: a file, a link, a run; neither a folder that is none nor a device. */
const replaceable = ["@/rows.csv", "@/run", "@/link", "@/../outside/canary.txt"];

function namedOutputs(words: readonly string[], isForced: boolean): Written[] {
  return words.flatMap((word, i) => {
    const [, inline] = /^(?:-o|--out=|--picture=|--to=|--aside=|--metrics=)(.+)$/s.exec(word) ?? [];
    const value = inline ?? (/^(-o|--out|--picture|--to|--aside|--metrics)$/.test(word) ? words[i + 1] : undefined);
    if (value === undefined) return [];
    return [{ path: value, replaces: isForced && replaceable.includes(value), prefix: true }];
  });
}

function valueFor(flag: string, choices: readonly string[] | undefined, random: Random): string {
  if (/^--(out|picture|to|aside|metrics|labels|source|network|method)$/.test(flag)) return pick(random, paths);
  if (flag === "--set") return pick(random, settings);
  if (flag === "--sql") return pick(random, queries);
  if (choices && random.below(2)) return pick(random, choices);
  return pick(random, random.below(2) ? numbers : ["a", "a,b", "id", "a,,b", "cluster", ...hostileTexts.slice(0, 40)]);
}

const definitions = new Map<string, Command>();

/** A command as commander knows it. */
async function definitionOf(name: string): Promise<Command> {
  const known = definitions.get(name);
  if (known) return known;
  const command = new Command(name);
  const nowhere = { write() {} };
  (await commands[name]!.load()).define(command, {
    out: nowhere,
    err: nowhere,
    signal: new AbortController().signal,
  } as never);
  definitions.set(name, command);
  return command;
}
