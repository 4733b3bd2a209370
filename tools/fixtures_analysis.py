"""Writes the reference numbers that src/analysis and src/random are tested against.

Run from the repository's root: python3 tools/fixtures_analysis.py
Sources: numpy's RandomState, scipy.stats, scikit-learn; their versions are named in every file. Iterative solvers run
with tolerances far below the tests'.
"""
import json
import warnings
from pathlib import Path

import numpy as np
import scipy
import scipy.stats
import sklearn
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import mutual_info_score, roc_auc_score
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeRegressor

warnings.filterwarnings("ignore")
ROOT = Path(__file__).resolve().parent.parent / "src"
SOURCE = f"scikit-learn {sklearn.__version__}, scipy {scipy.__version__}, numpy {np.__version__}"


def write(path, content):
    target = ROOT / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps({"source": SOURCE, **content}, default=as_json, separators=(",", ":")) + "\n")


def as_json(value):
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else str(value)


def quantile_classes(score, k):
    return np.digitize(score, np.quantile(score, np.linspace(0, 1, k + 1)[1:-1]))


def table(x, y, targets):
    """A table as the tests read it: rows of x one after the other, class labels, and two continuous targets."""
    n, d = x.shape
    return {"n": n, "d": d, "classes": int(y.max()) + 1, "x": x.round(4).ravel(), "y": y, "targets": targets.round(4).ravel()}


def tables():
    """Codes as representations have them: independent, correlated, copied, dead, permuted, wide, alone; three sizes."""
    rs = np.random.RandomState(0)
    made = {}
    for name, n, d, k in [("small", 30, 3, 2), ("middle", 200, 4, 5), ("large", 800, 5, 4), ("wide", 15, 24, 3)]:
        x = rs.randn(n, d)
        score = x[:, 0] + 0.5 * x[:, 1] ** 2 + 0.5 * rs.randn(n)
        noise = rs.randn(n, 2)
        made[name] = (x, quantile_classes(score, k), np.c_[x @ rs.randn(d), x[:, 0] ** 2] + 0.3 * noise)
    x, y, t = made["middle"]
    made["correlated"] = (x @ (np.eye(4) + 0.9) + 3, y, t)
    made["copied"] = (np.c_[x[:, :2], x[:, :2]], y, t)
    made["dead"] = (np.c_[x[:, :1], np.full(200, 0.75), x[:, 1:3]], y, t)
    made["permuted"] = (x, rs.permutation(y), rs.permutation(t))
    made["separable"] = (x, quantile_classes(x[:, 0], 2), t)
    # Class 2 of 0 … 4 has no rows, and classes are of unequal size.
    made["uneven"] = (x, np.where(x[:, 0] > 1, 4, np.where(x[:, 1] > 1, 3, np.where(x[:, 2] > 0, 1, 0))), t)
    line = rs.randn(600, 1)
    made["line"] = (line * 2 + 1, quantile_classes(line[:, 0] + 0.4 * rs.randn(600), 12), np.c_[line, line**2])
    made["line of levels"] = (rs.randint(0, 10, (300, 1)) / 2, rs.randint(0, 7, 300), rs.randn(300, 2))
    made["line of two"] = (line[:80], (line[:80, 0] + 0.3 * rs.randn(80) > 0.8).astype(int), np.c_[line[:80], line[:80]])
    made["dead line"] = (np.full((40, 1), 0.25), rs.randint(0, 3, 40), rs.randn(40, 2))
    return {name: table(*parts) for name, parts in made.items()}


def arrays(t):
    return np.reshape(t["x"], (t["n"], t["d"])), np.asarray(t["y"]), np.reshape(t["targets"], (t["n"], 2))


def classifier(model, x):
    return {"classes": model.classes_, "weights": model.coef_.ravel(), "intercepts": model.intercept_, "predictions": model.predict(x)}


def linear_svm(all_tables):
    cases = []
    for name, t in all_tables.items():
        x, y, _ = arrays(t)
        for c, weight in [(0.01, "balanced"), (1.0, None)]:
            model = LinearSVC(C=c, class_weight=weight, dual=False, tol=1e-13, max_iter=100_000).fit(x, y)
            cases.append({"table": name, "c": c, "classWeight": weight or "none", **classifier(model, x)})
        # Its dual descent comes to an end at a small C alone.
        for weight in ["balanced", None]:
            model = LinearSVC(loss="hinge", C=0.01, class_weight=weight, tol=1e-9, max_iter=200_000, random_state=0).fit(x, y)
            cases.append({"table": name, "c": 0.01, "classWeight": weight or "none", "loss": "hinge", **classifier(model, x)})
    write("analysis/fixtures/linear-svm.json", {"cases": cases})


def logistic(all_tables):
    cases = []
    for name, t in all_tables.items():
        x, y, _ = arrays(t)
        for kind, c in [("multinomial", 1.0), ("one-vs-rest", 1.0), ("multinomial", 0.05)]:
            # The minimum is the same as lbfgs's, whose stopping rule is too loose for a reference.
            solver = "newton-cg" if kind == "multinomial" else "liblinear"
            model = LogisticRegression(C=c, solver=solver, tol=1e-10, max_iter=200, random_state=0).fit(x, y)
            probabilities = model.predict_proba(x)[:5].ravel()
            cases.append({"table": name, "c": c, "kind": kind, "probabilities": probabilities, **classifier(model, x)})
    write("analysis/fixtures/logistic.json", {"cases": cases})


