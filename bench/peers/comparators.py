"""What scikit-learn and SciPy find on the same rows, for `bench comparators --python`: one JSON line each.

    python bench/peers/comparators.py DATA usps|mnist-test
"""

import gzip
import json
import sys
import time
from pathlib import Path

import numpy as np
import scipy
import sklearn
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.decomposition import NMF
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
from sklearn.mixture import GaussianMixture

root, name = Path(sys.argv[1]), sys.argv[2]


def read(folder, file):
    with gzip.open(root / folder / f"{file}.npy.gz") as stream:
        return np.load(stream)


if name == "usps":
    x = read("usps", "images_u16").reshape(-1, 256).astype(np.float32) / 1000 - 1
    truth = read("usps", "labels").astype(int)
else:
    x = read("mnist", "images")[60_000:].reshape(-1, 784).astype(np.float32) / 255
    truth = read("mnist", "labels")[60_000:].astype(int)

positive = x - x.min(0)
unit = positive / np.maximum(np.linalg.norm(positive, axis=1, keepdims=True), 1e-12)
# As njw: half of the median distance of the 7th nearest row.
some = np.random.default_rng(1).permutation(len(x))[:500]
far = np.sqrt(np.maximum((x[some] ** 2).sum(1)[:, None] + (x**2).sum(1) - 2 * x[some] @ x.T, 0))
sigma = 0.5 * np.median(np.sort(far, axis=1)[:, 7])

peers = {
    "scikit-learn/kmeans": lambda: KMeans(10, n_init=10, random_state=1).fit_predict(x),
    "scikit-learn/mixture": lambda: GaussianMixture(10, covariance_type="diag", random_state=1).fit_predict(x),
    "scikit-learn/nmf": lambda: KMeans(10, n_init=10, random_state=1).fit_predict(
        NMF(10, solver="mu", init="random", max_iter=500, random_state=1).fit_transform(unit)
    ),
    "scikit-learn/spectral": lambda: SpectralClustering(10, affinity="nearest_neighbors", random_state=1).fit_predict(x),
    "scikit-learn/njw": lambda: SpectralClustering(10, gamma=1 / (2 * sigma**2), random_state=1).fit_predict(x),
    "scipy/average": lambda: fcluster(linkage(x, "average"), 10, "maxclust"),
    "scipy/weighted": lambda: fcluster(linkage(x, "weighted"), 10, "maxclust"),
    "scipy/ward": lambda: fcluster(linkage(x, "ward"), 10, "maxclust"),
}


def accuracy(found):
    names = np.unique(found, return_inverse=True)[1]
    counts = np.zeros((names.max() + 1, truth.max() + 1))
    np.add.at(counts, (names, truth), 1)
    return counts[linear_sum_assignment(-counts)].sum() / len(truth)


for cell, run in peers.items():
    started = time.perf_counter()
    found = run()
    print(json.dumps({
        "cell": f"{name}/{cell}", "rows": len(x), "seed": 1,
        "accuracy": accuracy(found),
        "nmi": normalized_mutual_info_score(truth, found),
        "ari": adjusted_rand_score(truth, found),
        "seconds": round(time.perf_counter() - started, 1),
        "versions": {"scikit-learn": sklearn.__version__, "scipy": scipy.__version__},
        "command": f"python bench/peers/comparators.py DATA {name}",
    }, separators=(",", ":")), flush=True)
