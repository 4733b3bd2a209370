"""Writes src/metrics/fixtures/sklearn.json: metrics that fit something, by scikit-learn, on a small table of every kind.

    /usr/bin/python3 tools/fixtures_metrics.py

The table has 240 rows to train on and 120 to test on, three factors (2, 3 and 4 values) and six codes: one a factor with
noise, a mix of two factors, noise, and a dead code that is constant.
"""
import json
from pathlib import Path

import numpy as np
import scipy
import sklearn
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist
from scipy.stats import entropy
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import MultiLabelBinarizer
from sklearn.svm import LinearSVC

rng = np.random.RandomState(11)
factors = np.stack([rng.randint(size, size=360) for size in (2, 3, 4)], axis=1)
noise = rng.standard_normal((360, 6))
codes = np.stack(
    [
        factors[:, 0] + 0.4 * noise[:, 0],
        -factors[:, 1] + 0.3 * noise[:, 1],
        0.5 * factors[:, 2] + 0.2 * noise[:, 2],
        factors[:, 0] - factors[:, 2] + 0.5 * noise[:, 3],
        noise[:, 4],
        np.full(360, 1.5),
    ],
    axis=1,
).round(6)
z, zt, y, yt = codes[:240], codes[240:], factors[:240], factors[240:]

scale = np.where(z.std(axis=0) > 0, z.std(axis=0), 1)
s, st = (z - z.mean(axis=0)) / scale, (zt - z.mean(axis=0)) / scale
areas, importances, accuracies = [], [], []
for k in range(3):
    model = LogisticRegression(tol=1e-12, max_iter=100000).fit(s, y[:, k])
    pair = []
    for x, actual in ((s, y[:, k]), (st, yt[:, k])):
        marks = MultiLabelBinarizer().fit_transform(actual[:, None])
        pair.append(roc_auc_score(marks, model.predict_proba(x)))
    areas.append(pair)
    # Splits of few rows often tie, and scikit-learn decides by its seed: the range over 20 seeds is what can be compared.
    trees = [GradientBoostingClassifier(random_state=seed).fit(z, y[:, k]) for seed in range(20)]
    importances.append(np.array([model.feature_importances_ for model in trees]))
    accuracies.append(np.array([model.score(zt, yt[:, k]) for model in trees]))

svc = np.array(
    [
        [
            LinearSVC(C=0.01, class_weight="balanced", dual=False, tol=1e-10, max_iter=100000)
            .fit(z[:, j : j + 1], y[:, k])
            .score(zt[:, j : j + 1], yt[:, k])
            for k in range(3)
        ]
        for j in range(6)
    ]
)
disentanglement, completeness = [], []
for seed in range(20):
    matrix = np.array([column[seed] for column in importances]).T
    disentanglement.append(np.sum((1 - entropy(matrix.T + 1e-11, base=3)) * matrix.sum(axis=1) / matrix.sum()))
    completeness.append(np.sum((1 - entropy(matrix + 1e-11, base=6)) * matrix.sum(axis=0) / matrix.sum()))


def spread(values):
    return {"low": np.min(values, axis=0).tolist(), "high": np.max(values, axis=0).tolist()}


ordinary = LinearRegression().fit(z, y[:, 2])



def floor(d):
    """W2² of 300 pairs of batches of 128 standard-normal points: its mean and the deviation of one pair."""
    values = []
    for _ in range(300):
        cost = cdist(rng.standard_normal((128, d)), rng.standard_normal((128, d)), "sqeuclidean")
        values.append(cost[linear_sum_assignment(cost)].mean())
    return {"d": d, "mean": float(np.mean(values)), "deviation": float(np.std(values))}


def z_diff(classifier):
    """disentanglement_lib's β-VAE metric on its dummy data, each code two factors mixed: 5 pairs, 2000 averages each."""
    state = np.random.RandomState(0)

    def averages():
        x, labels = np.zeros((2000, 10)), np.zeros(2000, dtype=np.int64)
        for row in range(2000):
            k = state.randint(10)
            first = state.randint(1, 11, size=(5, 10))
            second = state.randint(1, 11, size=(5, 10))
            second[:, k] = first[:, k]
            distance = np.abs((first + 0.8 * np.roll(first, 1, axis=1)) - (second + 0.8 * np.roll(second, 1, axis=1)))
            x[row], labels[row] = np.mean(distance, axis=0), k
        return x, labels

    x, labels = averages()
    model = classifier(state).fit(x, labels)
    return [model.score(x, labels), model.score(*averages())]


out = {
    "source": f"scikit-learn {sklearn.__version__}, scipy {scipy.__version__}, numpy {np.__version__}; tools/fixtures_metrics.py",
    "codes": codes.tolist(),
    "factors": factors.tolist(),
    "train": 240,
    "areas": areas,
    "importances": [spread(values) for values in importances],
    "accuracies": [spread(values) for values in accuracies],
    "disentanglement": spread(disentanglement),
    "completeness": spread(completeness),
    "linearSvc": svc.tolist(),
    "zDiff": {
        "svm": z_diff(lambda state: LinearSVC(C=0.01, dual=False, tol=1e-10, max_iter=100000)),
        "svm-hinge": z_diff(lambda state: LinearSVC(C=0.01, loss="hinge", tol=1e-10, max_iter=1000000, random_state=0)),
        "logistic-liblinear": z_diff(lambda state: LogisticRegression(solver="liblinear", tol=1e-10, random_state=state)),
        "logistic-multinomial": z_diff(lambda state: LogisticRegression(solver="newton-cg", tol=1e-10, max_iter=100000)),
    },
    "w2Floors": [floor(4), floor(8)],
    "regressionError": float(np.mean(np.abs(ordinary.predict(zt) - yt[:, 2]))),
}
target = Path(__file__).resolve().parent.parent / "src" / "metrics" / "fixtures" / "sklearn.json"
target.write_text(json.dumps(out) + "\n")
