/** Comments fit in 120 columns, as the code does: the formatter breaks code, and leaves comments alone. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

test.each(["src", "test", "bench", "scripts", "examples"])("in %s", async (folder) => {
  const names = (await readdir(join(root, folder), { recursive: true })).filter((name) => /\.(ts|mjs)$/.test(name));
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    const lines = (await readFile(join(root, folder, name), "utf8")).split("\n");
    const isTooLong = (line: string): boolean => line.length > 120 && /^\s*(\/?\*|\/\/(?! biome-ignore))/.test(line);
    const long = lines.flatMap((line, i) => (isTooLong(line) ? [`${folder}/${name}:${i + 1}`] : []));
    expect(long).toEqual([]);
  }
});
