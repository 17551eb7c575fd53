/** Engines over Parquet files, each with the lines in which their programs differ. */

interface Engine {
  readonly title: string;
  /** What starts a program. */
  readonly start: string;
  readonly imports: string;
  readonly lines: string;
}

export const lakeEngines = {
  spark: {
    title: "Spark",
    start: "spark-submit",
    imports: `from pyspark.sql import SparkSession
from pyspark.sql.types import FloatType, LongType, StringType, StructField, StructType`,
    lines: `
source, out = sys.argv[1:]
rows = SparkSession.builder.getOrCreate().read.parquet(source)
added = {"cluster": LongType(), "cluster_name": StringType(), "confidence": FloatType()}
schema = StructType([*rows.schema.fields, *(StructField(name, kind) for name, kind in added.items())])
rows.mapInArrow(lambda batches: map(Assign(), batches), schema).write.parquet(out)
`,
  },
  ray: {
    title: "Ray",
    start: "python",
    imports: "import ray",
    lines: `
source, out = sys.argv[1:]
ray.init()
# One for each processor, of which it books a half: those that read and write must find room beside them.
workers = ray.data.ActorPoolStrategy(size=int(ray.cluster_resources()["CPU"]))
half = {"num_cpus": 0.5, "compute": workers}
rows = ray.data.read_parquet(source).map_batches(Assign, batch_format="pyarrow", batch_size=65536, **half)
rows.write_parquet(out)
`,
  },
  duckdb: {
    title: "DuckDB",
    start: "python",
    imports: "import duckdb",
    lines: `
source, out = sys.argv[1:]
batches = duckdb.connect().read_parquet(source).to_arrow_reader(65536)
added = {"cluster": pa.int64(), "cluster_name": pa.string(), "confidence": pa.float32()}
schema = pa.schema([*batches.schema, *added.items()])
assigned = pa.RecordBatchReader.from_batches(schema, map(Assign(), batches))
duckdb.connect().from_arrow(assigned).write_parquet(out)
`,
  },
} satisfies Record<string, Engine>;

export type LakeEngine = keyof typeof lakeEngines;
