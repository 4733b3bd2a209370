"""Terms, losses and gradients of the methods with classes, in PyTorch, on a small table. Weights and feeds follow rules that
the test repeats. Run from the project's root: python3 tools/fixtures_class_methods.py"""
import itertools
import json
import math

import numpy as np
import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
BATCH, COLUMNS, WIDTH = 8, 6, 64
CLASSES = [3, 2]


def numbers(count, name):
    """Reproducible numbers in [-1, 1) for a name, in single precision."""
    salt = sum((i + 1) * ord(letter) for i, letter in enumerate(name)) % 100_000
    h = (np.arange(count, dtype=np.uint64) + salt * 7919 + 1) * 2654435761 % 2**32
    h = h ^ (h >> 15)
    h = h * 2246822519 % 2**32
    h = h ^ (h >> 13)
    return torch.tensor((h.astype(np.float64) / 2**31 - 1).astype(np.float32).astype(np.float64))


def fed(name, *item):
    return numbers(BATCH * math.prod(item), name).reshape(BATCH, *item)


def known(count, salt):
    return F.one_hot((torch.arange(BATCH) * 7 + salt) % count, count).double()


class Weights(dict):
    """Parameters by name, made at their first use."""

    def of(self, name, *shape):
        if name not in self:
            bound = float(np.float32(1 / math.sqrt(shape[-1])))
            values = (numbers(math.prod(shape), name) * bound).float().double()
            self[name] = values.reshape(shape).requires_grad_()
        return self[name]

    def linear(self, name, x, out, mask=None):
        weight = self.of(f"{name}.weight", out, x.shape[1])
        return F.linear(x, weight if mask is None else weight * mask, self.of(f"{name}.bias", out))

    def frozen(self):
        """The same weights, held constant."""
        copy = Weights()
        copy.update({name: value.detach() for name, value in self.items()})
        return copy


def mlp(w, name, x, out=None, slope=0.0):
    for i in (1, 2):
        x = F.leaky_relu(w.linear(f"{name}.linear{i}", x, WIDTH), slope)
    return x if out is None else w.linear(f"{name}.linear3", x, out)


def head(w, name, h, size):
    return w.linear(f"{name}.mean", h, size), w.linear(f"{name}.log variance", h, size)


def drawn(posterior, noise):
    mean, logvar = posterior
    return mean + (0.5 * logvar).exp() * noise


def kl_standard(posterior):
    mean, logvar = posterior
    return 0.5 * (mean**2 + logvar.exp() - logvar - 1)


def squared(x, y):
    return 0.5 * ((x - y) ** 2).sum(1).mean()


def split(rows, sizes):
    return list(torch.split(rows, list(sizes), 1))


def block_mask(rows, columns):
    return torch.block_diag(*[torch.ones(r, c) for r, c in zip(rows, columns)])


def class_terms(logits, y):
    loss = sum(F.cross_entropy(one, true.argmax(1)) for one, true in zip(logits, y))
    right = sum((one.argmax(1) == true.argmax(1)).double().mean() for one, true in zip(logits, y)) / len(y)
    return loss, right


