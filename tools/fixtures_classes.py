"""Terms of the class family in numpy and SciPy: PartedVAE's and JointVAE's on fixed numbers, the Bhattacharyya coefficient
by numerical integration, and Dirichlet divergences by scipy.special. Run from the project's root:
python3 tools/fixtures_classes.py"""
import json

import numpy as np
import scipy
from scipy import integrate, special, stats

r, c = np.mgrid[0:8, 0:3]
mu = (np.sin(1.3 * r + 0.7 * c) * (1 + 0.5 * c))[:4, :2]
logvar = (-1 + 0.1 * r + 0.05 * c)[:4, :2]
logits = np.array([[1, 0, -1], [0.2, 0.1, 0], [-1, 2, 0.5], [0, 0, 3]])
prior_mean = np.array([[0, 1], [1, -1], [-0.5, 0.5]])
pre = np.array([[0.1, -0.2], [0.3, 0], [-0.4, 0.5]])
prior_logvar = 2 * np.tanh(pre) - 1
p = np.array([0.33, 0.33, 0.34])

log_q = logits - special.logsumexp(logits, axis=1, keepdims=True)
q = np.exp(log_q)
kl = 0.5 * (
    (mu[:, None] - prior_mean[None]) ** 2 / np.exp(prior_logvar)[None]
    + np.exp(logvar[:, None] - prior_logvar[None])
    - 1
    + prior_logvar[None]
    - logvar[:, None]
).sum(2)
aggregate = q.mean(0)


def by_integration(i, j):
    """The integral of sqrt(p_i p_j), dimension by dimension, as it factorises."""
    total = 1.0
    for d in range(2):
        one = stats.norm(prior_mean[i, d], np.exp(0.5 * prior_logvar[i, d]))
        other = stats.norm(prior_mean[j, d], np.exp(0.5 * prior_logvar[j, d]))
        total *= integrate.quad(lambda x: np.sqrt(one.pdf(x) * other.pdf(x)), -30, 30, limit=400, epsabs=1e-12)[0]
    return total


bc = [[by_integration(i, j) for j in range(3)] for i in range(3)]


def dirichlet_kl(a, b):
    a, b = np.asarray(a), np.asarray(b)
    return (
        special.gammaln(a.sum())
        - special.gammaln(b.sum())
        + (special.gammaln(b) - special.gammaln(a) + (a - b) * (special.psi(a) - special.psi(a.sum()))).sum()
    )


points = [1e-3, 0.02, 0.1, 0.5, 1.0, 1.4616, 2.0, 3.7, 10.0, 55.5, 1000.0]
a = [[0.4, 0.9, 0.7], [1.1, 0.1, 0.1], [0.05, 2.5, 0.3], [11.0, 3.0, 6.0]]
b = [[1.1, 0.1, 0.1], [1.1, 0.1, 0.1], [0.1, 1.1, 0.1], [1.0, 2.0, 1.0]]
out = {
    "source": f"numpy {np.__version__}, SciPy {scipy.__version__}, tools/fixtures_classes.py",
    "mean": mu.tolist(),
    "logVariance": logvar.tolist(),
    "logits": logits.tolist(),
    "prior": p.tolist(),
    "priorMean": prior_mean.tolist(),
    "priorLogVariance": prior_logvar.tolist(),
    "expectedKl": float((q * kl).sum(1).mean()),
    "klOfAggregate": float((aggregate * np.log(aggregate / p)).sum()),
    "entropy": float(-(q * log_q).sum(1).mean()),
    "klToUniform": float((q * log_q).sum(1).mean() + np.log(3)),
    "bhattacharyya": bc,
    "overlap": float(sum(max(bc[i][j] - 0.15, 0) for i in range(3) for j in range(i))),
    "gamma": {"x": points, "log": special.gammaln(points).tolist(), "psi": special.psi(points).tolist(),
              "psiSlope": special.polygamma(1, points).tolist()},
    "dirichlet": {"a": a, "b": b, "kl": [float(dirichlet_kl(x, y)) for x, y in zip(a, b)]},
}
with open("src/objectives/fixtures/classes.json", "w") as f:
    json.dump(out, f)
