/** The commands: what each is for, and the file that is read only when it is called. */

import type { Command } from "commander";
import type { Surroundings } from "./talk.ts";

interface CommandFile {
  define(command: Command, around: Surroundings): void;
}

interface Known {
  readonly group: string;
  readonly about: string;
  readonly load: () => Promise<CommandFile>;
}

const [learn, use, look] = ["Learn:", "Use:", "Look:"] as const;

// biome-ignore format: one line each
export const commands: Readonly<Record<string, Known>> = {
  demo: { group: learn, about: "cluster 10,000 handwritten digits and write a report", load: () => import("./commands/demo.ts") },
  fit: { group: learn, about: "learn the clusters of a file, and write a run folder", load: () => import("./commands/fit.ts") },
  inspect: { group: learn, about: "say what the columns of a file are for, and why", load: () => import("./commands/inspect.ts") },
  sweep: { group: learn, about: "try methods, numbers of clusters, options and seeds, and say which to use", load: () => import("./commands/sweep.ts") },
  work: { group: learn, about: "run the jobs of a sweep", load: () => import("./commands/work.ts") },
  assign: { group: use, about: "say which cluster each row of a file is in", load: () => import("./commands/assign.ts") },
  stream: { group: use, about: "assign rows as they arrive, and let the clusters follow", load: () => import("./commands/stream.ts") },
  curate: { group: use, about: "rename, merge and split clusters, move rows, and take it back", load: () => import("./commands/curate.ts") },
  export: { group: use, about: "take the model or the assignments elsewhere", load: () => import("./commands/export.ts") },
  import: { group: use, about: "make a run of a state that several machines have trained", load: () => import("./commands/import.ts") },
  explain: { group: look, about: "say why a row is in its cluster and not in another", load: () => import("./commands/explain.ts") },
  eval: { group: look, about: "score a run against known classes", load: () => import("./commands/eval.ts") },
  compare: { group: look, about: "say how two runs agree", load: () => import("./commands/compare.ts") },
  view: { group: look, about: "look at runs in the browser, change them, and fit more", load: () => import("./commands/view.ts") },
  mcp: { group: look, about: "let an agent look at runs and data files (Model Context Protocol)", load: () => import("./commands/mcp.ts") },
  report: { group: look, about: "write a run's report again", load: () => import("./commands/report.ts") },
  methods: { group: look, about: "list the methods, or the options of one", load: () => import("./commands/methods.ts") },
  doctor: { group: look, about: "say what this machine has, and what is missing", load: () => import("./commands/doctor.ts") },
};
