/** A row without names as a drawing. */

import { html, type Part } from "./markup.ts";

/** A bar for each number, from left to right; nothing where there are too few or too many to be seen. */
export function rowProfile(values: readonly number[], label: string): Part {
  if (values.length < 2 || values.length > 1024) return undefined;
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  const path = values
    .map((value, i) => `M${i + 0.5} 20V${(20 - 19 * (Number.isFinite(value) ? value / largest : 0)).toFixed(1)}`)
    .join("");
  return html`<svg class="profile" viewBox="0 0 ${values.length} 40" preserveAspectRatio="none" role="img" aria-label="${label}"><path class="axis" d="M0 20H${
    values.length
  }"/><path class="bars" d="${path}"/></svg>`;
}
