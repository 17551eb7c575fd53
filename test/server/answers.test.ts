/** What the server answers about runs and rows, against what the run itself says. */

import { readFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { type RouteName, routes } from "../../src/api/routes.ts";
import type { TablePage } from "../../src/api/rows.ts";
import type { ClusterCard, Comparison, Explanation, RunDescription, WholeRow } from "../../src/api/runs.ts";
import { methods as registered } from "../../src/methods/index.ts";
import { write } from "../files/folder.ts";
import { type Client, fitRun, folder, openRun, pumpsFile, pumpsRun, type Raw, served } from "./support.ts";

let client: Client;
beforeAll(async () => {
  await pumpsRun();
  await pumpsRun("other", { clusters: 2, seed: 2 });
  client = await served({ paths: [`${folder}/runs`, await pumpsFile()] });
});
afterAll(() => client.server.close());

/** The answer, once it is found to be what the table of routes says. */
function said<T>(name: RouteName, { status, text }: Raw): T {
  expect(status, text).toBe(200);
  const { answer } = routes[name] as { answer: { kind: string; schema?: v.GenericSchema } };
  expect(answer.kind).toBe("json");
  const found = v.safeParse(answer.schema!, JSON.parse(text));
  expect(found.issues?.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`) ?? []).toEqual([]);
  return JSON.parse(text) as T;
}

const described = async (id = "pumps") => said<RunDescription>("run", await client.get(`/api/runs/${id}`));
const numbersOf = ({ bytes, headers }: Raw): ArrayLike<number> => {
  const kinds = {
    uint8: Uint8Array,
    uint16: Uint16Array,
    uint32: Uint32Array,
    float32: Float32Array,
    float64: Float64Array,
  };
  const Kind = kinds[headers["x-telltale-type"] as keyof typeof kinds];
  return new Kind(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer);
};

test("runs are listed, the newest first", async () => {
  const listed = said<{ id: string; state: string }[]>("runs", await client.get("/api/runs"));
  expect(listed.map(({ id }) => id)).toEqual(["other", "pumps"]);
  expect(listed.map(({ state }) => state)).toEqual(["done", "done"]);
});

test("a run is described with its columns, those that were not learned from as well", async () => {
  const { columns, clusters, source } = await described();
  expect(columns.map(({ name, form, isUsed }) => [name, form, isUsed])).toEqual([
    ["pump", "none", false],
    ["pressure", "number", true],
    ["flow", "number", true],
    ["firmware", "category", false],
    ["installed", "date", false],
    ["note", "none", false],
  ]);
  expect(source).toMatchObject({ rows: 90, isThere: true, arePictures: false, ids: ["pump"] });
  expect(clusters.reduce((sum, { size }) => sum + size, 0)).toBe(90);
});

test("clusters, confidences and the map are those of assignments.parquet, one for each row", async () => {
  const labels = await (await openRun(`${folder}/runs/pumps`)).labels();
  expect(Array.from(numbersOf(await client.get("/api/runs/pumps/placements/cluster")))).toEqual([...labels]);
  expect(numbersOf(await client.get("/api/runs/pumps/placements/confidence"))).toHaveLength(90);
  const { map, clusters } = await described();
  const [left, top, right, bottom] = map!.bounds;
  const places = numbersOf(await client.get("/api/runs/pumps/map"));
  expect(places).toHaveLength(180);
  // The mean of a cluster's rows is nearer to its center than to any other.
  const middle = [0, 1, 2].map((cluster) => {
    const own = [...labels.keys()].filter((row) => labels[row] === cluster);
    const mean = (axis: 0 | 1, from: number, to: number): number =>
      own.reduce((sum, row) => sum + from + ((to - from) * places[2 * row + axis]!) / 65_534, 0) / own.length;
    return [mean(0, left, right), mean(1, top, bottom)] as const;
  });
  for (const [cluster, [x, y]] of middle.entries()) {
    const far = clusters.map(({ center }) => Math.hypot(center![0] - x, center![1] - y));
    expect(far.indexOf(Math.min(...far))).toBe(cluster);
  }
});

describe("a column", () => {
  it("of numbers has them, of dates days since 1970", async () => {
    const pressure = numbersOf(await client.get("/api/runs/pumps/columns/1"));
    expect(pressure[0]).toBeCloseTo(2, 5);
    expect(pressure).toHaveLength(90);
    const days = numbersOf(await client.get("/api/runs/pumps/columns/4"));
    expect(days[0]).toBe(Date.UTC(2024, 2, 1) / 86_400_000);
  });

  it("of a category has codes, the most frequent value first", async () => {
    const { values, hasOther } = said<{ values: string[]; hasOther: boolean }>(
      "dictionary",
      await client.get("/api/runs/pumps/columns/3/dictionary"),
    );
    expect([values, hasOther]).toEqual([["v1", "v2"], false]);
    const codes = Array.from(numbersOf(await client.get("/api/runs/pumps/columns/3")));
    expect(codes.slice(0, 6)).toEqual([2, 1, 1, 1, 1, 2]);
  });

  it("of texts that do not repeat has none, and one that is not there is not found", async () => {
    expect((await client.get("/api/runs/pumps/columns/5")).status).toBe(409);
    expect((await client.get("/api/runs/pumps/columns/6")).status).toBe(404);
  });
});

describe("the table", () => {
  const table = async (body: object) => said<TablePage>("table", await client.post("/api/runs/pumps/table", body));

  it("is sorted, and comes in pages", async () => {
    const { total, rows } = await table({ sort: { by: 1, descending: true }, limit: 5, offset: 1 });
    expect(total).toBe(90);
    const pressures = rows.map(({ cells }) => cells[1] as number);
    expect(pressures).toHaveLength(5);
    expect(pressures).toEqual([...pressures].sort((a, b) => b - a));
    const all = (await table({ sort: { by: 1, descending: true } })).rows.map(({ cells }) => cells[1]);
    expect(pressures).toEqual(all.slice(1, 6));
  });

  it("has the rows that meet all that a filter says", async () => {
    const everything = (await table({})).rows;
    const wanted = everything.filter(
      ({ cells, cluster }) =>
        String(cells[5]).includes("valve") &&
        cells[3] === "v1" &&
        Number(cells[1]) <= 5 &&
        cells[4]! >= "2024-03-10" &&
        cluster < 2,
    );
    const { rows, total } = await table({
      filter: {
        text: "VALVE",
        values: [{ column: 3, values: ["v1"] }],
        ranges: [
          { column: 1, from: 0, to: 5 },
          { column: 4, from: Date.UTC(2024, 2, 10) / 86_400_000, to: 30_000 },
        ],
        clusters: [0, 1],
      },
    });
    expect(rows.map(({ row }) => row)).toEqual(wanted.map(({ row }) => row));
    expect(total).toBe(wanted.length);
    expect(total).toBeGreaterThan(0);
  });

  it("takes the page's own mask, a bit for each row", async () => {
    const mask = new Uint8Array(12);
    for (const row of [3, 8, 89]) mask[row >> 3]! |= 1 << (row & 7);
    const { rows } = await table({ filter: { mask: Buffer.from(mask).toString("base64") } });
    expect(rows.map(({ row }) => row)).toEqual([3, 8, 89]);
    expect((await client.post("/api/runs/pumps/table", { filter: { mask: "AA==" } })).status).toBe(422);
  });

  it("is a mask where that is asked for", async () => {
    const mask = numbersOf(await client.post("/api/runs/pumps/mask", { filter: { text: "<script>" } }));
    expect(Array.from(mask)).toEqual([16, ...Array<number>(11).fill(0)]);
  });

  it("has texts as texts: what tries to be markup or SQL is found, and nothing else", async () => {
    expect((await table({ filter: { text: "</script>" } })).rows.map(({ row }) => row)).toEqual([4]);
    for (const text of ["' or 1=1 --", '"; drop table rows; --', "%", "_", "\\"]) {
      expect((await table({ filter: { text } })).total, text).toBe(0);
    }
    expect((await table({})).total).toBe(90);
  });

  it("goes into a file", async () => {
    const csv = await client.post("/api/runs/pumps/selection", { filter: { rows: [4, 7] }, format: "csv" });
    expect(csv.headers["content-disposition"]).toBe('attachment; filename="pumps-rows.csv"');
    const [header, ...lines] = csv.text.trim().split("\n");
    expect(header).toBe(
      "row,cluster,second,confidence,margin,distance,outlier,pump,pressure,flow,firmware,installed,note",
    );
    expect(lines.map((line) => line.split(",")[7])).toEqual(["pump-4", "pump-7"]);
    expect(lines[1], "no formula where people open it").toMatch(/,'=1\+1 drips 7$/);
    const parquet = await client.post("/api/runs/pumps/selection", { format: "parquet" });
    expect(parquet.bytes.subarray(0, 4).toString()).toBe("PAR1");
  });
});

test("a row has all its values, as they are in the file", async () => {
  const { values } = said<{ values: { column: string; value: unknown }[] }>(
    "row",
    await client.get("/api/runs/pumps/rows/4"),
  );
  expect(values.find(({ column }) => column === "note")!.value).toBe("<script>alert(1)</script> and a leak 4");
  expect((await client.get("/api/runs/pumps/rows/90")).status).toBe(404);
});

test("an explanation has parts that add up, the nearest rows, and what would put the row elsewhere", async () => {
  const { why, nearest, change, placement } = said<Explanation>(
    "explanation",
    await client.get("/api/runs/pumps/rows/7/explanation"),
  );
  const { start, parts, remainder } = why!.input;
  expect(start + parts.reduce((sum, part) => sum + part, 0) + remainder).toBeCloseTo(why!.margin, 4);
  expect(why!.latent.reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(why!.margin, 4);
  expect(nearest).toHaveLength(8);
  expect(nearest.every(({ cluster }) => cluster === placement.cluster)).toBe(true);
  for (const { name, cluster } of change!) {
    expect(["pressure", "flow"]).toContain(name);
    expect(cluster).not.toBe(placement.cluster);
  }
  const against = [0, 1, 2].find((cluster) => cluster !== placement.cluster && cluster !== placement.second)!;
  const third = said<Explanation>(
    "explanation",
    await client.get(`/api/runs/pumps/rows/7/explanation?against=${against}`),
  );
  expect(third.why!.other).toBe(against);
});

test("between two clusters the model draws a line from the one to the other", async () => {
  const { rows, clusters, at } = said<{ rows: number[][]; clusters: number[]; at: number[] }>(
    "between",
    await client.get("/api/runs/pumps/between?a=0&b=2&steps=5"),
  );
  expect(at).toEqual([0, 0.25, 0.5, 0.75, 1]);
  expect([clusters[0], clusters[4]]).toEqual([0, 2]);
  const exemplars = (await (await openRun(`${folder}/runs/pumps`)).clusters()).map(({ exemplar }) => exemplar);
  expect(rows[0]![0]).toBeCloseTo(exemplars[0]![0]!, 3);
  expect(rows[4]![1]).toBeCloseTo(exemplars[2]![1]!, 3);
});

test("a cluster has its card, and no picture where rows are none", async () => {
  const card = said<{ name: string; typical: unknown[] }>("cluster", await client.get("/api/runs/pumps/clusters/1"));
  expect(card.typical.length).toBeGreaterThan(0);
  expect((await client.get("/api/runs/pumps/clusters/1/exemplar.png")).status).toBe(404);
  expect((await client.get("/api/runs/pumps/clusters/3")).status).toBe(404);
});

test("two runs are compared: flows add up to all rows, and rows are in both as each run says", async () => {
  const { flows, rows, matched } = said<Comparison>("compare", await client.get("/api/compare?a=pumps&b=other"));
  expect(flows.reduce((sum, flow) => sum + flow.rows, 0)).toBe(rows);
  expect(matched).toHaveLength(2);
  const both = numbersOf(await client.get("/api/compare/rows?a=pumps&b=other"));
  const labels = await (await openRun(`${folder}/runs/other`)).labels();
  expect(Array.from(both).slice(90)).toEqual([...labels]);
  expect((await client.get("/api/compare?a=pumps&b=pumps")).status).toBe(400);
});

test("methods come with their options, as they declare them", async () => {
  const methods = said<{ name: string; options: { name: string; kind: string }[] }[]>(
    "methods",
    await client.get("/api/methods"),
  );
  expect(methods.map(({ name }) => name).sort()).toEqual(Object.keys(registered).sort());
  expect(methods.find(({ name }) => name === "tell")!.options.length).toBeGreaterThan(0);
});

test("a data file is inspected: what each column would be for, and its first rows", async () => {
  const found = said<{ columns: { name: string; role: string }[]; preview: { rows: string[][] } }>(
    "inspect",
    await client.post("/api/inspect", { source: "data-1", rows: { ignore: ["flow"] } }),
  );
  expect(found.columns.find(({ name }) => name === "flow")!.role).toBe("ignored");
  expect(found.preview.rows).toHaveLength(20);
  expect(found.preview.rows[4]![5]).toContain("<script>");
});

test("the description of the API is that of the docs", async () => {
  expect(JSON.parse((await client.get("/api/openapi.json")).text)).toEqual(
    JSON.parse(readFileSync("docs/api/openapi.json", "utf8")),
  );
});

test("a row goes by its place, also where rows before it were left out", async () => {
  const complete = readFileSync(await pumpsFile(), "utf8").split("\n");
  const holes = complete.map((line, i) => (i % 10 === 1 ? line.replace(/,[^,]*/, ",") : line));
  const source = await write("holes.csv", holes.join("\n"));
  const path = `${folder}/holes`;
  await fitRun(source, {
    ...{ out: path, method: "kmeans", clusters: 3, device: "cpu", report: false },
    rows: { columns: ["pressure", "flow"], missing: "drop" },
  });
  const few = await served({ paths: [path] });
  try {
    const card = said<ClusterCard>("cluster", await few.get("/api/runs/holes/clusters/0"));
    expect(card.typical.length).toBeGreaterThan(2);
    for (const { row, values, id } of [...card.typical, ...card.borderline]) {
      const found = said<WholeRow>("row", await few.get(`/api/runs/holes/rows/${row}`));
      expect(found.number).toBeGreaterThan(row);
      expect(found.values[0]!.value).toBe(id);
      expect(found.values[1]!.value).toBeCloseTo(values[0]!, 4);
    }
    const { why } = said<Explanation>("explanation", await few.get("/api/runs/holes/rows/7/explanation"));
    for (const { row, id } of [...why!.near.own, ...why!.near.other]) {
      expect(said<WholeRow>("row", await few.get(`/api/runs/holes/rows/${row}`)).values[0]!.value).toBe(id);
    }
  } finally {
    await few.server.close();
  }
});

test("without its rows a run is shown as far as it knows itself, and says what is missing", async () => {
  const source = await pumpsFile();
  await rename(source, `${source}.away`);
  const alone = await served({ paths: [`${folder}/runs/pumps`] });
  try {
    const { source: told } = said<RunDescription>("run", await alone.get("/api/runs/pumps"));
    expect(told.isThere).toBe(false);
    expect(told.reason).toContain("not there any more");
    const { rows } = said<TablePage>("table", await alone.post("/api/runs/pumps/table", { limit: 1 }));
    expect(rows[0]!.cells).toEqual(["pump-0", null, null, null, null, null]);
    const { status, text } = await alone.get("/api/runs/pumps/rows/1/explanation");
    expect([status, JSON.parse(text).problem]).toEqual([422, expect.stringContaining("cannot be opened")]);
    // What lies between two centers, the model knows by itself.
    expect((await alone.get("/api/runs/pumps/between?a=0&b=1&steps=3")).status).toBe(200);
  } finally {
    await alone.server.close();
    await rename(`${source}.away`, source);
  }
});
