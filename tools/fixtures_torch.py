"""Writes the values and gradients that the ops of src/tensor are tested against, as PyTorch computes them.

Run from the repository's root: python3 tools/fixtures_torch.py
Source: PyTorch (Debian's python3-torch), whose version is named in the file. Inputs are float32 numbers of two decimals;
PyTorch computes in double precision, and its results are rounded to float32 at the end.

The gradients are those of sum(w * output), with w[i] = ((37 i + 11) mod 29 - 14) / 16 over the output's flat places. The
second-order cases give the squared length of that sum's gradient in the first input, and its own gradients.
"""
import itertools
import json
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

TARGET = Path(__file__).resolve().parent.parent / "src" / "tensor" / "fixtures" / "torch-ops.json"
random = np.random.RandomState(2)
parts = {}


def normal(*shape, scale=1.0):
    return (random.randn(*shape) * scale).round(2) if shape else np.round(random.randn() * scale, 2)


def positive(*shape):
    return random.uniform(0.2, 2, shape).round(2)


def away_from_zero(*shape):
    """Numbers that a central difference does not carry over zero, for ops with a kink there."""
    return np.where(random.rand(*shape) < 0.5, -1, 1) * positive(*shape)


def whole(high, *shape):
    return random.randint(0, high, shape)


def weights(output):
    place = torch.arange(output.numel())
    return (((37 * place + 11) % 29 - 14) / 16.0).double().reshape(output.shape)


def numbers(tensor):
    values = tensor.detach().double().numpy().astype(np.float32).ravel()
    assert np.isfinite(values).all()
    short = [float(str(v)) for v in values]
    return [int(v) if v == int(v) and abs(v) < 1e6 else v for v in short]


def as_input(array):
    array = np.asarray(array)
    if array.dtype.kind == "i":
        return {"shape": list(array.shape), "values": array.ravel().tolist(), "type": "int64"}
    return {"shape": list(array.shape), "values": numbers(torch.tensor(array))}


def leaves(inputs):
    made = []
    for array in inputs:
        array = np.asarray(array)
        single = array if array.dtype.kind == "i" else array.astype(np.float32).astype(np.float64)
        made.append(torch.tensor(single, requires_grad=array.dtype.kind != "i"))
    return made


def gradients(scalar, tensors):
    asked = [t for t in tensors if t.requires_grad]
    if not scalar.requires_grad:
        found = iter([None] * len(asked))
    else:
        found = iter(torch.autograd.grad(scalar, asked, allow_unused=True))
    result = []
    for tensor in tensors:
        if not tensor.requires_grad:
            result.append(None)
            continue
        gradient = next(found)
        result.append([0] * tensor.numel() if gradient is None else numbers(gradient))
    return result


def case(part, op, inputs, formula, name="", **options):
    tensors = leaves(inputs)
    output = formula(*tensors)
    scalar = (weights(output) * output).sum()
    shapes = " ".join("[" + ",".join(map(str, np.asarray(array).shape)) + "]" for array in inputs)
    shown = " ".join(f"{key}={json.dumps(value, separators=(',', ':'))}" for key, value in options.items())
    parts.setdefault(part, []).append({
        "name": " ".join(text for text in (op, name or shapes, shown) if text),
        "op": op,
        "options": options,
        "inputs": [as_input(array) for array in inputs],
        "output": {"shape": list(output.shape), "values": numbers(output)},
        "gradients": gradients(scalar, tensors),
    })


def second_order(name, inputs, formula):
    tensors = leaves(inputs)
    output = formula(*tensors)
    (slope,) = torch.autograd.grad((weights(output) * output).sum(), tensors[:1], create_graph=True)
    penalty = slope.square().sum()
    parts.setdefault("second order", []).append({
        "name": name,
        "op": name,
        "options": {},
        "inputs": [as_input(array) for array in inputs],
        "output": {"shape": [], "values": numbers(penalty)},
        "gradients": gradients(penalty, tensors),
    })


