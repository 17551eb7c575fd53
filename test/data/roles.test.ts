import { describe, expect, test } from "vitest";
import { type Feature, featureNames } from "../../src/data/feature.ts";
import { type Column, checkFeatures, rolesOf } from "../../src/data/roles.ts";

const column = (name: string, kind: Column["kind"], more: Partial<Column> = {}): Column => ({ name, kind, ...more });
const shop: Column[] = [
  column("sku", "text", { unique: true }),
  column("price", "number"),
  column("store_id", "number", { integer: true, unique: false }),
  column("name", "text", { unique: true }),
  column("city", "text"),
  column("sold", "date"),
  column("new", "boolean"),
  column("class", "text"),
];
const names = (roles: ReturnType<typeof rolesOf>): string[] => featureNames(roles.features);

describe("roles that nobody named", () => {
  test("numbers, dates and booleans are features, a unique sku is the id, class is the label, the rest is ignored and said", () => {
    const roles = rolesOf("shop.csv", shop);
    expect(names(roles)).toEqual(["price", "store_id", "sold", "new"]);
    expect([roles.ids, roles.label]).toEqual([["sku"], "class"]);
    expect(roles.description).toBe(
      "using 2 numeric columns and 2 encoded columns (sold, new), id = sku, label = class (for scores only), ignoring 2 text columns (name, city)",
    );
  });

  test("a unique text is the id where no name tells, and only the first of them", () => {
    const columns = [
      column("a", "number"),
      column("b", "text", { unique: true }),
      column("c", "text", { unique: true }),
    ];
    expect(rolesOf("t", columns).ids).toEqual(["b"]);
  });

  test("an id that repeats is none", () => {
    expect(rolesOf("t", [column("a", "number"), column("key", "text", { unique: false })]).ids).toEqual([]);
  });

  test("y is a label, beside x it is a coordinate", () => {
    expect(rolesOf("t", [column("a", "number"), column("y", "number")]).label).toBe("y");
    expect(names(rolesOf("t", [column("x", "number"), column("y", "number")]))).toEqual(["x", "y"]);
  });

  test("a vector is spread", () => {
    const roles = rolesOf("t", [column("v", "vector", { length: 3 }), column("a", "number")]);
    expect(names(roles)).toEqual(["v[0]", "v[1]", "v[2]", "a"]);
    expect(roles.description).toBe("using 1 numeric column and the 3 numbers of v");
  });
});

describe("features of other rows", () => {
  const fitted: Feature[] = [
    { kind: "boolean", column: "open" },
    { kind: "element", column: "v", index: 1 },
    { kind: "category", column: "city", value: "Rome" },
    { kind: "number", column: "a=b" },
  ];
  const found = (columns: Column[]) => rolesOf("t", columns, {}, { features: fitted }).features;
  const odd = column("a=b", "number");

  test("are found again in any order, with the types that these columns have", () => {
    const columns = [odd, column("city", "text"), column("v", "vector", { length: 2 }), column("open", "number")];
    expect(found(columns)).toEqual([{ kind: "number", column: "open" }, ...fitted.slice(1)]);
    // A text may look like a number here, or have no values at all.
    expect(found([odd, column("city", "empty"), ...columns.slice(2)])[2]).toEqual(fitted[2]);
  });

  test("may have a column of their own, called as people call them; a column is never a part of another", () => {
    const spread = ["v[1]", "city=Rome", "open"].map((name) => column(name, "number"));
    expect(found([odd, ...spread]).map(({ kind, column }) => `${kind} ${column}`)).toEqual([
      "number open",
      "number v[1]",
      "number city=Rome",
      "number a=b",
    ]);
    expect(() => found([column("a", "text"), ...spread])).toThrow(
      't: must have the columns that the model was fitted to, "a=b" is missing; it has a, v[1], city=Rome, open',
    );
  });

  test("are refused where a column is something else", () => {
    const [city, open] = [column("city", "text"), column("open", "boolean")];
    expect(() => found([odd, city, open, column("v", "vector", { length: 1 })])).toThrow(
      "t: column v must be vectors of more than 1 numbers as in the rows of the model, it is vectors of 1 number",
    );
    expect(() => found([city, open, column("v", "vector", { length: 2 }), column("a=b", "text")])).toThrow(
      "t: column a=b must be numbers as in the rows of the model, it is text",
    );
  });
});

