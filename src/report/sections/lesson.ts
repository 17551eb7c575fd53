/** Who taught the model, what else was tried, and how well it has learned. */

import type { Taught } from "../../training/lesson.ts";
import { doubtAbout, noneWords, taughtWords } from "../../training/taughtWords.ts";
import { clusterLink, hasOwnName } from "../parts/clusterMarks.ts";
import { html, type Markup, type Part } from "../parts/markup.ts";
import { number, percent, thousands } from "../parts/numbers.ts";
import type { ReportView } from "../reportView.ts";
import type { Section } from "../section.ts";

export const lesson: Section = { id: "lesson", name: "Lesson", title: "What it was taught", content };

function content(view: ReportView): Markup | undefined {
  const { taught } = view.data;
  if (!taught) return undefined;
  const doubt = doubtAbout(taught);
  return html`<p class="lead">${sentence(taughtWords(taught, taught.from))}</p>
${taught.teacher !== "yours" && html`<p>${sentence(taught.reason)}</p>`}
${doubt !== undefined && html`<aside class="notices" aria-label="In doubt"><h3>In doubt</h3><ul><li>${sentence(doubt)}</li></ul></aside>`}
${taught.held && html`<p>Probabilities say how sure the model is that its teacher would say so; ${taught.network === "none" ? "on these rows" : "on rows that it was not taught"} they are off by ${number(taught.held.calibration)} on average.</p>`}
${taught.none && html`<p>${sentence(noneWords(taught.none))}</p>`}
${triedTable(taught)}
${clusterTable(taught, view)}`;
}

function triedTable({ tried, teacher, view: saw }: Taught): Part {
  if (tried.length === 0) return undefined;
  const sorted = [...tried].sort((a, b) => b.score - a.score);
  return html`<div class="wide"><table class="restarts"><caption>What was tried, compared without labels; the larger the score, the better.</caption><thead><tr><th scope="col">Teacher</th><th scope="col" class="words">Saw</th><th scope="col">Score</th><th scope="col">±</th></tr></thead><tbody>${sorted.map(
    (each) => {
      const isChosen = each.teacher === teacher && each.view === saw;
      return html`<tr${isChosen && html` class="kept"`}><th scope="row">${each.teacher}${isChosen && " (chosen)"}</th><td class="words">${each.view}</td><td>${number(each.score)}</td><td>${number(each.error)}</td></tr>`;
    },
  )}</tbody></table></div>`;
}

/** Of each cluster, how often the model repeats its teacher on rows that it was not taught. */
function clusterTable({ held }: Taught, view: ReportView): Part {
  if (!held) return undefined;
  return html`<div class="wide"><table class="restarts"><caption>Of the rows of each cluster that were held out, the share that the model places as its teacher does</caption><thead><tr><th scope="col">Cluster</th><th scope="col" class="words">Name</th><th scope="col">Rows now</th><th scope="col">Repeated</th></tr></thead><tbody>${view.data.clusters.map(
    (summary) => {
      const share = held.clusters[summary.cluster] ?? -1;
      return html`<tr><th scope="row">${clusterLink(summary.cluster, view)}</th><td class="words">${hasOwnName(summary) ? summary.name : ""}</td><td>${thousands(summary.size)}</td><td>${share < 0 ? "–" : percent(share, 1)}</td></tr>`;
    },
  )}</tbody></table></div>`;
}

function sentence(text: string): string {
  // A number and its unit stay on one line.
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replaceAll(/(?<=\d) %/g, "\u00a0%");
}
