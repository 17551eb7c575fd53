/** What a line of epochs.jsonl says: how an epoch of the training went. */

import type { Epoch } from "../../training/epoch.ts";
import { byName, list, measure, most, object, oneOf, perhaps, type Schema, text, whole } from "./schema.ts";

export const epochLine: Schema<Omit<Epoch, "snapshot">> = object({
  restart: whole(0, most),
  phase: oneOf("pretraining", "clustering"),
  epoch: whole(0, most),
  epochs: whole(0, most),
  losses: byName(measure),
  share: perhaps(measure),
  sizes: perhaps(list(whole(0, most))),
  changed: perhaps(measure),
  scores: perhaps(byName(measure)),
  notices: list(text),
  seconds: measure,
  remaining: measure,
});
