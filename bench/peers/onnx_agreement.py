"""Runs model.onnx with Python's onnxruntime and compares it with what Telltale said about the same rows.

usage: python3 onnx_agreement.py MODEL.onnx FOLDER      (FOLDER holds x.npy, labels.npy, probabilities.npy)
Prints one line of JSON.
"""

import json
import sys

import numpy as np
import onnxruntime

model, folder = sys.argv[1:]
session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
x, labels, probabilities = (np.load(f"{folder}/{name}.npy") for name in ("x", "labels", "probabilities"))

# Batches of another size than Telltale's, and some rows alone: neither may change a label.
batches = [x[i : i + 100] for i in range(0, len(x), 100)]
results = [session.run(["label", "probabilities", "distances", "z"], {"x": batch}) for batch in batches]
theirs = np.concatenate([label for label, *_ in results])
difference = np.abs(np.concatenate([p for _, p, *_ in results]) - probabilities).max()
alone = [session.run(["label"], {"x": x[i : i + 1]})[0][0] for i in range(0, len(x), 97)]

print(
    json.dumps(
        {
            "rows": len(x),
            "inputs": {i.name: [i.type, i.shape] for i in session.get_inputs()},
            "outputs": {o.name: [o.type, o.shape] for o in session.get_outputs()},
            "differentLabels": int((theirs != labels).sum()),
            "differentAlone": int((np.array(alone) != labels[::97]).sum()),
            "largestDifferenceOfProbabilities": float(difference),
            "onnxruntime": onnxruntime.__version__,
        }
    )
)
