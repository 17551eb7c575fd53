/** How training went: every number of every epoch, by phase, the kept restart in front. */

import { own } from "../../data/own.ts";
import { metrics } from "../../metrics/index.ts";
import type { Epoch, Learning } from "../../training/epoch.ts";
import { type Line, type LineChart, lineChart } from "../parts/lineChart.ts";
import { html, type Markup, type Part } from "../parts/markup.ts";
import { number, percent, quantity, thousands } from "../parts/numbers.ts";
import { picture } from "../parts/pictures.ts";
import type { ReportView } from "../reportView.ts";
import type { Section } from "../section.ts";

const phases: readonly Learning[] = ["pretraining", "clustering"];
const about: Readonly<Record<Learning, string>> = {
  pretraining: "Pretraining: the network learns to draw the rows again, without clusters",
  clustering: "Clustering: the network and the centers learn together",
};
const titles: Readonly<Record<string, string>> = {
  loss: "loss",
  spread: "spread of the codes",
  nmi: "NMI against the labels",
  ari: "ARI against the labels",
};

export const training: Section = { id: "training", name: "Training", title: "How training went", content };

function content(view: ReportView): Markup {
  const { epochs, restarts } = view.data;
  return html`${
    epochs.length === 0
      ? html`<p>No epochs were recorded: the clusters come from the start alone.</p>`
      : html`<p>${quantity(epochs.filter(({ epoch }) => epoch > 0).length, "epoch")}${
          restarts.length > 1 && ` in ${quantity(restarts.length, "restart")}`
        }${restarts.length > 1 && html`; the <span class="keptline">strong line</span> is the restart that was kept, the thin ones are the others`}.</p>`
  }
${phases.map((phase) => phaseCurves(phase, view))}
${exemplarsThrough(view)}
${restartTable(view)}`;
}

function phaseCurves(phase: Learning, view: ReportView): Part {
  const epochs = view.data.epochs.filter((epoch) => epoch.phase === phase);
  const charts = seriesOf(epochs).map(([name, read]) => lineChart(chartOf(name, read, epochs, view)));
  return charts.length > 0 && html`<h3>${about[phase]}</h3><div class="curves">${charts}</div>`;
}

/** So many clusters, and moments, are drawn. */
const [mostDrawn, mostMoments] = [20, 8];

/** What the centers were through training, decoded: a row of pictures for each moment. */
function exemplarsThrough({ data, showsPictures }: ReportView): Part {
  const { exemplars = [], clusters, source } = data;
  if (!showsPictures || exemplars.length < 2) return undefined;
  const last = exemplars.length - 1;
  const drawn = Math.min(mostMoments, exemplars.length);
  const moments = Array.from({ length: drawn }, (_, i) => exemplars[Math.round((i * last) / (drawn - 1))]!);
  const shown = clusters.slice(0, mostDrawn);
  const width = source.row.reduce((a, b) => a * b, 1);
  return html`<h3>The centers through training, decoded</h3><div class="wide"><table class="through"><thead><tr><th scope="col">epoch</th>${shown.map(
    ({ cluster }) => html`<th scope="col">${thousands(cluster)}</th>`,
  )}</tr></thead><tbody>${moments.map(
    ({ epoch, values }) =>
      html`<tr><th scope="row">${thousands(epoch)}</th>${shown.map(
        ({ cluster }) =>
          html`<td>${picture(Array.from(values.subarray(cluster * width, (cluster + 1) * width)), source, `Center ${cluster} after epoch ${epoch}`, 32)}</td>`,
      )}</tr>`,
  )}</tbody></table></div>`;
}

type Read = (epoch: Epoch) => number | undefined;

/** What there is to draw: the loss and its parts, the share of rows that moved, scores where there are labels. */
function seriesOf(epochs: readonly Epoch[]): [string, Read][] {
  const losses = namesOf(epochs.map((epoch) => epoch.losses));
  // With a single part, the loss and its part are the same line.
  const different = losses.filter(
    (name) => name === "loss" || epochs.some((epoch) => own(epoch.losses, name) !== epoch.losses.loss),
  );
  const scores = namesOf(epochs.map((epoch) => epoch.scores ?? {}));
  return [
    ...different.map((name): [string, Read] => [name, (epoch) => own(epoch.losses, name)]),
    ...(epochs.some(({ changed }) => changed !== undefined)
      ? [["rows that changed cluster", (epoch) => epoch.changed] as [string, Read]]
      : []),
    ...scores.map((name): [string, Read] => [
      own(titles, name) ?? `${name} against the labels`,
      (epoch) => own(epoch.scores ?? {}, name),
    ]),
  ];
}

function namesOf(records: readonly Readonly<Record<string, number>>[]): string[] {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const rank = (name: string): number => (name === "loss" ? 0 : name === "spread" ? 2 : 1);
  return names.sort((a, b) => rank(a) - rank(b));
}

function chartOf(name: string, read: Read, epochs: readonly Epoch[], { data }: ReportView): LineChart {
  const restarts = [...new Set(epochs.map(({ restart }) => restart))];
  const lines = restarts.map((restart): Line => {
    const points = epochs
      .filter((epoch) => epoch.restart === restart)
      .flatMap((epoch) => (read(epoch) === undefined ? [] : [[epoch.epoch, read(epoch)!] as const]));
    return { points, kept: restart === data.kept || restarts.length === 1 };
  });
  const kept = lines.find((line) => line.kept)?.points ?? [];
  const format = name.startsWith("rows that") ? percent : number;
  const title = own(titles, name) ?? name;
  const [first, last] = [kept[0], kept.at(-1)];
  const words =
    first && last
      ? `${title}: from ${format(first[1])} in epoch ${first[0]} to ${format(last[1])} in epoch ${last[0]}`
      : title;
  return { title, words, lines, format, across: "epoch" };
}

function restartTable({ data }: ReportView): Part {
  if (data.restarts.length === 0) return undefined;
  const measures = namesOf(data.restarts.map((restart) => restart.measures));
  const scores = namesOf(data.restarts.map((restart) => restart.scores ?? {})).filter((name) =>
    Object.hasOwn(metrics, name),
  );
  return html`<div class="wide"><table class="restarts"><caption>How each restart ended</caption><thead><tr><th scope="col">Restart</th>${measures.map(
    (name) => html`<th scope="col">${name}</th>`,
  )}${scores.map((name) => html`<th scope="col">${name}</th>`)}<th scope="col" class="words">Why it ended</th></tr></thead><tbody>${data.restarts.map(
    ({ restart, measures: values, scores: found, stopped }) =>
      html`<tr${restart === data.kept && html` class="kept"`}><th scope="row">${thousands(restart)}${
        restart === data.kept && " (kept)"
      }</th>${measures.map(
        (name) => html`<td>${number(own(values as Readonly<Record<string, number>>, name) ?? Number.NaN)}</td>`,
      )}${scores.map((name) => html`<td>${number(own(found ?? {}, name) ?? Number.NaN)}</td>`)}<td class="words">${stopped}</td></tr>`,
  )}</tbody></table></div>`;
}
