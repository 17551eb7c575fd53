/** One file per question about speed or accuracy.  usage: npm run -s bench -- NAME [options] */

import { accuracy } from "./accuracy.ts";
import { demo } from "./demo.ts";
import { engine } from "./engine.ts";
import { kill } from "./kill.ts";
import { online } from "./online.ts";
import { portable } from "./portable.ts";
import { scale } from "./scale.ts";
import { summary } from "./summary.ts";

const benches: Record<string, (options: readonly string[]) => Promise<void>> = {
  accuracy,
  demo,
  engine,
  kill,
  online,
  portable,
  scale,
  summary,
};

const [name, ...options] = process.argv.slice(2);
const bench = benches[name ?? ""];
if (!bench) {
  console.error(`bench: there is no "${name ?? ""}"; there are ${Object.keys(benches).join(", ")}`);
  process.exit(2);
}
await bench(options);
