"""Known answers for the contrastive and reference-based family, in PyTorch, scipy, POT and scikit-learn.

Three fixtures: terms on the numbers of the metrics' fixture C; every method's terms, loss and gradients on a small table,
with weights and feeds from rules that the test repeats; contrastive PCA. Run from the project's root with Debian's
python3-torch, python3-scipy, python3-pot and python3-sklearn: python3 tools/fixtures_contrastive.py
"""
import json
import math
import os
import warnings

os.environ.setdefault("OMP_NUM_THREADS", "1")
warnings.simplefilter("ignore")

import numpy as np
import ot
import scipy
import scipy.stats
import sklearn
import torch
import torch.nn.functional as F
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import SpectralClustering

VERSIONS = (
    f"tools/fixtures_contrastive.py with PyTorch {torch.__version__}, scipy {scipy.__version__}, POT {ot.__version__}, "
    f"scikit-learn {sklearn.__version__}, numpy {np.__version__}"
)
torch.set_default_dtype(torch.float64)


def write(path, content):
    with open(path, "w") as file:
        json.dump({"source": VERSIONS, **content}, file, separators=(",", ":"))
        file.write("\n")
    print(f"{path}: {os.path.getsize(path)} bytes")


def flat(tensor, digits=9):
    return [float(f"{v:.{digits}g}") for v in np.asarray(tensor.detach() if torch.is_tensor(tensor) else tensor).ravel()]


def entropic_cost(a, b, epsilon, iterations):
    """<T, C> after Sinkhorn's iterations in the logarithmic domain, columns first."""
    cost = torch.cdist(a, b, compute_mode="donot_use_mm_for_euclid_dist") ** 2
    n, m = cost.shape
    u = torch.zeros(n)
    for _ in range(iterations):
        v = -math.log(m) - torch.logsumexp(-cost / epsilon + u[:, None], 0)
        u = -math.log(n) - torch.logsumexp(-cost / epsilon + v[None, :], 1)
    plan = torch.exp(-cost / epsilon + u[:, None] + v[None, :])
    uniform = lambda k: np.full(k, 1 / k)
    theirs = ot.bregman.sinkhorn_log(uniform(n), uniform(m), cost.detach().numpy(), epsilon, numItermax=iterations, stopThr=0)
    assert np.allclose(plan.detach().numpy(), theirs, atol=1e-12)
    return (plan * cost).sum()


def exact_cost(a, b):
    cost = ((a[:, None] - b[None]) ** 2).sum(2).detach().numpy()
    _, partners = linear_sum_assignment(cost)
    value = ((a - b[partners]) ** 2).sum(1).mean()
    uniform = np.full(len(a), 1 / len(a))
    assert abs(ot.emd2(uniform, uniform, cost) - value.item()) < 1e-12
    return value, partners


def distance_correlation(a, b):
    """The bias-corrected squared distance correlation, entry by entry as Szekely and Rizzo (2013) print it."""
    n = len(a)

    def centred(rows):
        d = torch.cdist(rows, rows, compute_mode="donot_use_mm_for_euclid_dist")
        whole = d.sum() / ((n - 1) * (n - 2))
        return {(i, j): d[i, j] - d[i].sum() / (n - 2) - d[:, j].sum() / (n - 2) + whole for i in range(n) for j in range(n) if i != j}

    x, y = centred(a), centred(b)
    inner = lambda one, other: sum(one[at] * other[at] for at in one) / (n * (n - 3))
    return inner(x, y) / torch.sqrt(inner(x, x) * inner(y, y))


