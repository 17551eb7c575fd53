/** docs/security.md says nothing that no test shows. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const docs = "docs";
const sentences = readFileSync(join(docs, "security.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("- "));

test("there are sentences", () => {
  expect(sentences.length).toBeGreaterThan(40);
});

test.each(sentences)("%s", (sentence) => {
  const [, file, title] = /\[shown\]\((\S+) "(.+)"\)$/.exec(sentence) ?? [];
  expect(file, "every sentence names a test").toBeDefined();
  expect(readFileSync(join(docs, file!), "utf8")).toContain(title);
});