def parted(s, counts, labelled):
    w, x = Weights(), fed("x", COLUMNS)
    steps = []
    K, du, dz = len(counts), s["classLatents"], s["latents"]
    labels = [known(n, 3 * k) for k, n in enumerate(counts)]
    if labelled:
        h = mlp(w, "encoder", fed("labelled x", COLUMNS))
        loss, right = class_terms(split(w.linear("c", h, sum(counts)), counts), labels)
        steps.append(("supervised", loss, {"classification": loss, "labelled accuracy": right}, dict(w)))
    names = ["u"] if K == 1 else [f"u v{k}" for k in range(K)]
    cnames = ["c"] if K == 1 else [f"c v{k}" for k in range(K)]
    h = mlp(w, "encoder", x)
    logits = split(w.linear("c", h, sum(counts)), counts)
    c = [F.softmax((one + fed(f"noise of {cnames[k]}", counts[k])) / s["temperature"], 1) for k, one in enumerate(logits)]
    f = w.linear("attention", torch.cat(c, 1), K * WIDTH, block_mask([WIDTH] * K, counts))
    attended = h.repeat(1, K) * torch.sigmoid(f * s["attentionSlope"])
    mask = block_mask([du] * K, [WIDTH] * K)
    means = split(w.linear("u.mean", attended, K * du, mask), [du] * K)
    logvars = split(w.linear("u.log variance", attended, K * du, mask), [du] * K)
    z = head(w, "z", h, dz)
    shape = (sum(counts), du)
    prior_means = torch.split(w.of("prior.mean", *shape), counts)
    prior_logvars = torch.split(2 * torch.tanh(w.of("prior.spread", *shape)) - 1, counts)
    code = [drawn(z, fed("noise of z", dz))]
    code += [drawn((m, v), fed(f"noise of {names[k]}", du)) for k, (m, v) in enumerate(zip(means, logvars))]
    reconstruction = squared(x, mlp(w, "decoder", torch.cat(code, 1), COLUMNS))
    kl_z = kl_standard(z).sum(1).mean()
    kl_u = kl_c = entropy = overlap = 0
    for k, one in enumerate(logits):
        log_q = F.log_softmax(one, 1)
        q = log_q.exp()
        m, v, pm, pv = means[k][:, None], logvars[k][:, None], prior_means[k][None], prior_logvars[k][None]
        kl = 0.5 * ((m - pm) ** 2 / pv.exp() + (v - pv).exp() - 1 + pv - v).sum(2)
        kl_u = kl_u + (q * kl).sum(1).mean()
        aggregate = torch.logsumexp(log_q, 0) - math.log(BATCH)
        kl_c = kl_c + (aggregate.exp() * (aggregate + math.log(counts[k]))).sum()
        entropy = entropy - (q * log_q).sum(1).mean()
        for i in range(counts[k]):
            for j in range(i):
                vi, vj = prior_logvars[k][i].exp(), prior_logvars[k][j].exp()
                middle = (vi + vj) / 2
                apart = ((prior_means[k][i] - prior_means[k][j]) ** 2 / middle).sum() / 8
                distance = apart + 0.5 * torch.log(middle.prod() / torch.sqrt(vi.prod() * vj.prod()))
                overlap = overlap + F.relu(torch.exp(-distance) - s["tolerance"])
    form = torch.abs if s["capacityForm"] == "absolute" else (lambda value: value)
    loss = (
        reconstruction
        + s["gammaZ"] * form(kl_z - s["capacityZ"])
        + s["gammaU"] * form(kl_u - s["capacityU"])
        + s["gammaC"] * kl_c
        + s["gammaH"] * entropy
        + s["gammaBc"] * overlap
    )
    terms = {"reconstruction": reconstruction, "kl z": kl_z, "kl u": kl_u, "kl c": kl_c, "entropy": entropy, "overlap": overlap}
    return steps + [("train", loss, terms, w)]


def n_vae(s, counts, _):
    w, x, (L,) = Weights(), fed("x", COLUMNS), counts
    y, d = known(L, 0), s["classLatents"]
    h = mlp(w, "encoder", x)
    logits = w.linear("y", h, L)
    own, shared = head(w, "z_c", h, L * d), head(w, "z_s", h, s["latents"])
    masked = drawn(own, fed("noise of z_c", L * d)).reshape(BATCH, L, d) * y[:, :, None]
    code = [masked.reshape(BATCH, -1), drawn(shared, fed("noise of z_s", s["latents"]))]
    reconstruction = squared(x, mlp(w, "decoder", torch.cat(([y] if s["oneHotBias"] else []) + code, 1), COLUMNS))
    each = kl_standard(own).reshape(BATCH, L, d).sum(2)
    kl_s, kl_c = kl_standard(shared).sum(1).mean(), each.sum(1).mean()
    cross, right = class_terms([logits], [y])
    if s["classTerm"] == "dirichlet":
        q = torch.distributions.Dirichlet((1 + L * s["concentration"]) * F.softmax(logits, 1) + 1e-4)
        p = torch.distributions.Dirichlet(y + s["concentration"])
        cross = torch.distributions.kl_divergence(q, p).mean()
    terms = {"reconstruction": reconstruction, "kl z_s": kl_s, "kl z_c": kl_c, "classification": cross, "accuracy": right}
    terms["kl z_c of the true class"] = (each * y).sum(1).mean()
    return [("train", reconstruction + kl_s + s["betaC"] * kl_c + cross, terms, w)]


