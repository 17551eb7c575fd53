/** The papers' tables are all there, as printed, and docs/papers is what the records give. */

import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { accuracy } from "../../bench/accuracy.ts";
import { groupOf, named, nameOf } from "../../bench/cell.ts";
import { cells } from "../../bench/cells.ts";
import { comparatorsPage, measuredPage } from "../../bench/comparatorsPage.ts";
import { foreign } from "../../bench/foreignData.ts";
import { paperCells } from "../../bench/papers/cells.ts";
import { items, itemsOf } from "../../bench/papers/index.ts";
import { minutesOf, mostMinutes, whereFor } from "../../bench/papers/minutes.ts";
import { inWords, openCells } from "../../bench/papers/open.ts";
import { pagesOf } from "../../bench/papers/pages.ts";
import { isPlain, publishedOf, type Table } from "../../bench/papers/paper.ts";
import { inOrder, priority } from "../../bench/papers/priority.ts";
import { readRecorded, sampleIn } from "../../bench/papers/recorded.ts";
import { blocksOf, groupsOf, oursOf } from "../../bench/papers/rows.ts";
import { done, isOpen, keep, type Line, linesOf } from "../../bench/records.ts";

const tableOf = (name: string): Table => itemsOf(name)[0]!.table as Table;
const printed = (name: string, row: string): string[] => {
  const table = tableOf(name);
  return publishedOf(table, table.rows.find((candidate) => candidate.name === row)!).flat();
};

test("every table and figure of the five papers is in the list", () => {
  const names = items.map(({ name }) => name);
  const expected = [
    ...["1", "2", "3", "4", "5", "6", "S1", "S2", "fig2", "fig4", "fig5", "fig6", "fig7", "figA1"].map(
      (id) => `tell/${id}`,
    ),
    ...["1", "2", "3", "4", "5", "fig2", "fig3", "fig4"].map((id) => `kmeansnet/${id}`),
    ...["4", "5", "6", "A.2", "A.3", "7", "4.3", "fig2", "fig3", "fig4", "fig6"].map((id) => `pcx/${id}`),
    ...["II", "III", "IV", "V", "VI", "fig1a", "fig3", "fig4", "fig5", "fig6", "fig7"].map((id) => `invariance/${id}`),
    ...["1", "2", "4.3", "fig2"].map((id) => `dkm/${id}`),
  ];
  expect(names).toEqual(expected);
  expect(() => itemsOf("tell/9")).toThrow(/there is no "tell\/9"; there are tell\/1, /);
});

test("published figures are those in print", () => {
  expect(printed("tell/4", "TELL")).toEqual(["93.25", "85.52", "85.76", "95.16", "88.83", "89.66"]);
  expect(printed("tell/1", "VaDE")).toEqual(["92.36", "86.58", "85.09", "—", "20.87", "7.20", "3.95", "—"]);
  expect(printed("tell/3", "TELL")[9]).toBe("43.83");
  expect(printed("kmeansnet/2", "k-meansNet")[1]).toBe("45.00");
  expect(printed("kmeansnet/5", "Adagrad")).toEqual(["61.09", "71.55", "56.11", "65.03", "65.04", "78.71", "71.22"]);
  expect(printed("pcx/6", "PC-X-Fix")).toEqual(["57.6", "76.8", "50.7", "61.7", "—", "—"]);
  expect(printed("invariance/III", "HOE (CNN)")).toEqual(
    ["93.25", "86.39", "82.14", "83.59", "—"].concat(["91.03", "78.38", "76.05", "77.13", "—"]),
  );
  expect(printed("dkm/1", "DKM-p").slice(0, 4)).toEqual(["84.0±2.2", "79.6±0.9", "75.7±1.3", "77.6±1.1"]);
});