def elementwise():
    shapes = [((2, 3), (2, 3)), ((2, 3), ()), ((), (2, 3)), ((3, 1), (1, 4)), ((2, 3, 4), (4,)), ((2, 1, 3), (4, 1)),
              ((1,), (3,)), ((1, 1), (2,)), ((), ())]
    binary = {"add": torch.add, "subtract": torch.sub, "multiply": torch.mul, "divide": torch.div}
    for (op, f), (a, b) in itertools.product(binary.items(), shapes):
        case("elementwise", op, [normal(*a), away_from_zero(*b) if op == "divide" else normal(*b)], f)
    for a, b in shapes[:5]:
        case("elementwise", "power", [positive(*a), normal(*b)], torch.pow)
    for exponent in (-2, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3):
        base = away_from_zero(2, 3) if exponent == int(exponent) else positive(2, 3)
        case("elementwise", "powerOf", [base], lambda x: x ** exponent, exponent=exponent)
    for exponent in (0, 1, 2, 3):
        case("elementwise", "powerOf", [np.zeros(2)], lambda x: x ** exponent, "at zero", exponent=exponent)
    case("elementwise", "numberToThe", [normal(2, 3)], lambda x: 2.5 ** x, number=2.5)
    for number in (0, 1, 2.5):
        case("elementwise", "plusNumber", [normal(2, 3)], lambda x: x + number, number=number)
        case("elementwise", "timesNumber", [normal(2, 3)], lambda x: x * number, number=number)
        case("elementwise", "numberMinus", [normal(2, 3)], lambda x: number - x, number=number)
        case("elementwise", "numberOver", [positive(2, 3)], lambda x: number / x, number=number)
    case("elementwise", "overNumber", [normal(2, 3)], lambda x: x / 3, number=3)
    for op, f in (("minimum", torch.minimum), ("maximum", torch.maximum)):
        for a, b in shapes[:6]:
            case("elementwise", op, [normal(*a), normal(*b)], f)
        case("elementwise", op, [np.array([1.0, 2, -3, 0]), np.array([1.0, 1, -3, 0])], f, "with ties")
    unary = {"negate": torch.neg, "square": torch.square, "exp": torch.exp, "abs": torch.abs, "sign": torch.sign,
             "sin": torch.sin, "cos": torch.cos}
    for op, f in unary.items():
        case("elementwise", op, [normal(2, 3)], f)
        case("elementwise", op, [np.array([0.0, -2, 3])], f, "at zero")
    for op, f in (("sqrt", torch.sqrt), ("log", torch.log)):
        case("elementwise", op, [positive(2, 3)], f)
    edges = np.array([-2.0, -1, -0.5, 0, 0.5, 1, 2])
    case("elementwise", "clip", [edges], lambda x: x.clamp(-1, 1), "at its bounds", low=-1, high=1)
    case("elementwise", "clip", [edges], lambda x: x.clamp(0.5, 0.5), "to one value", low=0.5, high=0.5)
    for c, a, b in (((2, 3), (2, 3), (2, 3)), ((2, 1), (1, 3), ()), ((3,), (2, 1), (2, 3)), ((), (2,), (2,))):
        case("elementwise", "where", [away_from_zero(*c), normal(*a), normal(*b)], lambda c, a, b: torch.where(c > 0, a, b))
    case("elementwise", "where", [np.array([1.0, -1, 2]), np.array([0.0, 1, 2]), np.array([5.0, 1, 2])],
         lambda c, a, b: torch.where(c > 0, a, b), "with zeros and equal values")
    left, right = np.array([[1.0], [2], [-0.5]]), np.array([[1.0, 2, -0.5, 0]])
    comparisons = {"greater": torch.gt, "greaterOrEqual": torch.ge, "less": torch.lt, "lessOrEqual": torch.le,
                   "equal": torch.eq}
    for op, f in comparisons.items():
        case("elementwise", op, [left, right], lambda a, b: f(a, b).double())
    case("elementwise", "stopGradient", [normal(2, 3)], lambda x: x * x.detach())