def joint(s, counts, _):
    w, x = Weights(), fed("x", COLUMNS)
    h = mlp(w, "encoder", x)
    z, logits = head(w, "z", h, s["latents"]), split(w.linear("c", h, sum(counts)), counts)
    code = [drawn(z, fed("noise of z", s["latents"]))]
    code += [F.softmax((one + fed(f"noise of c{k + 1}", counts[k])) / s["temperature"], 1) for k, one in enumerate(logits)]
    reconstruction = squared(x, mlp(w, "decoder", torch.cat(code, 1), COLUMNS))
    kl_z = kl_standard(z).sum(1).mean()
    kl_c = sum((F.softmax(one, 1) * F.log_softmax(one, 1)).sum(1).mean() + math.log(n) for one, n in zip(logits, counts))
    most = min(s["capacityC"], sum(math.log(n) for n in counts))
    loss = reconstruction + s["gammaZ"] * (kl_z - s["capacityZ"]).abs() + s["gammaC"] * (kl_c - most).abs()
    return [("train", loss, {"reconstruction": reconstruction, "kl z": kl_z, "kl c": kl_c}, w)]


def discrepancy(a, b):
    """MMD squared, pair by pair, with the kernel width of InfoVAE's authors: exp(-mean square difference / d)."""
    kernel = lambda one, other: torch.stack([torch.exp(-F.mse_loss(u, v) / len(u)) for u in one for v in other]).mean()
    return kernel(a, a) + kernel(b, b) - 2 * kernel(a, b)


def info(s, *_):
    w, x = Weights(), fed("x", COLUMNS)
    q = head(w, "z", mlp(w, "encoder", x), s["latents"])
    z = drawn(q, fed("noise of z", s["latents"]))
    reconstruction = squared(x, mlp(w, "decoder", z, COLUMNS))
    kl = kl_standard(q).sum(1).mean()
    mmd = discrepancy(z, fed("sample of the prior", s["latents"]))
    loss = reconstruction + (1 - s["alpha"]) * kl + (s["alpha"] + s["lambda"] - 1) * mmd
    return [("train", loss, {"reconstruction": reconstruction, "kl": kl, "mmd": mmd}, w)]


def conditional(s, counts, _):
    w, x = Weights(), fed("x", COLUMNS)
    y = [known(n, 3 * k) for k, n in enumerate(counts)]
    code = torch.cat(y, 1)
    h = mlp(w, "encoder", x)
    joined = F.relu(w.linear("join.linear1", torch.cat([h, code], 1), 256))
    q = head(w, "z", joined, s["latents"])
    z = drawn(q, fed("noise of z", s["latents"]))
    reconstruction = squared(x, mlp(w, "decoder", torch.cat([z, code], 1), COLUMNS))
    kl = kl_standard(q).sum(1).mean()
    cross, right = class_terms(split(w.linear("classifier", h, sum(counts)), counts), y)
    loss = reconstruction + s["beta"] * kl + cross
    return [("train", loss, {"reconstruction": reconstruction, "kl": kl, "classification": cross, "accuracy": right}, w)]


def batch_norm(w, name, x):
    gain, offset = w.of(f"{name}.weight", 1, x.shape[1]), w.of(f"{name}.bias", 1, x.shape[1])
    return F.batch_norm(x, None, None, gain[0], offset[0], training=True)


