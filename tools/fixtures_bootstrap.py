"""Writes src/analysis/fixtures/bootstrap.json: percentile intervals of means, of all resamples of few values (numpy) and of
drawn ones of more (SciPy).

    /usr/bin/python3 tools/fixtures_bootstrap.py
"""

import itertools
import json

import numpy
import scipy
from scipy.stats import bootstrap

random = numpy.random.default_rng(1)
few = [random.normal(size=n).round(6).tolist() for n in (2, 3, 5, 6)]
cases = []
for values in few:
    means = numpy.mean(list(itertools.product(values, repeat=len(values))), axis=1)
    low, high = numpy.quantile(means, [0.025, 0.975])
    cases.append({"values": values, "low": low, "high": high})
many = random.normal(size=40).round(6).tolist()
found = bootstrap((many,), numpy.mean, n_resamples=200_000, method="percentile", random_state=2).confidence_interval
with open("src/analysis/fixtures/bootstrap.json", "w", encoding="utf-8") as file:
    source = f"numpy {numpy.__version__}, SciPy {scipy.__version__}"
    json.dump({"source": source, "few": cases, "many": {"values": many, "low": found.low, "high": found.high}}, file)
    file.write("\n")
