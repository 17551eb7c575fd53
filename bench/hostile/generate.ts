/** From a seed to a hostile input: the same seed, the same input. Odd seeds are for a command of its own. */

import { Random } from "../../src/doors/engine.ts";
import type { Input } from "./input.ts";
import { type Kind, memory } from "./kind.ts";
import { ofQueries } from "./ofQueries.ts";
import { ofArrays, ofDoors, ofImages, ofLabels, ofPlaces, ofTables } from "./ofRows.ts";
import { ofEncoders, ofJobs, ofRuns, ofStates, ofSweeps } from "./ofRuns.ts";
import { ofSurroundings } from "./ofSurroundings.ts";
import { ofWords } from "./ofWords.ts";

/** How often each is drawn. */
const kinds: readonly (readonly [number, Kind])[] = [
  [22, ofTables],
  [14, ofArrays],
  [10, ofDoors],
  [9, ofImages],
  [12, ofLabels],
  [7, ofQueries],
  [5, ofEncoders],
  [24, ofRuns],
  [3, ofJobs],
  [3, ofStates],
  [3, ofSweeps],
  [7, ofWords],
  [0.4, ofPlaces],
];
const kindsOfCommands: readonly (readonly [number, Kind])[] = [
  [10, ofTables],
  [6, ofArrays],
  [5, ofDoors],
  [5, ofImages],
  [6, ofLabels],
  [7, ofQueries],
  [5, ofEncoders],
  [16, ofRuns],
  [3, ofJobs],
  [3, ofStates],
  [3, ofSweeps],
  [18, ofWords],
  [2, ofPlaces],
  [25, ofSurroundings],
];

export async function inputOf(seed: number, samples: string): Promise<Input> {
  const random = Random.seeded(seed).fork("hostile");
  const isCommand = seed % 2 === 1;
  const kind = drawnKind(random, isCommand ? kindsOfCommands : kinds);
  const made = await kind({ random, samples });
  return { memory, ...made, seed, ...(isCommand && { around: made.around ?? {} }) };
}

function drawnKind(random: Random, from: readonly (readonly [number, Kind])[]): Kind {
  let left = random.uniform() * from.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, kind] of from) {
    left -= weight;
    if (left < 0) return kind;
  }
  return from[0]![1];
}
