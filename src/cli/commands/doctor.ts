/** telltale doctor: what this machine has, and the cure for what is missing. */

import { availableParallelism, freemem, totalmem } from "node:os";
import type { Command } from "commander";
import { type DeviceReport, devices, listDevices } from "../../doors/inside.ts";
import { version } from "../../version.ts";
import { Ending } from "../ending.ts";
import { pairs } from "../tables.ts";
import { type CommonOptions, type Surroundings, Talk, withCommonOptions } from "../talk.ts";
import { wordsOf } from "../thrown.ts";

/** A package that may be missing: what for, whether anything works without it, and how to find it out. */
interface Part {
  readonly name: string;
  readonly purpose: string;
  readonly needed: boolean;
  readonly find: () => Promise<string>;
}

type Found = { readonly name: string; readonly here: true; readonly version: string } | Missing;
type Missing = { readonly name: string; readonly here: false; readonly reason: string; readonly needed: boolean };

const parts: readonly Part[] = [
  {
    name: "@duckdb/node-api",
    purpose: "CSV, JSON, Parquet and SQL",
    needed: true,
    find: async () => (await import("@duckdb/node-api")).version(),
  },
  {
    name: "sharp",
    purpose: "images",
    needed: false,
    find: async () => (await import("sharp")).default.versions.sharp ?? "",
  },
];

export function define(command: Command, around: Surroundings): void {
  withCommonOptions(command, "telltale doctor");
  command.action(async (options: CommonOptions) => {
    const talk = new Talk(around, options);
    const [found, packages] = [await listDevices(devices), await Promise.all(parts.map(look))];
    const machine = {
      telltale: version,
      node: process.versions.node,
      system: `${process.platform} ${process.arch}`,
      processors: availableParallelism(),
      memory: { total: totalmem(), free: freemem() },
      devices: found,
      packages,
    };
    talk.result(machine, () =>
      pairs([...machineRows(machine), ...found.map(deviceRow), ...packages.map(partRow)], talk.width),
    );
    const missing = packages.filter((part): part is Missing => !part.here && part.needed);
    if (missing.length > 0) throw new Ending(`${missing.map(({ name }) => name).join(" and ")} must be installed`);
    if (!found.some(({ here }) => here)) throw new Ending("no device can be used, so nothing can be trained");
  });
}

async function look({ name, purpose, needed, find }: Part): Promise<Found> {
  try {
    return { name, here: true, version: `${await find()} (${purpose})` };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === "ERR_MODULE_NOT_FOUND" ? "is not installed" : `does not load (${wordsOf(error).split("\n")[0]})`;
    return { name, here: false, needed, reason: `${why}, needed for ${purpose}; install it with: npm install ${name}` };
  }
}

type Row = readonly [string, string];

function machineRows(machine: {
  telltale: string;
  node: string;
  system: string;
  processors: number;
  memory: { total: number; free: number };
}): Row[] {
  const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
  return [
    ["telltale", machine.telltale],
    ["Node", `${machine.node} (${machine.system})`],
    ["processors", String(machine.processors)],
    ["memory", `${gigabytes(machine.memory.total)}, ${gigabytes(machine.memory.free)} free`],
  ];
}

function deviceRow(report: DeviceReport): Row {
  return [`device ${report.name}`, report.here ? `✓ ${report.description}` : `✗ not here: ${report.reason}`];
}

function partRow(part: Found): Row {
  return [part.name, part.here ? `✓ ${part.version}` : `✗ ${part.reason}`];
}