describe("roles that someone named", () => {
  test("columns, in their order; what is asked for is neither id nor label", () => {
    expect(names(rolesOf("t", shop, { columns: ["store_id", "price"] }))).toEqual(["store_id", "price"]);
    const label = [column("a", "number"), column("target", "number")];
    expect(rolesOf("t", label, { columns: ["target"] }).label).toBeUndefined();
  });

  test("ignore, id and label", () => {
    const roles = rolesOf("t", shop, { ignore: ["store_id", "class"], id: ["name", "sku"], label: "city" });
    expect([names(roles), roles.ids, roles.label]).toEqual([["price", "sold", "new"], ["name", "sku"], "city"]);
  });

  test("encode: a number for each text, and what it is called asks for it again", () => {
    const columns = [
      column("city", "text", {
        facts: {
          rows: 4,
          missing: 0,
          distinct: 2,
          values: [
            ["Rome", 3],
            ["Bonn", 1],
          ],
        },
      }),
      column("new", "boolean"),
      column("d", "date"),
    ];
    const roles = rolesOf("t", columns, { encode: ["city", "new", "d"] });
    expect(names(roles)).toEqual(["city=Bonn", "city=Rome", "new", "d"]);
    expect(roles.description).toBe("using 3 encoded columns (city, new, d)");
    const again = rolesOf("t", [column("d", "date"), column("city", "text"), column("new", "boolean")], {
      columns: names(roles),
    });
    expect(again.features).toEqual(roles.features);
  });

  test("columns with names are no rows of an array, which has none: a missing column 0 is not complained of", () => {
    const places = ["0", "1"].map((name) => ({ kind: "number" as const, column: name }));
    expect(() => rolesOf("t", shop, {}, { features: places })).toThrow(
      "t: the model was fitted to rows of 2 numbers without names, and these have names; give such rows as an array (.npy)",
    );
  });

  test("one number of a vector", () => {
    const vector = [column("v", "vector", { length: 3 })];
    expect(rolesOf("t", vector, { columns: ["v[2]"] }).features).toEqual([{ kind: "element", column: "v", index: 2 }]);
  });

  test.each([
    [
      { columns: ["cost"] },
      't: --columns must name columns of it, got "cost"; it has sku, price, store_id, name, city, sold, new, class',
    ],
    [
      { columns: ["city"] },
      't: --columns must name what can be learned from, "city" is text of which no value repeats',
    ],
    [{ columns: ["price", "price"] }, 't: --columns must name each feature once, "price" is there twice'],
    [
      { columns: [] },
      "t: needs at least one column to learn from, and has sku (id: is called like an id), price (ignored: is not among the columns that you named)",
    ],
    [{ ignore: ["cost"] }, 't: --ignore must name columns of it, got "cost"'],
    [{ id: "cost" }, 't: --id must name columns of it, got "cost"'],
    [{ label: "cost" }, 't: --label must name columns of it, got "cost"'],
    [
      { label: "class", encode: ["class"] },
      't: "class" cannot be named in --label, which is for scores only, and in --encode',
    ],
    [{ label: "price", columns: ["price"] }, /in --label, .* and in --columns; leave one of them out/],
    [
      { ignore: ["price"], columns: ["price"] },
      't: "price" cannot be named in --ignore and in --columns; leave one of them out',
    ],
    [{ ignore: ["new"], encode: ["new"] }, 't: "new" cannot be named in --ignore and in --encode'],
    [{ text: "price" }, 't: --text must name a column of texts, "price" is numbers'],
    [{ encode: ["cost"] }, 't: --encode must name columns of it, got "cost"'],
  ])("wrong names %j are refused", (options, message) => {
    expect(() => checkFeatures("t", rolesOf("t", shop, options))).toThrow(message);
  });
});

describe("a column that teaches", () => {
  test("is no feature, no id and no label, and that is said", () => {
    const taught = rolesOf("shop.csv", shop, { teacher: "store_id" });
    expect(names(taught)).toEqual(["price", "sold", "new"]);
    expect(taught.description).toMatch(/, store_id \(the teacher's\) left out, /);
    expect(rolesOf("shop.csv", shop, { teacher: "class" }).label).toBeUndefined();
    expect(rolesOf("shop.csv", shop, { teacher: "sku" }).ids).toEqual(["name"]);
    expect(rolesOf("shop.csv", shop, { teacher: "elsewhere" }).teacher).toBeUndefined();
  });

  test.each([
    [{ columns: ["price", "store_id"], teacher: "store_id" }, /a column to learn from as well/],
    [{ columns: ["price"], encode: ["city"], teacher: "city" }, /a column to learn from as well/],
    [{ columns: ["city=Rome"], teacher: "city" }, /a column to learn from as well/],
    [{ label: "class", teacher: "class" }, /the label that scores it as well/],
    [{ id: "sku", teacher: "sku" }, /an id as well/],
  ] as const)("cannot be anything else as well: %o", (options, problem) => {
    expect(() => rolesOf("shop.csv", shop, options)).toThrow(problem);
  });
});
