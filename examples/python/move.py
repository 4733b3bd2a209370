"""Moves one number of the code of an exported model, and writes what the decoder makes of it.

Run: python3 move.py FOLDER DIMENSION BY [OUT.npy]

FOLDER is what `untangle export` wrote, or the `model` folder of a run. Items of the neutral code are decoded before and after.
onnxruntime is taken where it is installed, else ONNX's own reference evaluator, which is slow and needs nothing.
"""
import json
import sys
from pathlib import Path

import numpy as np
import onnx


def open_graph(path):
    """A function from feeds to the outputs by name."""
    try:
        import onnxruntime

        session = onnxruntime.InferenceSession(str(path))
        return lambda feeds: dict(zip([one.name for one in session.get_outputs()], session.run(None, feeds)))
    except ImportError:
        from onnx.reference import ReferenceEvaluator

        evaluator = ReferenceEvaluator(str(path))
        return lambda feeds: dict(zip(evaluator.output_names, evaluator.run(None, feeds)))


def neutral(blocks):
    """The code before anything is moved: zero, or what a block says of itself."""
    return {block["name"]: np.array([block.get("neutral") or [0] * block["size"]], np.float32) for block in blocks}


def main(folder, dimension, by, out="moved.npy"):
    path = Path(folder) / "decoder.onnx"
    facts = {one.key: one.value for one in onnx.load(str(path)).metadata_props}
    blocks = json.loads(facts["blocks"])
    decoder = open_graph(path)
    inputs = {one.name for one in onnx.load(str(path)).graph.input}
    before = {name: code for name, code in neutral(blocks).items() if name in inputs}
    after = {name: code.copy() for name, code in before.items()}
    block = next(one for one in blocks if one["kind"] == "gaussian" and one["name"] in inputs)
    after[block["name"]][0, int(dimension)] += float(by)
    items = np.concatenate([decoder(codes)["x"] for codes in (before, after)])
    np.save(out, items)
    print(f"{block['name']} {dimension} by {by}: the mean of an item goes from {items[0].mean():.4f} to {items[1].mean():.4f}; {out}")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
