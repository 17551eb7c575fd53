import { describe, expect, it } from "vitest";
import { inMemory } from "../../src/data/data.ts";
import { telltale } from "../../src/methods/telltale.ts";
import { Random } from "../../src/tensor/random.ts";
import { tensor } from "../../src/tensor/tensor.ts";
import { plan } from "../../src/training/plan.ts";
import { suited } from "../../src/training/suited.ts";

const random = Random.seeded(1);

async function options(shape: number[], value: (at: number) => number, given: Record<string, unknown> = {}) {
  const size = shape.reduce((a, b) => a * b, 1);
  const data = inMemory(
    tensor(
      "float32",
      shape,
      Float32Array.from({ length: size }, (_, at) => value(at)),
    ),
  );
  return (await suited(plan(telltale, data, { clusters: 3, options: given }), data, given)).options;
}

describe("what suits the rows", () => {
  it("words: rows of 200 columns and more that are mostly zeros have codes of any length, one for each cluster or ten", async () => {
    const words = await options([300, 250], () => (random.uniform() < 0.9 ? 0 : random.uniform()));
    expect(words).toMatchObject({ code: "linear", latent: 10, batch: 256, scaling: "length" });
  });

  it("embeddings: rows of length 1 likewise", async () => {
    const rows = Array.from({ length: 300 }, () => {
      const row = random.normals(200);
      const length = Math.hypot(...row);
      return row.map((value) => value / length);
    });
    const embeddings = await options([300, 200], (at) => rows[Math.floor(at / 200)]![at % 200]!);
    expect(embeddings).toMatchObject({ code: "linear", scaling: "length" });
  });

  it("a table whose columns have one scale keeps it, one of different units is standardized", async () => {
    const same = await options([100, 4], () => 10 * random.uniform());
    expect(same).toMatchObject({ code: "unit", scaling: "shared" });
    const between = await options([100, 4], () => 2 * random.uniform() - 1);
    expect(between, "numbers from −1 to 1 are as a network likes them").toMatchObject({ scaling: "none" });
    const mixed = await options([100, 4], (at) => 1000 ** (at % 4) * random.uniform());
    expect(mixed).toMatchObject({ code: "unit", scaling: "auto" });
  });

  it("the layers of a table are as wide as its rows, and no narrower than 64; those of words are the papers'", async () => {
    expect((await options([100, 4], () => random.uniform())).hidden).toEqual([64, 64, 256]);
    expect((await options([100, 120], () => random.uniform())).hidden).toEqual([120, 120, 480]);
    expect((await options([100, 250], () => random.uniform())).hidden).toEqual([500, 500, 2000]);
    expect((await options([100, 4], () => random.uniform(), { hidden: [7] })).hidden).toEqual([7]);
  });

  it("pretraining has as many epochs as fill its steps, and never more than 50 unless rows are few", async () => {
    expect((await options([20_000, 4], () => random.uniform())).pretraining).toBe(50);
    expect((await options([100_000, 4], () => random.uniform())).pretraining).toBe(Math.ceil(5000 / 391));
    expect((await options([70, 4], () => random.uniform())).pretraining).toBe(Math.ceil(200 / 3));
  });

  it("images have half of the steps, unless somebody says how many there are", async () => {
    const pixels = () => random.uniform();
    expect((await options([6400, 4, 4], pixels, { batch: 32 })).pretraining).toBe(Math.ceil(2500 / 200));
    const said = { batch: 32, pretrainingSteps: 5000 };
    expect((await options([6400, 4, 4], pixels, said)).pretraining).toBe(Math.ceil(5000 / 200));
  });

  it("rows may go without a network unless somebody says something about it, or wants it thorough", async () => {
    const rows = () => random.uniform();
    expect((await options([100, 4], rows)).plain).toBe(true);
    expect((await options([100, 4], rows, { effort: "quick", scaling: "standard" })).plain).toBe(true);
    for (const said of [
      { hidden: [8] },
      { epochs: 3 },
      { plain: false },
      { effort: "thorough" },
      { network: "none" },
    ]) {
      expect((await options([100, 4], rows, said)).plain, JSON.stringify(said)).toBe(false);
    }
  });

  it("what a person says stays", async () => {
    const said = { batch: 64, pretraining: 7, scaling: "standard", code: "linear" };
    expect(await options([100, 4], () => random.uniform(), said)).toMatchObject(said);
  });
});
