import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // The native runtime uses every core by itself: more than two test files at a time only slow each other down.
    maxWorkers: 2,
    testTimeout: 60_000,
  },
});
