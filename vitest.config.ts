import { defineConfig } from "vitest/config";

/** What takes its time: every method trained, every operation on every device, runs killed and resumed. `npm run check` leaves it out. */
const long = [
  "test/cli/{process,runs}.test.ts",
  "test/explain/methods.test.ts",
  "test/files/malformed.test.ts",
  "test/methods/contract.test.ts",
  "test/nn/gradients.test.ts",
  "test/nn/autoencoders.test.ts",
  "test/numerics/{leastCostAssignment,neighbours}.test.ts",
  "test/run/{columns,compare,oddColumns,olderRuns,runFiles,save,schemas,storedSql,stream}.test.ts",
  "test/runtime/{devices,lowering,session,worker}.test.ts",
  "test/teachers/manyRows.test.ts",
  "test/training/*.test.ts",
];
/** The project as a whole: its layering, its README, its demo, a browser. */
const whole = ["test/whole/**/*.test.ts"];

export default defineConfig({
  test: {
    // The native runtime uses every core by itself: more than two test files at a time only slow each other down.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ["test/**/*.test.ts"], exclude: [...long, ...whole], isolate: false },
      },
      { extends: true, test: { name: "long", include: long } },
      { extends: true, test: { name: "whole", include: whole, testTimeout: 300_000 } },
    ],
  },
});
