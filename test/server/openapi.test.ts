/** The written description of the API. */

import { expect, test } from "vitest";
import { type Route, routes } from "../../src/api/routes.ts";
import { openapi } from "../../src/server/openapi.ts";

const described = openapi("1.2.3") as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
};

test("every route is in it once, by its name", () => {
  const named = Object.values(described.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(named.sort()).toEqual(Object.keys(routes).sort());
});

test("no two routes are the same method and path", () => {
  const all = Object.values<Route>(routes).map(({ method, path }) => `${method} ${path}`);
  expect(new Set(all).size).toBe(all.length);
});

test("requests and answers are written down with their limits", () => {
  expect(JSON.stringify(described.paths["/api/runs/{run}/table"])).toContain('"#/components/schemas/tableRequest"');
  expect(JSON.stringify(described.components.schemas.tableRequest)).toContain('"maximum":500');
  expect(JSON.stringify(described.components.schemas.filter)).toContain('"maxLength":200');
  expect(described.components.schemas.tablePage).toMatchObject({ required: expect.arrayContaining(["total", "rows"]) });
});

test("whatever is referred to is there", () => {
  const referred = [...JSON.stringify(described).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
  expect(referred.length).toBeGreaterThan(30);
  for (const [, name] of referred) expect(Object.keys(described.components.schemas)).toContain(name);
  expect(JSON.stringify(described)).not.toContain("$defs");
});
