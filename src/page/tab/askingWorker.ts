/** The worker that answers: it has the files and the runs, so that the page itself never waits. */

import * as v from "valibot";
import { parameters, type Route, routes } from "../../api/routes.ts";
import { Refusal } from "../source/source.ts";
import { tabAnswers } from "./answers.ts";
import type { FromAnswering, ToAnswering } from "./messages.ts";
import { findRuntimeBesidePage } from "./runtimeFiles.ts";

findRuntimeBesidePage();

const say = (message: FromAnswering): void => postMessage(message);
const answers = tabAnswers((event) => say({ kind: "event", event }));

addEventListener("message", ({ data: { number, asked } }: MessageEvent<ToAnswering>) => {
  void answer(asked).then(
    (reply) => say({ kind: "answer", number, reply }),
    (error: unknown) => {
      const problem = error instanceof Error ? error.message : String(error);
      say({ kind: "refused", number, problem, status: error instanceof Refusal ? error.status : 422 });
    },
  );
});

async function answer(asked: ToAnswering["asked"]): Promise<unknown> {
  if ("files" in asked) {
    const { id, name } = answers.drop(asked.files);
    return { id, name, kind: "upload" };
  }
  const route: Route = routes[asked.route];
  const handler = answers[asked.route as keyof typeof answers] as ((asked: unknown) => Promise<unknown>) | undefined;
  if (!handler) throw new Refusal("that needs telltale view: a tab alone cannot do it", 409);
  const texts = (words: object): Record<string, string> =>
    Object.fromEntries(Object.entries(words).map(([name, value]) => [name, String(value)]));
  const inPath = Object.entries(texts(asked.path)).map(([name, value]) => [
    name,
    v.parse(parameters[name as keyof typeof parameters] as v.GenericSchema, value),
  ]);
  return handler({
    in: Object.fromEntries(inPath),
    query: route.query && v.parse(route.query, texts(asked.query)),
    body: typeof route.body === "object" ? v.parse(route.body, asked.body) : asked.body,
  });
}
