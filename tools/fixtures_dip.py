"""Golden values of Hartigan's dip: the smallest distance to a unimodal distribution function as a linear programme, by scipy.

    python3 tools/fixtures_dip.py > src/analysis/fixtures/dip.json

For each possible mode, a distribution function that is convex before it and concave after it, linear between the points (the
best one is), with the largest distance to both corners of every step minimised; the dip is the best over all modes.
"""

import json

import numpy as np
import scipy
from scipy.optimize import linprog


def dip(values):
    x = np.sort(np.asarray(values, float))
    n = len(x)
    best = 1.0
    for mode in range(n):
        # Unknown: G at each point, a second value at the mode (an atom may stand there), and the distance.
        before = list(range(mode + 1))
        after = [n if i == mode else i for i in range(mode, n)]
        count, rows, bounds = n + 2, [], []

        def at_most(row, bound):
            rows.append(row)
            bounds.append(bound)

        for i in range(n):
            # F just before the point, and at it; before the mode's atom and after it.
            low = i if i != mode else mode
            high = i if i != mode else n
            for place, step in ((low, i / n), (high, (i + 1) / n)):
                for sign in (1, -1):
                    row = np.zeros(count)
                    row[place] = sign
                    row[-1] = -1
                    at_most(row, sign * step)
        for places, sign in ((before, 1), (after, -1)):
            where = [mode if p == n else p for p in places]
            for a in range(len(places) - 2):
                i, j, k = where[a : a + 3]
                row = np.zeros(count)
                row[places[a + 1]] += sign * (1 / (x[j] - x[i]) + 1 / (x[k] - x[j]))
                row[places[a]] -= sign / (x[j] - x[i])
                row[places[a + 2]] -= sign / (x[k] - x[j])
                at_most(row, 0)
        for a, b in list(zip(before, before[1:])) + [(mode, n)] + list(zip(after, after[1:])):
            row = np.zeros(count)
            row[a], row[b] = 1, -1
            at_most(row, 0)
        cost = np.zeros(count)
        cost[-1] = 1
        found = linprog(cost, np.array(rows), np.array(bounds), bounds=[(0, 1)] * (n + 1) + [(0, 1)], method="highs")
        best = min(best, found.fun)
    return best


random = np.random.default_rng(1)
samples = [
    [1, 2, 8, 9],
    random.normal(size=25),
    np.concatenate([random.normal(size=14), random.normal(6, 1, size=12)]),
    random.uniform(size=30),
    random.exponential(size=21),
    np.concatenate([random.normal(c, 0.3, size=9) for c in (0, 2, 5)]),
]
print(
    json.dumps(
        {
            "source": f"scipy {scipy.__version__}, linprog (HiGHS)",
            "cases": [{"values": [round(float(v), 6) for v in s], "dip": dip([round(float(v), 6) for v in s])} for s in samples],
        },
        indent=1,
    )
)
