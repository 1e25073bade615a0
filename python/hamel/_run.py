"""A motion, by names."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

import numpy as np

from . import _hamel
from ._hamel import Formula, ModelFile, Occurrence, State, System
from ._names import coordinate
from ._notebook import ShownRun
from ._plots import Plots

if TYPE_CHECKING:
    import pandas
    import xarray

    from ._motion import Motion
    from ._record import Record
    from ._types import Array, ArrayLike, FormulaLike, Path


class Energies(NamedTuple):
    """Energies at every output."""

    kinetic: Array
    potential: Array
    total: Array


class Run(Plots, ShownRun):
    """The motion of a system: run.t, run["q"], run["q'"], run.energy.

    A coordinate is an array with an output for each row; a family of them, q[0], q[1], ..., has one more dimension. They
    are views of run.q and run.v: nothing is copied.
    """

    def __init__(
        self,
        system: System,
        motion: _hamel._Motion | Motion,
        start: State,
        settings: dict[str, Any],
        has_events: bool = False,
        has_inputs: bool = False,
    ) -> None:
        self._has_events, self._has_inputs = has_events, has_inputs
        self.file: ModelFile | None = None  # with its view
        self.units: dict[str, str] = {}  # of names, t and energy, for plots
        self._energy: Energies | None = None
        self._conserved: dict[str, Array] | None = None
        self.system, self.start, self.settings = system, start, settings
        self._motion = motion
        self.t, self.q, self.v = motion.t, motion.q, motion.v
        self.u = motion.u  # inputs that follow no law of the model, as they were held just before each output

    def __getstate__(self) -> dict[str, Any]:
        from ._motion import Motion

        return {**self.__dict__, "_motion": Motion.copied(self._motion)}

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        return f"<hamel.Run {self.system.name}: {len(self)} outputs to t = {self.t[-1]:g}, {self.steps} steps of {self.method}>"

    @property
    def method(self) -> str:
        """The integrator."""
        return self._motion.method

    @property
    def steps(self) -> int:
        """How many steps were taken."""
        return self._motion.steps

    @property
    def rejected(self) -> int:
        """How many steps were refused by the control of errors."""
        return self._motion.rejected

    @property
    def halved(self) -> int:
        """How many steps were halved."""
        return self._motion.halved

    @property
    def ended_by(self) -> str:
        """The event that ended the motion, or nothing."""
        return self._motion.ended_by

    @property
    def occurrences(self) -> list[Occurrence]:
        """What events happened, and where."""
        return self._motion.occurrences

    @property
    def final(self) -> State:
        """The last state."""
        return self._motion.final

    def __getitem__(self, name: str) -> Array:
        return coordinate(self.system.name, self.system.layout, self.q, self.v, name)

    def state(self, k: int) -> State:
        """The state at an output."""
        return _hamel._state(self.system, float(self.t[k]), self.q[k], self.v[k])

    def value(self, formula: FormulaLike | Callable[[State], ArrayLike]) -> Array:
        """A formula of the model along the motion: an array with a value for each output.

        A function of the state does as well, and is slower: Python calls it for each output.
        """
        if callable(formula) and not isinstance(formula, Formula):
            return np.array([formula(self.state(k)) for k in range(len(self))], dtype=float)
        return _hamel._values_along(self.system, _hamel.constant(formula), self.t, self.q, self.v, self.u)

    def to_pandas(self) -> pandas.DataFrame:
        """A table with a column for every number: t, q[0].x, ..."""
        import pandas

        columns = {"t": self.t}
        for name, first, rows, cols in self.system.layout:
            for rates, numbers in (("", self.q), ("'", self.v)):
                for k in range(rows * cols):
                    columns[_component(name, rates, rows, cols, k)] = numbers[:, first + k]
        return pandas.DataFrame(columns)

    def to_xarray(self) -> xarray.Dataset:
        """All coordinates and rates, with the time as their first dimension; a family has one of its members, too."""
        from ._xarray import dataset

        return dataset(self)

    def report(self, path: Path, *, overwrite: bool = False) -> None:
        """A page with the motion, as `hamel run --report` writes it."""
        write_report(self._as_file("reports"), path, overwrite, self.settings)

    def record(self, path: Path, *, overwrite: bool = False) -> Record:
        """The motion as a record, computed again from the model as a model file, which counts from 1."""
        from ._record import write_record

        return write_record(self._as_file("records"), path, self.settings, overwrite=overwrite)

    def _as_file(self, what: str) -> ModelFile:
        if self._has_events:
            raise ValueError(f"{what} do not know events: integrate without them, until the time that it should end")
        if self._has_inputs:
            raise ValueError(f"{what} do not know inputs that are given here: give them laws, model.law(u, ...)")
        return _hamel.parse(self.system.model.to_toml(self.start), self.system.name)

    @property
    def energy(self) -> Energies:
        """Energies at every output: run.energy.kinetic, .potential and .total, of which the last is conserved."""
        if self._energy is None:
            self._energy = Energies(*_hamel._energies_along(self.system, self.t, self.q, self.v))
        return self._energy

    @property
    def conserved(self) -> dict[str, Array]:
        """What should be constant, at every output: the energy if nothing drives or damps, and momenta, by name."""
        if self._conserved is None:
            report = _hamel._conserved_momenta(self.system.model)
            named = {"energy": self.energy.total} if report.energy_conserved else {}
            for momentum in report.momenta:
                named[momentum.name] = _hamel._momentum_along(momentum, self.system, self.t, self.q, self.v)
            self._conserved = named
        return self._conserved


def write_report(file: ModelFile, path: Path, overwrite: bool, settings: dict[str, Any]) -> None:
    """The motion of a model file as a page, by way of a record that is not kept."""
    if os.path.exists(path) and not overwrite:
        raise FileExistsError(f"{path} exists; overwrite=True writes over it")
    system = file.model.derive()
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "run.h5")
        _hamel._record_run(file, system, file.start(system), path=record, overwrite=False, **settings)
        _hamel._write_report(os.fspath(path), record, file, overwrite)


def _component(name: str, prime: str, rows: int, cols: int, k: int) -> str:
    base, bracket, index = name.partition("[")
    whole = base + prime + bracket + index
    if rows * cols == 1:
        return whole
    if cols > 1:
        return f"{whole}[{k % rows},{k // rows}]"
    return f"{whole}.{'xyz'[k]}" if rows <= 3 else f"{whole}[{k}]"