def terms():
    r, c = np.meshgrid(np.arange(8), np.arange(3), indexing="ij")
    mean = torch.tensor(np.sin(1.3 * r + 0.7 * c) * (1 + 0.5 * c), requires_grad=True)
    log_variance = torch.tensor(-1 + 0.1 * r + 0.05 * c, requires_grad=True)
    z = mean + torch.exp(0.5 * log_variance) * torch.tensor(np.sin(7 * r + 3 * c + 1))
    salience = (mean**2 + log_variance.exp()).sum(1).mean()
    salience_gradients = torch.autograd.grad(salience, [mean, log_variance])
    a, b = (part.detach().requires_grad_() for part in (z[:4], z[4:]))
    value, partners = exact_cost(a, b)
    out = {
        "z": flat(z),
        "salience": {"value": salience.item(), "mean": flat(salience_gradients[0]), "logVariance": flat(salience_gradients[1])},
        "exact": {"value": value.item(), "partners": partners.tolist(), **gradients(value, a, b)},
        "entropic": [],
    }
    for rows, epsilon, iterations in [(4, 1.0, 30), (4, 0.05, 20), (4, 5.0, 1), (3, 0.5, 10)]:
        a, b = z[:rows].detach().requires_grad_(), z[rows:].detach().requires_grad_()
        value = entropic_cost(a, b, epsilon, iterations)
        out["entropic"].append({"rows": rows, "epsilon": epsilon, "iterations": iterations, "value": value.item(), **gradients(value, a, b)})
    a, b = z[:, :2].detach().requires_grad_(), torch.cat([z[:, 2:], z[:, :1] ** 2], 1).detach().requires_grad_()
    value = distance_correlation(a, b)
    out["distanceCorrelation"] = {"a": flat(a), "b": flat(b), "value": value.item(), **gradients(value, a, b)}
    write("src/objectives/fixtures/contrastive.json", out)


def gradients(value, a, b):
    da, db = torch.autograd.grad(value, [a, b])
    return {"inA": flat(da), "inB": flat(db)}


BATCH, COLUMNS, Z, S, WIDTH = 8, 6, 3, 2, 64


def numbers(count, name):
    """Reproducible numbers in [-1, 1) for a name: the upper bits of a multiplicative hash of each place."""
    salt = sum((i + 1) * ord(c) for i, c in enumerate(name)) % 100000
    i = np.arange(count, dtype=np.uint64)
    h = (i + np.uint64(salt * 7919 + 1)) * np.uint64(2654435761) & np.uint64(0xFFFFFFFF)
    h ^= h >> np.uint64(15)
    h = h * np.uint64(2246822519) & np.uint64(0xFFFFFFFF)
    h ^= h >> np.uint64(13)
    return (h.astype(np.float64) / 2**31 - 1).astype(np.float32).astype(np.float64)


class Weights(dict):
    """Parameters by name, made at first use."""

    def get(self, name, shape):
        if name not in self:
            bound = np.float32(1 / math.sqrt(shape[-1]))
            values = (numbers(int(np.prod(shape)), name).astype(np.float32) * bound).astype(np.float64)
            self[name] = torch.tensor(values.reshape(shape), requires_grad=True)
        return self[name]

    def linear(self, path, x, out):
        return F.linear(x, self.get(path + ".weight", (out, x.shape[1])), self.get(path + ".bias", (out,)))


def feed(name, columns):
    return torch.tensor(numbers(BATCH * columns, name).reshape(BATCH, columns))


def mask(name, columns):
    return (feed(name, columns) > -0.5) / 0.75


ORDER = [3, 0, 5, 1, 7, 2, 4, 6]
# An order of target and background together.
BOTH_ORDER = [9, 3, 12, 0, 15, 5, 1, 10, 7, 14, 2, 8, 4, 13, 6, 11]


