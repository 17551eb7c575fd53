import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes its time: every method trained, every operation on every device, runs killed and resumed. `npm run check` leaves it out. */
const long = [
  "test/cli/{encoder,interrupt,joins,own,process,runs,saved}.test.ts",
  "test/explain/methods.test.ts",
  "test/files/{budget,malformed}.test.ts",
  "test/mcp/mcp.test.ts",
  "test/methods/contract.test.ts",
  "test/nn/gradients.test.ts",
  "test/nn/autoencoders.test.ts",
  "test/numerics/{leastCostAssignment,neighbours}.test.ts",
  "test/run/{columns,compare,crash,curation,curationCrash,hostileNames,icons,oddColumns,olderRuns,runFiles,save,schemas,storedSql,stream,sweep,tampered}.test.ts",
  "test/server/{guard,answers,curation,exported}.test.ts",
  "test/runtime/{childModel,devices,lowering,session,worker}.test.ts",
  "test/teachers/manyRows.test.ts",
  "test/training/*.test.ts",
];
/** The project as a whole: its layering, its README, its demo, a browser, and whoever means it harm. */
const whole = ["test/whole/**/*.test.ts", "test/hostile/hostile.test.ts", "test/server/{fits,client,command}.test.ts"];

/** What takes longest, longest first: begun last, one of them would be waited for by a worker with nothing to do. */
const slowest = [
  ...["teachers/manyRows", "whole/page", "whole/tab", "whole/readme", "run/crash", "whole/malformed", "whole/writing"],
  ...[
    "cli/interrupt",
    "whole/run",
    "methods/contract",
    "whole/report",
    "hostile/hostile",
    "whole/kill",
    "whole/stream",
  ],
  ...["server/fits", "cli/encoder", "cli/runs", "run/sweep", "whole/bundlers", "whole/package", "run/hostileNames"],
  ...["whole/layering", "run/mixed", "teachers/contract", "files/doors"],
];

/** Vitest knows how long a file took only where it has run before: after a fresh clone this does. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = slowest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at < 0 ? slowest.length : at;
    };
    // Those that share their worker stay together, and are short: they come last.
    const shares = ({ project }: TestSpecification): number => Number(!project.config.isolate);
    return (await super.sort(files)).sort((a, b) => shares(a) - shares(b) || place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: SlowestFirst },
    // The native runtime uses every core by itself, and its threads wait by spinning: of several at a time each gets its
    // share, as the jobs of a sweep do. What depends on the number of threads says so itself (ties, sweep).
    env: { TELLTALE_THREADS: "1" },
    // Far more than any takes: what hangs is found all the same, and a busy machine is no failure.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ["test/**/*.test.ts"], exclude: [...long, ...whole], isolate: false },
      },
      { extends: true, test: { name: "long", include: long } },
      { extends: true, test: { name: "whole", include: whole, testTimeout: 600_000, hookTimeout: 600_000 } },
    ],
  },
});