def generated(w, s, code):
    x = torch.cat([fed("noise of z", s["latents"]), code], 1)
    for i in (1, 2):
        x = F.relu(batch_norm(w, f"generator.batchNorm{i}", w.linear(f"generator.linear{i}", x, WIDTH)))
    return w.linear("generator.linear3", x, COLUMNS)


def slope_of(scores, x):
    (slope,) = torch.autograd.grad(scores.sum(), x, create_graph=True)
    return slope.square().sum(1).mean() / 2


def cgan(s, counts, _):
    w, x = Weights(), fed("x", COLUMNS).requires_grad_()
    code = torch.cat([known(n, 3 * k) for k, n in enumerate(counts)], 1)
    picture = generated(w, s, code)

    def judge(weights, x):
        h = mlp(weights, "discriminator.features", x, slope=0.2)
        fit = (h * weights.linear("discriminator.class", code, WIDTH)).sum(1, keepdim=True)
        return weights.linear("discriminator.source", h, 1) + fit

    real = judge(w, x)
    slope = slope_of(real, x)
    discriminator = F.softplus(-real).mean() + F.softplus(judge(w, picture.detach())).mean()
    generator = F.softplus(-judge(w.frozen(), picture)).mean()
    terms = {"generator": generator, "discriminator": discriminator, "slope": slope}
    return [("train", generator + discriminator + s["gamma"] * slope, terms, w)]


def ac_gan(s, counts, _):
    w, x = Weights(), fed("x", COLUMNS).requires_grad_()
    y = [known(n, 3 * k) for k, n in enumerate(counts)]
    picture = generated(w, s, torch.cat(y, 1))

    def judge(weights, x):
        h = mlp(weights, "discriminator.features", x, slope=0.2)
        logits = split(weights.linear("discriminator.class", h, sum(counts)), counts)
        return weights.linear("discriminator.source", h, 1), class_terms(logits, y)

    real, (real_class, right) = judge(w, x)
    fake, (fake_class, _) = judge(w, picture.detach())
    discriminator = F.softplus(-real).mean() + F.softplus(fake).mean()
    score, (drawn_class, _) = judge(w.frozen(), picture)
    generator = F.softplus(-score).mean()
    terms = {"generator": generator, "discriminator": discriminator, "classification": real_class, "accuracy": right}
    terms["classification of drawn"] = drawn_class
    terms["slope"] = slope_of(real, x)
    loss = generator + drawn_class + discriminator + real_class + fake_class + s["gamma"] * terms["slope"]
    return [("train", loss, terms, w)]


def infogan(s, counts, _):
    w, x = Weights(), fed("x", COLUMNS).requires_grad_()
    gumbels = [fed(f"draw of c{k + 1}", n) for k, n in enumerate(counts)]
    c, u = [F.one_hot(g.argmax(1), n).double() for g, n in zip(gumbels, counts)], fed("draw of u", s["codes"])
    picture = generated(w, s, torch.cat([*c, u], 1))
    features = lambda weights, x: mlp(weights, "discriminator.features", x, slope=0.2)
    score = lambda weights, x: weights.linear("discriminator.source", features(weights, x), 1)
    real = score(w, x)
    discriminator = F.softplus(-real).mean() + F.softplus(score(w, picture.detach())).mean()
    generator = F.softplus(-score(w.frozen(), picture)).mean()
    hidden = F.leaky_relu(w.linear("discriminator.codes.linear1", features(w, picture), 128), 0.1)
    cross, right = class_terms(split(w.linear("discriminator.c", hidden, sum(counts)), counts), c)
    mean, logvar = head(w, "discriminator.u", hidden, s["codes"])
    prior = torch.distributions.Normal(torch.zeros(s["codes"]), torch.ones(s["codes"]))
    told = torch.distributions.Normal(mean, (0.5 * logvar).exp()).log_prob(u).sum(1).mean()
    terms = {"generator": generator, "discriminator": discriminator, "slope": slope_of(real, x), "accuracy": right}
    terms["information c"] = sum(math.log(n) for n in counts) - cross
    terms["information u"] = prior.entropy().sum() + told
    loss = generator + discriminator + s["gamma"] * terms["slope"]
    return [("train", loss - s["lambda"] * terms["information c"] - s["lambdaU"] * terms["information u"], terms, w)]


