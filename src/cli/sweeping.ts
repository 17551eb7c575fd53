/** What the jobs of a sweep tell while they run, as lines for people, and how a sweep ends. */

import { progressWords, type SweepAnswer, type SweepEvent, settingName, type Worked } from "../doors/inside.ts";
import { percent } from "../text/shares.ts";
import { shellPath } from "../text/shellText.ts";
import { thousands } from "../text/thousands.ts";
import { Ending } from "./ending.ts";
import { counted, decimal, duration, table } from "./tables.ts";
import type { Talk } from "./talk.ts";

/** So many jobs that are under way are named. */
const mostNamed = 3;

/** A line for each job that has ended, and one that is rewritten: which are under way, and how far each has come. */
export function tellJobs(talk: Pick<Talk, "say" | "events">): (event: SweepEvent) => void {
  const under = new Map<string, string>();
  const at = { done: 0, total: 1 };
  const tell = (): void => {
    const [named, others] = [[...under].slice(0, mostNamed), under.size - mostNamed];
    const words = named.map(([job, stage]) => `${job} ${stage}`.trimEnd());
    if (others > 0) words.push(`and ${thousands(others)} more`);
    talk.events.onEvent({
      kind: "stage",
      stage: "fitting",
      ...at,
      ...(words.length > 0 && { under: words.join(", ") }),
    });
  };
  return (event) => {
    if (event.kind === "begun") {
      under.set(event.job, "");
      at.total = event.total;
      tell();
    }
    if (event.kind === "progress") {
      under.set(event.job, progressWords(event.progress));
      tell();
    }
    if (event.kind === "waits" && under.delete(event.job)) tell();
    if (event.kind === "again") talk.say(`${event.job}: its process ended itself (${event.how}); it is begun again`);
    if (event.kind === "left") talk.say(`jobs are left in the queue, and workers may do them: ${event.problem}`);
    if (event.kind !== "ended") return;
    const { job, how, seconds, problem, ended, total } = event;
    under.delete(job);
    Object.assign(at, { done: ended, total });
    const words = {
      done: seconds > 0 ? `done in ${duration(seconds)}` : "done",
      there: "done before",
      failed: `failed: ${problem}`,
    }[how];
    talk.say(`${thousands(ended)}/${thousands(total)} ${job} ${words}`);
  };
}

export function workedText({ done, there, failed }: Worked): string {
  const before = there > 0 ? `, ${thousands(there)} done before` : "";
  return `${counted(done, "job")} done${before}${failed.length > 0 ? `, ${thousands(failed.length)} failed` : ""}`;
}

/** Jobs that have failed are no success, whatever the others have found. */
export function checkWorked({ failed }: Worked): void {
  const [first] = failed;
  if (!first) return;
  const more = failed.length > 1 ? `; and ${thousands(failed.length - 1)} more` : "";
  throw new Ending(`${counted(failed.length, "job")} failed: ${first.problem}${more}`);
}

const right = "right" as const;

/** What was found: the number of clusters, the settings of it, and what to do next. */
export function answerText(
  { clusters, choice, settings, best, consensus, missing }: SweepAnswer,
  out: string,
  width: number,
): string {
  const own = settings.filter((setting) => setting.clusters === clusters);
  return [
    choice?.reason ?? `${counted(clusters, "cluster")}, as was asked for`,
    "",
    table(
      [
        { title: "neighbours", align: right },
        { title: "behind", align: right },
        { title: "seeds agree", align: right },
        { title: "setting" },
      ],
      own.map((setting) => [
        percent(setting.neighbours, 1),
        setting.behind ? `${(100 * setting.behind.mean).toFixed(1)}` : "best",
        setting.stability === undefined ? "–" : decimal(setting.stability),
        settingName(setting),
      ]),
      width,
    ),
    "",
    `consensus  ${counted(consensus.fits, "fit")}; of the average row ${percent(consensus.share, 1)} say the same`,
    ...(missing.length > 0
      ? [`missing    ${counted(missing.length, "job")} without a run, such as ${missing[0]}`]
      : []),
    `report     ${out}/report.html`,
    `use it     telltale assign ${shellPath(`${out}/runs/${best}`)} FILE`,
  ].join("\n");
}
