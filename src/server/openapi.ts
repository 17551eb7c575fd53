/** The table of routes as OpenAPI 3.1: what scripts are written against. */

import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";
import * as curation from "../api/curation.ts";
import * as fits from "../api/fits.ts";
import { asSent } from "../api/jsonSchema.ts";
import { parameters, problem, type Route, routes } from "../api/routes.ts";
import * as rows from "../api/rows.ts";
import * as runs from "../api/runs.ts";

type Json = Readonly<Record<string, unknown>>;

/** What is said in several places is written down once, by its name. */
const named: Readonly<Record<string, GenericSchema>> = { ...runs, ...rows, ...fits, ...curation, problem };

/** The whole description. */
export function openapi(version: string): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, route] of Object.entries<Route>(routes)) {
    paths[route.path] ??= {};
    paths[route.path]![route.method.toLowerCase()] = operation(name, route);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Telltale",
      version,
      description:
        "What `telltale view` answers. The address that it prints ends with a token: post it to /api/session once, and keep the cookie. Requests that change something say `Origin` and `Content-Type: application/json`.",
    },
    components: {
      schemas: toJsonSchemaDefs(named, settings),
      securitySchemes: { session: { type: "apiKey", in: "cookie", name: "telltale-PORT" } },
    },
    security: [{ session: [] }],
    paths,
  };
}

function operation(name: string, { path, about, query, body, answer }: Route): Json {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => ({
    name: parameter,
    in: "path",
    required: true,
    schema: schemaOf(parameters[parameter as keyof typeof parameters]),
  }));
  return {
    operationId: name,
    summary: about,
    ...(name === "session" && { security: [] }),
    parameters: [...inPath, ...(query ? queryOf(query) : [])],
    ...(body && { requestBody: { required: true, content: contentOf(body) } }),
    responses: {
      ...(answer.kind === "nothing" ? { 204: { description: "Done." } } : { 200: answered(answer) }),
      "4XX": { description: "What is wrong, in a sentence.", content: contentOf(problem) },
    },
  };
}

function queryOf(query: GenericSchema): Json[] {
  const { properties = {}, required = [] } = schemaOf(query) as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

function contentOf(body: GenericSchema | "bytes"): Json {
  return body === "bytes"
    ? { "application/octet-stream": { schema: { type: "string", format: "binary" } } }
    : { "application/json": { schema: schemaOf(body) } };
}

function answered(answer: Exclude<Route["answer"], { kind: "nothing" }>): Json {
  const bytes = { schema: { type: "string", format: "binary" } };
  switch (answer.kind) {
    case "json":
      return { description: "The answer.", content: contentOf(answer.schema) };
    case "binary":
      return { description: answer.about, content: { "application/octet-stream": bytes } };
    case "picture":
      return { description: "A PNG.", content: { "image/png": bytes } };
    case "file":
      return { description: "The file.", content: { "text/csv": bytes, "application/vnd.apache.parquet": bytes } };
    case "events":
      return {
        description: "Events; the data of each is JSON.",
        content: { "text/event-stream": { schema: schemaOf(answer.schema) } },
      };
  }
}

const settings = {
  ...asSent,
  overrideRef: ({ referenceId }: { readonly referenceId: string }) => `#/components/schemas/${referenceId}`,
} as const satisfies ConversionConfig;

function schemaOf(schema: GenericSchema): Json {
  const { $schema: _, $defs: __, ...described } = toJsonSchema(schema, { ...settings, definitions: named });
  return described;
}
