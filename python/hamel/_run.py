"""A motion, by names."""

from __future__ import annotations

import os
import re
import tempfile
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _hamel
from ._hamel import ModelFile, Occurrence, State, System
from ._notebook import ShownRun
from ._plots import Plots

if TYPE_CHECKING:
    import pandas

    from ._types import Array, FormulaLike, Path


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
        self, system: System, motion: _hamel._Motion, start: State, settings: dict[str, Any], has_events: bool = False
    ) -> None:
        self._has_events = has_events
        self.file: ModelFile | None = None  # with its view
        self.units: dict[str, str] = {}  # of names, t and energy, for plots
        self._energy: Energies | None = None
        self._conserved: dict[str, Array] | None = None
        self.system, self.start, self.settings = system, start, settings
        self._motion = motion
        self.t, self.q, self.v = motion.t, motion.q, motion.v

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
        plain = name.replace("'", "", 1)
        numbers = self.q if plain == name else self.v
        members = [one for one in self.system.layout if one[0] == plain or re.sub(r"\[\d+\]$", "", one[0]) == plain]
        if not members:
            names = ", ".join(one[0] for one in self.system.layout[:6])
            raise KeyError(f"{self.system.name} has no coordinate {plain}; there is {names}")
        views = [self._view(numbers, *one[1:]) for one in members]
        if len(views) == 1 and members[0][0] == plain:
            return views[0]
        _, first, rows, cols = members[0]
        size = rows * cols
        whole = numbers[:, first : first + size * len(members)].reshape(len(self), len(members), cols, rows)
        return self._squeezed(whole.swapaxes(-1, -2), rows, cols)

    def _view(self, numbers: Array, first: int, rows: int, cols: int) -> Array:
        whole = numbers[:, first : first + rows * cols].reshape(len(self), cols, rows).swapaxes(-1, -2)
        return self._squeezed(whole, rows, cols)

    @staticmethod
    def _squeezed(array: Array, rows: int, cols: int) -> Array:
        if cols == 1:
            array = array[..., 0]
            if rows == 1:
                array = array[..., 0]
        return array

    def value(self, formula: FormulaLike) -> Array:
        """A formula of the model along the motion: an array with a value for each output."""
        return _hamel._values_along(self.system, _hamel.constant(formula), self.t, self.q, self.v)

    def to_pandas(self) -> pandas.DataFrame:
        """A table with a column for every number: t, q[0].x, ..."""
        import pandas

        columns = {"t": self.t}
        for name, first, rows, cols in self.system.layout:
            for rates, numbers in (("", self.q), ("'", self.v)):
                for k in range(rows * cols):
                    columns[_component(name, rates, rows, cols, k)] = numbers[:, first + k]
        return pandas.DataFrame(columns)

    def report(self, path: Path, *, overwrite: bool = False) -> None:
        """A page with the motion, as `hamel run --report` writes it."""
        if self._has_events:
            raise ValueError("reports do not know events: integrate without them, until the time that the report should end")
        file = _hamel.parse(self.system.model.to_toml(self.start), self.system.name)
        write_report(file, path, overwrite, self.settings)

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
