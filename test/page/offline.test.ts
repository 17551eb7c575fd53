import { expect, test } from "vitest";
import { workerPolicy } from "../../src/page/tab/workerPolicy.ts";

test("only the worker that trains on a GPU may write code, and nobody may ask anybody else", () => {
  const files = [
    "gpuWorker-a1.js",
    "trainingWorker-a1.js",
    "askingWorker-a1.js",
    "gpuWorker-a1.js/x.js",
    "mygpuWorker-.js",
  ];
  const policies = files.map((file) => workerPolicy(`/assets/${file}`));
  expect(policies.map((policy) => policy.includes(" 'unsafe-eval'"))).toEqual([true, false, false, false, false]);
  for (const policy of policies) {
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self';");
  }
});
