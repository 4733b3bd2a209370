"""Golden values of Student's paired test: mean, 95 % interval and p of SciPy's.

    /usr/bin/python3 tools/fixtures_paired_test.py > src/analysis/fixtures/paired-test.json
"""
import json

import numpy as np
import scipy
from scipy import stats

random = np.random.default_rng(3)
cases = []
for n, shift, scale in [(2, 0.5, 1.0), (5, 0.4, 0.2), (5, -0.03, 0.5), (8, 2.0, 0.1), (40, 0.1, 1.0)]:
    values = random.normal(shift, scale, n)
    low, high = stats.t.interval(0.95, n - 1, loc=values.mean(), scale=stats.sem(values))
    p = stats.ttest_1samp(values, 0).pvalue
    cases.append({"values": values.tolist(), "mean": values.mean(), "low": low, "high": high, "p": p})
print(json.dumps({"source": f"SciPy {scipy.__version__}", "cases": cases}))
