"""Checks every .onnx file of a folder with ONNX's own checker (Debian's python3-onnx).

Run: python3 tools/check_onnx.py FOLDER
Each file must pass the checker with full shape and type inference, declare IR version 8 and an opset of at most 17, and
have outputs of the types and shapes that inference finds for them. Names each file that fails, with the reason, and then
exits with 1.
"""
import sys
from pathlib import Path

import onnx
from onnx import checker, shape_inference


def check(path):
    model = onnx.load(str(path))
    checker.check_model(model, full_check=True)
    assert model.ir_version == 8, f"its IR version is {model.ir_version}"
    versions = {entry.domain: entry.version for entry in model.opset_import}
    assert set(versions) == {""} and versions[""] <= 17, f"its opsets are {versions}"
    declared = {value.name: value.type.tensor_type for value in model.graph.output}
    found = inferred_outputs(model)
    for name, tensor in declared.items():
        assert name in found, f"the output {name} has no type"
        assert tensor.elem_type == found[name].elem_type, f"the output {name} has another type than declared"
        compare_shapes(name, tensor.shape.dim, found[name].shape.dim)


def inferred_outputs(model):
    """Types and shapes of the outputs as inference finds them without knowing what was declared."""
    undeclared = onnx.ModelProto()
    undeclared.CopyFrom(model)
    for value in undeclared.graph.output:
        value.type.tensor_type.ClearField("shape")
    inferred = shape_inference.infer_shapes(undeclared, check_type=True, strict_mode=True, data_prop=True)
    return {value.name: value.type.tensor_type for value in inferred.graph.output}


def compare_shapes(name, declared, found):
    assert len(declared) == len(found), f"the output {name} has {len(found)} dimensions, not {len(declared)}"
    for axis, (want, have) in enumerate(zip(declared, found)):
        if want.HasField("dim_value") and have.HasField("dim_value"):
            assert want.dim_value == have.dim_value, f"axis {axis} of {name} is {have.dim_value}, not {want.dim_value}"


def main(folder):
    files = sorted(Path(folder).glob("*.onnx"))
    failures = 0
    for path in files:
        try:
            check(path)
        except Exception as error:
            failures += 1
            print(f"{path.name}: {error}")
    print(f"{len(files) - failures} of {len(files)} files pass onnx {onnx.__version__}")
    return 1 if failures or not files else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
