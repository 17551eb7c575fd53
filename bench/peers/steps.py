"""A step of `telltale export --target step` on several workers, by its manifest alone (docs/scale.md): in turn in this
process, or on actors of Ray. flower/ has the same on Flower.

usage: python steps.py here|ray MANIFEST ROWS.npy WORKERS LOCAL SEED OUT
"""
import json
import sys
import time
from pathlib import Path

import numpy as np
import onnxruntime
from safetensors.numpy import load_file, save_file


class Step:
    """The programs of a manifest, and how states are merged."""

    def __init__(self, path):
        self.manifest = json.loads(Path(path).read_text())
        self.beside = Path(path).parent
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        opened = lambda file: onnxruntime.InferenceSession(
            self.beside / file, options, providers=["CPUExecutionProvider"]
        )
        self.models = {name: opened(program["file"]) for name, program in self.manifest["programs"].items()}

    def first(self):
        return load_file(self.beside / self.manifest["state"]["file"])

    def run(self, name, state, fed={}):
        program, model = self.manifest["programs"][name], self.models[name]
        given = {**state, **fed}
        results = dict(
            zip([each.name for each in model.get_outputs()],
                model.run(None, {each.name: given[each.name] for each in model.get_inputs()}))
        )
        return {**state, **{each: np.asarray(results[after]) for each, after in program["updates"].items()}}

    def step(self, name, state, x, scalars, random):
        """On some rows; what is random is drawn."""
        fed = {}
        for each in self.manifest["programs"][name]["inputs"]:
            shape = [len(x) if size == "n" else size for size in each["shape"]]
            make = {
                "rows": lambda: x,
                "scalar": lambda: scalars[each["name"]],
                "uniform": lambda: random.random(shape, np.float32),
                "normal": lambda: random.standard_normal(shape, np.float32),
            }
            fed[each["name"]] = np.asarray(make[each["from"]](), np.float32)
        return self.run(name, state, fed)

    def merged(self, before, states):
        rules = {
            "average": lambda name: np.mean([state[name] for state in states], axis=0, dtype=np.float64),
            "sum": lambda name: before[name] + sum(state[name].astype(np.float64) - before[name] for state in states),
            "take": lambda name: states[0][name],
        }
        tensors = self.manifest["state"]["tensors"]
        return {
            name: np.asarray(rules[each["merge"]](name), before[name].dtype)
            for each in tensors for name in [each["name"]]
        }


class Worker:
    """Some of the rows, and the steps on them."""

    def __init__(self, manifest, rows, worker, workers, seed):
        self.step, self.worker, self.seed = Step(manifest), worker, seed
        row = self.step.manifest["row"]
        self.rows = np.load(rows, mmap_mode="r")[worker::workers].reshape(-1, *row).astype(np.float32)

    def steps(self, state, epoch, begin, count):
        """So many steps of an epoch, from one on, in an order that is drawn anew for every epoch."""
        batch = self.step.manifest["batch"]
        epochs = self.step.manifest["epochs"]
        told = epochs[min(epoch, len(epochs) - 1)]
        order = np.random.default_rng([self.seed, self.worker, epoch]).permutation(len(self.rows))
        random = np.random.default_rng([self.seed, self.worker, epoch, begin])
        for at in range(begin, begin + count):
            rows = order[at * batch : (at + 1) * batch]
            if len(rows) > 0:
                state = self.step.step(told["program"], state, self.rows[rows], told["scalars"], random)
        return state


def train(step, count, workers, local, steps_of_all):
    """Local steps and merges in turn; `steps_of_all` asks every worker, and gives their states."""
    in_epoch = -(-(-(-count // workers)) // step.manifest["batch"])
    state, merges, began = step.first(), 0, (time.perf_counter(), time.process_time())
    for epoch in range(len(step.manifest["epochs"])):
        for begin in range(0, in_epoch, local):
            states = steps_of_all(state, epoch, begin, min(local, in_epoch - begin))
            state, merges = step.merged(state, states), merges + 1
        state = step.run("end", state)
    told = {"merges": merges, "stepsOfEach": in_epoch * len(step.manifest["epochs"])}
    spent = [clock() - then for clock, then in zip([time.perf_counter, time.process_time], began)]
    return state, {**told, "secondsOfSteps": spent[0], "processorSeconds": spent[1]}


def here(*of_all, workers):
    each = [Worker(*of_all[:2], i, workers, of_all[2]) for i in range(workers)]
    return lambda *asked: [worker.steps(*asked) for worker in each]


def on_ray(*of_all, workers):
    import ray

    ray.init(num_cpus=workers, include_dashboard=False, logging_level="error")
    actor = ray.remote(num_cpus=1)(Worker)
    each = [actor.remote(*of_all[:2], i, workers, of_all[2]) for i in range(workers)]

    def steps_of_all(state, *asked):
        kept = ray.put(state)
        return ray.get([worker.steps.remote(kept, *asked) for worker in each])

    return steps_of_all


def main(engine, manifest, rows, workers, local, seed, out):
    manifest, rows, workers = str(Path(manifest).resolve()), str(Path(rows).resolve()), int(workers)
    steps_of_all = {"here": here, "ray": on_ray}[engine](manifest, rows, int(seed), workers=workers)
    state, told = train(Step(manifest), len(np.load(rows, mmap_mode="r")), workers, int(local), steps_of_all)
    save_file(state, out)
    print(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
