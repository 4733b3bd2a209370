"""Terms of the unsupervised family and their gradients, in PyTorch's double precision.

The codes are fixture C of the terms' tests (8 x 3, sines), over data of 100 items. Densities come from torch.distributions,
gradients from autograd, deformed images from affine_grid and grid_sample. Run from the project's root:
python3 tools/fixtures_objectives.py
"""
import json

import torch
import torch.nn.functional as F
from torch.distributions import Normal

torch.set_default_dtype(torch.float64)
ROWS, COLUMNS, ITEMS = 8, 3, 100
source = f"tools/fixtures_objectives.py, PyTorch {torch.__version__}, float64"

r = torch.arange(ROWS).double()[:, None]
c = torch.arange(COLUMNS).double()[None]
mean = (torch.sin(1.3 * r + 0.7 * c) * (1 + 0.5 * c)).requires_grad_()
log_variance = (-1 + 0.1 * r + 0.05 * c).requires_grad_()
noise = torch.sin(7 * r + 3 * c + 1)


def log_weights(estimator):
    """How much item j counts in the density of the code of item i."""
    others = ROWS - 1
    if estimator == "weighted":
        return torch.full((ROWS, ROWS), 1 / (ROWS * ITEMS)).log()
    if estimator == "stratified":
        w = torch.full((ROWS, ROWS), 1 / others)
        for i in range(ROWS):
            w[i, (i + 1) % ROWS] = (ITEMS - others) / (ITEMS * others)
    else:
        w = torch.full((ROWS, ROWS), (ITEMS - 1) / (ITEMS * others))
    w.fill_diagonal_(1 / ITEMS)
    assert torch.allclose(w.sum(1), torch.ones(ROWS))
    return w.log()


def terms(estimator):
    z = mean + (0.5 * log_variance).exp() * noise
    q = Normal(mean, (0.5 * log_variance).exp())
    table = Normal(mean[None], (0.5 * log_variance).exp()[None]).log_prob(z[:, None])
    w = log_weights(estimator)
    joint = torch.logsumexp(table.sum(2) + w, 1)
    marginals = torch.logsumexp(table + w[:, :, None], 1)
    first = torch.logsumexp(table[:, :, :2].sum(2) + w, 1)
    groups = first + marginals[:, 2]
    prior = Normal(0.0, 1.0).log_prob(z).sum(1)
    given = q.log_prob(z).sum(1)
    return {
        "mutualInformation": (given - joint).mean(),
        "totalCorrelation": (joint - marginals.sum(1)).mean(),
        "dimensionWiseKl": (marginals.sum(1) - prior).mean(),
        "betweenGroups": (joint - groups).mean(),
        "insideGroups": (groups - marginals.sum(1)).mean(),
        "kl": (given - prior).mean(),
    }


def klFixture():
    estimators = {}
    for estimator in ["weighted", "stratified", "corrected"]:
        values = terms(estimator)
        gradients = {
            name: [g.flatten().tolist() for g in torch.autograd.grad(terms(estimator)[name], [mean, log_variance])]
            for name in ["mutualInformation", "totalCorrelation", "dimensionWiseKl"]
        }
        estimators[estimator] = {"terms": {k: v.item() for k, v in values.items()}, "gradients": gradients}
    return {"source": source, "items": ITEMS, "estimators": estimators}


def guideFixture():
    n, height, width = 3, 5, 6
    place = torch.arange(n * height * width).double()
    images = torch.sin(0.9 * place).reshape(n, 1, height, width)
    z = torch.tensor([[0.0, 0.0, 0.0], [0.7, -0.4, 0.5], [-0.3, 0.9, -1.2]], requires_grad=True)
    zoom = (-0.3 * z[:, 2]).exp()
    zero = torch.zeros(n)
    rows = [torch.stack([zoom, zero, -0.5 * z[:, 0] * zoom], 1), torch.stack([zero, zoom, -0.5 * z[:, 1] * zoom], 1)]
    grid = F.affine_grid(torch.stack(rows, 1), images.shape, align_corners=False)
    out = F.grid_sample(images, grid, mode="bilinear", padding_mode="zeros", align_corners=False)
    # At rest the first image is read exactly at its pixels, where bilinear interpolation has no derivative.
    (gradient,) = torch.autograd.grad((out * torch.cos(place).reshape(out.shape)).sum(), z)
    return {"source": source, "shape": list(images.shape), "z": z.tolist(), "deformed": out.flatten().tolist(),
            "gradient": gradient[1:].tolist()}


with open("src/objectives/fixtures/kl-parts.json", "w") as f:
    json.dump(klFixture(), f)
with open("src/methods/fixtures/deformed.json", "w") as f:
    json.dump(guideFixture(), f)
