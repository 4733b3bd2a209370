"""Learning-rate factors of PyTorch's ReduceLROnPlateau over made-up epoch losses: src/training/fixtures/plateau.json."""
import json
import math
import pathlib

import torch

cases = []
losses = [100 - 10 * math.log(1 + e) + 3 * math.sin(1.7 * e) + (5 if e > 25 else 0) for e in range(60)]
for factor, patience, threshold, cooldown in [(0.5, 2, 0.01, 3), (0.5, 1, 0.1, 2), (0.1, 0, 0.001, 0)]:
    parameter = torch.nn.Parameter(torch.zeros(1))
    optimiser = torch.optim.SGD([parameter], lr=1.0)
    schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(
        optimiser, factor=factor, patience=patience, threshold=threshold, cooldown=cooldown, eps=0
    )
    factors = []
    for loss in losses:
        schedule.step(loss)
        factors.append(optimiser.param_groups[0]["lr"])
    cases.append(dict(factor=factor, patience=patience, threshold=threshold, cooldown=cooldown, factors=factors))
out = pathlib.Path(__file__).parent.parent / "src/training/fixtures/plateau.json"
out.write_text(json.dumps(dict(source=f"torch {torch.__version__} ReduceLROnPlateau", losses=losses, cases=cases)) + "\n")
