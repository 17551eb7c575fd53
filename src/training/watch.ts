/** What somebody sees who watches a training: some rows, always the same, as the network makes of them just now. */

import { Random } from "../tensor/random.ts";
import type { Epoch } from "./epoch.ts";
import type { Job } from "./job.ts";
import type { Restart } from "./restart.ts";

/** Nothing where nobody watches. It draws from a stream of its own: watching changes no bit of what is learned. */
export async function watchedBy(
  { watch }: Job,
  restart: Restart,
  hasClusters: boolean,
): Promise<Pick<Epoch, "watched">> {
  if (watch === undefined) return {};
  const random = Random.seeded(restart.plan.seed).fork("watched");
  const { codes, rows } = await restart.sample(watch, hasClusters ? "comparable" : "given", random);
  if (!hasClusters) return { watched: { rows, codes } };
  const { exemplars } = await restart.drawn();
  return { watched: { rows, codes, labels: await restart.labelsOf(codes), ...(exemplars && { exemplars }) } };
}
