import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // The native runtime uses every core by itself: more than two test files at a time only slow each other down.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: "unit", include: ["test/**/*.test.ts"], exclude: ["test/whole/**"] } },
      // The project as a whole: its layering, its README, its demo, a browser.
      { extends: true, test: { name: "whole", include: ["test/whole/**/*.test.ts"], testTimeout: 300_000 } },
    ],
  },
});
