"""Routh's reduction: a system without a cyclic coordinate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import _hamel
from ._extend import method_of
from ._hamel import Model, ModelFile, State, System
from ._motion import Motion
from ._run import Run

if TYPE_CHECKING:
    from ._types import Path


class Reduction:
    """A system without a cyclic coordinate, whose momentum became a parameter: reduction.file is a model of its own."""

    def __init__(self, system: System, start: State, reduction: _hamel._RouthReduction, run: str) -> None:
        self.system, self.start = system, start
        self._reduction = reduction
        self.text = reduction.text + run

    @property
    def coordinate(self) -> str:
        """What was left out."""
        return self.system.model.coordinate_names[self._reduction.coordinate]

    @property
    def momentum(self) -> float:
        """Its momentum, a parameter of the reduced model."""
        return self._reduction.momentum

    @property
    def file(self) -> ModelFile:
        """The reduced model with its start; it counts from 1."""
        return _hamel.parse(self.text, f"{self.system.name}, reduced")

    def reconstruct(self, run: Run) -> Run:
        """The motion of the whole system from that of the reduced one."""
        q, v = _hamel._reconstruct(self.system, self.start, self._reduction, run.t, run.q, run.v)
        motion = Motion.of(self.system, run.t, q, v, np.zeros((len(run.t), 0)), run.method, run.steps)
        return Run(self.system, motion, self.start, run.settings)

    def save(self, path: Path, *, overwrite: bool = False) -> None:
        """The reduced model as a model file."""
        with open(path, "w" if overwrite else "x", encoding="utf-8") as file:
            file.write(self.text)

    def __repr__(self) -> str:
        return f"<hamel.Reduction {self.system.name} without {self.coordinate}, whose momentum is {self.momentum:g}>"


@method_of(Model)
def cyclic(self: Model) -> list[str]:
    """The coordinates on R or S1 that the energies do not depend on."""
    return _hamel._cyclic_coordinates(self)


@method_of(System)
def reduce(self: System, start: State, coordinate: str | None = None, momentum: float | None = None) -> Reduction:
    """The system without a cyclic coordinate, at the momentum of the start or another one: Routh's reduction."""
    return _reduced(self, start, coordinate, momentum, "")


@method_of(ModelFile)  # type: ignore[no-redef]
def reduce(self: ModelFile, coordinate: str | None = None, momentum: float | None = None) -> Reduction:  # noqa: F811
    """The model without a cyclic coordinate, with the same [run], as `hamel reduce`."""
    system = self.derive()
    return _reduced(system, self.start(system), coordinate, momentum, _hamel._run_text(self.settings))


def _reduced(system: System, start: State, coordinate: str | None, momentum: float | None, run: str) -> Reduction:
    if coordinate is None:
        known = system.model.cyclic()
        if len(known) != 1:
            raise ValueError(
                f"which? {system.name} has the cyclic coordinates {', '.join(known)}" if known
                else f"{system.name} has no cyclic coordinate on R or S1"
            )  # fmt: skip
        coordinate = known[0]
    if momentum is not None and not np.isfinite(momentum):
        raise ValueError(f"the momentum of {coordinate} must be finite, got {momentum}")
    return Reduction(system, start, _hamel._routh_reduction(system, start, coordinate, momentum), run)
