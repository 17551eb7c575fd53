/** Four doors: what each opens on, and what it leaves out. */

import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as browser from "../../src/doors/browser.ts";
import * as engine from "../../src/doors/engine.ts";
import * as method from "../../src/doors/method.ts";
import * as metrics from "../../src/doors/metrics.ts";
import * as node from "../../src/doors/node.ts";
import * as teachers from "../../src/doors/teachers.ts";

const src = fileURLToPath(new URL("../../src/", import.meta.url));

describe("telltale", () => {
  it("has what someone who clusters needs, and little else", () => {
    expect(Object.keys(browser).sort()).toEqual(
      [
        ...[
          "decodeNpy",
          "devices",

          "featureNames",
          "findDevice",
          "fit",
          "fitByName",
          "inMemory",
        ],
        ...["listDevices", "map", "methodOf", "methods", "placeOnMap", "tensor"],
      ].sort(),
    );
    const inNode = Object.keys(node).filter((name) => !(name in browser));
    expect(inNode.sort()).toEqual(
      [
        ...[
          "assignFile",
          "compareRuns",
          "curate",
          "demoRun",
          "evaluateRun",
          "explainFile",
          "exportRun",
          "fitRun",
          "importRun",
        ],
        ...["inspectRows", "load", "openRows", "openRun", "reportRun", "resumeRun", "streamRows", "version"],
        ...[
          "beginSweep",
          "cancelSweep",
          "collectSweep",
          "planSweep",
          "queueSweep",
          "readJobs",
          "workQueue",
          "workSweep",
        ],
      ].sort(),
    );
    for (const name of Object.keys(browser)) expect(node).toHaveProperty(name);
  });

  it("has no name of a formula beside fit", () => {
    for (const name of ["where", "size", "less", "gradient", "Session", "adam"]) {
      expect(node).not.toHaveProperty(name);
      expect(engine).toHaveProperty(name);
    }
  });
});

it("telltale/teachers has what partitions rows, and no network beside matrix products on a device", () => {
  expect(Object.keys(teachers).sort()).toEqual(["consensusOf", "partition", "productsOn", "teachers"]);
});

it("telltale/metrics has the scores alone", () => {
  expect(Object.keys(metrics).sort()).toEqual(["innerMetrics", "metrics", "trustworthiness"]);
});

describe("telltale/method", () => {
  it("has everything that our own method files use", async () => {
    const files = (await readdir(`${src}methods`)).filter((name) => !isRegistry(name));
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      for (const name of await valuesImportedBy(`${src}methods/${file}`)) {
        expect(method, `${file} uses ${name}`).toHaveProperty(name);
      }
    }
  });
});

/** What lists methods, and what makes one of each teacher, is no method of its own. */
function isRegistry(file: string): boolean {
  return ["index.ts", "taughtBy.ts"].includes(file);
}

/** The names of values that a file imports from other rooms. */
async function valuesImportedBy(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8");
  return [...text.matchAll(/^import \{([^}]*)\} from "\.\.\//gm)].flatMap(([, names]) =>
    names!
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "" && !name.startsWith("type ")),
  );
}
