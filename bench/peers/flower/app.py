"""Steps on nodes of Flower: what is merged, and how, is the manifest's, and so the averaging is ours and not a strategy
of Flower's. bench/steps.ts starts all of it; steps.py is found beside this file.
"""
import json
import time

import numpy as np
from flwr.app import Array, ArrayRecord, ConfigRecord, Context, Message, MessageType, RecordDict
from flwr.clientapp import ClientApp
from flwr.serverapp import Grid, ServerApp
from safetensors.numpy import save_file

from steps import Step, Worker, train

app = ClientApp()
server = ServerApp()


def arrays(state):
    return ArrayRecord({name: Array(value) for name, value in state.items()})


def state_of(record):
    return {name: value.numpy() for name, value in record.items()}


@app.train()
def steps(message: Message, context: Context) -> Message:
    asked = message.content["asked"]
    # Flower answers each message by a process of its own.
    own = [int(context.node_config[key]) for key in ("worker", "workers")]
    worker = Worker(asked["manifest"], asked["rows"], *own, asked["seed"])
    state = worker.steps(state_of(message.content["state"]), asked["epoch"], asked["begin"], asked["count"])
    return Message(RecordDict({"state": arrays(state)}), reply_to=message)


@server.main()
def main(grid: Grid, context: Context) -> None:
    told = context.run_config
    while len(nodes := sorted(grid.get_node_ids())) < told["workers"]:
        time.sleep(0.2)
    same = {key: told[key] for key in ("manifest", "rows", "seed")}

    def steps_of_all(state, epoch, begin, count):
        content = {"state": arrays(state), "asked": ConfigRecord({**same, "epoch": epoch, "begin": begin, "count": count})}
        asked = [Message(RecordDict(content), message_type=MessageType.TRAIN, dst_node_id=node) for node in nodes]
        replies = list(grid.send_and_receive(asked))
        failed = [reply.error for reply in replies if reply.has_error()]
        if failed or len(replies) < len(nodes):
            raise RuntimeError(f"nodes have failed: {failed}")
        return [state_of(reply.content["state"]) for reply in replies]

    count = len(np.load(told["rows"], mmap_mode="r"))
    state, result = train(Step(told["manifest"]), count, len(nodes), told["local"], steps_of_all)
    save_file(state, told["out"])
    print(json.dumps(result), flush=True)
