"""One cell of `bench peers`: a method of another package on one data set, with one seed.

usage: python3 peers.py DATA METHOD SEED --data FOLDER [--tables FOLDER]
Prints one JSON line: scores against labels that no method sees, seconds of the fit (imports and reading not counted),
the peak memory of the whole process, and versions. On processors, with as many threads as OMP_NUM_THREADS says;
ClustPy on a GPU where CUDA_VISIBLE_DEVICES leaves one to be seen.
Packages as in requirements.txt. `METHOD+` is the method on columns less their mean, divided by their deviation.
"""

import argparse
import contextlib
import gzip
import importlib.metadata
import importlib.util
import json
import os
import resource
import sys
import time
from pathlib import Path
from unittest.mock import MagicMock

import numpy as np

# folder, file, numbers as the methods of this project see them, and which rows: as in bench/data.ts.
sources = {
    "mnist-test": ("mnist", "images", lambda rows: rows / 255, slice(60_000, 70_000)),
    "usps": ("usps", "images_u16", lambda rows: rows / 1000 - 1, slice(None)),
    "har": ("har", "features", lambda rows: rows, slice(None)),
    "20news": ("20news", "features", lambda rows: rows, slice(None)),
    "reuters10k": ("reuters10k", "features", lambda rows: rows, slice(None)),
}


def read(folder, name):
    with gzip.open(folder / f"{name}.npy.gz") as file:
        return np.load(file)


def load(name, data, tables):
    """Rows [n, d] and labels of a data set, or of a table that tables.py made."""
    if name not in sources:
        return read(tables / name, "features"), read(tables / name, "labels")
    folder, file, scaled, part = sources[name]
    rows = scaled(read(data / folder, file)[part].astype(np.float32))
    return rows.reshape(len(rows), -1), read(data / folder, "labels")[part]


def standardized(rows):
    deviation = rows.std(0)
    return ((rows - rows.mean(0)) / np.where(deviation > 0, deviation, 1)).astype(np.float32)


# scikit-learn and faiss: ten starts of k-means each; all else as they come, but for the graph of neighbours, since
# spectral clustering by default compares all pairs with one width.


def kmeans(rows, k, seed):
    from sklearn.cluster import KMeans

    return lambda: KMeans(k, n_init=10, random_state=seed).fit_predict(rows)


def minibatch_kmeans(rows, k, seed):
    from sklearn.cluster import MiniBatchKMeans

    return lambda: MiniBatchKMeans(k, n_init=10, random_state=seed).fit_predict(rows)


def mixture(rows, k, seed):
    from sklearn.mixture import GaussianMixture

    return lambda: GaussianMixture(k, random_state=seed).fit_predict(rows)


def hdbscan(rows, _, __):
    from sklearn.cluster import HDBSCAN

    return lambda: HDBSCAN(copy=True).fit_predict(rows)


def spectral(rows, k, seed):
    from sklearn.cluster import SpectralClustering

    return lambda: SpectralClustering(k, affinity="nearest_neighbors", random_state=seed).fit_predict(rows)


def faiss_kmeans(rows, k, seed):
    import faiss

    def fit():
        found = faiss.Kmeans(
            rows.shape[1], k, niter=100, nredo=10, seed=seed,
            min_points_per_centroid=1, max_points_per_centroid=len(rows),
        )  # fmt: skip
        found.train(rows)
        return found.index.search(rows, 1)[1][:, 0]

    return fit


def n2d(rows, k, seed):
    """Autoencoder 500-500-2000-k, UMAP of its codes in k dimensions, a mixture there: McConville et al., 2020.

    The autoencoder has 100 epochs, as ClustPy's have, where the publication has 1000.
    """
    import torch
    import umap
    from sklearn.mixture import GaussianMixture

    def fit():
        codes = autoencoder_codes(torch, rows, [rows.shape[1], 500, 500, 2000, k], 100, seed)
        layout = umap.UMAP(n_neighbors=20, min_dist=0, n_components=k, random_state=seed)
        return GaussianMixture(k, random_state=seed).fit_predict(layout.fit_transform(codes))

    return fit