def classifier(s, counts, _):
    w = Weights()
    h = mlp(w, "encoder", fed("x", COLUMNS))
    cross, right = class_terms(split(w.linear("c", h, sum(counts)), counts), [known(n, 3 * k) for k, n in enumerate(counts)])
    return [("train", cross, {"classification": cross, "accuracy": right}, w)]


SHARE = 5 / 100


def labelled_classes(counts):
    return [known(n, 3 * k) for k, n in enumerate(counts)]


def cost(x, output):
    return 0.5 * ((x - output) ** 2).sum(1)


def uniform_kl(logits):
    """KL to the uniform prior over classes, summed over variables."""
    return sum((F.softmax(one, 1) * F.log_softmax(one, 1)).sum(1).mean() + math.log(one.shape[1]) for one in logits)


def m2(s, counts, labelled):
    """Kingma et al. 2014: with every combination of classes, one after the other."""
    w = Weights()
    names = [f"y v{k}" for k in range(len(counts))]
    logits_of = lambda h: split(w.linear("y", h, sum(counts)), counts)
    join = lambda h, other: F.relu(w.linear("join.linear1", torch.cat([h, other], 1), 256))
    decode = lambda z, y: mlp(w, "decoder", torch.cat([z, y], 1), COLUMNS)
    x, d = fed("x", COLUMNS), s["latents"]
    h = mlp(w, "encoder", x)
    if s["objective"] == "marginal":
        logits = logits_of(h)
        reconstruction = kl = 0
        for classes in itertools.product(*[range(n) for n in counts]):
            y = torch.cat([F.one_hot(torch.tensor(c), n).double().expand(BATCH, n) for c, n in zip(classes, counts)], 1)
            q = head(w, "z", join(h, y), d)
            weight = math.prod(F.softmax(one, 1)[:, c] for one, c in zip(logits, classes))
            reconstruction = reconstruction + (weight * cost(x, decode(drawn(q, fed("noise of z", d)), y))).mean()
            kl = kl + (weight * kl_standard(q).sum(1)).mean()
    else:
        q = head(w, "z", h, d)
        z = drawn(q, fed("noise of z", d))
        logits = logits_of(join(h, z))
        y = [F.softmax((one + fed(f"noise of {names[k]}", counts[k])) / s["temperature"], 1) for k, one in enumerate(logits)]
        reconstruction, kl = cost(x, decode(z, torch.cat(y, 1))).mean(), kl_standard(q).sum(1).mean()
    terms = {"reconstruction": reconstruction, "kl z": kl, "kl y": uniform_kl(logits)}
    bound = reconstruction + kl + terms["kl y"]
    if not labelled:
        return [("train", bound, terms, w)]
    x, y = fed("labelled x", COLUMNS), labelled_classes(counts)
    h, code, of_prior = mlp(w, "encoder", x), torch.cat(y, 1), sum(math.log(n) for n in counts)
    if s["objective"] == "marginal":
        q = head(w, "z", join(h, code), d)
        reconstruction = cost(x, decode(drawn(q, fed("labelled noise of z", d)), code)).mean()
        kl = kl_standard(q).sum(1).mean()
        cross, right = class_terms(logits_of(h), y)
        known_bound = reconstruction + kl + of_prior
    else:
        q = head(w, "z", h, d)
        noise = fed("labelled noise of z", s["samples"] * d).reshape(BATCH, s["samples"], d)
        normal = torch.distributions.Normal
        log_q, values, kls = [], [], []
        for k in range(s["samples"]):
            z = drawn(q, noise[:, k])
            logits = logits_of(join(h, z))
            right = class_terms(logits, y)[1] if k == 0 else right
            log_q.append(sum((F.log_softmax(one, 1) * true).sum(1) for one, true in zip(logits, y)))
            values.append(cost(x, decode(z, code)))
            density = normal(q[0], (0.5 * q[1]).exp()).log_prob(z) - normal(0.0, 1.0).log_prob(z)
            kls.append(density.sum(1))
        log_q = torch.stack(log_q, 1)
        log_z = torch.logsumexp(log_q, 1) - math.log(s["samples"])
        weights = (log_q - log_z[:, None]).exp() / s["samples"]
        weighed = lambda each: (weights * each).sum(1).mean()
        reconstruction, kl = weighed(torch.stack(values, 1)), weighed(torch.stack(kls, 1))
        terms["labelled kl y"] = weighed(log_q) + of_prior
        cross = -log_z.mean()
        known_bound = reconstruction + kl + terms["labelled kl y"] + cross
    terms = {**terms, "labelled reconstruction": reconstruction, "labelled kl z": kl}
    terms = {**terms, "classification": cross, "labelled accuracy": right}
    loss = (1 - SHARE) * bound + SHARE * s["gamma"] * known_bound + s["alpha"] * cross
    return [("train", loss, terms, w)]


