/** What makes inputs of one kind, and what all kinds share. */

import type { Random } from "../../src/doors/engine.ts";
import type { Input } from "./input.ts";

/** In megabytes: what every command is told where it can be, and takes where it is not. */
export const memory = 1000;

export type Made = Omit<Input, "seed">;
export interface Making {
  readonly random: Random;
  readonly samples: string;
}
/** A kind of input: what is drawn decides what it becomes. */
export type Kind = (making: Making) => Promise<Made>;

/** Where commands write. */
export const out = { path: "out" } as const;
/** A fit that takes no time to speak of. */
export const quickly = ["-k", "2", "--method", "kmeans", "--epochs", "1", "--restarts", "1", "--no-map"];