class Model:
    def __init__(self, encoders, likelihood, learned, freedom=None):
        self.w = w = Weights()
        self.encoders, self.likelihood, self.freedom = encoders, likelihood, freedom
        x, y = feed("x", COLUMNS), feed("background", COLUMNS)
        self.x, self.y = x, y
        self.qx, self.qy = self.encode(x), self.encode(y)
        self.zx = self.sample(self.qx[0], "noise of z", Z)
        self.sx = self.sample(self.qx[1], "noise of s", S)
        self.zy = self.sample(self.qy[0], "background noise of z", Z)
        neutral = w.get("reference", (1, S)) if learned else torch.zeros(1, S)
        self.sy = neutral.expand(BATCH, S)
        self.terms = {
            "reconstruction": self.reconstruction(self.decode(self.zx, self.sx), x),
            "kl z": kl(self.qx[0]),
            "kl s": kl(self.qx[1]),
            "background reconstruction": self.reconstruction(self.decode(self.zy, self.sy), y),
            "background kl z": kl(self.qy[0]),
        }

    def hidden(self, path, x, layers=2):
        for i in range(layers):
            x = F.relu(self.w.linear(f"{path}.linear{i + 1}", x, WIDTH))
        return x

    def encode(self, x):
        def head(block, size):
            h = self.hidden("encoder" if self.encoders == "one" else block + ".encoder", x)
            return self.w.linear(block + ".mean", h, size), self.w.linear(block + ".log variance", h, size)

        return head("z", Z), head("s", S)

    def decode(self, z, s):
        return self.w.linear("decoder.linear3", self.hidden("decoder", torch.cat([z, s], 1)), COLUMNS)

    def sample(self, q, noise, size):
        return q[0] + torch.exp(0.5 * q[1]) * feed(noise, size)

    def reconstruction(self, output, x):
        if self.freedom:
            t = [-student_log_density(x[i], output[i], self.freedom) for i in range(BATCH)]
            return (torch.stack(t) + student_log_density(x[0], x[0], self.freedom)).mean()
        per_value = (x - output) ** 2 / 2 if self.likelihood == "gaussian" else (x - output).abs() / 0.01
        return per_value.sum(1).mean()

    def bound(self, beta):
        t = self.terms
        return t["reconstruction"] + t["background reconstruction"] + beta * (t["kl z"] + t["kl s"] + t["background kl z"])


def kl(q):
    return (0.5 * (q[0] ** 2 + q[1].exp() - q[1] - 1)).sum(1).mean()


def salience(q):
    return (q[0] ** 2 + q[1].exp()).sum(1).mean()


def logistic(on_q, on_p):
    """The discriminator's loss with q as positives, as PyTorch has it."""
    q = F.binary_cross_entropy_with_logits(on_q, torch.ones_like(on_q))
    p = F.binary_cross_entropy_with_logits(on_p, torch.zeros_like(on_p))
    return (q + p) / 2


def result(model, loss_of_model, adversaries=None, total=None):
    """Terms, what is minimised, and every gradient: the model's of its loss, each adversary's of its own."""
    adversaries = adversaries or {}
    total = loss_of_model + sum(adversaries.values()) if total is None else total
    owner = lambda name: next((path for path in adversaries if name.startswith(path + ".")), None)
    grads = {}
    for name, weight in model.w.items():
        loss = adversaries.get(owner(name), loss_of_model)
        (gradient,) = torch.autograd.grad(loss, [weight], retain_graph=True, allow_unused=True)
        if gradient is not None:
            values = gradient.flatten()
            grads[name] = {"norm": float(f"{values.norm().item():.9g}"), "first": flat(values[:4])}
    return {"loss": total.item(), "terms": {k: v.item() for k, v in model.terms.items()}, "gradients": grads}


def contrastive_vae():
    model = Model("one", "gaussian", False)
    return result(model, model.bound(2))


def contrastive_correct():
    model = Model("one", "gaussian", False)
    model.terms["background salience"] = salience(model.qy[1])
    return result(model, model.bound(2) + 10 * model.terms["background salience"])


def recoding():
    model = Model("one", "gaussian", False)
    model.terms["background salience"] = salience(model.qy[1])
    z, s = model.zy.detach(), model.sx.detach()
    qz, qs = model.encode(model.decode(z, s).detach())
    model.terms["recoding"] = surprise(qz, z) + surprise(qs, s)
    return result(model, model.bound(2) + 10 * model.terms["background salience"] + 3 * model.terms["recoding"])


