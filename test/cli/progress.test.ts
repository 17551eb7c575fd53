import { expect, test } from "vitest";
import { Progress } from "../../src/cli/progress.ts";
import type { RunEvent } from "../../src/doors/inside.ts";
import { Paper } from "./inProcess.ts";

function epoch(epoch: number, more: object = {}): RunEvent {
  const losses = { loss: 1 / epoch };
  const shape = {
    restart: 0,
    phase: "clustering" as const,
    epochs: 100,
    seconds: 1,
    remaining: 100 - epoch,
    notices: [],
  };
  return { kind: "epoch", epoch: { ...shape, epoch, losses, ...more } };
}

function pipe(): { paper: Paper; progress: Progress; wait(seconds: number): void } {
  const paper = new Paper();
  let now = 0;
  const progress = new Progress(paper, () => now);
  return {
    paper,
    progress,
    wait: (seconds) => {
      now += 1000 * seconds;
    },
  };
}

test("in a pipe: the first epoch, the last, and one every ten seconds, in plain lines", () => {
  const { paper, progress, wait } = pipe();
  for (let i = 1; i <= 100; i++) {
    progress.onEvent(epoch(i));
    wait(1);
  }
  expect(paper.lines.join("")).not.toMatch(/\p{Cc}/u);
  expect(paper.lines[0]).toBe("clustering 1/100  loss 1  1 min 39 s left");
  expect(paper.lines.at(-1)).toBe("clustering 100/100  loss 0.01  0 s left");
  expect(paper.lines).toHaveLength(11);
});

test("in a pipe: slow epochs have a line each, and never two", () => {
  const { paper, progress, wait } = pipe();
  for (let i = 1; i <= 5; i++) {
    progress.onEvent(epoch(i, { epochs: 5 }));
    wait(60);
  }
  expect(paper.lines.map((line) => line.split("  ")[0])).toEqual([1, 2, 3, 4, 5].map((i) => `clustering ${i}/5`));
});

test("on a terminal one line is rewritten, with a bar, and fits", () => {
  const paper = new Paper({ isTTY: true, columns: 60 });
  let now = 0;
  const progress = new Progress(paper, () => now);
  for (let i = 1; i <= 10; i++) {
    progress.onEvent(epoch(i, { epochs: 10, restart: 2 }));
    now += 1000;
  }
  const drawn = paper.text.split("\r\u001b[2K").slice(1);
  expect(paper.text).not.toContain("\n");
  expect(drawn).toHaveLength(10);
  expect(drawn[4]).toContain("clustering ██████████░░░░░░░░░░ 5/10  restart 3  loss 0.2");
  for (const line of drawn) expect([...line].length).toBeLessThan(60);
  // Whatever is said next has the line to itself.
  progress.say("done");
  expect(paper.text.endsWith("\r\u001b[2Kdone\n")).toBe(true);
});

test("a terminal is not redrawn more than ten times a second", () => {
  const paper = new Paper({ isTTY: true, columns: 100 });
  let now = 0;
  const progress = new Progress(paper, () => now);
  for (let done = 1; done <= 1000; done++) {
    progress.onEvent({ kind: "stage", stage: "assigning rows", done, total: 1000 });
    now += 1;
  }
  const drawn = paper.text.split("\r\u001b[2K").slice(1);
  expect(drawn.length).toBeLessThanOrEqual(12);
  expect(drawn.at(-1)).toContain("1,000/1,000");
});

test("work beside the epochs says how much is done and what is left", () => {
  const { paper, progress, wait } = pipe();
  const stage = (done: number) => progress.onEvent({ kind: "stage", stage: "assigning rows", done, total: 40_000 });
  stage(1000);
  wait(30);
  stage(10_000);
  stage(11_000);
  stage(40_000);
  progress.onEvent({ kind: "stage", stage: "writing the report", done: 0, total: 1 });
  expect(paper.lines).toEqual([
    "assigning rows 1,000/40,000",
    "assigning rows 10,000/40,000  1 min 30 s left",
    "assigning rows 40,000/40,000  0 s left",
    "writing the report",
  ]);
});

test("what was found is said, and each notice once", () => {
  const { paper, progress } = pipe();
  const notices = ["no row is in cluster 3"];
  progress.onEvent({ kind: "opened", description: "using 3 numeric columns", rows: 1200 });
  progress.onEvent({ kind: "opened", description: "using 10 rows of 4 numbers", rows: 10 });
  progress.onEvent({ kind: "device", device: "ONNX Runtime" });
  progress.onEvent({ kind: "chosen", choice: { chosen: 4, reason: "they are compact", tried: [] } });
  progress.onEvent({ kind: "notice", sentence: "a column\u001b[2J is constant" });
  progress.onEvent(epoch(0, { notices }));
  progress.onEvent(epoch(1, { notices }));
  expect(paper.lines).toEqual([
    "1,200 rows: using 3 numeric columns",
    "using 10 rows of 4 numbers",
    "on ONNX Runtime",
    "they are compact",
    "note: a column [2J is constant",
    "note: no row is in cluster 3",
    "clustering 1/100  loss 1  1 min 39 s left",
  ]);
});

test("a teacher at work has no epochs: that it compares is said, and then who it is and why", () => {
  const paper = new Paper();
  const progress = new Progress(paper, () => 0);
  progress.onEvent(epoch(0, { phase: "teaching", epochs: 1, losses: {} }));
  progress.onEvent(epoch(1, { phase: "teaching", epochs: 1, losses: {}, notices: ["kmeans was asked for"] }));
  expect(paper.lines).toEqual(["teaching: comparing partitions  1 min 40 s left", "taught by: kmeans was asked for"]);
});

test("work that says nothing says every ten seconds that it goes on, and what it is at", () => {
  const { paper, progress, wait } = pipe();
  const quietly = (seconds: number): void => {
    for (let second = 0; second < seconds; second++) {
      wait(1);
      progress.beat();
    }
  };
  quietly(21);
  expect(paper.lines).toEqual(["still reading, 10 s so far", "still reading, 20 s so far"]);
  progress.onEvent(epoch(1));
  quietly(11);
  expect(paper.lines.slice(3)).toEqual(["still clustering, 31 s so far"]);
});

test("rows that have been read are not still being read, whatever is done with them", () => {
  const { paper, progress, wait } = pipe();
  progress.onEvent({ kind: "opened", description: "using 2 numeric columns", rows: 20 });
  wait(10);
  progress.beat();
  expect(paper.lines.at(-1)).toBe("still at work, 10 s so far");
});

test("the first pieces of a stage, which prepare the others, do not tell how long all take", () => {
  const { paper, progress, wait } = pipe();
  progress.onEvent({ kind: "stage", stage: "drawing the map", done: 0, total: 200 });
  wait(30);
  progress.onEvent({ kind: "stage", stage: "drawing the map", done: 1, total: 200 });
  expect(paper.lines.at(-1)).toBe("drawing the map 1/200");
  wait(30);
  progress.onEvent({ kind: "stage", stage: "drawing the map", done: 100, total: 200 });
  expect(paper.lines.at(-1)).toBe("drawing the map 100/200  1 min left");
});
