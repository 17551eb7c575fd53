/** What is wrong with a page, by axe's rules, and where. */

import axe from "axe-core";
import type { Page } from "playwright-core";

/** The page's policy forbids what Playwright would do to put a script in. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate("axe.run({ resultTypes: ['violations'] })");
  const { violations } = found as { violations: { id: string; nodes: { html: string }[] }[] };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
}