def independence():
    model = Model("one", "gaussian", False)
    model.terms["background salience"] = salience(model.qy[1])
    model.terms["independence"] = distance_correlation(model.qx[0][0], model.qx[1][0])
    return result(model, model.bound(2) + 10 * model.terms["background salience"] + 5 * model.terms["independence"])


def contrastive_w2(sinkhorn):
    model = Model("one", "gaussian", False)
    model.terms["background salience"] = salience(model.qy[1])
    if sinkhorn:
        model.terms["w2"], partners = entropic_cost(model.zx, model.zy, 0.5, 20), None
    else:
        model.terms["w2"], partners = exact_cost(model.zx, model.zy)
    out = result(model, model.bound(2) + 10 * model.terms["background salience"] + model.terms["w2"])
    return out if partners is None else {**out, "partners": partners.tolist()}


def cvae(discriminator, together):
    model = Model("two", "gaussian", False)

    def logits(code):
        if discriminator == "linear":
            return model.w.linear("discriminator.linear1", code, 1)
        for i in (1, 2):
            code = F.leaky_relu(model.w.linear(f"discriminator.linear{i}", code, 256), 0.2)
        return model.w.linear("discriminator.linear3", code, 1)

    joint = torch.cat([model.zx, model.sx], 1)
    shuffled = torch.cat([model.zx, model.sx[ORDER]], 1)
    correlation = model.terms["total correlation"] = logits(joint).mean()
    learned = model.terms["discriminator"] = logistic(logits(joint), logits(shuffled))
    if together:
        return result(model, model.bound(2) + correlation + 2 * learned)
    return result(model, model.bound(2) + correlation, {"discriminator": 2 * learned})


def rb_vae():
    model = Model("two", "laplace", True)
    return result(model, model.bound(1))


def surprise(q, code):
    return -torch.distributions.Normal(q[0], torch.exp(0.5 * q[1])).log_prob(code).sum(1).mean()


def srb_vae(beta=0, dropped="branches"):
    model = Model("two", "laplace", True)
    w = model.w
    z, s, zr = feed("prior of z", Z), feed("prior of s", S), feed("background prior of z", Z)
    x, xr = model.decode(z, s), model.decode(zr, model.sy)
    qz, qs = model.encode(x)
    codes = model.terms["code reconstruction"] = surprise(qz, z) + surprise(qs, s)
    reference_codes = model.terms["background code reconstruction"] = surprise(model.encode(xr)[0], zr)

    def d(name, of, item, code):
        branches = {"item": model.hidden(f"{name}.item", item), "codes": F.leaky_relu(w.linear(f"{name}.codes", code, 256), 0.2)}
        if dropped == "branches":
            branches = {branch: values * mask(f"{name}.{of}.{branch}.mask", 1) for branch, values in branches.items()}
        kept = torch.cat(list(branches.values()), 1)
        if dropped == "units":
            kept = kept * mask(f"{name}.{of}.mask", kept.shape[1])
        return w.linear(f"{name}.ratio", F.leaky_relu(w.linear(f"{name}.joint", kept, 256), 0.2), 1)

    def told(name, prefix, q, p):
        on_q, on_p = d(name, "encoded", *q), d(name, "generated", *p)
        model.terms[prefix + "log ratio"] = on_q.mean() - on_p.mean()
        model.terms[prefix + "discriminator"] = logistic(on_q, on_p)

    told("discriminator", "", (model.x, torch.cat([model.zx, model.sx], 1)), (x, torch.cat([z, s], 1)))
    told("background discriminator", "background ", (model.y, model.zy), (xr, zr))
    t = model.terms
    loss = t["log ratio"] + t["background log ratio"] + model.bound(beta) + codes + reference_codes
    return result(model, loss, {"discriminator": t["discriminator"], "background discriminator": t["background discriminator"]})


