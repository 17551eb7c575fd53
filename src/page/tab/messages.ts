/** What the page and the worker that answers say to each other. */

import type { Words } from "../../api/address.ts";
import type { ServerEvent } from "../../api/fits.ts";
import type { RouteName } from "../../api/routes.ts";

export interface ToAnswering {
  readonly number: number;
  readonly asked:
    | { readonly files: readonly File[] }
    | { readonly route: RouteName; readonly path: Words; readonly query: Words; readonly body: unknown };
}

export type FromAnswering =
  | { readonly kind: "answer"; readonly number: number; readonly reply: unknown }
  | { readonly kind: "refused"; readonly number: number; readonly problem: string; readonly status: number }
  | { readonly kind: "event"; readonly event: ServerEvent };
