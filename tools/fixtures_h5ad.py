"""Small files of AnnData's layout by h5py: src/data/fixtures/cells-{csr,csc,dense}.h5ad and what they hold, cells.json."""
import json
from pathlib import Path

import h5py
import numpy as np
import scipy
import scipy.sparse as sp

folder = Path(__file__).parent.parent / "src/data/fixtures"
folder.mkdir(exist_ok=True)
rng = np.random.default_rng(7)
cells, genes = 14, 6
counts = rng.poisson(0.8, (cells, genes)).astype(np.float32)
counts[:, 4] = 2
logs = np.log1p(counts)
text = h5py.string_dtype()


def encoded(entity, kind, version):
    entity.attrs["encoding-type"] = kind
    entity.attrs["encoding-version"] = version
    return entity


def matrix(parent, name, values, kind):
    if kind == "dense":
        return encoded(parent.create_dataset(name, data=values), "array", "0.2.0")
    made = sp.csr_matrix(values) if kind == "csr" else sp.csc_matrix(values)
    group = encoded(parent.create_group(name), f"{kind}_matrix", "0.1.0")
    group.attrs["shape"] = np.array(made.shape)
    for part in ("data", "indices", "indptr"):
        group.create_dataset(part, data=getattr(made, part))
    return group


def frame(parent, name, index, columns):
    group = encoded(parent.create_group(name), "dataframe", "0.2.0")
    group.attrs["_index"] = "_index"
    group.attrs["column-order"] = np.array(columns, dtype=object if columns else float)
    group.create_dataset("_index", data=np.array(index, dtype=object), dtype=text)
    return group


batch = np.arange(cells) % 3
dose = np.where(np.arange(cells) == 5, np.nan, np.arange(cells) / 2)
for kind in ("csr", "csc", "dense"):
    with h5py.File(folder / f"cells-{kind}.h5ad", "w") as file:
        encoded(file, "anndata", "0.1.0")
        matrix(file, "X", counts, kind)
        matrix(encoded(file.create_group("layers"), "dict", "0.1.0"), "log", logs, "dense" if kind == "csr" else "csr")
        obs = frame(file, "obs", [f"cell {i}" for i in range(cells)], ["batch", "dose", "good", "age"])
        category = encoded(obs.create_group("batch"), "categorical", "0.2.0")
        category.attrs["ordered"] = False
        category.create_dataset("categories", data=np.array(["one", "three", "two"], dtype=object), dtype=text)
        category.create_dataset("codes", data=np.where(np.arange(cells) == 3, -1, batch).astype(np.int8))
        obs.create_dataset("dose", data=dose)
        obs.create_dataset("good", data=np.arange(cells) % 2 == 0)
        age = encoded(obs.create_group("age"), "nullable-integer", "0.1.0")
        age.create_dataset("values", data=np.arange(cells) + 20)
        age.create_dataset("mask", data=np.arange(cells) == 2)
        frame(file, "var", [f"gene {j}" for j in range(genes)], [])
source = f"tools/fixtures_h5ad.py with h5py {h5py.__version__}, scipy {scipy.__version__}"
(folder / "cells.json").write_text(json.dumps({"source": source, "counts": counts.tolist(), "logs": logs.tolist()}) + "\n")
