/**
 * The process behind the desk: models are asked and taught here, one question after the other, so that no run is put
 * away while somebody asks it. It ends when the server does.
 */

import type { Handlers } from "../../api/handlers.ts";
import { compareAnswers } from "../answers/compare.ts";
import { curationAnswers } from "../answers/curation.ts";
import { rowAnswers } from "../answers/rows.ts";
import { runAnswers } from "../answers/runs.ts";
import { Curations } from "../curations.ts";
import { Refused } from "../refused.ts";
import { RunShelf } from "../runShelf.ts";
import type { DeskRoute, FromDesk, ToDesk } from "./messages.ts";

const say = (message: FromDesk): void => {
  // A server that is killed hears no more: an edit that is under way ends all the same.
  if (process.connected) process.send!(message, undefined, undefined, () => {});
};
const shelf = new RunShelf();
const curations = new Curations();
const { explanation } = rowAnswers(shelf);
const { between } = runAnswers(shelf, () => false);
const handlers: Pick<Handlers, DeskRoute> = {
  ...{ explanation, between },
  ...compareAnswers(shelf),
  ...curationAnswers({ shelf, curations, tell: (event) => say({ kind: "event", event }) }),
};

let last: Promise<unknown> = Promise.resolve();
const inTurn = (work: () => Promise<unknown>): void => {
  last = last.then(() => shelf.during(work)).catch(() => {});
};

// Ctrl-C reaches all processes of a terminal: the server says when to stop.
process.on("SIGINT", () => {});
process.on("disconnect", () =>
  inTurn(async () => {
    await curations.close();
    process.exit(0);
  }),
);
process.on("message", (message: ToDesk) => inTurn(() => answer(message)));

async function answer({ number, route, asked, runs }: ToDesk): Promise<void> {
  try {
    for (const [id, path] of runs) shelf.adopt(id, path);
    const handler = handlers[route] as (asked: object) => Promise<unknown>;
    say({ kind: "answer", number, reply: await handler(asked) });
  } catch (error) {
    const { message: problem } = error as Error;
    const isSaid = error instanceof RangeError || error instanceof TypeError;
    const status = error instanceof Refused ? error.status : isSaid ? 422 : undefined;
    say({ kind: "failed", number, problem, ...(status !== undefined && { status }) });
  }
}
