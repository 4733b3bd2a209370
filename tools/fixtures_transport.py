"""Known answers for the unsupervised half of src/analysis: assignment, transport, clusters, embeddings, two-sample tests.

Run with Debian's python3-scipy, python3-pot and python3-sklearn: python3 tools/fixtures_transport.py
"""

import json
import os
import platform
import warnings

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import ot
import scipy
import scipy.stats
import sklearn
import sklearn.cluster
import sklearn.decomposition
import sklearn.manifold
import sklearn.metrics
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist, squareform
from sklearn.manifold import _t_sne
from sklearn.neighbors import NearestNeighbors

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "analysis", "fixtures")
VERSIONS = (
    f"tools/fixtures_transport.py with scipy {scipy.__version__}, POT {ot.__version__}, "
    f"scikit-learn {sklearn.__version__}, numpy {np.__version__}, Python {platform.python_version()}"
)


def write(name, content):
    path = os.path.join(HERE, f"{name}.json")
    with open(path, "w") as file:
        json.dump({"source": VERSIONS, **content}, file, separators=(",", ":"))
        file.write("\n")
    print(f"{name}.json: {os.path.getsize(path)} bytes")


def flat(array):
    return np.asarray(array).ravel().tolist()


def short(array, digits=5):
    """Rounds inputs, so that the file is small and both sides read the same numbers."""
    return np.round(np.asarray(array, dtype=float), digits)


def threads(rng, n, d, count):
    """Noisy curves in d dimensions: neighbourhoods that a picture can keep, and clusters."""
    which = rng.integers(0, count, n)
    t = rng.random((n, 1)) * 3
    phases = rng.random((count, d)) * 6
    return 4 * rng.normal(size=(count, d))[which] + 2 * np.sin(t + phases[which]) + 0.2 * rng.normal(size=(n, d))


def assignment(rng):
    problems = {
        "random square": rng.random((9, 9)),
        "wide": rng.normal(size=(8, 13)),
        "one row": rng.normal(size=(1, 7)),
        "one entry": np.array([[3.5]]),
        "ties": rng.integers(0, 3, (14, 14)),
        "all equal": np.full((6, 6), 2.0),
        "wide with ties": rng.integers(-2, 3, (10, 24)),
        "far apart scales": 10.0 ** rng.integers(-6, 7, (12, 12)) * rng.random((12, 12)),
        "two batches of 40 in 3 dimensions": cdist(rng.normal(size=(40, 3)), rng.normal(size=(40, 3)) + 1, "sqeuclidean"),
    }
    cases = []
    for name, cost in problems.items():
        cost = cost if name == "far apart scales" else short(cost)
        rows, columns = linear_sum_assignment(cost)
        cases.append({"name": name, "n": cost.shape[0], "m": cost.shape[1], "cost": flat(cost), "least": float(cost[rows, columns].sum())})
    write("assignment", {"cases": cases})


def wasserstein(rng):
    # Fixture C of the objective terms: z = mu + exp(logvar / 2) eps, 8 × 3, without random numbers.
    r, c = np.meshgrid(np.arange(8), np.arange(3), indexing="ij")
    mu = np.sin(1.3 * r + 0.7 * c) * (1 + 0.5 * c)
    logvar = -1 + 0.1 * r + 0.05 * c
    z = mu + np.exp(0.5 * logvar) * np.sin(7 * r + 3 * c + 1)
    rows, columns = linear_sum_assignment(cdist(z[:4], z[4:], "sqeuclidean"))
    x, y = short(rng.normal(size=(128, 16))), short(rng.normal(size=(128, 16)) + 0.3)
    cost = cdist(x, y, "sqeuclidean")
    rows128, columns128 = linear_sum_assignment(cost)
    u, v = short(rng.normal(size=(15, 2))), short(rng.normal(size=(22, 2)) * 2 + 1)
    write(
        "wasserstein",
        {
            "formula": {
                "w2Squared": float(np.mean(np.sum((z[:4] - z[4:][columns]) ** 2, axis=1))),
                "partners": columns.tolist(),
                "gradientOfFirst": flat(2 * (z[0] - z[4:][columns[0]]) / 4),
            },
            "batch": {"x": flat(x), "y": flat(y), "w2Squared": float(cost[rows128, columns128].mean())},
            "unequal": {
                "x": flat(u),
                "y": flat(v),
                "w2Squared": float(ot.emd2(ot.unif(15), ot.unif(22), cdist(u, v, "sqeuclidean"))),
            },
        },
    )


