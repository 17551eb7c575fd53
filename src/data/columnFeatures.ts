/** What numbers a column becomes: one for a number, one for each value of a category, some for a date. */

import type { Column } from "./column.ts";
import { type Feature, type Period, periods } from "./feature.ts";
import { inWordOrder } from "./wordOrder.ts";

/** A value that fewer of the rows have is rare. */
const rare = 0.01;
/** So many values have a number of their own at most. */
const mostValues = 30;

/** The features of a column that is learned from; of a text, with the order that somebody says. */
export function featuresOf(column: Column, order?: readonly string[]): Feature[] {
  const { name, kind, length = 0 } = column;
  switch (kind) {
    case "number":
      return [{ kind: hasLongTail(column) ? "count" : "number", column: name }];
    case "vector":
      return Array.from({ length }, (_, index) => ({ kind: "element", column: name, index }));
    case "boolean":
      return [{ kind, column: name }];
    case "date":
      return [{ kind, column: name }, ...cyclesOf(column)];
    case "text":
      return order ? [{ kind: "ordered", column: name, values: order }] : categoriesOf(column);
    default:
      return [];
  }
}

/** What is counted has more different numbers than this, where it reaches far; an amount in steps may have fewer. */
const fewLevels = 20;

/** Whether something is counted, from 0 or 1 on, and most of these numbers are small and few very large. */
function hasLongTail({ facts }: Column): boolean {
  const {
    least = -1,
    most = 0,
    whole,
    distinct = 0,
    quantiles: [low = 0, , middle = 0, , high = 0] = [],
  } = facts ?? {};
  const isCount = whole === true && (least === 0 || least === 1) && distinct > fewLevels;
  return isCount && most >= 100 && high - middle >= 8 * Math.max(1, middle - low);
}

/** Which circles a date goes round: those that the dates go round more than once; the day where they have times. */
function cyclesOf({ name, facts }: Column): Feature[] {
  const { least = 0, most = 0 } = facts ?? {};
  const hasTime = !Number.isInteger(least) || !Number.isInteger(most);
  const goesRound = (period: Period): boolean => most - least >= 1.5 * periods[period] && (period !== "day" || hasTime);
  return (Object.keys(periods) as Period[])
    .filter(goesRound)
    .flatMap((period) => (["sin", "cos"] as const).map((part) => ({ kind: "cycle", column: name, period, part })));
}

/** A number for each value that is not rare, and one for all others; of words that have an order, their places. */
function categoriesOf({ name, facts }: Column): Feature[] {
  const { rows = 0, missing = 0, distinct = 0, values = [] } = facts ?? {};
  const frequent = values.slice(0, mostValues).filter(([, count]) => count >= rare * (rows - missing));
  // One value alone is not gathered: it would only be called something else.
  const kept = distinct - frequent.length <= 1 ? values.slice(0, distinct) : frequent;
  if (kept.length === 0) return [];
  const texts = kept.map(([value]) => value).sort((a, b) => (a < b ? -1 : 1));
  const isGathered = distinct > kept.length;
  const order = isGathered ? undefined : inWordOrder(texts);
  if (order) return [{ kind: "ordered", column: name, values: order }];
  return [
    ...texts.map((value): Feature => ({ kind: "category", column: name, value })),
    ...(isGathered ? [{ kind: "other" as const, column: name, except: texts }] : []),
  ];
}
