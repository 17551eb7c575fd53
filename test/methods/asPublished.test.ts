/** Each profile `paper` is what its publication says, setting by setting: a drift fails here. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { methods } from "../../src/methods/index.ts";
import { resolve } from "../../src/options.ts";
import type { Method } from "../../src/training/method.ts";
import { sharedOptions } from "../../src/training/sharedOptions.ts";
import { asPublished } from "./asPublished.ts";

const deviationsOf = (page: string): string => {
  const text = readFileSync(new URL(`../../docs/methods/${page}`, import.meta.url), "utf8");
  return text.slice(text.indexOf("## 5. Deviations"), text.indexOf("## 6. "));
};

describe.each(Object.entries(asPublished))("the profile paper of %s", (name, { page, settings }) => {
  const method: Method = methods[name as keyof typeof methods];
  const options = resolve(name, { ...sharedOptions, ...method.options }, method.profiles.paper) as Record<
    string,
    unknown
  >;

  it.each(Object.entries(settings))("has %s as published", (option, [value]) => {
    expect(options[option]).toEqual(value);
  });

  it("sets nothing that has no source", () => {
    expect(Object.keys(method.profiles.paper).filter((option) => !Object.hasOwn(settings, option))).toEqual([]);
  });

  it("has what we chose ourselves in the page's table of deviations", () => {
    const chosen = Object.entries(settings).filter(([, [, source]]) => source === "ours");
    const said = deviationsOf(page);
    expect(chosen.map(([option]) => option).filter((option) => !said.includes(`\`${option}`))).toEqual([]);
  });
});

it("has settings for every method but our own", () => {
  const names = Object.keys(methods).filter((name) => name !== "telltale");
  expect(names.sort()).toEqual(Object.keys(asPublished).sort());
});