test("what was printed of superclasses has the maximum and the mean that were printed with it", () => {
  const of = (name: string, row: string): number[] => printed(name, row).map(Number);
  const mean = (values: number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  const summary = [
    ["tell/2", "TELL", 46.2, 35.07],
    ["tell/3", "TELL", 46.7, 34.13],
    ["tell/2", "VaDE", 36.53, 30.27],
    ["kmeansnet/2", "k-meansNet", 45, 35.23],
    ["kmeansnet/3", "k-meansNet", 44.2, 32.68],
    ["kmeansnet/3", "ZAC", 20.3, 20.26],
  ] as const;
  for (const [name, row, largest, average] of summary) {
    expect(Math.max(...of(name, row))).toBe(largest);
    expect(mean(of(name, row))).toBeCloseTo(average, 1);
  }
});

test("every row has a number for every score of its columns", () => {
  for (const { table } of items) {
    if (table && !isPlain(table))
      for (const row of table.rows) expect(publishedOf(table, row)).toHaveLength(table.columns.length);
  }
});

test("each cell has a name of its own, and the first ones to run are cells", () => {
  const names = cells.map(nameOf);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  const groups = new Set(cells.map(groupOf));
  expect(priority.filter(([group]) => !groups.has(group))).toEqual([]);
  const ordered = inOrder(cells, groupOf).map(nameOf);
  const homo = (seed: number) => `mnist-test-centered/homo/paper/whole/${seed}`;
  const hit = ordered.indexOf("mnist-test-centered/hit/paper/whole/1");
  expect([ordered[0], ordered[hit + 1], ordered[hit + 4]]).toEqual([homo(1), homo(2), homo(5)]);
  // What is listed with one seed has its others among the rest, the second of all before the third of any.
  const rest = ordered.indexOf("mnist-test-centered/hit/paper/whole/2");
  expect(rest).toBeGreaterThan(ordered.indexOf("mnist/depict/paper/1"));
  expect(rest).toBeLessThan(ordered.indexOf("mnist-test-centered/hit/paper/whole/3"));
});

test("a line that is rounded or unfinished stands until its cell has one that is neither", async () => {
  const folder = await mkdtemp(join(tmpdir(), "telltale-test-"));
  const line = (rest: Partial<Line>): Line => ({ cell: "a/b/1", data: "a", seed: 1, scores: {}, seconds: 1, ...rest });
  const file = join(folder, "a.jsonl");
  await keep(file, line({ epochs: 10, unfinished: true }));
  await keep(file, line({ epochs: 20, unfinished: true }));
  expect(await linesOf(folder)).toEqual([line({ epochs: 20, unfinished: true })]);
  expect((await done(file)).size).toBe(0);
  await keep(file, line({ epochs: 30 }));
  await keep(file, line({ epochs: 25, unfinished: true }));
  expect(await linesOf(folder)).toEqual([line({ epochs: 30 })]);
  expect([...(await done(file))]).toEqual(["a/b/1"]);
});

test("ours is the mean ± deviation over seeds, with its epochs and marks", () => {
  const line = (seed: number, accuracy: number): Line => ({
    cell: `mnist/tell/paper/fcn/${seed}`,
    data: "mnist",
    seed,
    scores: { accuracy, nmi: 0.5, ari: 0.25 },
    epochs: 300,
    stopped: "all epochs done",
    seconds: 1,
  });
  const lines = [line(1, 0.8), line(2, 0.9)];
  const recorded = {
    lines: (group: string) => (group === "mnist/tell/paper/fcn" ? lines : []),
    measured: () => undefined,
  };
  const { paper } = itemsOf("tell/4")[0]!;
  const table = tableOf("tell/4");
  const [fcn] = blocksOf(paper, table, recorded);
  const ours = fcn!.rows[fcn!.rows.findIndex(([name]) => name === "TELL") + 1];
  expect(ours).toEqual(["", "ours", "85.0 ± 7.1", "50.0 ± 0.0", "25.0 ± 0.0", "2", "300 of 3000", "mnist", "…"]);
  expect(oursOf(table, table.rows[0]!, 0, recorded)).toMatchObject({
    group: "mnist/aekm/paper/unit-fcn",
    marks: ["missing"],
  });
});

test("a run that its own rule has ended is whole, and one that was stopped is not", () => {
  const line = (stopped: string | undefined): Line => ({
    ...{ cell: "mnist-test-centered/homo/paper/whole/1", data: "mnist-test-centered", seed: 1, scores: {}, seconds: 1 },
    ...{ epochs: 207, ...(stopped && { stopped }) },
  });
  const table = tableOf("invariance/III");
  const homo = table.rows.find(({ name }) => name === "HOMO")!;
  const marksOf = (...lines: Line[]) => {
    const recorded = { lines: (group: string) => (group.includes("centered") ? lines : []), measured: () => undefined };
    return oursOf(table, homo, 1, recorded).marks;
  };
  expect(marksOf(line("labels stay"))).toEqual([]);
  expect(marksOf(line("the loss stays"))).toEqual([]);
  expect(marksOf(line("labels stay"), line("all epochs done"))).toEqual(["shorter"]);
  expect(marksOf(line(undefined))).toEqual(["shorter"]);
});

test("what a table has of the test split alone is marked, unless the table is of the test split", async () => {
  const recorded = await readRecorded();
  const marksOf = (name: string, at: number) => {
    const table = tableOf(name);
    return oursOf(table, table.rows.find((row) => row.name === "HOMO")!, at, recorded).marks;
  };
  expect(marksOf("invariance/VI", 0)).toContain("sample");
  expect(marksOf("invariance/III", 1)).not.toContain("sample");
  // A comparator that saw some of the rows says so in the notes of its record.
  expect(sampleIn(["its rows were moved", "ward saw 7,000 of 9,298 rows, drawn at random"])).toBe(7000);
  expect(sampleIn(["slrr divided 1,000 rows by LRR"])).toBeUndefined();
  // USPS is not more than its linkages see.
  expect(recorded.lines("usps/ward/teacher").map(({ sample }) => sample)).toEqual([undefined]);
});

test("each cell that a paper has is in one of its tables or figures", () => {
  const shown = new Set(
    items.flatMap(({ table, figure }) => figure?.needs ?? (table && !isPlain(table) ? groupsOf(table) : [])),
  );
  // Every data set has all comparators, whoever compares with them; those networks are for docs/results.md.
  const others = ["comparators", "elsewhere", "cifar10-test-networks"];
  const own = paperCells.filter(({ group }) => !others.some((name) => group.includes(name)));
  expect([...new Set(own.map(groupOf))].filter((name) => !shown.has(name))).toEqual([]);
  for (const name of ["mnist/tell/paper/150-epochs-sums", "mnist/dec/paper/np", "usps/dec/paper/np"]) {
    expect(shown, name).toContain(name);
  }
});

test("scores over α are drawn of the practical profile too, once it has run at each", async () => {
  const { figure } = itemsOf("kmeansnet/fig3")[0]!;
  const recorded = await readRecorded();
  const line = (cell: string): Line => ({
    ...{ cell: `${cell}/1`, data: "mnist-test", seed: 1, seconds: 1 },
    scores: { accuracy: 0.5, nmiGeometric: 0.5, ari: 0.5 },
  });
  const run = (most: number) => ({
    ...recorded,
    lines: (group: string) => (figure!.needs.indexOf(group) <= most ? [line(group)] : []),
  });
  expect(figure!.draw(run(9))).toBe(figure!.draw({ ...recorded, lines: () => [] }));
  expect(figure!.draw(run(10))).toContain("practical, b coupled to W");
});

test("a mixture has diagonal covariances in every table, which its rows say", () => {
  for (const name of ["tell/1", "pcx/4"]) {
    const gmm = tableOf(name).rows.find((row) => row.name === "GMM")!;
    expect(gmm.marks, name).toContain("diagonal");
  }
});

test("a cell is for a processor where 150 minutes are enough", () => {
  const minutes = (group: string) => Math.round(minutesOf(cells.find((cell) => groupOf(cell) === group)!));
  expect(minutes("mnist/dkm-a/paper")).toBeLessThan(mostMinutes);
  expect(minutes("mnist/dec/paper/np")).toBeLessThan(mostMinutes);
  expect(minutes("mnist-test/tell/paper/adam-150")).toBeLessThan(mostMinutes);
  expect(minutes("mnist/tell/paper/whole")).toBeGreaterThan(10 * mostMinutes);
  expect(minutes("mnist/ssc/teacher")).toBe(0);
  for (const cell of cells) expect(minutesOf(cell), nameOf(cell)).toBeGreaterThanOrEqual(0);
});

test("what has not been run is listed with its time and a command that means just that", async () => {
  const recorded = await readRecorded();
  const open = openCells(recorded);
  for (const { group, seeds, options } of open) {
    const [, only] = /^--only (\S+)/.exec(options)!;
    const chosen = named(cells, only!);
    expect(new Set(chosen.map(groupOf)), group).toEqual(new Set([group]));
    const finished = recorded.lines(group).filter((line) => !isOpen(line)).length;
    expect(seeds, group).toBeGreaterThan(0);
    expect(seeds, group).toBe(chosen.length - Math.min(chosen.length, finished));
  }
  const of = (group: string) => open.find((cell) => cell.group === group);
  // What is too long for processors is offered for a GPU alone, and the time is a GPU's.
  const whole = of("mnist/tell/paper/whole")!;
  expect(whole).toMatchObject({ where: "gpu", options: expect.stringContaining(" --device gpu --checkpoints DIR") });
  expect(whole.minutes!).toBeLessThan(minutesOf(cells.find((cell) => groupOf(cell) === whole.group)!) / 10);
  expect(of("mnist/dec/paper")).toMatchObject({ where: "cpu", options: "--only mnist/dec/paper" });
  // A teacher's time is that of its records, to the rows that it would see: 20,000 of MNIST, 10,000 then.
  const seconds = recorded.lines("mnist-test/zac/teacher")[0]!.seconds;
  expect(of("mnist/zac/teacher")!.minutes!).toBeCloseTo((4 * seconds) / 60);
  expect(open.some(({ group }) => group === "mnist/kmeans/practical")).toBe(false);
  expect(of("fashion/pcx/paper/cnn")).toMatchObject({ isAbsent: true, where: "gpu" });
  expect([undefined, 0.3, 40, 300].map(inWords)).toEqual(["–", "under 1 min", "40 min", "5 h"]);
});

test("a whole name, with its seed or without, means just that cell; a part means all that have it", () => {
  expect(named(cells, "usps/aekm/paper/1").map(nameOf)).toEqual(["usps/aekm/paper/1"]);
  expect(new Set(named(cells, "mnist/pcx/paper").map(groupOf))).toEqual(new Set(["mnist/pcx/paper"]));
  expect(new Set(named(cells, "mnist/pcx/").map(groupOf)).size).toBeGreaterThan(2);
});

test("bench accuracy leaves out what is not here, and leaves to a GPU what no processor should do unless it is named", async () => {
  const folder = await mkdtemp(join(tmpdir(), "telltale-test-"));
  const logged: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((line: string) => void logged.push(line));
  try {
    await accuracy(["--data", folder, "--out", join(folder, "out")]);
    // Its files are there, and damaged: a cell that is run says so, and one that is left out does not read them.
    await mkdir(join(folder, "fashion"));
    for (const file of foreign.fashion!.files) await writeFile(join(folder, file), "");
    const asked = (...named: string[]) => accuracy(["--data", folder, "--out", join(folder, "out"), ...named]);
    await expect(asked("--only", "fashion/pcx/paper/cnn")).rejects.toThrow();
    await expect(asked("--seeds", "1")).rejects.toThrow();
  } finally {
    log.mockRestore();
  }
  const long = cells.filter((cell) => cell.data === "fashion" && whereFor(cell) === "gpu").length;
  expect(logged).toEqual([
    `accuracy: left out ${cells.length} cells of data that is not here`,
    expect.stringMatching(/of data that is not here$/),
    `accuracy: left out ${long} cells for a GPU: --device gpu, or name them with --only`,
  ]);
});

test("cells have the settings that their table has in print", () => {
  const optionsOf = (group: string) => cells.find((cell) => groupOf(cell) === group)!.options;
  expect(optionsOf("mnist-centered/homo/paper/whole")).toEqual({ epochs: 4500 });
  expect(optionsOf("mnist-test-centered/hit/paper/whole")).toEqual({});
  expect(optionsOf("cifar10-test-centered/hot/paper/whole")).toEqual({ epochs: 4500, latent: 100 });
  expect(optionsOf("cifar10-test-centered/aekm/paper/denoising")).toMatchObject({ latent: 100, pretraining: 300 });
  expect(optionsOf("reuters10k-centered/hoe/paper/whole")).toEqual({ rate: 1, decayEvery: 500 });
  expect(optionsOf("cifar100-s1-centered/homo/paper/whole")).toMatchObject({ optimizer: "adadelta", rate: 1 });
  const sigmoid = { code: "sigmoid", output: "sigmoid", network: "pooledConvolutional" };
  expect(optionsOf("mnist-centered/hoe/paper/cnn")).toMatchObject(sigmoid);
  expect(optionsOf("mnist-test-centered/hoe/paper/cnn")).toMatchObject(sigmoid);
  expect(optionsOf("mnist-test-centered/aekm/paper/denoising")).toMatchObject({ weights: "xavier", corruption: 0.3 });
  expect(optionsOf("ytf/pcx-imba/paper/cnn")).toEqual({ network: "tellConvolutional" });
  expect(optionsOf("fashion/pcx/paper/cnn")).toEqual({ network: "tellConvolutional" });
  expect(optionsOf("fashion/pcx/paper/cnn-fix")).toEqual({ network: "tellConvolutional", centers: "fixed" });
  // k-means beside k-meansNet has the codes of k-meansNet's autoencoder.
  const stacked = { code: "sigmoid", output: "sigmoid", dropout: 0.2, dropoutAt: "after", weights: "xavier" };
  const byAdadelta = { pretrainingOptimizer: "adadelta", pretrainingRate: 1, pretrainingLoss: "mean", latent: 10 };
  expect(optionsOf("mnist/aekm/paper/rows")).toMatchObject({ ...stacked, ...byAdadelta, network: "fullyConnected" });
});

test("docs/papers is what was recorded; `npm run -s bench -- papers --write` renews it", async () => {
  const found = pagesOf(await readRecorded());
  const files = (await readdir("docs/papers")).map((name) => `docs/papers/${name}`);
  expect([...found.keys()].sort()).toEqual(files.sort());
  for (const [file, text] of found) expect(await readFile(file, "utf8"), file).toBe(text);
});

test("docs/comparators.md has what was recorded; `npm run -s bench -- comparators --write` renews it", async () => {
  expect(await readFile(comparatorsPage, "utf8")).toBe(await measuredPage("bench/results/comparators.jsonl"));
});
