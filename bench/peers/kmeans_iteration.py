"""One iteration of k-means at a time, by scikit-learn and by faiss, for bench/kmeansIteration.ts.

usage: python3 kmeans_iteration.py ROWS.npy CENTERS.npy
For each line on stdin one iteration of each from where it is, and a line of JSON: milliseconds, by the clock. The rows
are read and centered before. faiss iterates only inside of a training: three iterations less one, halved.
"""

import json
import os
import sys
import time

import faiss
import numpy as np
import sklearn
from sklearn.cluster._k_means_lloyd import lloyd_iter_chunked_dense

rows, start = np.load(sys.argv[1]), np.load(sys.argv[2])
threads = int(os.environ.get("OMP_NUM_THREADS", os.cpu_count()))
mean = rows.mean(0)
rows -= mean
(n, d), k = rows.shape, len(start)
centers, following = start - mean, np.zeros_like(start)
weights, sizes = np.ones(n, np.float32), np.zeros(k, np.float32)
labels, shift = np.full(n, -1, np.int32), np.zeros(k, np.float32)


def by_sklearn():
    global centers, following
    started = time.perf_counter()
    lloyd_iter_chunked_dense(rows, weights, centers, following, sizes, labels, shift, threads, update_centers=True)
    centers, following = following, centers
    return time.perf_counter() - started


def by_faiss():
    def iterations(count):
        found = faiss.Kmeans(d, k, niter=count, max_points_per_centroid=n)
        started = time.perf_counter()
        found.train(rows, init_centroids=centers)
        return time.perf_counter() - started

    return (iterations(3) - iterations(1)) / 2


by_faiss()
print(json.dumps({"scikit-learn": sklearn.__version__, "faiss": faiss.__version__, "threads": threads}), flush=True)
for _ in sys.stdin:
    print(json.dumps({"scikit-learn": 1000 * by_sklearn(), "faiss": 1000 * by_faiss()}), flush=True)
