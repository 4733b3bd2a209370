"""Golden values of varimax, by scikit-learn's rotation of factor analysis.

    python3 tools/fixtures_varimax.py > src/analysis/fixtures/varimax.json
"""

import json

import numpy as np
import sklearn
from sklearn.decomposition._factor_analysis import _ortho_rotation

random = np.random.default_rng(3)
loadings = np.zeros((8, 3))
loadings[:3, 0], loadings[3:6, 1], loadings[5:, 2] = 1, 0.8, 1.2
loadings += 0.05 * random.normal(size=loadings.shape)
turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
mixed = np.round(loadings @ turn, 6)
print(
    json.dumps(
        {
            "source": f"scikit-learn {sklearn.__version__}, _ortho_rotation(method='varimax')",
            "loadings": mixed.ravel().tolist(),
            "rotated": _ortho_rotation(mixed, method="varimax", tol=1e-10, max_iter=500).T.ravel().tolist(),
        },
        indent=1,
    )
)