def transport(rng):
    def masses(size, zeros=0):
        m = rng.random(size)
        m[:zeros] = 0
        return m / m.sum()

    def points(n, m, d):
        return cdist(rng.normal(size=(n, d)), rng.normal(size=(m, d)) * 1.5 + 0.5, "sqeuclidean")

    grid = np.arange(25.0)
    problems = {
        "random masses": (masses(12), masses(17), points(12, 17, 3)),
        "more sources than sinks": (masses(31), masses(9), points(31, 9, 2)),
        "uniform, 20 onto 30": (ot.unif(20), ot.unif(30), points(20, 30, 2)),
        "uniform, equal sizes": (ot.unif(25), ot.unif(25), points(25, 25, 4)),
        "places without mass": (masses(15, 5), masses(18, 7), points(15, 18, 2)),
        "one source": (masses(1), masses(6), points(1, 6, 2)),
        "ties everywhere": (ot.unif(18), ot.unif(24), rng.integers(0, 3, (18, 24)).astype(float)),
        "a line onto itself shifted": (ot.unif(25), ot.unif(25), (grid[:, None] - grid[None] - 3) ** 2),
        "total mass 7.5": (7.5 * masses(10), 7.5 * masses(11), points(10, 11, 2)),
        "negative costs": (masses(8), masses(8), points(8, 8, 2) - 5),
        "60 onto 90": (masses(60), masses(90), points(60, 90, 2)),
    }
    cases = []
    for name, (a, b, cost) in problems.items():
        cost = short(cost)
        value = ot.emd2(a, b, cost, numItermax=10**7)
        cases.append({"name": name, "a": flat(a), "b": flat(b), "cost": flat(cost), "least": float(value)})
    write("transport", {"cases": cases})


def sinkhorn(rng):
    cases = []
    for name, n, m, regularisation, zeros in (
        ("soft", 10, 14, 1.0, 0),
        ("sharper", 12, 12, 0.1, 0),
        ("sharp enough to underflow", 8, 9, 0.004, 0),
        ("places without mass", 10, 11, 0.5, 3),
    ):
        a, b = rng.random(n), rng.random(m)
        a[:zeros] = 0
        b[m - zeros :] = 0
        a, b = a / a.sum(), b / b.sum()
        cost = short(cdist(rng.normal(size=(n, 2)), rng.normal(size=(m, 2)) + 1, "sqeuclidean"))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with np.errstate(divide="ignore"):
                plan = ot.sinkhorn(a, b, cost, regularisation, method="sinkhorn_log", numItermax=10**6, stopThr=1e-14)
        cases.append(
            {
                "name": name,
                "a": flat(a),
                "b": flat(b),
                "cost": flat(cost),
                "regularisation": regularisation,
                "plan": flat(plan),
                "value": float((plan * cost).sum()),
            }
        )
    write("sinkhorn", {"cases": cases})


