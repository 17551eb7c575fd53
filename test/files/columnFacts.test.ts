import { describe, expect, test } from "vitest";
import type { Column } from "../../src/data/roles.ts";
import { lookAt } from "../../src/files/tables/columnFacts.ts";
import { columnsOf } from "../../src/files/tables/columnKinds.ts";
import { Database, plainError } from "../../src/files/tables/database.ts";

async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = await Database.open({ memory: 200, files: [] }, (error) => plainError("t", error, 200));
  return work(database).finally(() => database.close());
}
const columnsIn = (query: string): Promise<Record<string, Column>> =>
  withDatabase(async (database) => {
    const { columns } = await columnsOf("t", database, `(${query})`, { guessedTypes: false });
    return Object.fromEntries(columns.map((column) => [column.name, column]));
  });

describe("what the values of a column are like", () => {
  test("numbers: missing, different, from and to, whole, and how they lie", async () => {
    const { a, b } = await columnsIn(
      "select case when i = 3 then null else i % 4 end as a, case when i = 0 then 'nan'::double else i / 2 end as b from range(101) t(i)",
    );
    expect(a!.facts).toMatchObject({ rows: 101, missing: 1, distinct: 4, least: 0, most: 3, whole: true });
    expect(a!.facts!.values).toEqual([
      ["0", 26],
      ["1", 25],
      ["2", 25],
      ["3", 24],
    ]);
    expect(b!.facts).toMatchObject({ missing: 1, distinct: 100, least: 0.5, most: 50, whole: false, rising: true });
    expect(b!.facts!.quantiles).toEqual(
      [2.975, 12.875, 25.25, 37.625, 47.525].map((value) => expect.closeTo(value, 9)),
    );
  });

  test("texts, booleans and dates", async () => {
    const { city, open, day, note } = await columnsIn(
      "select ['Rome', 'New York'][1 + i % 2] as city, i % 5 = 0 as open, date '1970-01-03' + i::int as day, 'note number ' || i as note from range(10) t(i)",
    );
    expect(city!.facts).toMatchObject({ distinct: 2, letters: 6, words: 1.5, longest: 8 });
    expect(city!.facts!.values).toEqual([
      ["New York", 5],
      ["Rome", 5],
    ]);
    expect(open!.facts!.values).toEqual([
      ["false", 8],
      ["true", 2],
    ]);
    expect(day!.facts).toMatchObject({ distinct: 10, least: 2, most: 11, missing: 0 });
    expect([note!.unique, city!.unique]).toEqual([true, false]);
  });

  test("of a larger table: keys are still counted, the rest is estimated, and the order of rows changes nothing", async () => {
    const table = (order: string): string =>
      `select * from (select i as id, i % 70000 as many, i % 7 as few, 'k' || i as name, random() < 2 as yes from range(100000) t(i)) order by ${order}`;
    const [up, down] = [await columnsIn(table("id")), await columnsIn(table("hash(id)"))];
    expect([up.id!.unique, up.name!.unique, up.many!.unique]).toEqual([true, true, false]);
    expect(Math.abs(up.many!.facts!.distinct - 70000)).toBeLessThan(0.4 * 70000);
    expect(up.few!.facts!.values).toHaveLength(7);
    expect([up.id!.facts!.rising, down.id!.facts!.rising]).toEqual([true, undefined]);
    const { rising: _, ...facts } = up.id!.facts!;
    expect(down.id!.facts).toEqual(facts);
  });

  test("a wide table is counted where it matters, and sampled elsewhere", async () => {
    const names = Array.from({ length: 700 }, (_, i) => `g${i}`);
    const query = `select ${names.map((name, i) => `(i * ${i + 3}) % 11 / 2 as ${name}`)}, i as counter from range(300) t(i)`;
    await withDatabase(async (database) => {
      const columns = [...names, "counter"].map((name): Column => ({ name, kind: "number" }));
      const { facts } = await lookAt(database, `(${query})`, columns, 300);
      expect(facts.get("counter")).toMatchObject({ distinct: 300, rows: 300, whole: true });
      expect(facts.get("g699")).toMatchObject({ distinct: 11, rows: 300 });
      expect([facts.get("g0")!.values?.length, facts.get("g699")!.values]).toEqual([11, undefined]);
    });
  });
});