def linear_regression(all_tables):
    cases = []
    for name, t in all_tables.items():
        x, _, y = arrays(t)
        for kind, model in [
            ("least squares", LinearRegression()),
            ("ridge", Ridge(alpha=0.7, solver="cholesky")),
            ("lasso", Lasso(alpha=0.1, tol=1e-15, max_iter=1_000_000)),
        ]:
            model.fit(x, y)
            cases.append({"table": name, "kind": kind, "weights": model.coef_.ravel(), "intercepts": model.intercept_})
    write("analysis/fixtures/linear-regression.json", {"ridgeAlpha": 0.7, "lassoAlpha": 0.1, "cases": cases})


def statistics(all_tables):
    rs = np.random.RandomState(3)
    cases = []
    for name in ["small", "middle", "correlated", "copied", "wide", "line of levels"]:
        x, _, _ = arrays(all_tables[name])
        cases.append({
            "table": name,
            "mean": x.mean(0),
            "variance": [x.var(0, ddof=0), x.var(0, ddof=1)],
            "covariance": np.cov(x.T, ddof=1).ravel(),
            "correlation": np.atleast_2d(np.corrcoef(x.T)).ravel(),
            "ranks": scipy.stats.rankdata(x[:, 0]),
            "spearman": np.atleast_2d(scipy.stats.spearmanr(x)[0] if x.shape[1] > 1 else 1.0).ravel(),
            "percentiles": {str(q): np.percentile(x[:, 0], q) for q in [0, 1, 33.3, 50, 90, 99, 100]},
            "standardised": StandardScaler().fit_transform(x).ravel(),
        })
    areas = []
    for n, levels in [(20, 4), (200, 10), (500, 10**6)]:
        y = rs.randint(0, 4, n)
        scores = rs.randint(0, levels, (n, 4)) / levels + 0.3 * np.eye(4)[y]
        binary = roc_auc_score(y == 1, scores[:, 1])
        macro = np.mean([roc_auc_score(y == c, scores[:, c]) for c in range(4)])
        areas.append({"n": n, "classes": 4, "y": y, "scores": scores.ravel(), "binary": binary, "macro": macro})
    write("analysis/fixtures/statistics.json", {"cases": cases, "areas": areas})


def information():
    rs = np.random.RandomState(4)
    histograms = []
    for n, bins, values in [
        (6, 3, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]),
        (200, 20, rs.randn(200)),
        (200, 20, rs.randint(1, 11, 200)),
        (50, 20, np.full(50, 0.7)),
        (50, 7, np.full(50, -3.0)),
        (100, 10, rs.rand(100).round(1)),
        (60, 20, np.sin(np.arange(60)) * 1e-9),
    ]:
        values = np.asarray(values, float)
        edges = np.histogram(values, bins)[1][:-1]
        histograms.append({"bins": bins, "values": values, "digits": np.digitize(values, edges)})
    pairs = []
    for n, a, b in [(50, 3, 4), (500, 20, 10), (400, 1, 5), (300, 300, 300), (2000, 1500, 1500)]:
        left, right = rs.randint(0, a, n), rs.randint(0, b, n)
        right = np.where(rs.rand(n) < 0.3, left % b, right)
        pairs.append({
            "left": left,
            "right": right,
            "information": mutual_info_score(left, right),
            "entropy": scipy.stats.entropy(np.bincount(left)),
        })
    write("analysis/fixtures/information.json", {"histograms": histograms, "pairs": pairs})


def same_tree(a, b):
    return np.array_equal(a.feature, b.feature) and np.array_equal(a.threshold, b.threshold)


def regression_tree():
    """Trees on targets for which no two splits are equally good, so that scikit-learn's seed plays no part."""
    rs = np.random.RandomState(5)
    single = np.float32(1.3)
    near = [single, np.nextafter(single, np.float32(2)), np.float32(1.3000004), np.float32(2.1), np.float32(1e-8), np.float32(9e-8), np.float32(2e-7)]
    matrices = {
        "continuous": rs.randn(150, 4).round(5),
        "levels": np.c_[rs.randint(0, 5, (200, 2)), rs.randint(0, 40, (200, 1)) / 3],
        "one dead column": np.c_[rs.randn(80, 1).round(5), np.full((80, 1), 2.5), rs.randn(80, 1).round(5)],
        "values that single precision hardly tells apart": np.asarray(near, float)[rs.randint(0, len(near), (60, 2))],
        "codes of tiny scale": rs.randint(0, 1000, (300, 2)) * 1e-9,
        "nine rows": rs.randn(9, 2).round(5),
        "two rows": rs.randn(2, 1).round(5),
        "no column to split": np.full((10, 2), 0.1),
    }
    cases = []
    for name, x in matrices.items():
        for attempt in range(1000):
            target = np.random.RandomState(attempt).randn(len(x)) + 2 * (x[:, 0] > np.median(x[:, 0]))
            trees = [DecisionTreeRegressor(criterion="friedman_mse", max_depth=3, random_state=s).fit(x, target) for s in range(8)]
            if all(same_tree(trees[0].tree_, other.tree_) for other in trees):
                break
        else:
            raise SystemExit(f"No target without equal splits was found for {name}.")
        tree = trees[0].tree_
        nodes = []

        def walk(at, place):
            if tree.children_left[at] < 0:
                return
            nodes.append([place, tree.feature[at], tree.threshold[at]])
            walk(tree.children_left[at], 2 * place + 1)
            walk(tree.children_right[at], 2 * place + 2)

        walk(0, 0)
        importances = tree.compute_feature_importances(normalize=False)
        groups = np.unique(tree.apply(x.astype(np.float32)), return_inverse=True)[1]
        cases.append({"name": name, "n": x.shape[0], "d": x.shape[1], "x": x.ravel(), "target": target, "splits": nodes, "importances": importances, "leaves": groups})
    write("analysis/fixtures/regression-tree.json", {"cases": cases})