def clustering(rng):
    centres = rng.normal(size=(6, 4)) * 4
    label = rng.integers(0, 6, 300)
    datasets = {
        "blobs": (short(centres[label] + rng.normal(size=(300, 4)), 4), 6),
        "noise": (short(rng.random((400, 3)), 4), 8),
        "long clusters": (short(threads(rng, 300, 5, 3), 3), 3),
        "heavy tails": (short(rng.standard_t(3, size=(400, 8)), 3), 10),
    }
    cases = []
    for name, (x, k) in datasets.items():
        inertias = [sklearn.cluster.KMeans(k, n_init=10, random_state=seed).fit(x).inertia_ for seed in range(5)]
        cases.append({"name": name, "d": x.shape[1], "k": k, "x": flat(x), "inertias": inertias})

    x, _ = datasets["blobs"]
    x = x[:120]
    labels = rng.integers(0, 5, 120)
    labels[7] = 9
    embedding = short(x[:, :2] + 0.3 * rng.normal(size=(120, 2)), 4)
    clusters = rng.integers(0, 7, 200)
    truth = np.where(rng.random(200) < 0.6, clusters % 4, rng.integers(0, 4, 200))

    def accuracy(clusters, truth):
        table = sklearn.metrics.cluster.contingency_matrix(clusters, truth)
        rows, columns = linear_sum_assignment(-table)
        return float(table[rows, columns].sum() / len(truth))

    write(
        "clustering",
        {
            "kmeans": cases,
            "silhouette": {
                "d": 4,
                "x": flat(x),
                "labels": labels.tolist(),
                "samples": flat(sklearn.metrics.silhouette_samples(x, labels)),
                "mean": float(sklearn.metrics.silhouette_score(x, labels)),
            },
            "trustworthiness": {
                "embedding": flat(embedding),
                "5": float(sklearn.manifold.trustworthiness(x, embedding, n_neighbors=5)),
                "12": float(sklearn.manifold.trustworthiness(x, embedding, n_neighbors=12)),
            },
            "neighbours": {
                "k": 7,
                "indices": flat(NearestNeighbors(n_neighbors=7).fit(x).kneighbors(return_distance=False)),
            },
            "accuracy": {
                "clusters": clusters.tolist(),
                "labels": truth.tolist(),
                "moreClusters": accuracy(clusters, truth),
                "moreLabels": accuracy(truth, clusters),
            },
        },
    )


def pca(rng):
    wide = short(rng.normal(size=(12, 40)) @ np.diag(np.linspace(3, 0.1, 40)), 4)
    tall = short(threads(rng, 100, 6, 4), 4)
    cases = []
    for name, x, components in (("more points than dimensions", tall, 6), ("fewer points than dimensions", wide, 5)):
        model = sklearn.decomposition.PCA(components, svd_solver="full").fit(x)
        cases.append(
            {
                "name": name,
                "n": x.shape[0],
                "d": x.shape[1],
                "x": flat(x),
                "variances": flat(model.explained_variance_),
                "ratios": flat(model.explained_variance_ratio_),
                "axes": flat(model.components_),
            }
        )
    write("pca", {"cases": cases})


def tsne(rng):
    cases = []
    for name, x, method in (
        ("seven threads", short(threads(rng, 600, 16, 7), 3), "barnes_hut"),
        ("noise", short(rng.normal(size=(400, 5)), 3), "barnes_hut"),
        ("three threads", short(threads(rng, 150, 8, 3), 3), "exact"),
    ):
        # The descent is chaotic: noise in the sixth digit changes the last minimum by some per cent, so several count.
        divergences, trust = [], []
        for _ in range(5):
            jittered = x + 1e-6 * rng.normal(size=x.shape)
            model = sklearn.manifold.TSNE(method=method, random_state=0)
            trust.append(sklearn.manifold.trustworthiness(x, model.fit_transform(jittered)))
            divergences.append(model.kl_divergence_)
        cases.append(
            {
                "name": name,
                "n": x.shape[0],
                "d": x.shape[1],
                "method": "exact" if method == "exact" else "barnes-hut",
                "x": flat(x),
                "kl": float(np.mean(divergences)),
                "trustworthiness": float(np.mean(trust)),
            }
        )
    small = short(rng.normal(size=(24, 3)), 4)
    joint = _t_sne._joint_probabilities(cdist(small, small, "sqeuclidean").astype(np.float32), 6.0, 0)
    write("tsne", {"cases": cases, "joint": {"x": flat(small), "perplexity": 6, "p": flat(squareform(joint))}})


def two_sample(rng):
    u, v = short(rng.normal(size=40)), short(rng.normal(size=55) * 1.4 + 0.2)
    x, y = short(rng.normal(size=(30, 3))), short(rng.normal(size=(35, 3)) + 0.4)
    energy = 2 * cdist(x, y).mean() - cdist(x, x).mean() - cdist(y, y).mean()
    write(
        "two-sample",
        {
            "line": {"x": flat(u), "y": flat(v), "energy": float(scipy.stats.energy_distance(u, v) ** 2)},
            "space": {"x": flat(x), "y": flat(y), "energy": float(energy)},
        },
    )


if __name__ == "__main__":
    os.makedirs(HERE, exist_ok=True)
    for seed, part in enumerate((assignment, wasserstein, transport, sinkhorn, clustering, pca, tsne, two_sample)):
        part(np.random.default_rng(seed))
