"""Runs for xarray."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import xarray

    from ._run import Run


def dataset(run: Run) -> xarray.Dataset:
    """See Run.to_xarray."""
    import xarray

    families: dict[str, list[tuple[str, int, int]]] = {}
    for name, _, rows, cols in run.system.layout:
        families.setdefault(re.sub(r"\[\d+\]$", "", name), []).append((name, rows, cols))
    variables: dict[str, Any] = {}
    labels: dict[str, Any] = {"t": run.t}
    for family, members in families.items():
        _, rows, cols = members[0]
        dims = ["t"]
        if members[0][0] != family:
            dims.append(f"{family}_member")
            labels[f"{family}_member"] = [int(re.findall(r"\d+", name)[-1]) for name, _, _ in members]
        if rows * cols > 1:
            dims.append(f"{family}_row" if cols > 1 else f"{family}_component")
            if cols == 1 and rows <= 3:
                labels[dims[-1]] = list("xyz"[:rows])
        if cols > 1:
            dims.append(f"{family}_column")
        variables[family], variables[f"{family}'"] = (dims, run[family]), (dims, run[f"{family}'"])
    if run.u.shape[1]:
        variables["u"] = (["t", "input"], run.u)
    return xarray.Dataset(variables, labels, {"model": run.system.name, "integrator": run.method})
