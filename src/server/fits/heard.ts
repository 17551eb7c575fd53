/** What the events of a fit change in what is told about it. */

import type { Fit } from "../../api/fits.ts";
import { lookOf, progressAt } from "../../api/told.ts";
import { arePictures, type RunEvent } from "../../doors/inside.ts";

type Changes = Partial<Omit<Fit, "id" | "epochs" | "frames">>;
type Heard = {
  readonly [K in RunEvent["kind"]]: (event: Extract<RunEvent, { kind: K }>, told: Fit) => Changes | undefined;
};

/** A stage is told again once it has come so much further. */
const furtherBy = 0.02;

const heard: Heard = {
  opened: ({ description, look }, { notices }) => ({
    notices: [...notices, description],
    ...(look && arePictures(look.row) && { pictures: lookOf(look) }),
  }),
  notice: ({ sentence }, { notices }) => ({ notices: [...notices, sentence] }),
  device: ({ device }) => ({ device }),
  chosen: ({ choice }) => ({ clusters: choice.chosen }),
  expected: ({ seconds, parts }) => ({ expected: { seconds, parts: [...parts] } }),
  epoch: ({ epoch }) => progressAt(epoch),
  stage: ({ stage, done, total }, told) => {
    const share = total > 0 ? done / total : 0;
    const isNews = told.stage?.words !== stage || share >= told.stage.share + furtherBy || share === 1;
    return isNews ? { stage: { words: stage, share } } : undefined;
  },
  saved: () => undefined,
};

/** Nothing where nobody would see a difference. */
export function changesBy(event: RunEvent, told: Fit): Changes | undefined {
  return (heard[event.kind] as (event: RunEvent, told: Fit) => Changes | undefined)(event, told);
}
