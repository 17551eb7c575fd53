/** Whether what was read from a run folder has the parts that it must have: a file may be JSON and still be damaged. */

type Check = (value: unknown) => boolean;

const isObject: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number";
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const begun: Readonly<Record<string, Check>> = {
  source: isObject,
  "source.name": isText,
  "source.options": isObject,
  "source.rows": isCount,
  "source.row": listOf(isCount),
  "source.range": listOf(isNumber),
  "source.columns": listOf(isText),
  "source.ids": listOf(isText),
  settings: isObject,
  "settings.method": isText,
  "settings.options": isObject,
};

const ended: Readonly<Record<string, Check>> = {
  result: isObject,
  "result.plan": isObject,
  "result.plan.method": isText,
  "result.plan.options": isObject,
  "result.plan.clusters": isCount,
  "result.plan.row": listOf(isCount),
  "result.plan.range": listOf(isNumber),
  "result.restarts": listOf(isObject),
  "result.measures": isObject,
  "result.notices": listOf(isText),
};

const cluster: Readonly<Record<string, Check>> = {
  cluster: isCount,
  name: isText,
  size: isCount,
  share: isNumber,
  exemplar: listOf(isNumber),
  mean: listOf(isNumber),
  typical: listOf(isObject),
  borderline: listOf(isObject),
  distinguishing: listOf(isObject),
  reach: listOf(isNumber),
};

/** The first part of run.json that is missing or something else. */
export function wrongInDescription(description: { readonly result?: unknown }): string | undefined {
  return wrongIn(description, begun) ?? (description.result === undefined ? undefined : wrongIn(description, ended));
}

/** The first part of clusters.json that is missing or something else. */
export function wrongInClusters(clusters: unknown, count: number): string | undefined {
  if (!Array.isArray(clusters) || clusters.length !== count) return `a list of ${count} clusters`;
  for (const [i, each] of clusters.entries()) {
    const wrong = isObject(each) ? wrongIn(each, cluster) : "what it is";
    if (wrong) return `${wrong} of cluster ${i}`;
  }
  return undefined;
}

function wrongIn(value: unknown, parts: Readonly<Record<string, Check>>): string | undefined {
  const at = (path: string): unknown =>
    path.split(".").reduce((from: unknown, name) => (isObject(from) ? (from as never)[name] : undefined), value);
  return Object.keys(parts).find((path) => !parts[path]!(at(path)));
}
