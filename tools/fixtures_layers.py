"""Channel and batch normalisation in PyTorch. Run from the project's root: python3 tools/fixtures_layers.py"""
import json

import torch

torch.manual_seed(3)
shape = [4, 3, 2, 2]
x = torch.randn(shape)
norm = torch.nn.BatchNorm2d(3)
y = norm(x)
flat = lambda t: t.detach().flatten().tolist()
out = {
    "source": f"PyTorch {torch.__version__}, tools/fixtures_layers.py",
    "channelNorm": {"x": flat(x), "y": flat(x / torch.sqrt((x**2).mean(1, keepdim=True) + 1e-8)), "shape": shape},
    "batchNorm": {"x": flat(x), "y": flat(y), "shape": shape},
    "running": {"mean": flat(norm.running_mean), "variance": flat(norm.running_var)},
}
with open("src/nn/fixtures/layers.json", "w") as f:
    json.dump(out, f)
