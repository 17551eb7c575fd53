/** Labels score what rules chose: regret against the best single teacher and against the best candidate. */

import { accuracy } from "../../src/metrics/accuracy.ts";
import { ari } from "../../src/metrics/ari.ts";
import type { Evidence } from "./choice.ts";
import { type Known, kept, mean, type Rule, rules, rulesOfHalves } from "./rules.ts";

/** One rule on one data set: means over seeds. */
interface Outcome {
  readonly accuracy: number;
  readonly ari: number;
  /** What it took, for each seed. */
  readonly took: readonly string[];
}

interface RuleScore {
  readonly rule: string;
  readonly dataSets: number;
  readonly accuracy: number;
  /** Points of ACC, mean over data sets and the worst of them. */
  readonly regret: number;
  readonly worst: readonly { readonly data: string; readonly regret: number }[];
  readonly oracleRegret: number;
  readonly perData: Readonly<Record<string, Outcome>>;
}

/** Which candidates a rule may see: those of views that a run would have. */
function wantedOf({ candidates, views }: Evidence): Known[] {
  return candidates
    .filter(({ view }) => views.includes(view))
    .map((candidate) => ({ ...candidate, stability: [], strength: [] }));
}

interface Scored {
  /** The best single teacher. */
  readonly best: string;
  readonly rules: readonly RuleScore[];
  /** Mean over seeds of ARI(what `kept` took) − ARI(k-means of the rows as they are, and standardized). */
  readonly tables: Readonly<
    Record<string, { readonly chosen: number; readonly raw: number; readonly standard: number }>
  >;
}

export function scored(all: readonly Evidence[]): Scored {
  const outcomes = new Map<string, Map<string, Outcome[]>>();
  const note = (rule: string, { data, truth }: Evidence, labels: readonly number[], took: string) => {
    const ofRule = outcomes.get(rule) ?? new Map<string, Outcome[]>();
    outcomes.set(rule, ofRule);
    const outcome = { accuracy: 100 * accuracy(truth, labels), ari: ari(truth, labels), took: [took] };
    ofRule.set(data, [...(ofRule.get(data) ?? []), outcome]);
  };
  for (const evidence of all) {
    const candidates = wantedOf(evidence);
    const nameOf = ({ view, teacher }: Known) => `${view === "codes" ? "codes" : "rows"}/${teacher}`;
    for (const candidate of candidates) {
      note(`always ${nameOf(candidate)}`, evidence, candidate.labels[0]!, "");
      // The same teacher on rows where they are few columns, and else on codes.
      if (candidate.view === candidates[0]!.view)
        note(`always ${candidate.teacher}`, evidence, candidate.labels[0]!, "");
    }
    const best = candidates.map(({ labels: [first] }) => accuracy(evidence.truth, first!));
    const oracle = candidates[best.indexOf(Math.max(...best))]!;
    note("oracle", evidence, oracle.labels[0]!, nameOf(oracle));
    const apply = (some: Readonly<Record<string, Rule>>, known: readonly Known[]) => {
      for (const [name, rule] of Object.entries(some)) {
        const chosen = rule(known);
        if (typeof chosen === "number") note(name, evidence, known[chosen]!.labels[0]!, nameOf(known[chosen]!));
        else note(name, evidence, chosen, "");
      }
    };
    apply(rules, candidates);
    note(kept, evidence, evidence.chosen.labels, evidence.chosen.took);
    if (evidence.halves.length > 0) apply(rulesOfHalves, withHalves(candidates, evidence));
  }
  const means = new Map([...outcomes].map(([rule, perData]) => [rule, meansOf(perData)]));
  const dataSets = new Set(all.map(({ data }) => data)).size;
  const accuracyOf = (perData: Readonly<Record<string, Outcome>>) =>
    mean(Object.values(perData).map((outcome) => outcome.accuracy));
  const singles = [...means].filter(([rule, per]) => /^always/.test(rule) && Object.keys(per).length === dataSets);
  const [best, single] = singles.reduce((a, b) => (accuracyOf(b[1]) > accuracyOf(a[1]) ? b : a));
  const oracle = means.get("oracle")!;
  const scores = [...means].map(([rule, perData]): RuleScore => {
    const regrets = Object.entries(perData).map(([data, outcome]) => ({
      data,
      regret: single[data]!.accuracy - outcome.accuracy,
    }));
    return {
      rule,
      dataSets: regrets.length,
      accuracy: accuracyOf(perData),
      regret: mean(regrets.map(({ regret }) => regret)),
      worst: regrets.sort((a, b) => b.regret - a.regret).slice(0, 5),
      oracleRegret: mean(Object.entries(perData).map(([data, outcome]) => oracle[data]!.accuracy - outcome.accuracy)),
      perData,
    };
  });
  return { best, rules: scores.sort((a, b) => a.regret - b.regret), tables: tablesOf(all, means.get(kept)!) };
}

function tablesOf(all: readonly Evidence[], chosen: Readonly<Record<string, Outcome>>): Scored["tables"] {
  const baseline = (data: string, view: string) =>
    mean(
      all.flatMap(({ data: own, truth, candidates }) =>
        candidates
          .filter((candidate) => own === data && candidate.view === view && candidate.teacher === "kmeans")
          .map(({ labels: [first] }) => ari(truth, first!)),
      ),
    );
  const names = new Set(
    all.filter(({ candidates }) => candidates.some(({ view }) => view === "standard")).map(({ data }) => data),
  );
  return Object.fromEntries(
    [...names].map((data) => [
      data,
      { chosen: chosen[data]!.ari, raw: baseline(data, "raw"), standard: baseline(data, "standard") },
    ]),
  );
}

export function print({ best, rules: scores, tables }: Scored): void {
  console.log(`the best single teacher: ${best}\n`);
  console.log(`${"rule".padEnd(28)}sets   ACC  regret  oracle  worst`);
  for (const { rule, dataSets, accuracy, regret, oracleRegret, worst } of scores) {
    const numbers = [
      accuracy.toFixed(1).padStart(6),
      regret.toFixed(2).padStart(8),
      oracleRegret.toFixed(2).padStart(8),
    ];
    const bad = worst.filter((one) => one.regret > 4).map(({ data, regret }) => `${data} ${regret.toFixed(1)}`);
    console.log(`${rule.padEnd(28)}${String(dataSets).padStart(4)}${numbers.join("")}  ${bad.join(", ")}`);
  }
  console.log(`\nARI: ${kept}, and k-means of the rows as they are, and standardized`);
  for (const [data, { chosen, raw, standard }] of Object.entries(tables)) {
    const took = scores.find(({ rule }) => rule === kept)!.perData[data]!.took.join(" ");
    console.log(`${data.padEnd(16)}${[chosen, raw, standard].map((value) => value.toFixed(3)).join("  ")}  ${took}`);
  }
}

function withHalves(candidates: readonly Known[], { halves }: Evidence): Known[] {
  return candidates.map((candidate) => {
    const half = halves.find(({ view, teacher }) => view === candidate.view && teacher === candidate.teacher)!;
    return { ...candidate, stability: half.stability, strength: half.strength };
  });
}

function meansOf(perData: ReadonlyMap<string, readonly Outcome[]>): Record<string, Outcome> {
  return Object.fromEntries(
    [...perData].map(([data, seeds]) => [
      data,
      {
        accuracy: mean(seeds.map((outcome) => outcome.accuracy)),
        ari: mean(seeds.map((outcome) => outcome.ari)),
        took: seeds.flatMap(({ took }) => took).filter(Boolean),
      },
    ]),
  );
}
