"""Makes small labelled tables: those that come with scikit-learn, and generated ones of known shapes.

usage: python3 tables.py FOLDER
Writes FOLDER/NAME/features.npy.gz (float32 [n, d]) and labels.npy.gz (uint8 [n]) for each, as bench/data.ts reads them.
Made with scikit-learn 1.7 and numpy 2; every generator has a seed of its own, so that one more table changes no other.
"""

import gzip
import sys
import zlib
from pathlib import Path

import numpy as np
from sklearn import datasets

made = {}


def table(function):
    """Registers a generator under its name; it is given a random generator of its own."""
    name = function.__name__.replace("_", "-")
    made[name] = lambda: function(np.random.default_rng(zlib.crc32(name.encode())))
    return function


def normal(random, centers, sizes, widths):
    """Normal clusters: a width each (a number), or a matrix that turns and stretches."""
    rows, labels = [], []
    for label, (center, size, width) in enumerate(zip(centers, sizes, widths)):
        noise = random.normal(size=(size, len(center)))
        rows.append(np.asarray(center) + (noise @ width if np.ndim(width) == 2 else noise * width))
        labels += [label] * size
    return np.concatenate(rows), np.array(labels)


def apart(random, k, d, distance, spread=1.0):
    """k centers in d columns, no two of them nearer than this."""
    centers = []
    side = distance * k ** (1 / min(d, 3)) * spread
    while len(centers) < k:
        center = random.uniform(-side / 2, side / 2, size=d)
        if all(np.linalg.norm(center - other) >= distance for other in centers):
            centers.append(center)
        else:
            side *= 1.01
    return np.array(centers)


# Real ones.


@table
def iris(_):
    return datasets.load_iris(return_X_y=True)


@table
def wine(_):
    return datasets.load_wine(return_X_y=True)


@table
def breast_cancer(_):
    return datasets.load_breast_cancer(return_X_y=True)


@table
def digits(_):
    return datasets.load_digits(return_X_y=True)


# Forms that are not round.


@table
def moons(_):
    return datasets.make_moons(1000, noise=0.06, random_state=1)


@table
def rings(_):
    return datasets.make_circles(1000, factor=0.5, noise=0.05, random_state=1)


@table
def spirals(random):
    turn = np.sqrt(random.uniform(0.05, 1, size=1000)) * 3 * np.pi
    label = np.arange(1000) % 2
    angle = turn + np.pi * label
    rows = np.stack([turn * np.cos(angle), turn * np.sin(angle)], 1)
    return rows + random.normal(size=rows.shape) * 0.25, label


@table
def sheet(_):
    """A rolled sheet in four pieces with gaps between them."""
    rows, along = datasets.make_swiss_roll(2400, noise=0.3, random_state=2)
    share = np.argsort(np.argsort(along)) / len(along)
    keep = (share * 4) % 1 < 0.75
    return rows[keep], (share[keep] * 4).astype(int)


@table
def moons_in_ten(random):
    """Moons in two of ten columns' directions, turned: the other eight are thin."""
    rows, labels = datasets.make_moons(1500, noise=0.06, random_state=2)
    wide = np.concatenate([rows, random.normal(size=(1500, 8)) * 0.08], 1)
    return wide @ np.linalg.qr(random.normal(size=(10, 10)))[0], labels


# Round ones, and what may be unequal about them.


@table
def blobs(random):
    return normal(random, apart(random, 5, 4, 6), [200] * 5, [1] * 5)


@table
def unequal_sizes(random):
    return normal(random, apart(random, 4, 3, 6), [900, 250, 80, 30], [1] * 4)


@table
def unequal_widths(random):
    return normal(random, [[0, 0], [9, 0], [4, 7]], [400] * 3, [2.5, 0.5, 1])


@table
def long_thin(random):
    stretch = [np.array([[0.25, 0], [0, 4.0]])] * 3
    rows, labels = normal(random, [[0, 0], [2.2, 0], [4.4, 0]], [300] * 3, stretch)
    angle = 0.6
    return rows @ np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]), labels


