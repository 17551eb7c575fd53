import { describe, expect, test } from "vitest";
import type { Column, ColumnFacts } from "../../src/data/column.ts";
import { guessRoles } from "../../src/data/columnGuess.ts";
import { plainName } from "../../src/data/columnNames.ts";
import { rolesOf } from "../../src/data/roles.ts";

const rows = 891;
const facts = (more: Partial<ColumnFacts>): ColumnFacts => ({ rows, missing: 0, distinct: 500, ...more });
const numbers = (name: string, more: Partial<ColumnFacts> = {}): Column => ({
  ...{ name, kind: "number" },
  facts: facts({ least: 0.4, most: 80, whole: false, ...more }),
});
const whole = (name: string, more: Partial<ColumnFacts>): Column => numbers(name, { whole: true, ...more });
const texts = (name: string, more: Partial<ColumnFacts>): Column => ({
  ...{ name, kind: "text" },
  facts: facts({ letters: 8, words: 1.2, ...more }),
});
const unique = { distinct: rows };
const counter = { ...unique, least: 1, most: rows };
const guess = (column: Column, ...others: Column[]) => guessRoles([column, ...others]).get(column.name)!;
const age = numbers("age");

describe("what is never learned from", () => {
  test.each(["", "column0", "Unnamed: 0", "index", "rownames", "X", "anything"])(
    "whole numbers from 1 or 0, one for each row, count the rows, whatever they are called: %j",
    (name) => {
      expect(guess(whole(name, counter), age)).toEqual({ role: "ignored", reason: "counts the rows, from 1 to 891" });
      expect(guess(whole(name, { ...unique, least: 0, most: rows - 1 }), age).role).toBe("ignored");
    },
  );

  test("row names of a part of a table are no counter, and have no name", () => {
    expect(guess(whole("column0", { ...unique, least: 4, most: 100_000 }), age).role).toBe("ignored");
    expect(guess(texts("column0", unique), age)).toEqual({ role: "id", reason: "names the rows" });
  });

  test.each(["PassengerId", "passenger_id", "Passenger ID", "PASSENGER-ID", "id", "sku", "uuid"])(
    "%s is called like an id: it is one where no value is there twice, and else says who",
    (name) => {
      expect(guess(whole(name, counter), age).role).toBe("id");
      expect(guess(whole(name, { distinct: 200, least: 1, most: 200 }), age)).toEqual({
        role: "ignored",
        reason: "is a key that repeats: it says who, not what",
      });
    },
  );

  test("whole numbers that chance would have repeated are a key, and those it would not are numbers", () => {
    expect(guess(whole("shop", { ...unique, least: 5000, most: 9000 }), age).role).toBe("id");
    expect(guess(whole("population", { ...unique, least: 60_011, most: 1.3e9 }), age).role).toBe("feature");
    expect(guess(numbers("weight", unique), age).role).toBe("feature");
  });

  test("values that have just as many rows each are those of a panel, unless they are few or say when", () => {
    const panel = { distinct: 11, least: 1, most: 11, values: [["1", 81]] as const };
    expect(guess(whole("firm", panel)).role).toBe("ignored");
    expect(guess(whole("year", panel)).role).toBe("feature");
    expect(guess(whole("firm", { ...panel, values: [["1", 90]] })).role).toBe("feature");
    expect(guess(whole("dose", { distinct: 3, least: 1, most: 3, values: [["1", 297]] })).role).toBe("feature");
  });

  test("what is the same in every row, or hardly ever there", () => {
    expect(guess(texts("region", { distinct: 1 })).reason).toBe("is the same in every row");
    expect(guess(numbers("speed", { missing: 885 })).reason).toBe("99 % missing");
  });
});

describe("texts", () => {
  test("few values that come again are a category, many are to be read", () => {
    expect(guess(texts("city", { distinct: 40 })).role).toBe("feature");
    expect(guess(texts("dest", { rows: 336_776, distinct: 105 })).role).toBe("feature");
    expect(guess(texts("name", { distinct: 870 }))).toEqual({
      role: "text",
      reason: "870 different texts in 891 rows, too many for categories",
    });
  });

  test("a long text is no id, even where no other is", () => {
    const note = texts("note", { ...unique, letters: 240, words: 40 });
    expect(guess(note, age)).toEqual({ role: "text", reason: "texts of 40 words on average" });
    expect(guess(texts("code", unique), note).role).toBe("id");
  });

  test("of several columns of different texts the shortest is the id, in whatever order they are", () => {
    const columns = [texts("email", { ...unique, letters: 20 }), texts("iata", { ...unique, letters: 3 })];
    for (const order of [columns, [...columns].reverse()]) {
      const guesses = guessRoles(order);
      expect([guesses.get("iata")!.role, guesses.get("email")!.role]).toEqual(["id", "text"]);
    }
  });
});

