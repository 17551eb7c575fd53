import { expect, onTestFinished, test } from "vitest";
import { tellJobs } from "../../src/cli/sweeping.ts";
import { Talk } from "../../src/cli/talk.ts";
import type { SweepEvent } from "../../src/doors/inside.ts";
import { Paper } from "./inProcess.ts";

const begun = (job: string): SweepEvent => ({ kind: "begun", job, total: 8 });
const at = (job: string, at: string, done: number, total: number): SweepEvent => ({
  ...{ kind: "progress", job, progress: { at, done, total } },
});

test("a terminal shows in one line which jobs are under way", () => {
  const err = new Paper({ isTTY: true, columns: 120 });
  const talk = new Talk({ out: new Paper(), err, signal: new AbortController().signal }, {});
  onTestFinished(() => talk.clear());
  tellJobs(talk)(begun("1-tell"));
  expect(err.text).toBe(`\r\u001b[2Kfitting ${"░".repeat(20)} 0/8  1-tell`);
});

test("epochs are told as they end, ended jobs have a line that stays", () => {
  const told: string[] = [];
  const tell = tellJobs({
    say: (line) => told.push(line),
    events: {
      signal: new AbortController().signal,
      onEvent: (event) => event.kind === "stage" && told.push(`${event.done}/${event.total}: ${event.under ?? "–"}`),
    },
  });
  for (const job of ["1", "2", "3", "4"]) tell(begun(job));
  tell(at("1", "pretraining", 2, 10));
  tell(at("2", "reading rows", 0, Number.POSITIVE_INFINITY));
  tell({ kind: "ended", job: "1", how: "done", seconds: 2, ended: 1, total: 8 });
  tell(at("2", "clustering", 1200, 3000));
  tell({ kind: "waits", job: "3" });
  expect(told.slice(3)).toEqual([
    "0/8: 1, 2, 3, and 1 more",
    "0/8: 1 pretraining 2/10, 2, 3, and 1 more",
    "0/8: 1 pretraining 2/10, 2 reading rows, 3, and 1 more",
    "1/8 1 done in 2 s",
    "1/8: 2 clustering 1,200/3,000, 3, 4",
    "1/8: 2 clustering 1,200/3,000, 4",
  ]);
});