@table
def crossed(random):
    """Long ones that lie in different directions of six columns."""
    widths = [np.diag(np.where(np.arange(6) // 2 == j, 3.0, 0.4)) for j in range(3)]
    return normal(random, apart(random, 3, 6, 4), [300] * 3, widths)


@table
def many(random):
    return normal(random, apart(random, 30, 5, 5), [60] * 30, [0.8] * 30)


@table
def fifty_columns(random):
    return normal(random, random.normal(size=(8, 50)) * 0.8, [150] * 8, [1] * 8)


@table
def noise_columns(random):
    rows, labels = normal(random, apart(random, 4, 4, 6), [250] * 4, [1] * 4)
    return np.concatenate([rows, random.normal(size=(1000, 16)) * 1.5], 1), labels


@table
def units(random):
    """Four clusters in columns of very different units."""
    rows, labels = normal(random, apart(random, 4, 6, 5), [200] * 4, [1] * 4)
    return rows * np.array([1, 1000, 0.01, 30, 5, 1e5]) + np.array([0, 1e4, 3, 0, 50, 0]), labels


@table
def overlapping(random):
    return normal(random, apart(random, 4, 5, 3), [400] * 4, [1] * 4)


@table
def small(random):
    return normal(random, apart(random, 3, 5, 6), [20] * 3, [1] * 3)


@table
def with_outliers(random):
    rows, labels = normal(random, apart(random, 4, 3, 7), [200] * 4, [1] * 4)
    far = random.choice(800, 25, replace=False)
    rows[far] += random.normal(size=(25, 3)) * 8
    return rows, labels


@table
def nested(random):
    """A dense cluster inside of a wide one, and one beside them."""
    return normal(random, [[0, 0, 0], [0, 0, 0], [9, 0, 0]], [300, 500, 300], [0.3, 2.5, 0.8])


# Rows that are not measurements of lengths.


@table
def topics(random):
    """Counts of 300 words, as tf-idf of length 1."""
    words = random.dirichlet(np.full(300, 0.08), size=6) * 0.45 + random.dirichlet(np.full(300, 0.3)) * 0.55
    labels = np.repeat(np.arange(6), 200)
    counts = np.array([random.multinomial(random.integers(40, 160), words[label]) for label in labels])
    weighted = counts * np.log((1 + len(counts)) / (1 + (counts > 0).sum(0)))
    return weighted / np.maximum(np.linalg.norm(weighted, axis=1, keepdims=True), 1e-9), labels


@table
def binary(random):
    """24 yes/no columns of five latent classes."""
    chance = np.where(random.uniform(size=(5, 24)) < 0.5, 0.15, 0.85)
    labels = np.repeat(np.arange(5), 200)
    return (random.uniform(size=(1000, 24)) < chance[labels]).astype(float), labels


@table
def skewed(random):
    """Amounts: normal clusters behind an exponential, as prices and durations are."""
    rows, labels = normal(random, apart(random, 4, 4, 6), [250] * 4, [1] * 4)
    return np.exp(rows / 3) * np.array([1, 20, 1, 300]), labels


@table
def mixed(random):
    """Measurements beside one-hot categories and a yes/no column."""
    rows, labels = normal(random, apart(random, 3, 4, 4), [300] * 3, [1] * 3)
    kind = np.where(random.uniform(size=900) < 0.8, labels, random.integers(0, 3, 900))
    yes = random.uniform(size=900) < np.array([0.2, 0.5, 0.9])[labels]
    return np.concatenate([rows * [10, 1, 1, 100], np.eye(3)[kind], yes[:, None]], 1), labels


folder = Path(sys.argv[1])
for name, make in made.items():
    rows, labels = make()
    order = np.random.default_rng(1).permutation(len(rows))
    (folder / name).mkdir(parents=True, exist_ok=True)
    arrays = {"features": rows[order].astype(np.float32), "labels": np.asarray(labels)[order].astype(np.uint8)}
    for part, array in arrays.items():
        with gzip.GzipFile(folder / name / f"{part}.npy.gz", "wb", mtime=0) as file:
            np.save(file, array)
    print(f"{name}: {rows.shape[0]} x {rows.shape[1]}, {len(set(labels))} classes")