describe("labels and moments", () => {
  test("classes are called so, and are few; a y beside an x is a coordinate", () => {
    expect(guess(texts("Species", { distinct: 3 })).role).toBe("label");
    expect(guess(whole("target", { distinct: 3, least: 0, most: 2 })).role).toBe("label");
    expect(guess(numbers("target")).role).toBe("feature");
    expect(guess(whole("y", { distinct: 30, least: 0, most: 29 }), numbers("x")).role).toBe("feature");
  });

  test("dates are moments; so are years of which each row has its own, and others are numbers", () => {
    expect(guess({ name: "born", kind: "date", facts: facts({}) }).role).toBe("time");
    expect(guess(whole("year", { ...unique, least: 1100, most: 1990 })).role).toBe("time");
    expect(guess(whole("year", { distinct: 12, least: 1952, most: 2007 })).role).toBe("feature");
    const long = { ...unique, least: 8.2, most: 60, quantiles: [9, 11, 13, 18, 40] };
    expect(guess(numbers("race_time", long)).role).toBe("feature");
  });
});

describe("columns that say the same", () => {
  const same = (name: string, others: string[], column: Column): Column => ({ ...column, name, repeats: others });
  test("one is learned from: numbers before words, fine before coarse", () => {
    const pclass = same("pclass", ["class_name"], whole("", { distinct: 3, least: 1, most: 3 }));
    const words = same("class_name", ["pclass"], texts("", { distinct: 3 }));
    for (const order of [
      [pclass, words],
      [words, pclass],
    ]) {
      const guesses = guessRoles(order);
      expect(guesses.get("pclass")!.role).toBe("feature");
      expect(guesses.get("class_name")).toEqual({ role: "ignored", reason: "says the same as pclass" });
    }
  });

  test("what says the same as the label is not learned from; somebody's word frees it", () => {
    const columns = [
      same("class", ["code"], texts("", { distinct: 3 })),
      same("code", ["class"], whole("", { distinct: 3, least: 1, most: 3 })),
      age,
    ];
    expect(guessRoles(columns).get("code")!.reason).toBe("says the same as class");
    expect(rolesOf("t", columns).features).toEqual([{ kind: "number", column: "age" }]);
    expect(rolesOf("t", columns, { columns: ["code", "age"] }).features).toHaveLength(2);
    expect(rolesOf("t", columns, { ignore: ["class"] }).features).toHaveLength(2);
  });
});

describe("what somebody says comes before any guess", () => {
  const id = whole("passenger_id", counter);
  const label: Column = { ...whole("class", { distinct: 3, least: 1, most: 3 }) };
  const roles = (options: Parameters<typeof rolesOf>[2]) => {
    const { columns, features, ids, label: found } = rolesOf("t", [id, label, age], options);
    return { ids, found, used: features.map(({ column }) => column), columns };
  };
  test("--encode class beats label = class, and --label none leaves none", () => {
    expect(roles({ encode: ["class"] })).toMatchObject({ ids: ["passenger_id"], used: ["class", "age"] });
    expect(roles({ encode: ["class"] }).found).toBeUndefined();
    expect(roles({ label: "none" })).toMatchObject({ found: undefined, used: ["class", "age"] });
    expect(roles({ id: "none" })).toMatchObject({ ids: [], found: "class", used: ["age"] });
    // As the command says it: a list of one name.
    expect(roles({ id: ["none"] })).toMatchObject({ ids: [], found: "class", used: ["age"] });
  });

  test("and is the reason that is told", () => {
    const { columns } = roles({ columns: ["class"], label: "none", id: "passenger_id" });
    expect(columns.map(({ role, reason }) => `${role}: ${reason}`)).toEqual([
      "id: as you said (id)",
      "feature: as you said (columns)",
      "ignored: is not among the columns that you named",
    ]);
  });

  test("a column that is called none is meant by its name", () => {
    expect(rolesOf("t", [texts("none", { distinct: 3 }), age], { label: "none" }).label).toBe("none");
  });
});

test("names are read however they are written", () => {
  expect(["PassengerId", "passenger_id", "Passenger ID", " passenger.id "].map(plainName)).toEqual(
    Array(4).fill("passenger_id"),
  );
  expect([plainName("Unnamed: 0"), plainName("HTTPStatus"), plainName("Größe")]).toEqual([
    "unnamed_0",
    "http_status",
    "größe",
  ]);
});
