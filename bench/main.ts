/** One file per question about speed or accuracy.  usage: npm run -s bench -- NAME [options] */

type Bench = (options: readonly string[]) => Promise<void>;

/** Each is loaded when it is asked for, so that one runs where another's packages are not installed. */
const benches: Record<string, () => Promise<Bench>> = {
  accuracy: async () => (await import("./accuracy.ts")).accuracy,
  bits: async () => (await import("./bits.ts")).bits,
  broker: async () => (await import("./broker.ts")).broker,
  choice: async () => (await import("./choice/choice.ts")).choice,
  comparators: async () => (await import("./comparators.ts")).comparators,
  default: async () => (await import("./default.ts")).defaults,
  demo: async () => (await import("./demo.ts")).demo,
  engine: async () => (await import("./engine.ts")).engine,
  follow: async () => (await import("./follow.ts")).follow,
  garbage: async () => (await import("./garbage.ts")).garbage,
  groups: async () => (await import("./groups.ts")).groups,
  hostile: async () => (await import("./hostile/hostile.ts")).hostile,
  lake: async () => (await import("./lake.ts")).lake,
  lengths: async () => (await import("./lengths.ts")).lengths,
  kill: async () => (await import("./kill.ts")).kill,
  kmeansIteration: async () => (await import("./kmeansIteration.ts")).kmeansIteration,
  manifold: async () => (await import("./manifold.ts")).manifold,
  mixed: async () => (await import("./mixed.ts")).mixed,
  papers: async () => (await import("./papers.ts")).papers,
  online: async () => (await import("./online.ts")).online,
  pairs: async () => (await import("./pairs.ts")).pairs,
  peers: async () => (await import("./peers.ts")).peers,
  queue: async () => (await import("./queue.ts")).queue,
  lambdas: async () => (await import("./lambdas.ts")).lambdas,
  rates: async () => (await import("./rates.ts")).rates,
  roles: async () => (await import("./roles.ts")).roles,
  portable: async () => (await import("./portable.ts")).portable,
  scale: async () => (await import("./scale.ts")).scale,
  steps: async () => (await import("./steps.ts")).steps,
  summary: async () => (await import("./summary.ts")).summary,
  time: async () => (await import("./time.ts")).time,
  view: async () => (await import("./view.ts")).view,
};

const [name, ...options] = process.argv.slice(2);
const bench = benches[name ?? ""];
if (!bench) {
  console.error(`bench: there is no "${name ?? ""}"; there are ${Object.keys(benches).join(", ")}`);
  process.exit(2);
}
await (await bench())(options);
