"""The same training steps in PyTorch. Reads commands from stdin, one JSON object a line, answers with ms a step.

{"case": {...}, "mode": "1" | "2" | "ddp", "roundMs": n, "warm": n}. Modes: one thread, two threads (the default on this
machine), and two single-threaded processes under DistributedDataParallel with gloo.
"""
import json
import os
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F


class ChannelNorm(nn.Module):
    def forward(self, x):
        return x / torch.sqrt((x * x).mean(1, keepdim=True) + 1e-8)


class Reshape(nn.Module):
    def __init__(self, item):
        super().__init__()
        self.item = item

    def forward(self, x):
        return x.reshape(x.shape[0], *self.item)


def layers(specs):
    """Modules for our layer records."""
    made = []
    for s in specs:
        kind = s["kind"]
        if kind == "linear":
            made.append(nn.LazyLinear(s["out"]))
        elif kind == "conv":
            made.append(nn.LazyConv2d(s["out"], s["kernel"], s.get("stride", 1), s.get("padding", 0)))
        elif kind == "convTranspose":
            made.append(nn.LazyConvTranspose2d(s["out"], s["kernel"], s.get("stride", 1), s.get("padding", 0), tuple(s.get("outputPadding", (0, 0)))))
        elif kind == "relu":
            made.append(nn.ReLU())
        elif kind == "tanh":
            made.append(nn.Tanh())
        elif kind == "leakyRelu":
            made.append(nn.LeakyReLU(s["slope"]))
        elif kind == "flatten":
            made.append(nn.Flatten())
        elif kind == "reshape":
            made.append(Reshape(s["item"]))
        elif kind == "channelNorm":
            made.append(ChannelNorm())
        elif kind == "upsample":
            made.append(nn.Upsample(scale_factor=s["factor"]))
        elif kind == "averagePool":
            made.append(nn.AvgPool2d(s["size"]))
        else:
            raise ValueError(kind)
    return nn.Sequential(*made)


class Vae(nn.Module):
    def __init__(self, case):
        super().__init__()
        self.encoder = layers(case["encoder"])
        self.mean = nn.LazyLinear(case["latents"])
        self.log_variance = nn.LazyLinear(case["latents"])
        self.decoder = layers(case["decoder"])

    def forward(self, x, noise):
        h = self.encoder(x)
        mean, log_variance = self.mean(h), self.log_variance(h)
        return self.decoder(mean + torch.exp(0.5 * log_variance) * noise), mean, log_variance


def loss_of(out, x, case, world=1):
    logits, mean, log_variance = out
    loss = F.binary_cross_entropy_with_logits(logits, x, reduction="sum") / len(x)
    loss = loss + 0.5 * (mean**2 + log_variance.exp() - log_variance - 1).sum(1).mean()
    if case.get("coupled"):
        whole = mean
        if world > 1:
            parts = [torch.empty_like(mean) for _ in range(world)]
            torch.distributed.all_gather(parts, mean.detach())
            parts[torch.distributed.get_rank()] = mean
            whole = torch.cat(parts)
        centred = whole - whole.mean(0)
        covariance = centred.t() @ centred / len(whole)
        loss = loss + 5 * (covariance**2).sum()
    return loss


def timed(case, round_ms, warm, rows, model, world=1):
    x = (torch.rand(rows, case["channels"], case["side"], case["side"]) > 0.7).float()
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-4)
    times = []
    i, started = 0, time.perf_counter()
    # Two processes must take the same number of steps, so they count instead of looking at the clock.
    while i < warm + 3 or (world == 1 and 1000 * (time.perf_counter() - started) < round_ms) or (world > 1 and i < warm + 8):
        begin = time.perf_counter()
        loss = loss_of(model(x, torch.randn(rows, case["latents"])), x, case, world)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        loss.item()
        if i >= warm:
            times.append(1000 * (time.perf_counter() - begin))
        i += 1
    return times


def fresh(case):
    torch.manual_seed(0)
    model = Vae(case)
    model(torch.rand(2, case["channels"], case["side"], case["side"]), torch.rand(2, case["latents"]))
    return model


def ddp(rank, case, round_ms, warm, port, results):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    torch.set_num_threads(1)
    torch.distributed.init_process_group("gloo", rank=rank, world_size=2)
    model = nn.parallel.DistributedDataParallel(fresh(case))
    times = timed(case, round_ms, warm, case["batch"] // 2, model, 2)
    if rank == 0:
        results.put(times)
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    print(json.dumps({"version": torch.__version__}), flush=True)
    port = 29500 + os.getpid() % 1000
    for line in sys.stdin:
        request = json.loads(line)
        case = request["case"]
        if request["mode"] == "ddp":
            port += 1
            context = torch.multiprocessing.get_context("spawn")
            results = context.Queue()
            processes = [context.Process(target=ddp, args=(r, case, request["roundMs"], request["warm"], port, results)) for r in range(2)]
            for process in processes:
                process.start()
            times = results.get(timeout=300)
            for process in processes:
                process.join()
        else:
            torch.set_num_threads(int(request["mode"]))
            times = timed(case, request["roundMs"], request["warm"], case["batch"], fresh(case))
        print(json.dumps({"times": times}), flush=True)