def reduce():
    kinds = [None, 0, 1, -1, [0, 2], [1, 2], [-1, 0], [0, 1, 2]]
    for op in ("sum", "mean", "max"):
        f = {"sum": torch.sum, "mean": torch.mean, "max": torch.amax}[op]
        for axes, keep in itertools.product(kinds, (False, True)):
            over = tuple(range(3)) if axes is None else axes
            options = {} if axes is None else {"axes": axes}
            case("reduce", op, [normal(2, 3, 4)], lambda x: f(x, over, keepdim=keep), **options, keepDimensions=keep)
        case("reduce", op, [normal(5)], lambda x: f(x, 0), axes=0, keepDimensions=False)
        case("reduce", op, [normal(1, 4)], lambda x: f(x, 0), axes=0, keepDimensions=False)
        case("reduce", op, [normal()], lambda x: x * 1, keepDimensions=False)
    ties = np.array([[1.0, 3, 3], [2, 2, 2]])
    for axes in (0, 1, [0, 1]):
        case("reduce", "max", [ties], lambda x: torch.amax(x, axes), "with ties", axes=axes, keepDimensions=False)
    for axis, keep in itertools.product((0, 1, -1), (False, True)):
        case("reduce", "logSumExp", [normal(2, 3, 4, scale=3)], lambda x: torch.logsumexp(x, axis, keep), axes=axis,
             keepDimensions=keep)
    large = np.array([[1000.0, 999, -1000], [-1000, -1001, -1002], [88, 89, 90]])
    case("reduce", "logSumExp", [large], lambda x: torch.logsumexp(x, 1), "of large values", axes=1, keepDimensions=False)


def layout():
    for shape in ([6, 4], [24], [4, 3, 2], [2, 3, 4, 1]):
        case("layout", "reshape", [normal(2, 3, 4)], lambda x: x.reshape(shape), shape=shape)
    case("layout", "reshape", [normal(1, 1)], lambda x: x.reshape(()), shape=[])
    case("layout", "reshape", [normal()], lambda x: x.reshape(1, 1, 1), shape=[1, 1, 1])
    case("layout", "transpose", [normal(2, 3)], lambda x: x.T)
    for order in ([0, 2, 1], [2, 0, 1], [1, 2, 0], [2, 1, 0], [-1, 0, 1]):
        case("layout", "transpose", [normal(2, 3, 4)], lambda x: x.permute([o % 3 for o in order]), order=order)
    for axis, shapes in ((0, [(2, 3), (1, 3)]), (1, [(2, 3), (2, 1), (2, 4)]), (-1, [(2, 1, 2), (2, 1, 3)])):
        case("layout", "concat", [normal(*s) for s in shapes], lambda *x: torch.cat(x, axis), axis=axis)
    case("layout", "concatTwice", [normal(2, 2)], lambda x: torch.cat([x, x], 0), axis=0)
    for axis, start, end, step in ((0, 0, 2, 1), (1, 1, 6, 2), (1, 0, 7, 3), (1, 2, 7, 2), (1, 6, 7, 1), (1, -3, -1, 1),
                                   (-1, 0, 2, 1), (1, 1, 5, 4), (1, 0, 7, 7)):
        cut = [slice(None)] * 3
        positive_end = end + 7 if end < 0 else end
        cut[axis] = slice(start + 7 if start < 0 else start, positive_end, step)
        case("layout", "slice", [normal(3, 7, 2)], lambda x: x[tuple(cut)], axis=axis, start=start, end=end, step=step)
    for amounts in ([[0, 1, 0]], [[1, 2, 1]], [[2, 0, 3]], [[1, 1, 1], [2, 2, 0]], [[-1, 1, 2]], [[1, 0, 0]]):
        flat = [0] * 6
        for axis, before, after in amounts:
            place = 2 * (2 - axis % 3)
            flat[place:place + 2] = [before, after]
        case("layout", "pad", [normal(2, 3, 2)], lambda x: F.pad(x, flat), amounts=amounts)
    for small, large in (((1, 3), (2, 3)), ((3,), (2, 3)), ((), (2, 2)), ((2, 1, 1), (2, 3, 4)), ((2, 3), (2, 3)),
                         ((1,), (1, 1))):
        case("layout", "expand", [normal(*small), np.zeros(large)], lambda x, like: x.expand(like.shape))
    for axis, indices in ((0, [2, 0, 2, 2]), (1, [1, 1, 0]), (-1, [3, 0, 3, 3, 1]), (0, [1]), (1, [4, 3, 2, 1, 0])):
        shape = (3, 5) if axis >= 0 else (2, 2, 4)
        case("layout", "gather", [normal(*shape), np.array(indices)], lambda x, i: torch.index_select(x, axis, i), axis=axis)
    case("layout", "gather", [normal(4), np.array([3, 3, 0])], lambda x, i: x[i], axis=0)
    case("layout", "oneHot", [np.array([2, 0, 3])], lambda i: F.one_hot(i, 4).double(), depth=4)
    case("layout", "oneHot", [whole(3, 2, 2)], lambda i: F.one_hot(i, 3).double(), depth=3)