def mmd(a, b):
    """The authors' discrepancy: every pair of samples, and a kernel of thirteen widths."""
    gammas = [10.0**i for i in range(-6, 7)]
    apart = lambda one, other: ((one[:, None] - other[None]) ** 2).sum(2)
    kernel = lambda one, other: sum(torch.exp(-gamma * apart(one, other)) for gamma in gammas).mean()
    return kernel(a, a) + kernel(b, b) - 2 * kernel(a, b)


def mm_cvae():
    model = Model("two", "gaussian", False)
    s = model.sample(model.qy[1], "background noise of s", S)
    z_apart = model.terms["mmd z"] = mmd(model.zx, model.zy)
    s_apart = model.terms["mmd s"] = mmd(s, torch.zeros_like(s))
    return result(model, model.bound(1) + 78 * z_apart + 7.8 * s_apart)


def sep_vae(sigma_p=0.025, kappa=2, gamma=30):
    model = Model("two", "gaussian", False)
    w, t = model.w, model.terms
    s = model.sample(model.qy[1], "background noise of s", S)
    q = torch.distributions.Normal(model.qy[1][0], torch.exp(model.qy[1][1] / 2))
    p = torch.distributions.Normal(torch.zeros(BATCH, S), torch.full((BATCH, S), math.sqrt(sigma_p)))
    t["background kl s"] = torch.distributions.kl_divergence(q, p).sum(1).mean()

    def mlp(path, x, widths):
        for i, width in enumerate(widths):
            x = F.leaky_relu(w.linear(f"{path}.linear{i + 1}", x, width), 0.2)
        return w.linear(f"{path}.linear{len(widths) + 1}", x, 1)

    both = torch.cat([model.sx, s])
    of_target = torch.cat([torch.ones(BATCH), torch.zeros(BATCH)])[:, None]
    told = F.binary_cross_entropy_with_logits(mlp("salient classifier", both, [64]), of_target)
    t["salient classification"] = told
    z = torch.cat([model.zx, model.zy])
    on_joint = mlp("discriminator", torch.cat([z, both], 1), [256, 256])
    on_shuffled = mlp("discriminator", torch.cat([z, both[BOTH_ORDER]], 1), [256, 256])
    t["mutual information"] = torch.clamp(on_joint, min=0).mean()
    t["discriminator"] = logistic(on_joint, on_shuffled)
    loss = t["reconstruction"] + t["background reconstruction"] + 0.5 * (t["kl z"] + t["background kl z"])
    loss = loss + 0.5 * (t["kl s"] + t["background kl s"]) + kappa * t["mutual information"] + gamma * told
    return result(model, loss, {"discriminator": t["discriminator"]})


def student_log_density(x, mean, freedom):
    """ln of a multivariate t with unit scale, the same as scipy's."""
    d = len(x)
    constant = torch.lgamma(torch.tensor((freedom + d) / 2)) - torch.lgamma(torch.tensor(freedom / 2)) - d / 2 * math.log(freedom * math.pi)
    density = constant - (freedom + d) / 2 * torch.log1p(((x - mean) ** 2).sum() / freedom)
    theirs = scipy.stats.multivariate_t(mean.detach().numpy(), np.eye(d), df=freedom).logpdf(x.detach().numpy())
    assert abs(theirs - density.item()) < 1e-9
    return density


class Added(Model):
    """Target items are f(z) + g(s) - g(0), background items f(z)."""

    def decode(self, z, s):
        w = self.w
        f = w.linear("decoder.linear3", self.hidden("decoder", z), COLUMNS)
        g = lambda code: F.linear(self.hidden("added decoder", code), w.get("added decoder.linear3.weight", (COLUMNS, WIDTH)))
        return f + g(s) - g(torch.zeros(1, S)) if s.any() else f


