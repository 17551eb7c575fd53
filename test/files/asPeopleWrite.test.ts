/** CSV as people bring it: other encodings, decimal commas, units, a name twice; each is read, and said. */
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { featureNames } from "../../src/data/feature.ts";
import { openLabels } from "../../src/files/openLabels.ts";
import { type OpenOptions, openRows } from "../../src/files/openRows.ts";
import { write } from "./folder.ts";

async function opened(name: string, content: string | Uint8Array, options: OpenOptions = {}) {
  const { data, features, ids, description, marks } = await openRows(await write(name, content), options);
  const named: string[][] = [];
  for await (const batch of ids?.inOrder(10) ?? []) named.push(...batch.map((row) => [...row]));
  return { names: featureNames(features), numbers: [...data.tensor!.data], ids: named.flat(), description, marks };
}

describe("text that is not UTF-8", () => {
  const text = "id,a,größe\nMünchen,1,2\nKöln,3,4\n";
  const encodings: [string, Uint8Array, string][] = [
    ["Latin-1", Buffer.from(text, "latin1"), "text in Windows-1252 (Latin-1)"],
    ["UTF-16 with a mark", Buffer.from(`\ufeff${text}`, "utf16le"), "text in UTF-16"],
    ["UTF-16 without one", Buffer.from(text, "utf16le"), "text in UTF-16"],
    ["UTF-16 from the other end", Buffer.from(`\ufeff${text}`, "utf16le").swap16(), "text in UTF-16"],
  ];
  test.each(encodings)("%s is read, and said", async (name, bytes, said) => {
    for (const [ending, packed] of [
      ["csv", bytes],
      ["csv.gz", gzipSync(bytes)],
    ] as const) {
      const found = await opened(`${name}.${ending}`, packed);
      expect(found.names).toEqual(["a", "größe"]);
      expect(found.numbers).toEqual([1, 2, 3, 4]);
      expect(found.ids).toEqual(["München", "Köln"]);
      expect(found.description).toBe(`using 2 numeric columns, id = id; ${said}`);
    }
  });

  test("letters that only Windows has are read", async () => {
    const bytes = Buffer.from([...Buffer.from("id,a\n"), 0x80, ...Buffer.from(" ,1\n"), 0x93, ...Buffer.from("x,2\n")]);
    expect((await opened("windows.csv", bytes)).ids).toEqual(["€ ", "“x"]);
  });

  test("a letter that a piece of the file ends in is whole", async () => {
    const rows = Array.from({ length: 70_000 }, (_, i) => `é${"x".repeat(i % 7)},${i % 97}`).join("\n");
    const found = await opened("long.csv", `name,a\n${rows}\n`, { id: "name" });
    expect(found.numbers).toHaveLength(70_000);
    expect(found.description).toBe("using 1 numeric column, id = name");
  });

  test("JSON lines and labels are read as well", async () => {
    const lines = Buffer.from('{"id":"Köln","a":1}\n{"id":"Bonn","a":2}\n', "latin1");
    expect((await opened("l.jsonl", lines)).ids).toEqual(["Köln", "Bonn"]);
    const labels = { classes: Int32Array.of(1, 0), names: ["Bonn", "Köln"] };
    expect(await openLabels(await write("l.txt", Buffer.from("Köln\nBonn\n", "latin1")))).toEqual(labels);
    expect(await openLabels(await write("l.csv", Buffer.from("label\nKöln\nBonn\n", "utf16le")))).toEqual(labels);
  });

  test("UTF-8 with some damage is not taken for another: its line is named", async () => {
    const bytes = Buffer.concat([Buffer.from("a,b\ncafé,1\nthé,2\n"), Buffer.of(0xff, 0x2c, 0x33, 0x0a)]);
    await expect(opened("damaged.csv", bytes)).rejects.toThrow("damaged.csv: line 4: must be UTF-8");
  });

  test("UTF-16 that is cut short is refused", async () => {
    const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
    await expect(opened("cut.csv", bytes.subarray(0, bytes.length - 1))).rejects.toThrow(
      "must be UTF-16 throughout, and is damaged or cut short",
    );
  });
});

