"""A set of 3,000 cells × 500 genes as in docs/contrast.md: single_cell.py OUT.h5ad [SEED].

Negative binomial counts of three kinds of cells in two batches; half of the cells are treated, and a random half of those responds
with 25 genes about three times as strong. Needs h5py, numpy and scipy.
"""
import sys

import h5py
import numpy as np
import scipy.sparse as sp

out, seed = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
rng = np.random.default_rng(seed)
cells, genes = 3000, 500
batch = rng.integers(0, 2, cells)
treated = np.arange(cells) % 2 == 0
responder = treated & (rng.random(cells) < 0.5)
base = rng.gamma(1.0, 1.0, genes) + 0.05
kind = rng.integers(0, 3, cells)
of_kind = np.exp(rng.normal(0, 0.7, (3, genes)))
of_batch = np.exp(rng.normal(0, 0.8, genes))
of_response = np.ones(genes)
of_response[:25] = np.exp(np.abs(rng.normal(1.2, 0.2, 25)))
rate = base * of_kind[kind] * np.where(batch[:, None] == 1, of_batch, 1) * np.where(responder[:, None], of_response, 1)
total = rng.lognormal(np.log(800), 0.35, cells)
mean = rate / rate.sum(1, keepdims=True) * total[:, None]
counts = sp.csr_matrix(rng.poisson(rng.gamma(3, mean / 3)).astype(np.float32))
text = h5py.string_dtype()


def encoded(entity, name, version):
    entity.attrs["encoding-type"] = name
    entity.attrs["encoding-version"] = version
    return entity


def frame(file, name, index, columns):
    group = encoded(file.create_group(name), "dataframe", "0.2.0")
    group.attrs["_index"] = "_index"
    group.attrs["column-order"] = np.array(columns, dtype=object if columns else float)
    group.create_dataset("_index", data=np.array(index, dtype=object), dtype=text)
    return group


def category(group, name, codes, names):
    made = encoded(group.create_group(name), "categorical", "0.2.0")
    made.attrs["ordered"] = False
    made.create_dataset("categories", data=np.array(names, dtype=object), dtype=text)
    made.create_dataset("codes", data=codes.astype(np.int8))


with h5py.File(out, "w") as file:
    encoded(file, "anndata", "0.1.0")
    matrix = encoded(file.create_group("X"), "csr_matrix", "0.1.0")
    matrix.attrs["shape"] = np.array(counts.shape)
    for part in ("data", "indices", "indptr"):
        matrix.create_dataset(part, data=getattr(counts, part))
    obs = frame(file, "obs", [f"cell{i}" for i in range(cells)], ["batch", "treatment", "responder"])
    category(obs, "batch", batch, ["one", "two"])
    category(obs, "treatment", treated, ["no", "yes"])
    obs.create_dataset("responder", data=responder)
    frame(file, "var", [f"gene{j}" for j in range(genes)], [])