def matrices():
    for a, b in (((2, 3), (3, 4)), ((1, 1), (1, 5)), ((4, 2, 3), (4, 3, 2)), ((4, 2, 3), (3, 2)), ((2, 3), (4, 3, 2)),
                 ((2, 1, 2, 3), (1, 3, 3, 2)), ((1, 2, 3), (4, 3, 1)), ((2, 2, 2, 3), (2, 3, 2))):
        case("matmul", "matmul", [normal(*a), normal(*b)], torch.matmul)
    for ta, tb, bias in itertools.product((False, True), repeat=3):
        a, b = normal(*((3, 2) if ta else (2, 3))), normal(*((4, 3) if tb else (3, 4)))
        f = lambda x, y, *o: (x.T if ta else x) @ (y.T if tb else y) + (o[0] if bias else 0)
        case("matmul", "product", [a, b] + ([normal(4)] if bias else []), f, transposeA=ta, transposeB=tb)


def padded(x, amounts):
    top, left, bottom, right = amounts
    return F.pad(x, (left, right, top, bottom))


def cropped(x, amounts):
    top, left, bottom, right = amounts
    return x[:, :, top:x.shape[2] - bottom, left:x.shape[3] - right]


def convolutions():
    kernels = itertools.cycle([1, 3, 2, 5, 4, 3])
    for i, (stride, padding, dilation) in enumerate(itertools.product((1, 2, 3), (0, 1, 2), (1, 2))):
        kernel = next(kernels)
        reach = dilation * (kernel - 1) + 1
        height = max(reach - 2 * padding, 1) + stride + i % 3
        image, filters = normal(2, 1 + i % 2, height, height + 1 + i % 2), normal(2, 1 + i % 2, kernel, kernel)
        bias = [normal(2)] if i % 3 == 0 else []
        case("conv", "conv2d", [image, filters] + bias, lambda x, w, b=None: F.conv2d(x, w, b, stride, padding, dilation),
             stride=stride, padding=padding, dilation=dilation)
    case("conv", "conv2d", [normal(3, 3, 5, 6), normal(4, 3, 2, 3), normal(4)],
         lambda x, w, b: F.conv2d(x, w, b, (2, 1), (1, 0), (1, 2)), stride=[2, 1], padding=[1, 0], dilation=[1, 2])
    case("conv", "conv2d", [normal(1, 1, 3, 3), normal(1, 1, 3, 3)], F.conv2d)
    for sides in ([1, 0, 2, 1], [0, 2, 0, 0], [2, 1, 0, 3]):
        case("conv", "conv2d", [normal(2, 2, 4, 5), normal(1, 2, 3, 2), normal(1)],
             lambda x, w, b: F.conv2d(padded(x, sides), w, b, 2), stride=2, padding=sides)
    for i, (stride, padding, dilation) in enumerate(itertools.product((1, 2, 3), (0, 1, 2), (1, 2))):
        kernel = next(kernels)
        extra = i % max(stride, dilation)
        height = 2 + i % 2
        while (height - 1) * stride - 2 * padding + dilation * (kernel - 1) + 1 < 1:
            height += 1
        image, filters = normal(2, 1 + i % 2, height, height + 1), normal(1 + i % 2, 2, kernel, kernel)
        bias = [normal(2)] if i % 3 == 0 else []
        case("conv", "convTranspose2d", [image, filters] + bias,
             lambda x, w, b=None: F.conv_transpose2d(x, w, b, stride, padding, extra, 1, dilation),
             stride=stride, padding=padding, dilation=dilation, outputPadding=extra)
    case("conv", "convTranspose2d", [normal(3, 3, 2, 3), normal(3, 4, 2, 3), normal(4)],
         lambda x, w, b: F.conv_transpose2d(x, w, b, (2, 1), (1, 0), (1, 0), 1, (1, 2)), stride=[2, 1], padding=[1, 0],
         dilation=[1, 2], outputPadding=[1, 0])
    case("conv", "convTranspose2d", [normal(2, 2, 2, 2), normal(2, 1, 4, 4), normal(1)],
         lambda x, w, b: F.conv_transpose2d(x, w, b, 2, 1), stride=2, padding=1)
    for sides in ([1, 0, 2, 1], [0, 2, 0, 0]):
        case("conv", "convTranspose2d", [normal(2, 2, 3, 3), normal(2, 1, 3, 2), normal(1)],
             lambda x, w, b: cropped(F.conv_transpose2d(x, w, b, 2), sides), stride=2, padding=sides)


