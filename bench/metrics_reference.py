"""disentanglement_lib's metrics by scikit-learn and scipy on one thread, over codes and factors from a table.

Reads names of metrics from standard input, one a line, and answers each with a line of JSON: the milliseconds that it
took and the score. The work and its sizes are those of `bench/metrics.js`, which starts this program.
"""
import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"):
    os.environ[variable] = "1"

import json
import sys
import time
import warnings

import numpy as np
import scipy
import scipy.linalg
import sklearn
from scipy.optimize import linear_sum_assignment
from scipy.stats import entropy
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.manifold import TSNE
from sklearn.metrics import mutual_info_score, roc_auc_score
from sklearn.preprocessing import MultiLabelBinarizer, StandardScaler
from sklearn.svm import LinearSVC

warnings.filterwarnings("ignore")

settings = json.loads(sys.argv[1])
n, d, k = settings["n"], settings["d"], settings["k"]
TRAIN, TEST, BATCH = settings["train"], settings["test"], settings["batch"]
codes = np.fromfile(settings["codes"], dtype=np.float64).reshape(n, d)
factors = np.fromfile(settings["factors"], dtype=np.float64).reshape(n, k).astype(np.int64)
points = np.fromfile(settings["points"], dtype=np.float64).reshape(settings["pointsN"], settings["pointsD"])


def split(rng):
    order = rng.permutation(n)
    train, test = order[:TRAIN], order[TRAIN : TRAIN + TEST]
    return codes[train], factors[train], codes[test], factors[test]


def histogram(x, bins=20):
    out = np.zeros_like(x)
    for j in range(x.shape[1]):
        out[:, j] = np.digitize(x[:, j], np.histogram(x[:, j], bins)[1][:-1])
    return out


def information(rng):
    z, y, _, _ = split(rng)
    cut = histogram(z)
    return np.array([[mutual_info_score(y[:, f], cut[:, j]) for f in range(k)] for j in range(d)]), y


def sap(rng):
    z, y, zt, yt = split(rng)
    scores = np.zeros((d, k))
    for j in range(d):
        for f in range(k):
            model = LinearSVC(C=0.01, class_weight="balanced").fit(z[:, j : j + 1], y[:, f])
            scores[j, f] = np.mean(model.predict(zt[:, j : j + 1]) == yt[:, f])
    ordered = np.sort(scores, axis=0)
    return np.mean(ordered[-1] - ordered[-2])


def groups_of():
    return [[np.flatnonzero(factors[:, f] == value) for value in range(factors[:, f].max() + 1)] for f in range(k)]


def z_diff(rng):
    groups = groups_of()

    def differences(count):
        x, y = np.zeros((count, d)), np.zeros(count, dtype=np.int64)
        for row in range(count):
            f = rng.randint(k)
            first = rng.randint(n, size=BATCH)
            second = np.array([group[rng.randint(len(group))] for group in (groups[f][v] for v in factors[first, f])])
            x[row], y[row] = np.mean(np.abs(codes[first] - codes[second]), axis=0), f
        return x, y

    x, y = differences(TRAIN)
    model = LogisticRegression(solver="liblinear").fit(x, y)
    return model.score(*differences(TEST))


def factor_vae(rng):
    groups = groups_of()
    variances = np.var(codes[rng.randint(n, size=10000)], axis=0, ddof=1)
    active = np.sqrt(variances) >= 0.05

    def votes(count):
        out = np.zeros((k, d), dtype=np.int64)
        for _ in range(count):
            f = rng.randint(k)
            group = groups[f][factors[rng.randint(n), f]]
            local = np.var(codes[group[rng.randint(len(group), size=BATCH)]], axis=0, ddof=1)
            out[f, np.argmin(local[active] / variances[active])] += 1
        return out

    train = votes(TRAIN)
    classifier = np.argmax(train, axis=0)
    test = votes(TEST)
    return np.sum(test[classifier, np.arange(d)]) / np.sum(test)


def mig(rng):
    matrix, y = information(rng)
    ordered = np.sort(matrix, axis=0)[::-1]
    entropies = np.array([mutual_info_score(y[:, f], y[:, f]) for f in range(k)])
    return np.mean((ordered[0] - ordered[1]) / entropies)


def modularity(rng):
    squared = np.square(information(rng)[0])
    most = np.max(squared, axis=1)
    return np.mean(1 - (np.sum(squared, axis=1) - most) / (most * (k - 1)))


def dci(rng):
    z, y, zt, yt = split(rng)
    importance = np.zeros((d, k))
    for f in range(k):
        model = GradientBoostingClassifier().fit(z, y[:, f])
        importance[:, f] = np.abs(model.feature_importances_)
        model.predict(z), model.predict(zt)
    per_code = 1 - entropy(importance.T + 1e-11, base=k)
    return np.sum(per_code * importance.sum(axis=1) / importance.sum())


def explicitness(rng):
    z, y, zt, yt = split(rng)
    scaler = StandardScaler().fit(z)
    z, zt = scaler.transform(z), scaler.transform(zt)
    areas = []
    for f in range(k):
        model = LogisticRegression().fit(z, y[:, f])
        for x, actual in ((z, y[:, f]), (zt, yt[:, f])):
            marks = MultiLabelBinarizer().fit_transform(actual[:, None])
            areas.append(roc_auc_score(marks, model.predict_proba(x)))
    return np.mean(areas[1::2])


def irs(rng):
    z, y, _, _ = split(rng)
    y = histogram(y.astype(np.float64))
    most = np.max(np.abs(z - np.mean(z, axis=0)), axis=0)
    total = np.zeros((d, k))
    for f in range(k):
        values = np.unique(y[:, f])
        for value in values:
            group = z[y[:, f] == value]
            total[:, f] += np.percentile(np.abs(group - np.mean(group, axis=0)), 99, axis=0)
        total[:, f] /= len(values)
    return np.average(np.max(1 - total / most[:, None], axis=1), weights=most)


def unsupervised(rng):
    z, _, _, _ = split(rng)
    covariance = np.cov(z.T)
    scipy.linalg.sqrtm(covariance * np.diag(covariance)[:, None])
    cut = histogram(z)
    for i in range(d):
        for j in range(d):
            if i != j:
                mutual_info_score(cut[:, i], cut[:, j])
    return 0.5 * (np.sum(np.log(np.diag(covariance))) - np.linalg.slogdet(covariance)[1])


def tsne(rng):
    return TSNE(init="pca", learning_rate="auto", n_jobs=1, random_state=rng).fit(points).kl_divergence_


def assignment(rng):
    a, b = points[:128], points[128:256]
    return linear_sum_assignment(scipy.spatial.distance.cdist(a, b, "sqeuclidean"))[0].size


work = {
    "sap": sap, "z-diff": z_diff, "factor-vae": factor_vae, "mig": mig, "dci": dci, "modularity": modularity,
    "explicitness": explicitness, "irs": irs, "unsupervised": unsupervised, "tsne": tsne, "assignment": assignment,
}

print(json.dumps({"sklearn": sklearn.__version__, "scipy": scipy.__version__, "numpy": np.__version__}), flush=True)
for line in sys.stdin:
    rng = np.random.RandomState(0)
    start = time.perf_counter()
    score = float(work[line.strip()](rng))
    print(json.dumps({"ms": 1000 * (time.perf_counter() - start), "score": score}), flush=True)