def autoencoder_codes(torch, rows, sizes, epochs, seed):
    torch.manual_seed(seed)

    def stack(sizes):
        layers = [[torch.nn.Linear(a, b), torch.nn.ReLU()] for a, b in zip(sizes, sizes[1:])]
        return torch.nn.Sequential(*sum(layers, [])[:-1])

    encoder, decoder = stack(sizes), stack(sizes[::-1])
    optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()])
    x = torch.from_numpy(np.ascontiguousarray(rows, dtype=np.float32))
    for _ in range(epochs):
        for batch in torch.randperm(len(x)).split(256):
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(decoder(encoder(x[batch])), x[batch]).backward()
            optimizer.step()
    with torch.no_grad():
        return encoder(x).numpy()


def clustpy(kind, unit=False):
    """ClustPy's own, with its own defaults: 100 epochs of pretraining, 150 of clustering."""

    def method(rows, k, seed):
        import sklearn.mixture
        import torch
        import torchvision  # noqa: F401, before anything stands in for what it looks for

        # ClustPy imports these for plots and downloads, of which there are none here: where they are missing, something
        # that does nothing stands in for them while it is imported.
        wanted = {"pandas": [], "matplotlib": [".pyplot", ".lines", ".patches", ".colors"]}
        missing = [name for name in wanted if importlib.util.find_spec(name) is None]
        absent = [name + part for name in missing for part in ["", *wanted[name]]]
        sys.modules |= {name: MagicMock() for name in absent}
        import clustpy.deep

        for name in absent:
            del sys.modules[name]
        # VaDE's own loss takes numbers from 0 to 1.
        x = (rows - rows.min()) / (rows.max() - rows.min()) if unit else rows
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        found = getattr(clustpy.deep, kind)(k, random_state=seed, device=device)
        return lambda: found.fit(x.astype(np.float32)).labels_

    return method


methods = {
    "kmeans": kmeans,
    "minibatch-kmeans": minibatch_kmeans,
    "mixture": mixture,
    "hdbscan": hdbscan,
    "spectral": spectral,
    "faiss": faiss_kmeans,
    "n2d": n2d,
    "dec": clustpy("DEC"),
    "idec": clustpy("IDEC"),
    "dcn": clustpy("DCN"),
    "dkm": clustpy("DKM"),
    "vade": clustpy("VaDE", unit=True),
}


def accuracy(truth, found):
    """The share of rows with the right label when clusters are given to classes in the best way."""
    from scipy.optimize import linear_sum_assignment
    from sklearn.metrics.cluster import contingency_matrix

    table = contingency_matrix(truth, found)
    return table[linear_sum_assignment(table, maximize=True)].sum() / len(truth)


def main():
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument("name")
    arguments.add_argument("method")
    arguments.add_argument("seed", type=int)
    arguments.add_argument("--data", type=Path, default=Path("."))
    arguments.add_argument("--tables", type=Path, default=Path("."))
    said = arguments.parse_args()

    rows, truth = load(said.name, said.data, said.tables)
    if said.method.endswith("+"):
        rows = standardized(rows)
    # What the packages say on the way is for people.
    with contextlib.redirect_stdout(sys.stderr):
        fit = methods[said.method.rstrip("+")](np.ascontiguousarray(rows), len(np.unique(truth)), said.seed)
        started = time.perf_counter()
        found = fit()
        seconds = time.perf_counter() - started
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

    packages = ["numpy", "scikit-learn", "faiss-cpu", "umap-learn", "torch", "clustpy"]
    loaded = {"numpy": "numpy", "scikit-learn": "sklearn", "faiss-cpu": "faiss", "umap-learn": "umap"}
    line = {
        "scores": {
            "accuracy": accuracy(truth, found),
            "nmi": normalized_mutual_info_score(truth, found),
            "ari": adjusted_rand_score(truth, found),
        },
        "clusters": len(set(found.tolist()) - {-1}),
        "seconds": round(seconds, 2),
        "peakMegabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "versions": {
            package: importlib.metadata.version(package)
            for package in packages
            if loaded.get(package, package) in sys.modules
        },
        "threads": int(os.environ.get("OMP_NUM_THREADS", os.cpu_count())),
    }
    torch = sys.modules.get("torch")
    if torch and torch.cuda.is_initialized():
        line["accelerator"] = torch.cuda.get_device_name()
    print(json.dumps(line))


if __name__ == "__main__":
    main()