describe("numbers as people write them", () => {
  test("decimal commas after semicolons are numbers", async () => {
    const found = await opened("de.csv", "a;b;n\n1,5;2,5;3\n-0,25;1,125;4\n");
    expect(found.names).toEqual(["a", "b", "n"]);
    expect(found.numbers).toEqual([1.5, 2.5, 3, -0.25, 1.125, 4]);
    expect(found.description).toBe("using 3 numeric columns; reading decimal commas (a, b)");
    expect(found.marks).toEqual({ a: "comma", b: "comma" });
  });

  test("where the others have decimal commas, points part thousands", async () => {
    const found = await opened("thousands.csv", "a;b;lat\n1,5;1.234;52.51\n2,25;999;48.1\n");
    expect(found.numbers.map((value) => Math.fround(value))).toEqual(
      [1.5, 1234, 52.51, 2.25, 999, 48.1].map(Math.fround),
    );
    expect(found.marks).toEqual({ a: "comma", b: "comma", lat: "point" });
  });

  test("currencies, shares and thousands are numbers", async () => {
    const content = 'id,price,share,n,loss\na,"$1,234",85 %,1 234,(12.5)\nb,"$2,345.50",7 %,12,3\n';
    const found = await opened("us.csv", content);
    expect(found.names).toEqual(["price", "share", "n", "loss"]);
    expect(found.numbers).toEqual([1234, 85, 1234, -12.5, 2345.5, 7, 12, 3]);
    expect(found.description).toBe(
      "using 4 numeric columns, id = id; reading numbers as written in price ($1,234 is 1234), share (7 % is 7), n (1 234 is 1234), loss ((12.5) is -12.5)",
    );
  });

  test("1,234 is more than a thousand after commas, and a little over one after semicolons, unless a run knows", async () => {
    expect((await opened("c.csv", 'a,b\n"1,234",1\n"5,678",2\n')).numbers[0]).toBe(1234);
    expect((await opened("s.csv", "a;b\n1,234;1\n5,678;2\n")).numbers[0]).toBeCloseTo(1.234);
    const like = { marks: { a: "point" as const } };
    expect((await opened("k.csv", "a;b\n1,234;1\n5,678;2\n", { like })).numbers[0]).toBe(1234);
  });

  test("two currencies are no numbers, nor is what somebody takes for an id, a label or a category", async () => {
    expect((await opened("two.csv", "price,b\n$5,1\n€6,2\n")).names).toEqual(["b"]);
    const content = 'code,b\n"1,234",1\n"5,678",2\n';
    expect((await opened("code.csv", content, { id: "code" })).ids).toEqual(["1,234", "5,678"]);
    expect((await opened("category.csv", content, { encode: ["code"] })).names).toEqual([
      "code=1,234",
      "code=5,678",
      "b",
    ]);
  });

  test("a word among them is pointed out", async () => {
    await expect(opened("word.csv", 'price,b\n"$5,000",1\n$6,2\nask us,3\n')).rejects.toThrow(
      "column price must be numbers, 1 of 3 values are not, the first in row 2: ask us",
    );
  });
});

describe("names of columns", () => {
  test("a name may have a line break in it, also beside one that is there twice", async () => {
    const path = await write("breaks.csv", '"a\nb",price,Price\n1,2,3\n4,5,6\n');
    expect(featureNames((await openRows(path)).features)).toEqual(["a\nb", "price", "Price_2"]);
  });

  test("a name that is there twice, also in other letters, is changed, and said", async () => {
    const found = await opened("names.csv", "T,t,x,x,x_2,X\n1,2,3,4,5,6\n");
    expect(found.names).toEqual(["T", "t_2", "x", "x_3", "x_2", "X_4"]);
    expect(found.description).toBe(
      "using 6 numeric columns; 3 columns whose names were taken are called t_2, x_3, X_4",
    );
  });

  test("names that end like those are left alone", async () => {
    const found = await opened("numbered.csv", "x,x_1,x_2\n1,2,3\n");
    expect(found.names).toEqual(["x", "x_1", "x_2"]);
    expect(found.description).toBe("using 3 numeric columns");
  });

  test("the line by which spreadsheets say what parts the cells is no row", async () => {
    expect((await opened("sep.csv", "sep=;\r\na;b\r\n1;2\r\n")).names).toEqual(["a", "b"]);
  });
});

test("objects inside rows are taken apart, and said", async () => {
  const lines = [1, 2].map((i) =>
    JSON.stringify({ id: `r${i}`, at: { city: "Rome", geo: { lat: i, lon: 2 * i } }, x: 0 }),
  );
  const found = await opened("nested.jsonl", lines.join("\n"));
  expect(found.names).toEqual(["at.geo.lat", "at.geo.lon", "x"]);
  expect(found.numbers).toEqual([1, 2, 0, 2, 4, 0]);
  expect(found.description).toBe("using 3 numeric columns, id = id, ignoring 1 text column (at.city); taking apart at");
});

test("what databases write for no value is none: \\N", async () => {
  const found = await opened("exported.csv", "id,a,b\nx,1,\\N\ny,\\N,4\nz,3,6\n", { missing: "mean" });
  expect(found.names).toEqual(["a", "b"]);
  expect(found.numbers).toEqual([1, 5, 2, 4, 3, 6]);
});