def clvm(freedom=None):
    model = Added("two", "gaussian", False, freedom)
    return result(model, model.bound(1))


def methods():
    cases = [
        ("contrastive-vae", {}, contrastive_vae()),
        ("contrastive-correct", {}, contrastive_correct()),
        ("contrastive-correct", {"recoding": 3}, recoding()),
        ("contrastive-correct", {"independence": 5}, independence()),
        ("contrastive-w2", {}, contrastive_w2(False)),
        ("contrastive-w2", {"solver": "sinkhorn"}, contrastive_w2(True)),
        ("cvae-tc", {}, cvae("mlp", False)),
        ("cvae-tc", {"discriminator": "linear", "together": True}, cvae("linear", True)),
        ("mm-cvae", {}, mm_cvae()),
        ("sep-vae", {}, sep_vae()),
        ("sep-vae", {"sigmaP": 0.5, "kappa": 5, "gamma": 3}, sep_vae(0.5, 5, 3)),
        ("clvm", {}, clvm()),
        ("clvm", {"freedom": 4}, clvm(4)),
        ("rb-vae", {}, rb_vae()),
        ("srb-vae", {}, srb_vae()),
        ("srb-vae", {"beta": 3}, srb_vae(3)),
        ("srb-vae", {"dropped": "units"}, srb_vae(dropped="units")),
    ]
    out = [{"method": method, "settings": settings, **answer} for method, settings, answer in cases]
    write("src/methods/fixtures/contrastive.json", {"batch": BATCH, "columns": COLUMNS, "z": Z, "s": S, "order": ORDER, "bothOrder": BOTH_ORDER, "cases": out})


def contrastive_pca():
    rng = np.random.default_rng(5)
    n, m, d = 60, 50, 6
    nuisance = np.array([5, 3, 1, 0.5, 0.2, 0.2])
    background = np.round(rng.normal(size=(m, d)) * nuisance + 2, 4)
    target = rng.normal(size=(n, d)) * nuisance - 1
    target[:, 2] += np.where(np.arange(n) % 2, 2, -2)
    target[:, 3] += np.where(np.arange(n) // 2 % 2, 1.5, -1.5)
    target = np.round(target, 4)
    ct, cb = np.cov(target, rowvar=False), np.cov(background, rowvar=False)

    def axes(alpha, k):
        values, vectors = np.linalg.eigh(ct - alpha * cb)
        order = np.argsort(-values)[:k]
        return values[order], vectors[:, order].T

    cases = []
    for alpha in (0, 0.7, 4, 100):
        values, vectors = axes(alpha, 3)
        cases.append({"alpha": alpha, "values": flat(values), "axes": flat(vectors), "variances": flat(np.diag(vectors @ ct @ vectors.T)),
                      "backgroundVariances": flat(np.diag(vectors @ cb @ vectors.T))})
    alphas = np.concatenate([[0], np.logspace(-1, 3, 40)])
    bases = [axes(alpha, 2)[1] for alpha in alphas]
    affinity = np.array([[np.prod(np.linalg.svd(a @ b.T)[1]) for b in bases] for a in bases])
    labels = SpectralClustering(3, affinity="precomputed", random_state=0, n_init=50).fit_predict(affinity)
    medoids = []
    for label in dict.fromkeys(labels):
        inside = np.flatnonzero(labels == label)
        # As in the authors' code, the cluster that holds alpha = 0 is represented by it.
        medoids.append(0 if 0 in inside else float(alphas[inside[np.argmax(affinity[np.ix_(inside, inside)].sum(0))]]))
    write("src/analysis/fixtures/contrastive-pca.json", {
        "n": n, "m": m, "d": d, "target": flat(target), "background": flat(background), "cases": cases,
        "sweep": {"components": 2, "clusters": 3, "alphas": flat(alphas), "affinity": flat(affinity), "labels": labels.tolist(), "medoids": flat(medoids)}})


terms()
methods()
contrastive_pca()
