"""Writes src/analysis/fixtures/contrastive-latent.json: EM of the contrastive latent variable model by dense matrices.

Posteriors by conditioning a joint normal, likelihoods by SciPy's multivariate normal and t, the M-step by lstsq.
"""
import json

import numpy as np
import scipy
from scipy.stats import multivariate_normal, multivariate_t

rng = np.random.default_rng(7)
n, m, d, k, rounds = 14, 12, 5, 2, 25
A, B = rng.normal(size=(k, d)), rng.normal(size=d)
x = rng.normal(size=(n, k)) @ (2 * A) + 1.5 * rng.normal(size=(n, 1)) * B + 0.4 * rng.normal(size=(n, d)) + 1
y = rng.normal(size=(m, k)) @ (2 * A) + 0.4 * rng.normal(size=(m, d)) - 1
x[0, 1] = x[3, 0] = x[3, 4] = y[2, 2] = y[5, 1] = np.nan


def leading(matrix, count):
    values, vectors = np.linalg.eigh(matrix)
    order = np.argsort(-values)[:count]
    return values[order], vectors[:, order].T


def start():
    def covariance(rows):
        centred = rows - np.nanmean(rows, 0)
        centred[np.isnan(centred)] = 0
        return centred.T @ centred / (len(rows) - 1)

    values, vectors = leading(covariance(y), d)
    noise = max(values[0] * 1e-3, values[k:].mean())
    scale = lambda v: np.sqrt(np.maximum(0.1 * noise, v - noise))[:, None]
    shared = vectors[:k] * scale(values[:k])
    values, vectors = leading(covariance(x) - shared.T @ shared, 1)
    return np.vstack([shared, vectors * scale(values)]), np.nanmean(x, 0), np.nanmean(y, 0), noise


def expect(rows, load, mean, noise, freedom):
    out, total = [], 0
    for row in rows:
        seen = ~np.isnan(row)
        part, r = load[:, seen], row[seen] - mean[seen]
        c = part.T @ part + noise * np.eye(seen.sum())
        inverse = np.linalg.inv(c)
        w = 1 if freedom is None else (freedom + seen.sum()) / (freedom + r @ inverse @ r)
        u, v = part @ inverse @ r, np.eye(len(load)) - part @ inverse @ part.T
        total += (
            multivariate_normal.logpdf(r, cov=c) if freedom is None else multivariate_t.logpdf(r, shape=c, df=freedom)
        )
        out.append((seen, w, u, v))
    return out, total


def run(freedom):
    load, mx, my, noise = start()
    trace = []
    for _ in range(rounds + 1):
        ex, a = expect(x, load, mx, noise, freedom)
        ey, b = expect(y, load[:k], my, noise, freedom)
        trace.append(a + b)
        last = (load, mx, my, noise, ex)
        if len(trace) == rounds + 1:
            break
        new, nx, ny, left, count = np.zeros_like(load), mx * 0, my * 0, 0, 0
        for j in range(d):
            g, h, s = np.zeros((k + 3, k + 3)), np.zeros(k + 3), 0
            for rows, expected, q, slot in ((x, ex, k + 1, k + 1), (y, ey, k, k + 2)):
                for row, (seen, w, u, v) in zip(rows, expected):
                    if not seen[j]:
                        continue
                    code = np.zeros(k + 3)
                    code[:q], code[slot] = u, 1
                    g += w * np.outer(code, code)
                    g[:q, :q] += v
                    h += w * row[j] * code
                    s += w * row[j] ** 2
                    count += 1
            solution = np.linalg.lstsq(g, h, rcond=None)[0]
            new[:, j], nx[j], ny[j] = solution[: k + 1], solution[k + 1], solution[k + 2]
            left += s - 2 * solution @ h + solution @ g @ solution
        load, mx, my, noise = new, nx, ny, left / count
    load, mx, my, noise, ex = last
    return {
        "logLikelihoods": trace,
        "noise": noise,
        "salient": load[k].tolist(),
        "codes": [u[k] for _, _, u, _ in ex],
    }


gaps = lambda rows: [None if np.isnan(v) else v for v in rows.ravel()]
fixture = {
    "source": f"tools/fixtures_clvm.py: numpy {np.__version__}, SciPy {scipy.__version__}",
    "n": n,
    "m": m,
    "d": d,
    "x": gaps(x),
    "y": gaps(y),
    "normal": run(None),
    "student": run(5),
}
with open("src/analysis/fixtures/contrastive-latent.json", "w") as file:
    json.dump(fixture, file, indent=1)
    file.write("\n")
