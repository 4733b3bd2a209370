"""Likelihoods of counts by scipy, and their gradients by PyTorch: src/objectives/fixtures/counts.json."""
import json
import math
from pathlib import Path

import scipy
import torch
from scipy import stats

x = [0, 0, 1, 3, 12, 250]
mu = [0.2, 3.0, 0.7, 3.0, 40.0, 200.0]
theta = [0.5, 2.0, 0.05, 30.0, 4.0, 300.0]
pi = [0.3, 0.6, 0.2, 0.5, 0.1, 0.7]


def nb(k, m, t):
    return stats.nbinom.logpmf(k, t, t / (t + m))


def zinb(k, m, t, p):
    return math.log(p * (k == 0) + (1 - p) * math.exp(nb(k, m, t)))


constant = [math.lgamma(k + 1) for k in x]
values = {
    "poisson": [-stats.poisson.logpmf(k, m) - c for k, m, c in zip(x, mu, constant)],
    "negative-binomial": [-nb(k, m, t) - c for k, m, t, c in zip(x, mu, theta, constant)],
    "zero-inflated": [-zinb(k, m, t, p) - c * (k > 0) for k, m, t, p, c in zip(x, mu, theta, pi, constant)],
}

tx = torch.tensor(x, dtype=torch.float64)
log_mu = torch.tensor(mu, dtype=torch.float64).log().requires_grad_()
log_theta = torch.tensor(theta, dtype=torch.float64).log().requires_grad_()
logits = torch.logit(torch.tensor(pi, dtype=torch.float64)).requires_grad_()
log_nb = torch.distributions.NegativeBinomial(log_theta.exp(), logits=log_mu - log_theta).log_prob(tx)
log_zinb = torch.where(
    tx < 0.5,
    torch.log(torch.sigmoid(logits) + torch.sigmoid(-logits) * log_nb.exp()),
    torch.log(torch.sigmoid(-logits)) + log_nb,
)
gradients = {
    "poisson": torch.autograd.grad(-torch.distributions.Poisson(log_mu.exp()).log_prob(tx).sum(), [log_mu]),
    "negative-binomial": torch.autograd.grad(-log_nb.sum(), [log_mu, log_theta], retain_graph=True),
    "zero-inflated": torch.autograd.grad(-log_zinb.sum(), [log_mu, log_theta, logits]),
}
fixture = {
    "source": f"tools/fixtures_counts.py with scipy {scipy.__version__}, PyTorch {torch.__version__}",
    "x": x, "mu": mu, "theta": theta, "pi": pi, "values": values,
    "gradients": {name: [one.tolist() for one in all_] for name, all_ in gradients.items()},
}
path = Path(__file__).parent.parent / "src/objectives/fixtures/counts.json"
path.parent.mkdir(exist_ok=True)
path.write_text(json.dumps(fixture, indent=1) + "\n")
