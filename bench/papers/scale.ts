/** PC-X at the scale of §4.3: 1,281,167 made-up rows of 128 numbers around 1000 places, streamed from a file. */

import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random } from "../../src/doors/engine.ts";
import { openRows } from "../../src/doors/inside.ts";
import { npyHeader } from "../../src/formats/npy.ts";
import { fitting } from "../../src/model/fitting.ts";
import type { Measuring } from "./measuring.ts";
import type { Recorded } from "./paper.ts";
import { said } from "./stages.ts";

const width = 128;
const clusters = 1000;
const whole = 1_281_167;

interface Scale {
  readonly rows: number;
  readonly clusters: number;
  readonly seconds: number;
  readonly rowsPerSecond: number;
  readonly peakMegabytes: number;
  readonly device: string;
}

/** One epoch of the profile `paper`, with the network of the publication. */
const epochOf =
  (rows: number) =>
  async ({ device }: Measuring): Promise<Scale> => {
    const folder = await mkdtemp(join(tmpdir(), "telltale-pcx-"));
    try {
      const file = join(folder, "rows.npy");
      await makeRows(file, rows);
      const { data } = await openRows(file, {});
      const options = { epochs: 1, restarts: 1 };
      const training = fitting(data, { method: "pcx", profile: "paper", clusters, options }, device);
      let seconds = 0;
      for (let step = await training.next(); !step.done; step = await training.next()) {
        if (step.value.phase === "clustering" && step.value.epoch === 1) seconds = step.value.seconds;
      }
      return {
        ...said("pcx/4.3"),
        rows,
        clusters,
        seconds: Math.round(10 * seconds) / 10,
        rowsPerSecond: Math.round(rows / seconds),
        peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
        device: device.name,
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

/** A cloud for each cluster, written a few thousand rows at a time. */
async function makeRows(file: string, rows: number): Promise<void> {
  const random = Random.seeded(1);
  const places = random.normals(clusters * width);
  const at = await open(file, "w");
  try {
    await at.write(npyHeader("float32", [rows, width]));
    for (let from = 0; from < rows; from += 4096) {
      const count = Math.min(4096, rows - from);
      const values = Float32Array.from(random.normals(count * width), (value) => 0.5 * value);
      for (let i = 0; i < count; i++) {
        const place = ((from + i) % clusters) * width;
        for (let c = 0; c < width; c++) values[i * width + c]! += places[place + c]!;
      }
      await at.write(new Uint8Array(values.buffer));
    }
  } finally {
    await at.close();
  }
}

export const scaleMeasurements = {
  "pcx-scale-tenth": epochOf(Math.round(whole / 10)),
  "pcx-scale": epochOf(whole),
};

export function scaleRows(recorded: Recorded): string[][] {
  return ["pcx-scale-tenth", "pcx-scale"].flatMap((name) => {
    const found = recorded.measured<Scale>(name);
    if (!found) return [];
    const { rows, rowsPerSecond, peakMegabytes, device } = found;
    const count = rows.toLocaleString("en-US");
    const speed = rowsPerSecond.toLocaleString("en-US");
    return [
      [
        `ours, made up (${device})`,
        `${count} × ${width}`,
        String(found.clusters),
        "–",
        "–",
        "–",
        speed,
        `${peakMegabytes} MB`,
      ],
    ];
  });
}
