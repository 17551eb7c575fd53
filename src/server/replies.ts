/** How the answers of the table of routes become responses, and what a handler is given. */

import * as v from "valibot";
import type { Binary, FileReply } from "../api/handlers.ts";
import { type BinaryType, parameters, type Route } from "../api/routes.ts";
import { always, unkept } from "./headers.ts";
import { Refused } from "./refused.ts";

/** The value, as the schema says it is. */
export function checked<S extends v.GenericSchema>(what: string, schema: S, value: unknown): v.InferOutput<S> {
  const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true });
  if (success) return output;
  const [issue] = issues;
  const where = v.getDotPath(issue);
  throw new Refused(
    400,
    `${where === null ? what : `${what}: ${where}`} must be ${issue.expected ?? "something else"}, got ${issue.received}`,
  );
}

/** What stands in the braces of a path. */
export function parametersIn(values: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const schema = parameters[name as keyof typeof parameters] as v.GenericSchema;
      if (!v.is(schema, value)) throw new Refused(404, "there is nothing at this address");
      return [name, v.parse(schema, value)];
    }),
  );
}

export const typeOf = (numbers: Binary["numbers"]): BinaryType =>
  numbers.constructor.name.replace("Array", "").toLowerCase() as BinaryType;

/** The response that a route's answer becomes. */
export function responseOf({ answer }: Route, reply: unknown): Response {
  const headers = { ...always, ...unkept };
  switch (answer.kind) {
    case "json":
      return new Response(JSON.stringify(reply), { headers: { ...headers, "Content-Type": "application/json" } });
    case "binary": {
      const { numbers } = reply as Binary;
      const type = { "Content-Type": "application/octet-stream", "X-Telltale-Type": typeOf(numbers) };
      return bytesResponse(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), {
        ...headers,
        ...type,
      });
    }
    case "picture":
      return bytesResponse(reply as Uint8Array, { ...headers, "Content-Type": "image/png" });
    case "file": {
      const { bytes, type, name } = reply as FileReply;
      const disposition = `attachment; filename="${name.replace(/[^\w.-]/g, "_")}"`;
      return bytesResponse(bytes, { ...headers, "Content-Type": type, "Content-Disposition": disposition });
    }
    case "events":
      return new Response(reply as ReadableStream, { headers: { ...headers, "Content-Type": "text/event-stream" } });
    case "nothing":
      return new Response(null, {
        status: 204,
        headers: { ...headers, "Set-Cookie": (reply as { cookie: string }).cookie },
      });
  }
}

function bytesResponse(bytes: Uint8Array, headers: Record<string, string>): Response {
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: { ...headers, "Content-Length": String(bytes.byteLength) },
  });
}
