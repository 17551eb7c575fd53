/** Deep k-Means' figure: codes of four methods on USPS. */

import { tensor } from "../../../src/doors/inside.ts";
import { pointChart } from "../charts.ts";
import type { Measuring } from "../measuring.ts";
import type { Figure } from "../paper.ts";
import { few, picture, said, small, trained } from "../stages.ts";

const shown = [
  { title: "AE", method: "aekm", options: { epochs: 1, pretraining: 30 } },
  { title: "DCN-p", method: "dcn", options: { epochs: 20, pretraining: 30, output: "linear" } },
  { title: "DKM-a", method: "dkm-a", options: { epochs: 80 } },
  { title: "DKM-p", method: "dkm-p", options: { epochs: 40, pretraining: 30 } },
] as const;

/** Fig. 2: the paper's profiles with a small network and fewer epochs. */
async function embeddings({ data, device, rows }: Measuring) {
  const digits = await few(data, "usps", rows);
  const panels = [];
  for (const { title, method, options } of shown) {
    const last = options.epochs;
    const { stages, close, fit } = await trained(
      digits,
      { method, profile: "paper", options: { ...small, ...options } },
      device,
      ({ phase, epoch }) => phase === "clustering" && epoch === last,
    );
    const codes = await stages.at(-1)!.model.transform(digits.rows);
    const some = Math.min(800, rows);
    const sample = tensor("float32", [some, codes.shape[1]!], codes.data.slice(0, codes.shape[1]! * some));
    const { points } = await picture(sample, digits.truth);
    panels.push({ title, accuracy: Number((100 * fit.scores!.accuracy!).toFixed(1)), points });
    await close();
  }
  return { ...said("dkm/fig2"), rows, panels };
}

export const deepKMeansMeasurements = { "dkm-embeddings": embeddings };

export const deepKMeansFigures: readonly Figure[] = [
  {
    id: "2",
    title: "codes of four methods (USPS)",
    published: "t-SNE of AE, DCN-p, DKM-a and DKM-p: those of DKM-p are parted best.",
    about:
      "{rows} rows of USPS, fully connected 256-256-512-10; 30 epochs of reconstruction where there are any, then 20 (DCN-p), 80 (DKM-a) or 40 (DKM-p); our own map where the publication has t-SNE, colored by digit, with the ACC of each.",
    needs: ["dkm-embeddings"],
    draw(recorded) {
      const found = recorded.measured<Awaited<ReturnType<typeof embeddings>>>("dkm-embeddings");
      if (!found) return undefined;
      const panels = found.panels.map(({ title, accuracy, points }) => ({
        title: `${title}, ACC ${accuracy}`,
        points,
      }));
      return pointChart("Deep k-Means Fig. 2: codes of USPS", panels, 2);
    },
  },
];