def pools():
    for size, stride, padding, height in ((2, 2, 0, 4), (2, 2, 0, 5), (3, 2, 1, 5), (3, 1, 1, 4), (2, 3, 0, 6), (4, 2, 2, 5),
                                          (1, 1, 0, 3), (3, 3, 0, 6), (5, 5, 0, 5), (2, 1, 0, 3)):
        case("pool", "averagePool", [normal(2, 2, height, height + 1)], lambda x: F.avg_pool2d(x, size, stride, padding),
             size=size, stride=stride, padding=padding)
    for factor in (1, 2, 3):
        case("pool", "upsample", [normal(2, 2, 2, 3)], lambda x: F.interpolate(x, scale_factor=factor, mode="nearest"),
             factor=factor)


def activations():
    places = np.array([-100.0, -20, -3, -1, -0.5, -0.01, 0, 0.01, 0.5, 1, 3, 20, 100])
    plain = {"relu": F.relu, "elu": F.elu, "gelu": F.gelu, "erf": torch.erf, "sigmoid": torch.sigmoid,
             "tanh": torch.tanh, "softplus": F.softplus, "logSigmoid": F.logsigmoid}
    for op, f in plain.items():
        case("activation", op, [places], f, "from -100 to 100")
        case("activation", op, [away_from_zero(3, 4)], f)
    for slope in (0.01, 0.2):
        case("activation", "leakyRelu", [places], lambda x: F.leaky_relu(x, slope), "from -100 to 100", slope=slope)
    case("activation", "elu", [away_from_zero(3, 4)], lambda x: F.elu(x, 0.5), alpha=0.5)
    for op, f in (("softmax", torch.softmax), ("logSoftmax", torch.log_softmax)):
        for axis in (0, 1, 2, -1):
            case("activation", op, [normal(2, 3, 4)], lambda x: f(x, axis), axis=axis)
        case("activation", op, [np.array([[100.0, -100, 99], [1000, 1000, 0]])], lambda x: f(x, 1), "of large values", axis=1)
    bce = lambda l, t: F.binary_cross_entropy_with_logits(l, t, reduction="none")
    case("activation", "binaryCrossEntropy", [normal(3, 4, scale=3), random.rand(3, 4).round(2)], bce)
    for target in (0.0, 0.3, 1.0):
        case("activation", "binaryCrossEntropy", [places, np.full(13, target)], bce, f"from -100 to 100 for {target}")


