/** `telltale/metrics`: scores of a clustering, with and without labels. */

export { type TrustworthinessOptions, trustworthiness } from "../map/trustworthiness.ts";
export {
  type InnerMetric,
  type InnerMetricName,
  innerMetrics,
  type Metric,
  type MetricName,
  metrics,
} from "../metrics/index.ts";
export type { Labels } from "../metrics/labels.ts";
export type { Rows } from "../metrics/rows.ts";
export type { SilhouetteOptions } from "../metrics/silhouette.ts";
