/** How schemas of requests become JSON Schema: as it is sent. Trimming and turning into numbers are ours to do. */

import type { ConversionConfig } from "@valibot/to-json-schema";

export const asSent = {
  typeMode: "input",
  ignoreActions: ["trim"],
  errorMode: "ignore",
} as const satisfies ConversionConfig;