def ccvae(s, counts, labelled):
    w, d, ds = Weights(), s["classLatents"], s["latents"]
    K = len(counts)
    mask = block_mask(counts, [d] * K)
    classify = lambda z: split(w.linear("classifier", z, sum(counts), mask), counts)
    normal = torch.distributions.Normal
    divergence = torch.distributions.kl_divergence

    def encode(x):
        h = mlp(w, "encoder", x)
        return head(w, "z_c", h, K * d), head(w, "z_s", h, ds)

    def decode(c, z):
        return mlp(w, "decoder", torch.cat([c, z], 1), COLUMNS)

    def to_prior(q, k, i):
        """KL of z_ck to the prior of the i-th class of the k-th variable, for each item."""
        means = torch.split(w.of("prior.mean", sum(counts), d), counts)[k][i]
        spread = torch.split(2 * torch.tanh(w.of("prior.spread", sum(counts), d)) - 1, counts)[k][i]
        own = slice(k * d, (k + 1) * d)
        one = normal(q[0][:, own], (0.5 * q[1][:, own]).exp())
        return divergence(one, normal(means.expand(BATCH, d), (0.5 * spread).exp().expand(BATCH, d))).sum(1)

    x = fed("x", COLUMNS)
    qc, qs = encode(x)
    zc, zs = drawn(qc, fed("noise of z_c", K * d)), drawn(qs, fed("noise of z_s", ds))
    logits = classify(zc)
    terms = {"reconstruction": cost(x, decode(zc, zs)).mean(), "kl z_s": kl_standard(qs).sum(1).mean()}
    terms["kl z_c"] = sum(
        (F.softmax(logits[k], 1)[:, i] * to_prior(qc, k, i)).mean() for k, n in enumerate(counts) for i in range(n)
    )
    terms["kl y"] = uniform_kl(logits)
    bound = sum(terms.values())
    if not labelled:
        return [("train", bound, terms, w)]
    x, y = fed("labelled x", COLUMNS), labelled_classes(counts)
    qc, qs = encode(x)
    zc, zs = drawn(qc, fed("labelled noise of z_c", K * d)), drawn(qs, fed("labelled noise of z_s", ds))
    log_prob = lambda logits: sum((F.log_softmax(one, 1) * true).sum(1) for one, true in zip(logits, y))
    noise = fed("noise of q(y|x)", s["samples"], K * d)
    each = torch.stack([log_prob(classify(drawn(qc, noise[:, i]))) for i in range(s["samples"])])
    log_qyx = torch.logsumexp(each, 0) - math.log(s["samples"])
    weight = torch.exp(log_prob(classify(zc.detach())) - log_qyx)
    true = [one.argmax(1) for one in y]
    klc = sum(
        torch.stack([to_prior(qc, k, i) for i in range(n)], 1).gather(1, true[k][:, None])[:, 0] for k, n in enumerate(counts)
    )
    kl = klc + kl_standard(qs).sum(1)
    value = cost(x, decode(zc, zs))
    known_bound = (weight * (value + kl + log_prob(classify(zc)))).mean() - log_qyx.mean() + sum(math.log(n) for n in counts)
    terms = {**terms, "labelled reconstruction": value.mean(), "labelled kl": kl.mean(), "weight": weight.mean()}
    terms = {**terms, "classification": -log_qyx.mean(), "labelled accuracy": class_terms(classify(zc), y)[1]}
    return [("train", (1 - SHARE) * bound + SHARE * s["gamma"] * known_bound, terms, w)]


