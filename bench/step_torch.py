"""The same training steps in PyTorch. Reads commands from stdin, one JSON object a line, answers with ms a step.

{"case": {...}, "mode": "1" | "2" | "ddp", "ms": n}; {} asks for the version. Modes: one thread, two threads (the default on this machine), and two
single-threaded processes under DistributedDataParallel with gloo. A network and its processes stay until the next one is
asked for, so that rounds measure steps and nothing else.
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


WARM, FEWEST = 2, 3


class Training:
    """A network with its optimiser and a batch."""

    def __init__(self, case, rows, wrap=lambda model: model, world=1):
        self.case, self.rows, self.world = case, rows, world
        torch.manual_seed(0)
        model = Vae(case)
        model(torch.rand(2, case["channels"], case["side"], case["side"]), torch.rand(2, case["latents"]))
        self.model = wrap(model)
        self.optimiser = torch.optim.Adam(self.model.parameters(), lr=1e-4)
        self.x = (torch.rand(rows, case["channels"], case["side"], case["side"]) > 0.7).float()

    def step(self):
        loss = loss_of(self.model(self.x, torch.randn(self.rows, self.case["latents"])), self.x, self.case, self.world)
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        loss.item()

    def time(self, ms, steps=None):
        """Milliseconds of each step, and of processors a step. Processes that train together count steps, not time."""
        times, i, started = [], 0, time.perf_counter()
        while i < WARM + (steps or FEWEST) or (steps is None and 1000 * (time.perf_counter() - started) < ms):
            if i == WARM:
                cpu = time.process_time()
            begin = time.perf_counter()
            self.step()
            if i >= WARM:
                times.append(1000 * (time.perf_counter() - begin))
            i += 1
        return times, 1000 * (time.process_time() - cpu) / len(times)


def ddp(rank, case, port, orders, results):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    torch.set_num_threads(1)
    torch.distributed.init_process_group("gloo", rank=rank, world_size=2)
    training = Training(case, case["batch"] // 2, nn.parallel.DistributedDataParallel, 2)
    for steps in iter(orders.get, None):
        results.put((rank, training.time(0, steps)))
    torch.distributed.destroy_process_group()


class Pair:
    """Two processes that train one network."""

    def __init__(self, case, port):
        context = torch.multiprocessing.get_context("spawn")
        self.orders, self.results = [context.Queue(), context.Queue()], context.Queue()
        self.steps = FEWEST
        self.processes = [
            context.Process(target=ddp, args=(rank, case, port, self.orders[rank], self.results)) for rank in range(2)
        ]
        for process in self.processes:
            process.start()

    def time(self, ms):
        for order in self.orders:
            order.put(self.steps)
        answers = dict(self.results.get(timeout=600) for _ in self.processes)
        times = answers[0][0]
        self.steps = max(FEWEST, int(ms / (sum(times) / len(times))))
        return times, answers[0][1] + answers[1][1]

    def close(self):
        for order in self.orders:
            order.put(None)
        for process in self.processes:
            process.join()


if __name__ == "__main__":
    port = 29500 + os.getpid() % 1000
    name, kept = None, {}
    for line in sys.stdin:
        request = json.loads(line)
        if not request:
            print(json.dumps({"version": torch.__version__}), flush=True)
            continue
        case, mode = request["case"], request["mode"]
        if case["name"] != name:
            if "ddp" in kept:
                kept["ddp"].close()
            name, kept, port = case["name"], {}, port + 1
        if mode not in kept:
            kept[mode] = Pair(case, port) if mode == "ddp" else Training(case, case["batch"])
        if mode != "ddp":
            torch.set_num_threads(int(mode))
        times, cpu = kept[mode].time(request["ms"])
        print(json.dumps({"times": times, "cpu": cpu}), flush=True)
    if "ddp" in kept:
        kept["ddp"].close()
