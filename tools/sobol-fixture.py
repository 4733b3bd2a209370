"""Writes src/sweep/fixtures/sobol.json: SciPy's direction numbers (Joe and Kuo, 2008) of the first 32 dimensions, and the
first 64 points of its unscrambled sequence in seven of them.

    /usr/bin/python3 tools/sobol-fixture.py
"""

import json
import os

import numpy
import scipy
from scipy.stats import qmc

numbers = numpy.load(os.path.join(os.path.dirname(scipy.__file__), "stats", "_sobol_direction_numbers.npz"))
dimensions = 32
polynomials = numbers["poly"][:dimensions].tolist()
starts = [
    row[: max(1, polynomial.bit_length() - 1)].tolist()
    for polynomial, row in zip(polynomials, numbers["vinit"][:dimensions])
]
shown = [0, 1, 2, 7, 12, 20, 31]
points = qmc.Sobol(dimensions, scramble=False).random(64)[:, shown].tolist()
with open("src/sweep/fixtures/sobol.json", "w", encoding="utf-8") as file:
    source = f"SciPy {scipy.__version__}, scipy.stats.qmc.Sobol"
    json.dump({"source": source, "polynomials": polynomials, "starts": starts, "shown": shown, "points": points}, file)
    file.write("\n")