PARTED = {
    **{"latents": 3, "classLatents": 2, "classes": [], "classPrior": [], "temperature": 0.67, "attentionSlope": 2.5},
    **{"gammaZ": 5, "gammaU": 3, "gammaC": 15, "gammaH": 4, "gammaBc": 30, "tolerance": 0.15},
    **{"capacityZ": 1.5, "capacityU": 0.4, "capacityForm": "absolute"},
}
N_VAE = {"latents": 3, "classLatents": 2, "betaC": 2, "oneHotBias": True, "classTerm": "bound", "concentration": 0.1}
JOINT = {"latents": 3, "classes": CLASSES, "gammaZ": 30, "gammaC": 20, "capacityZ": 0.7, "capacityC": 5, "temperature": 0.67}
M2 = {"latents": 3, "alpha": 0.7, "gamma": 2, "objective": "marginal", "samples": 3, "temperature": 0.67}
CCVAE = {"latents": 3, "classLatents": 2, "samples": 4, "gamma": 2}
CASES = [
    ("parted-vae", parted, PARTED, CLASSES, True),
    ("parted-vae", parted, {**PARTED, "capacityForm": "plain", "attentionSlope": 1}, [3], False),
    ("n-vae", n_vae, N_VAE, [3], True),
    ("n-vae", n_vae, {**N_VAE, "classTerm": "dirichlet", "oneHotBias": False}, [3], True),
    ("joint-vae", joint, JOINT, CLASSES, False),
    ("m2-vae", m2, M2, CLASSES, True),
    ("m2-vae", m2, {**M2, "objective": "importance"}, CLASSES, True),
    ("m2-vae", m2, M2, [3], False),
    ("ccvae", ccvae, CCVAE, CLASSES, True),
    ("ccvae", ccvae, CCVAE, [3], False),
    ("info-vae", info, {"latents": 3, "alpha": 0.3, "lambda": 20}, [], False),
    ("conditional-vae", conditional, {"latents": 3, "beta": 1.5}, CLASSES, True),
    ("cgan", cgan, {"latents": 4, "gamma": 3}, CLASSES, True),
    ("ac-gan", ac_gan, {"latents": 4, "gamma": 3}, CLASSES, True),
    ("infogan", infogan, {"latents": 4, "gamma": 3, "classes": CLASSES, "codes": 2, "lambda": 2, "lambdaU": 0.3}, CLASSES, False),
    ("classifier", classifier, {}, CLASSES, True),
]


def short(value):
    return float(f"{float(value):.9g}")


cases = []
for name, formula, settings, counts, labelled in CASES:
    steps = []
    for step, loss, terms, weights in formula(settings, counts, labelled):
        gradients = torch.autograd.grad(loss, list(weights.values()), retain_graph=True)
        steps.append(
            {
                "name": step,
                "loss": short(loss),
                "terms": {term: short(value) for term, value in terms.items()},
                "gradients": {
                    parameter: {"norm": short(g.norm()), "first": [short(v) for v in g.flatten()[:6]]}
                    for parameter, g in zip(weights, gradients)
                },
            }
        )
    cases.append({"method": name, "settings": settings, "classes": counts, "labelled": labelled, "steps": steps})
source = f"tools/fixtures_class_methods.py with PyTorch {torch.__version__}, numpy {np.__version__}"
with open("src/methods/fixtures/classes.json", "w") as file:
    json.dump({"source": source, "batch": BATCH, "columns": COLUMNS, "cases": cases}, file, separators=(",", ":"))
    file.write("\n")
