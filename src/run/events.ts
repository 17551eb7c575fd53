/** What long work tells about itself while it goes on. */

import type { ColumnReport } from "../data/columnReport.ts";
import type { ClusterChoice } from "../training/chooseClusters.ts";
import type { Epoch } from "../training/epoch.ts";

export type RunEvent =
  /** The rows are open: what is used of them, and what is not. */
  | {
      readonly kind: "opened";
      readonly description: string;
      readonly rows: number;
      /** Of rows that are fitted: what each column is for, and why. */
      readonly columns?: readonly ColumnReport[];
      /** Of rows that are fitted: their shape, and what is black and what is white where they are pictures. */
      readonly look?: { readonly row: readonly number[]; readonly range: readonly [number, number] };
    }
  /** Where it runs, in words. */
  | { readonly kind: "device"; readonly device: string }
  /** The number of clusters was left to Telltale, and this is what came out. */
  | { readonly kind: "chosen"; readonly choice: ClusterChoice }
  | { readonly kind: "epoch"; readonly epoch: Epoch }
  /** Before anything long begins: how many seconds it will take all together, about, and what it consists of. */
  | { readonly kind: "expected"; readonly seconds: number; readonly parts: readonly string[] }
  /**
   * Work beside the epochs, such as "assigning rows" or "drawing the map"; `later` is how many seconds follow it, where
   * that is known, and `under` what of it is under way, in words.
   */
  | {
      readonly kind: "stage";
      readonly stage: string;
      readonly done: number;
      readonly total: number;
      readonly later?: number;
      readonly under?: string;
    }
  /** The model is in its folder and can be used; what is still drawn and listed follows. */
  | { readonly kind: "saved"; readonly path: string }
  | { readonly kind: "notice"; readonly sentence: string };

export type OnEvent = (event: RunEvent) => void;