def penalties():
    image, filters, bias = normal(2, 2, 5, 4), normal(3, 2, 3, 3, scale=0.4), normal(3)
    second_order("tanh of a convolution", [image, filters, bias], lambda x, w, b: torch.tanh(F.conv2d(x, w, b, 2, 1)))
    second_order("sigmoid of a dilated convolution with a rest", [normal(1, 1, 7, 6), normal(2, 1, 2, 2)],
                 lambda x, w: torch.sigmoid(F.conv2d(x, w, None, 2, 1, 2)))
    second_order("softplus of a transposed convolution", [normal(2, 2, 3, 2), normal(2, 2, 3, 3, scale=0.5), normal(2)],
                 lambda x, w, b: F.softplus(F.conv_transpose2d(x, w, b, 2, 1, 1)))
    second_order("tanh of a dilated transposed convolution", [normal(1, 2, 2, 3), normal(2, 1, 2, 3, scale=0.5)],
                 lambda x, w: torch.tanh(F.conv_transpose2d(x, w, None, 1, 1, 1, 1, 2)))
    second_order("a critic of two convolutions", [normal(2, 1, 6, 6), normal(2, 1, 4, 4, scale=0.4), normal(1, 2, 3, 3)],
                 lambda x, v, w: F.conv2d(F.softplus(F.conv2d(x, v, None, 2, 1)), w))
    second_order("a network of two layers", [normal(3, 4), normal(5, 4, scale=0.5), normal(5), normal(2, 5)],
                 lambda x, v, b, w: torch.sigmoid(torch.tanh(x @ v.T + b) @ w.T))
    second_order("a product of stacks", [normal(2, 2, 3), normal(3, 2)], lambda a, b: torch.tanh(a @ b))
    second_order("a covariance", [normal(5, 3)], lambda x: ((x - x.mean(0)).T @ (x - x.mean(0)) / 5) ** 2)
    for op, f in (("softplus", F.softplus), ("sigmoid", torch.sigmoid), ("tanh", torch.tanh), ("gelu", F.gelu),
                  ("elu", F.elu), ("leakyRelu", lambda x: F.leaky_relu(x, 0.2) ** 2), ("logSigmoid", F.logsigmoid)):
        second_order(op, [away_from_zero(2, 3)], f)
    second_order("softmax", [normal(2, 4)], lambda x: torch.softmax(x, 1))
    second_order("logSoftmax", [normal(2, 4)], lambda x: torch.log_softmax(x, 0))
    second_order("logSumExp", [normal(3, 4)], lambda x: torch.logsumexp(x, 1))
    second_order("largest entries", [normal(3, 4)], lambda x: torch.amax(x ** 2, 1))
    second_order("binaryCrossEntropy", [normal(2, 3), random.rand(2, 3).round(2)],
                 lambda l, t: F.binary_cross_entropy_with_logits(l, t, reduction="none"))
    second_order("overlapping average pooling", [normal(1, 2, 5, 5)], lambda x: F.avg_pool2d(x ** 2, 3, 2, 1) ** 2)
    second_order("average pooling and up-sampling", [normal(1, 1, 4, 4)],
                 lambda x: F.interpolate(F.avg_pool2d(x ** 2, 2), scale_factor=2, mode="nearest") ** 2)
    second_order("broadcast division", [normal(3, 1), positive(1, 4)], lambda a, b: a ** 2 / b)
    second_order("power", [positive(2, 3), normal(2, 3)], torch.pow)
    second_order("cut, padded and picked rows", [normal(4, 5)],
                 lambda x: F.pad(x[[3, 0, 3]][:, 0:5:2] ** 2, (1, 0)) ** 2)
    second_order("length of a row", [normal(3, 4)], lambda x: x.square().sum(1).sqrt())


for write in (elementwise, reduce, layout, matrices, convolutions, pools, activations, penalties):
    write()
content = {"source": f"tools/fixtures_torch.py with PyTorch {torch.__version__}", "parts": parts}
TARGET.parent.mkdir(parents=True, exist_ok=True)
TARGET.write_text(json.dumps(content, separators=(",", ":")) + "\n")
print(f"{sum(map(len, parts.values()))} cases, {TARGET.stat().st_size // 1024} KB", {k: len(v) for k, v in parts.items()})