def boosted(x, y, seed):
    return GradientBoostingClassifier(random_state=seed).fit(x, y)


def boosted_trees():
    """Exact cases, on which scikit-learn gives the same importances for every seed, and cases where its seeds differ."""
    exact = []
    makers = {
        "levels, two classes": (300, 3, 2, lambda rs, n, d: rs.randint(0, 6 + 3 * np.arange(d), (n, d)) / 7),
        "levels, three classes": (500, 4, 3, lambda rs, n, d: rs.randint(0, 4 + 2 * np.arange(d), (n, d)) / 7),
        "levels, six classes": (900, 3, 6, lambda rs, n, d: rs.randint(0, 4 + 2 * np.arange(d), (n, d)) - 2.0),
        "a dead column": (300, 3, 2, lambda rs, n, d: np.c_[rs.randint(0, 7, n) / 3, np.full(n, 0.4), rs.randint(0, 5, n)]),
        "one continuous column, two classes": (200, 1, 2, lambda rs, n, d: rs.randn(n, d).round(5)),
        "one continuous column, four classes": (200, 1, 4, lambda rs, n, d: rs.randn(n, d).round(5)),
    }
    for name, (n, d, k, make) in makers.items():
        for attempt in range(1000):
            rs = np.random.RandomState(attempt)
            x = make(rs, n, d)
            score = x[:, 0] + 0.6 * x[:, -1] ** 2 + rs.randn(n)
            y = quantile_classes(score, k)
            first = boosted(x, y, 0)
            same = lambda s: np.abs(boosted(x, y, s).decision_function(x) - first.decision_function(x)).max() < 1e-9
            if all(same(s) for s in range(1, 6)):
                break
        else:
            raise SystemExit(f"No data without equal splits was found for {name}.")
        exact.append({
            "name": name, "n": n, "d": d, "classes": k, "x": x.ravel(), "y": y,
            "importances": first.feature_importances_,
            "decision": first.decision_function(x)[:40].ravel(),
            "predictions": first.predict(x),
        })
    spread = []
    rs = np.random.RandomState(6)
    for name, n, k, copies in [("continuous", 300, 3, 1), ("continuous, every column twice", 300, 3, 2), ("permuted", 300, 3, 1)]:
        x = rs.randn(n, 3).round(5)
        y = quantile_classes(x[:, 0] + 0.6 * x[:, 2] ** 2 + 0.5 * rs.randn(n), k)
        if name == "permuted":
            y = rs.permutation(y)
        x = np.tile(x, (1, copies))
        fits = [boosted(x, y, s) for s in range(10)]
        spread.append({
            "name": name, "n": n, "d": x.shape[1], "classes": k, "x": x.ravel(), "y": y,
            "importances": [f.feature_importances_ for f in fits],
            "accuracy": [f.score(x, y) for f in fits],
        })
    write("analysis/fixtures/boosted-trees.json", {"exact": exact, "spread": spread})


def mersenne_twister():
    streams = []
    for seed in [0, 1, 4294967295]:
        draw = lambda: np.random.RandomState(seed)
        mixed = draw()
        streams.append({
            "seed": seed,
            "words": draw().randint(0, 2**32, 1300, dtype=np.uint64)[-8:],
            "integers": draw().randint(1, 11, 40),
            "one": draw().randint(5, 6, 3),
            "uniforms": draw().random_sample(8),
            "normals": draw().standard_normal(9),
            "permutation": draw().permutation(23),
            "mixed": [mixed.randint(7), mixed.standard_normal(), mixed.random_sample(), mixed.standard_normal(), mixed.randint(-3, 1000)],
        })
    write("random/fixtures/mt19937.json", {"streams": streams})


if __name__ == "__main__":
    everything = tables()
    write("analysis/fixtures/tables.json", {"tables": everything})
    linear_svm(everything)
    logistic(everything)
    linear_regression(everything)
    statistics(everything)
    information()
    regression_tree()
    boosted_trees()
    mersenne_twister()
