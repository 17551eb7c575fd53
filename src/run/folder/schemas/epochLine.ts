/** What a line of epochs.jsonl says: how an epoch of the training went. */

import type { Epoch } from "../../../training/epoch.ts";
import { byName, count, list, measure, object, oneOf, perhaps, type Schema, text } from "./schema.ts";

export const epochLine: Schema<Omit<Epoch, "snapshot">> = object({
  restart: count,
  phase: oneOf("pretraining", "clustering"),
  epoch: count,
  epochs: count,
  losses: byName(measure),
  share: perhaps(measure),
  sizes: perhaps(list(count)),
  changed: perhaps(measure),
  scores: perhaps(byName(measure)),
  notices: list(text),
  seconds: measure,
  remaining: measure,
});
