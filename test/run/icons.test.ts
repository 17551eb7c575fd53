/** Small coloured icons, as a game has them: eight clusters asked for are eight, and none of them is empty. */

import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, expect, it } from "vitest";
import { openRun } from "../../src/doors/inside.ts";
import { Random } from "../../src/tensor/random.ts";
import { telltale } from "../cli/process.ts";
import { folder, write } from "../files/folder.ts";

const colours: Readonly<Record<string, readonly number[]>> = {
  black: [20, 20, 20],
  blue: [30, 80, 200],
  green: [30, 160, 60],
  grey: [150, 150, 150],
  orange: [240, 140, 20],
  red: [210, 30, 30],
  violet: [140, 40, 180],
  yellow: [240, 220, 40],
};
const ofEach = 8;

/** A coin on white: some larger than others, not quite in the middle, of not quite one colour. */
async function coin(colour: readonly number[], random: Random): Promise<Uint8Array> {
  const [x, y, radius, ...shades] = [...random.uniforms(6)] as [number, number, number, ...number[]];
  const filled = colour.map((each, i) => Math.round(Math.min(255, Math.max(0, each + 24 * shades[i]! - 12))));
  const circle = `<circle cx="${7 + 2 * x}" cy="${7 + 2 * y}" r="${5 + 2 * radius}" fill="rgb(${filled})"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><rect width="16" height="16" fill="#fff"/>${circle}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

beforeAll(async () => {
  const random = Random.seeded(3);
  for (const [name, colour] of Object.entries(colours)) {
    for (let i = 0; i < ofEach; i++) await write(`icons/${name}-${i}.png`, await coin(colour, random));
  }
});

it.each(["telltale", "kmeans"] as const)("%s: eight clusters, none of them empty", async (method) => {
  const out = join(folder, method);
  const effort = method === "telltale" ? ["--effort", "quick"] : [];
  const words = ["fit", join(folder, "icons"), "-k", "8", "--method", method, "--out", out, "--no-map", ...effort];
  const { code, err } = await telltale([...words, "--quiet"]);
  expect(code, err).toBe(0);
  const run = await openRun(out);
  const labels = [...(await run.labels())];
  // Files are read by name, so that rows of one colour stand together.
  const byColour = Object.keys(colours).map((_, i) => new Set(labels.slice(ofEach * i, ofEach * (i + 1))));
  expect(new Set(labels).size).toBe(8);
  expect((await run.clusters()).map(({ size }) => size).every((size) => size > 0)).toBe(true);
  const [orange, red] = [byColour[4]!, byColour[5]!];
  expect([...red].filter((cluster) => orange.has(cluster))).toEqual([]);
});
