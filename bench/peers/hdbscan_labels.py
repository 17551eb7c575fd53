"""Divides a real table by HDBSCAN and writes both, for Telltale to learn: what is noise has no label.

usage: python3 hdbscan_labels.py FOLDER      (writes FOLDER/flowers.csv and FOLDER/labels.csv)
"""

import sys
from pathlib import Path

import numpy as np
import sklearn
from sklearn.cluster import HDBSCAN
from sklearn.datasets import load_iris

folder = Path(sys.argv[1])
rows, names = load_iris(return_X_y=False)["data"], ["sepal_length", "sepal_width", "petal_length", "petal_width"]
labels = HDBSCAN(min_cluster_size=10, copy=True).fit_predict(rows)
ids = [f"flower-{i}" for i in range(len(rows))]
lines = [",".join([i, *map(str, row)]) for i, row in zip(ids, rows.tolist())]
(folder / "flowers.csv").write_text("\n".join([",".join(["id", *names]), *lines]) + "\n")
said = [f"{i},{f'group {label}' if label >= 0 else ''}" for i, label in zip(ids, labels)]
(folder / "labels.csv").write_text("\n".join(["id,label", *said]) + "\n")
print(f"scikit-learn {sklearn.__version__}, numpy {np.__version__}: {labels.max() + 1} clusters, {(labels < 0).sum()} of noise")
