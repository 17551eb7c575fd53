"""Makes small labelled tables: those that come with scikit-learn, and generated ones of known shapes.

usage: python3 tables.py FOLDER [fresh]
With `fresh` other tables: those that were made after the rule of docs/choice.md was found, to see whether it holds.
Writes FOLDER/NAME/features.npy.gz (float32 [n, d]) and labels.npy.gz (uint8 [n]) for each, as bench/data.ts reads them.
Made with scikit-learn 1.7 and numpy 2; every generator has a seed of its own, so that one more table changes no other.
"""

import gzip
import sys
import zlib
from pathlib import Path

import numpy as np
from sklearn import datasets

made, fresh = {}, {}


def table(function, among=made):
    """Registers a generator under its name; it is given a random generator of its own."""
    name = function.__name__.replace("_", "-")
    among[name] = lambda: function(np.random.default_rng(zlib.crc32(name.encode())))
    return function


def fresh_table(function):
    return table(function, fresh)


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


# Made afterwards.


def classified(random, **options):
    return datasets.make_classification(1200, random_state=int(random.integers(1000)), flip_y=0, shuffle=False, **options)


@fresh_table
def corners(random):
    return classified(random, n_features=10, n_informative=5, n_redundant=3, n_classes=4, n_clusters_per_class=1, class_sep=2)


@fresh_table
def corners_unequal(random):
    weights = [0.55, 0.25, 0.12, 0.08]
    return classified(
        random, n_features=8, n_informative=6, n_classes=4, n_clusters_per_class=1, class_sep=2, weights=weights
    )


@fresh_table
def three_rings(random):
    radius = np.repeat([1, 2.2, 3.6], 400)
    angle = random.uniform(0, 2 * np.pi, 1200)
    rows = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)
    return rows + random.normal(size=rows.shape) * 0.12, np.repeat(np.arange(3), 400)


@fresh_table
def moons_and_blobs(random):
    rows, labels = datasets.make_moons(800, noise=0.07, random_state=5)
    extra, others = normal(random, [[-2.2, 2], [3.4, -1.5]], [200, 200], [0.25, 0.25])
    return np.concatenate([rows, extra]), np.concatenate([labels, others + 2])


@fresh_table
def heavy_tails(random):
    centers = apart(random, 4, 4, 9)
    rows = np.concatenate([center + random.standard_t(2.5, size=(250, 4)) for center in centers])
    return rows, np.repeat(np.arange(4), 250)


@fresh_table
def ellipses(random):
    turns = [np.linalg.qr(random.normal(size=(6, 6)))[0] * np.array([3, 2, 1, 0.5, 0.4, 0.3]) for _ in range(8)]
    return normal(random, apart(random, 8, 6, 6), [150] * 8, [turn.T for turn in turns])


@fresh_table
def shares(random):
    """Parts that sum to 1."""
    alphas = random.uniform(0.3, 6, size=(4, 6)) * 3
    return np.concatenate([random.dirichlet(alpha, 250) for alpha in alphas]), np.repeat(np.arange(4), 250)


@fresh_table
def counts(random):
    rates = random.gamma(1.2, 6, size=(5, 12))
    labels = np.repeat(np.arange(5), [400, 300, 200, 100, 60])
    return random.poisson(rates[labels]).astype(float), labels


@fresh_table
def shells(random):
    """A ball inside of a shell, in five columns."""
    rows = random.normal(size=(1400, 5))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    radius = np.concatenate([random.uniform(0, 1, 600) ** 0.2, random.normal(2.6, 0.1, 800)])
    return rows * radius[:, None], np.repeat([0, 1], [600, 800])


@fresh_table
def measured(random):
    """Five columns of different units, skewed, two of them without meaning."""
    rows, labels = normal(random, apart(random, 3, 3, 4.5), [500, 300, 150], [1, 0.7, 1.3])
    other = random.gamma(2, 1, size=(950, 2))
    return np.concatenate([np.exp(rows / 4) * [1, 50, 2000], other * [0.01, 10]], 1), labels


folder = Path(sys.argv[1])
for name, make in (fresh if sys.argv[2:] == ["fresh"] else made).items():
    rows, labels = make()
    order = np.random.default_rng(1).permutation(len(rows))
    (folder / name).mkdir(parents=True, exist_ok=True)
    arrays = {"features": rows[order].astype(np.float32), "labels": np.asarray(labels)[order].astype(np.uint8)}
    for part, array in arrays.items():
        with gzip.GzipFile(folder / name / f"{part}.npy.gz", "wb", mtime=0) as file:
            np.save(file, array)
    print(f"{name}: {rows.shape[0]} x {rows.shape[1]}, {len(set(labels))} classes")
