/** Queries that do more than read the rows they name, said by a person or stored in a run. */

import { type Kind, memory, out, quickly } from "./kind.ts";
import { mutated, pick } from "./mutations.ts";
import { normalized } from "./samples.ts";

/** What a query may say that does more than read the rows it names. */
export const queries = [
  "select * from enable_logging(storage = 'file', storage_path = '@/../outside/log')",
  "select 1 a from enable_logging('QueryLog', storage = 'file', storage_config = {'path': '@/../outside/log'})",
  "select * from enable_profiling()",
  "select * from disable_logging()",
  "select write_log('owned', level := 'error') a",
  "select * from truncate_duckdb_logs()",
  "select * from checkpoint()",
  "select * from force_checkpoint()",
  "select * from query('copy (select 1) to ''@/../outside/owned.csv''')",
  "select * from json_execute_serialized_sql(json_serialize_sql('select 1 a'))",
  "copy (select 1 a) to '@/../outside/owned.csv'",
  "attach '@/../outside/owned.db' as o",
  "export database '@/../outside/owned'",
  "install httpfs",
  "load '@/rows.csv'",
  "set enable_external_access = true",
  "set temp_directory = '@/../outside/temporary'",
  "pragma enable_profiling = 'json'",
  "select * from pragma_version()",
  "select * from read_text('@/../outside/secret.csv')",
  "select * from read_blob('@/../outside/*')",
  "select length(content) a from read_text('/dev/null')",
  "select * from read_csv('/dev/zero')",
  "select * from glob('@/../**')",
  "select * from 'https://example.com/a.parquet'",
  "select * from read_parquet('s3://bucket/a.parquet')",
  "select * from sqlite_scan('@/rows.csv', 'x')",
  "select getenv('HOME') h, 1 a",
  "with recursive t(a) as (select 1 union all select a + 1 from t where a < 20000) select * from t",
  "select 1 a where error('owned')",
  "select * from duckdb_secrets()",
  "select * from test_all_types()",
  "select * from test_vector_types(null::int)",
  "select * from sniff_csv('@/rows.csv')",
  "select 1 a; copy (select 1) to '@/../outside/owned.csv'",
  "select 1 a) ; copy (select 1) to '@/../outside/owned.csv' --",
  "call enable_logging()",
  "explain analyze select 1",
  "describe select 1",
  "select a from '@/rows.csv' order by random()",
  "from '@/rows.csv'",
  "from '@/rows.csv' select * exclude (id)",
  "pivot '@/rows.csv' on a",
  "values (1, 2), (3, 4)",
];
const tokens = [
  "select",
  "from",
  "'@/rows.csv'",
  "a",
  "b",
  "*",
  "(",
  ")",
  ",",
  "1",
  "'",
  '"',
  ";",
  "--",
  "/*",
  "where",
  "union all",
  "::int",
  "[1]",
  "{'x':1}",
  "x -> x",
  "lateral",
  "$1",
  "?",
];

export const ofQueries: Kind = async ({ random, samples }) => {
  const way = random.below(4);
  const base = pick(random, queries);
  const query =
    way < 2
      ? base
      : way === 2
        ? mutated(Buffer.from(base), random).bytes.toString("latin1").slice(0, 5000).replaceAll("\0", "")
        : Array.from({ length: 1 + random.below(20) }, () => pick(random, tokens)).join(" ");
  // How long a query of one's own computes is one's own affair; Ctrl-C ends it.
  const around = way === 2 && /recursive|range/.test(query) ? { around: { interruptAfter: 5000 } } : {};
  const isStored = random.below(2) === 0;
  if (!isStored) {
    const words = ["fit", "--sql", query, ...quickly, "--out", "@/out", "--memory", `${memory}`];
    return {
      what: `a query: ${query.slice(0, 100)}`,
      samples: ["rows.csv"],
      files: {},
      words,
      writes: [out],
      ...around,
    };
  }
  const description = JSON.parse(Buffer.from(await normalized(samples, "run/run.json")).toString());
  description.source.options.sql = query;
  const uses = {
    explain: ["explain", "@/run", "--row", "1"],
    compare: ["compare", "@/run", "@/run"],
    eval: ["eval", "@/run"],
    resume: ["fit", "--resume", "@/run"],
  };
  const use = pick(random, Object.keys(uses) as (keyof typeof uses)[]);
  // One that is not at its end asks for its rows again.
  if (use === "resume") Object.assign(description, { status: "training", result: undefined });
  return {
    what: `a stored query: ${query.slice(0, 100)}`,
    samples: ["run", "rows.csv"],
    files: { "run/run.json": JSON.stringify(description, null, 2) },
    words: [...uses[use], ...(random.below(2) ? ["--run-stored-sql"] : [])],
    writes: use === "resume" ? [{ path: "run", replaces: true }] : [],
    ...around,
  };
};
