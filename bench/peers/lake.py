"""What bench/lake.ts needs of Python: rows as Parquet files, bare ONNX Runtime, and labels compared.

usage: python lake.py rows SOURCE.csv FOLDER ROWS FILES
       python lake.py bare PROGRAM.py FOLDER CORES       prints rows a second of all cores together, for each size of
                                                         batch, as JSON
       python lake.py timed PROGRAM …                    runs a program; prints its seconds, and those of processors that
                                                         it and all that it starts have taken, as JSON (Linux)
       python lake.py same 'FOUND' 'WANTED' KEY          prints what agrees, as JSON
       python lake.py versions
"""
import importlib.metadata
import json
import multiprocessing
import os
import subprocess
import sys
import time
import uuid
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.dataset
import pyarrow.parquet


def rows(source, folder, count, files):
    """The rows again and again, each number by up to a hundredth another; keys are counted."""
    table = pyarrow.csv.read_csv(source)
    random = np.random.default_rng(1)
    Path(folder).mkdir()
    for i, part in enumerate(np.array_split(np.arange(int(count)), int(files))):
        chosen = table.take(pa.array(part % len(table)))
        for at, name in enumerate(chosen.column_names):
            if pa.types.is_floating(chosen.schema.field(name).type):
                moved = chosen[name].to_numpy() * (1 + random.uniform(-0.01, 0.01, len(part)))
                chosen = chosen.set_column(at, name, pa.array(moved))
        chosen = chosen.set_column(0, chosen.column_names[0], pa.array([f"row-{key}" for key in part]))
        pyarrow.parquet.write_table(chosen, f"{folder}/{i:02}.parquet", row_group_size=65536)


# How many rows at a time bare ONNX Runtime has: the fastest is what engines are compared with.
SIZES = [1024, 4096, 65536]


def bare(program, folder, cores):
    """The model of a program, and the numbers that it makes of rows, made beforehand: nothing but ONNX Runtime."""
    print(json.dumps([{"rowsAtATime": size, **bare_by(size, program, folder, cores)} for size in SIZES]))


def bare_by(size, program, folder, cores):
    ready, go = multiprocessing.Semaphore(0), multiprocessing.Event()
    files = sorted(map(str, Path(folder).glob("*.parquet")))
    parts = [files[i :: int(cores)] for i in range(int(cores))]
    answers = multiprocessing.Queue()
    workers = [multiprocessing.Process(target=run, args=(program, part, size, ready, go, answers)) for part in parts]
    for worker in workers:
        worker.start()
    for _ in workers:
        while not ready.acquire(timeout=1):
            if any(worker.exitcode for worker in workers):
                sys.exit(1)
    began = time.perf_counter()
    go.set()
    found = [answers.get() for _ in workers]
    seconds = time.perf_counter() - began
    for worker in workers:
        worker.join()
    count = sum(count for count, _ in found)
    return {"rate": count / seconds, "ratePerProcessorSecond": count / sum(used for _, used in found)}


def run(program, files, size, ready, go, answers):
    # All of the program but its last lines, which run it on an engine.
    text = Path(program).read_text().split("\nsource, out = ")[0]
    names = {"__file__": program, "__name__": "bare"}
    exec(compile(text, program, "exec"), names)
    model = names["Assign"]().model
    table = pa.concat_tables([pyarrow.parquet.read_table(file) for file in files])
    batches = [names["numbers"](table.slice(at, size)) for at in range(0, len(table), size)]
    (only,) = [each.name for each in model.get_inputs()]
    model.run(["label", "probabilities"], {only: batches[0]})
    ready.release()
    go.wait()
    began = time.process_time()
    for batch in batches:
        model.run(["label", "probabilities"], {only: batch})
    answers.put((len(table), time.process_time() - began))


def timed(*words):
    """Engines leave processes behind that are nobody's children: ours are known by a word in their environment."""
    mark = f"lake-{uuid.uuid4()}"
    began, tick = time.perf_counter(), os.sysconf("SC_CLK_TCK")
    program = subprocess.Popen(words, env={**os.environ, "LAKE_MARK": mark}, stdout=subprocess.DEVNULL)
    used, ours, code = {}, {}, None
    while code is None:
        time.sleep(0.1)
        code = program.poll()
        for process in Path("/proc").glob("[0-9]*"):
            try:
                ours[process] = ours.get(process) or mark.encode() in (process / "environ").read_bytes()
                if ours[process]:
                    # The fields behind the name, which may have spaces: user and system, in ticks.
                    fields = (process / "stat").read_text().rpartition(")")[2].split()
                    used[process] = (int(fields[11]) + int(fields[12])) / tick
            except OSError:
                pass
    if code:
        sys.exit(code)
    print(json.dumps({"seconds": time.perf_counter() - began, "processorSeconds": sum(used.values())}))


def same(found, wanted, key):
    def read(place, columns):
        source = pyarrow.dataset.dataset(place, format="parquet", exclude_invalid_files=os.path.isdir(place))
        return source.to_table(columns=columns).sort_by(key)

    ours, theirs = (read(place, [key, "cluster", "confidence"]) for place in (wanted, found))
    if not ours[key].equals(theirs[key]):
        sys.exit(f"{found}: has other rows than {wanted}: {len(theirs)}, not {len(ours)}")
    labels = pc.sum(pc.equal(ours["cluster"].cast(pa.int64()), theirs["cluster"])).as_py()
    apart = pc.max(pc.abs(pc.subtract(ours["confidence"].cast(pa.float64()), theirs["confidence"].cast(pa.float64()))))
    clusters = len(pc.unique(theirs["cluster"]))
    print(json.dumps({"rows": len(ours), "sameLabels": labels, "confidencesApart": apart.as_py(), "clusters": clusters}))


def versions():
    names = ["pyspark", "ray", "duckdb", "onnxruntime", "pyarrow", "numpy"]
    print(json.dumps({"python": sys.version.split()[0], **{name: importlib.metadata.version(name) for name in names}}))


if __name__ == "__main__":
    {"rows": rows, "bare": bare, "timed": timed, "same": same, "versions": versions}[sys.argv[1]](*sys.argv[2:])
