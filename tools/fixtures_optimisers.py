"""Three steps of PyTorch's optimisers on ½ Σ a p², a = (1, 3), from p = (1, −2), at learning rate 0.1.

Run from the project's root: python3 tools/fixtures_optimisers.py
"""
import json

import torch

makers = {
    "adam": lambda p: torch.optim.Adam(p, 0.1),
    "adam betas": lambda p: torch.optim.Adam(p, 0.1, betas=(0.5, 0.99)),
    "adamW": lambda p: torch.optim.AdamW(p, 0.1, weight_decay=0.1),
    "sgd": lambda p: torch.optim.SGD(p, 0.1),
    "sgd momentum": lambda p: torch.optim.SGD(p, 0.1, momentum=0.9),
    "rmsprop": lambda p: torch.optim.RMSprop(p, 0.1),
}
paths = {}
for name, make in makers.items():
    p = torch.tensor([1.0, -2.0], dtype=torch.float64, requires_grad=True)
    optimiser = make([p])
    paths[name] = []
    for _ in range(3):
        optimiser.zero_grad()
        (0.5 * (torch.tensor([1.0, 3.0]) * p**2).sum()).backward()
        optimiser.step()
        paths[name].append(p.detach().tolist())
with open("src/runtime/fixtures/optimisers.json", "w") as f:
    json.dump({"source": f"PyTorch {torch.__version__}, tools/fixtures_optimisers.py", "paths": paths}, f)
