"""Codes laid out by umap-learn and divided by k-means, one data set and seed at a time, for bench/manifold.ts.

usage: python3 manifold.py
For each line on stdin, {"rows": CODES.npy, "clusters": k, "seed": s}, a line of JSON: the labels, and the seconds of
layout and k-means. With a seed, umap-learn works on one processor; so does all of this. What numba has to compile is
compiled before, on rows that are not measured.
"""

import json
import sys
import time

import numpy as np
import umap
from sklearn.cluster import KMeans


def divided(rows, k, seed):
    layout = umap.UMAP(n_neighbors=20, min_dist=0, n_components=min(16, max(2, k)), random_state=seed, n_jobs=1)
    return KMeans(k, n_init=10, random_state=seed).fit_predict(layout.fit_transform(rows))


# More than 4096 rows, from which on umap-learn searches for neighbours in another way.
divided(np.random.default_rng(1).normal(size=(4200, 10)).astype(np.float32), 3, 1)
print(json.dumps({"umap-learn": umap.__version__}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    rows = np.load(asked["rows"])
    started = time.perf_counter()
    labels = divided(rows, asked["clusters"], asked["seed"])
    print(json.dumps({"labels": labels.tolist(), "seconds": time.perf_counter() - started}), flush=True)
