/** The colors of both themes, as custom properties. */

import { palette } from "../parts/palette.ts";

const themes = {
  light: {
    paper: "#fbfaf7",
    raised: "#ffffff",
    ink: "#1c2733",
    soft: "#56616d",
    rule: "#dedad0",
    faint: "#e6e3db",
    accent: "#0b6590",
    // From unsure to sure.
    unsure: "#f0a202",
    sure: "#16455f",
  },
  dark: {
    paper: "#12171c",
    raised: "#1a2128",
    ink: "#e9e7e1",
    soft: "#a5afb9",
    rule: "#303a44",
    faint: "#2a323a",
    accent: "#6cc4ea",
    unsure: "#ffd04d",
    sure: "#2f6f95",
  },
};

function properties(name: keyof typeof themes): string {
  const colors = Object.entries(themes[name]).map(([key, color]) => `--${key}:${color}`);
  return [...colors, ...palette[name].map((color, i) => `--c${i}:${color}`), `color-scheme:${name}`].join(";");
}

/** Light, unless the system or the reader says dark. Paper is always light. */
export const theme = `:root{${properties("light")}}
@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){${properties("dark")}}}
@media screen{:root[data-theme=dark]{${properties("dark")}}}`;
