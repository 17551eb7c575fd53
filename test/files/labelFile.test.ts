import { describe, expect, test } from "vitest";
import { idsInMemory } from "../../src/files/openedRows.ts";
import { checkOnePerRow, findLabels } from "../../src/files/openLabels.ts";
import { parquet, write } from "./folder.ts";

const ids = idsInMemory(["item_id"], [["a"], ["b"], ["c"], ["d"]]);

async function byId(file: string, column?: string) {
  const found = await (await findLabels(file, column)).readById(ids);
  return found && Array.from(found.classes, (place) => (place < 0 ? null : found.names[place]));
}

describe("labels by id", () => {
  test("go to the rows that have it, in whatever order; a row that the file does not know has none", async () => {
    const rows = "c,x\na,y\nz,y\nb,";
    for (const file of [
      await write("ids.csv", `item_id,cluster\n${rows}\n`),
      await write("ids.jsonl", '{"item_id":"c","cluster":"x"}\n{"item_id":"a","cluster":"y"}\n{"item_id":"b"}\n'),
      await parquet(
        "ids.parquet",
        "select * from (values ('c', 'x'), ('a', 'y'), ('b', null)) as labels(item_id, cluster)",
      ),
    ]) {
      expect(await byId(file), file).toEqual(["y", null, "x", null]);
    }
  });

  test("are not found by ids that are there twice, nor where there is no column of that name", async () => {
    expect(await byId(await write("twice.csv", "item_id,cluster\na,x\na,y\nb,x\nc,y\n"))).toBeUndefined();
    expect(await byId(await write("other.csv", "name,cluster\na,x\nb,y\nc,x\nd,x\n"), "cluster")).toBeUndefined();
    expect(await byId(await write("plain.txt", "x\ny\nx\ny\n"))).toBeUndefined();
  });

  test("that no row has are another table's", async () => {
    await expect(byId(await write("others.csv", "item_id,cluster\n1,x\n2,y\n"))).rejects.toThrow(
      /no row has an id that is in its column item_id/,
    );
  });

  test("the column is the one that is no id, or that is named", async () => {
    expect((await findLabels(await write("one.csv", "item_id,topic\na,1\nb,2\n"))).column).toBe("topic");
    await expect(findLabels(await write("two.csv", "item_id,u,v\na,1,2\nb,2,2\n"))).rejects.toThrow(
      /which column holds the labels\? it has item_id, u, v/,
    );
  });
});

test("by order there must be as many labels as rows", () => {
  expect(() => checkOnePerRow("y.csv", 9, { rows: 10, of: "rows.csv" })).toThrow(/call the file \.txt/);
  expect(() => checkOnePerRow("y.txt", 12, { rows: 10, of: "rows.csv", isDropped: true })).toThrow(
    /each of the 10 rows of rows\.csv, got 12; rows with missing values were left out/,
  );
});
