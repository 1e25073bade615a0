"""Records: runs as HDF5 files, which `hamel run --out` writes."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _hamel
from ._extend import method_of
from ._hamel import ModelFile, Summary, System
from ._model_file import _settings
from ._motion import Motion
from ._progress import progress_of
from ._run import Energies, Run

if TYPE_CHECKING:
    import pandas

    from ._types import Array, Path


class Record(Run):
    """A run that was recorded: record.t, record["q[1]"], record.outputs, as of any run.

    Records are read while they are written, or after their writer was killed. `every` takes each n-th output, `at_most`
    as few as needed; the last one is taken in any case. Names are those of the model file, which counts from 1.
    """

    def __init__(self, path: Path, *, every: int = 1, at_most: int = 0) -> None:
        self.path = os.fspath(path)
        reader = _hamel._RecordReader(self.path)  # is not kept: who goes on with the record must be alone
        self._rows = reader.read(every, at_most)
        self._every, self._at_most = every, at_most
        self._has_events = self._has_inputs = False
        self.t, self.q, self.v = self._rows["t"], self._rows["q"], self._rows["v"]
        self.header: dict[str, Any] = reader.header
        self.summary: Summary = reader.summary
        self._damage: str = reader.damage
        self.units = {"t" if name == "time" else name: unit for name, unit in self.header["units"].items()}
        self.settings = {
            "integrator": self.header["integrator"],
            "step": float(self.header["settings"].get("step", 0.0)),
            "tolerance": float(self.header["settings"].get("tolerance", self.header["settings"].get("relative", 0.0))),
            **{name: self.header[name] for name in ("until", "every", "halvings")},
        }

    def __reduce__(self) -> tuple[Any, ...]:
        return _reopened, (self.path, self._every, self._at_most)

    def __repr__(self) -> str:
        return f"<hamel.Record {self.path}: {len(self)} outputs to t = {self.t[-1]:g}, {self.steps} steps of {self.method}>"

    @cached_property
    def file(self) -> ModelFile:  # type: ignore[override]
        """The model file that is in the record, with the parameters that the run had."""
        return _hamel._RecordReader(self.path).file(self.path)

    @cached_property
    def system(self) -> System:  # type: ignore[override]
        """The equations of motion of its model."""
        return self.file.derive()

    @cached_property
    def u(self) -> Array:  # type: ignore[override]
        """The inputs that follow sampled laws, from the outputs of these names; others are zero."""
        columns = np.zeros((len(self), self.system.inputs))
        for name, first, size in self.system.input_layout:
            if name in self.outputs:
                columns[:, first : first + size] = self.outputs[name].reshape(len(self), size)
        return columns

    @cached_property
    def start(self) -> _hamel.State:  # type: ignore[override]
        """The first state."""
        return _hamel._state(self.system, float(self.t[0]), self.q[0], self.v[0])

    @cached_property
    def _motion(self) -> Motion:  # type: ignore[override]
        return Motion.of(self.system, self.t, self.q, self.v, self.u, self.header["integrator"], self.summary.steps)

    @property
    def steps(self) -> int:
        """How many steps were taken."""
        return self.summary.steps

    @property
    def method(self) -> str:
        """The integrator."""
        return self.header["integrator"]

    @property
    def finished(self) -> bool:
        """Whether its end was reached; otherwise it can be resumed."""
        return self.summary.finished

    @property
    def damage(self) -> str:
        """What of the file is damaged, and why; the outputs before it are good."""
        return self._damage

    @property
    def outputs(self) -> dict[str, Array]:
        """What [outputs] of the model file asked for, and the inputs that follow laws, by name."""
        return self._rows["outputs"]

    @property
    def momenta(self) -> dict[str, Array]:
        """The conserved momenta, by name."""
        return self._rows["momenta"]

    @property
    def energy(self) -> Energies:
        """Energies at every output: kinetic, potential and total."""
        if "total" not in self._rows:
            raise ValueError(f"{self.header['model']} is given by its field, and has no energy")
        return Energies(self._rows["kinetic"], self._rows["potential"], self._rows["total"])

    @property
    def conserved(self) -> dict[str, Array]:
        """What should be constant, at every output: the energy if nothing drives or damps, and momenta, by name."""
        energy = {"energy": self.energy.total} if self.header["energy_conserved"] else {}
        return {**energy, **self.momenta}

    @property
    def errors(self) -> dict[str, Array]:
        """How far the points are from their spaces, and from the constraints if there are any."""
        return {name: self._rows[f"{name}_error"] for name in ("manifold", "constraint") if f"{name}_error" in self._rows}

    def to_pandas(self) -> pandas.DataFrame:
        """A table with a column for every number, also of energies, momenta and outputs."""
        import pandas

        energies = ("kinetic", "potential", "total")
        more: dict[str, Array] = {name: self._rows[name] for name in energies if name in self._rows}
        more |= self.momenta
        for name, values in self.outputs.items():
            flat = values.reshape(len(self), -1)
            more |= {name: values} if flat.shape[1] == 1 else {f"{name}[{k + 1}]": flat[:, k] for k in range(flat.shape[1])}
        return pandas.concat([super().to_pandas(), pandas.DataFrame(more)], axis=1)

    def to_csv(self, path: Path, *, every: int = 1, overwrite: bool = False) -> None:
        """Comma-separated values, as `hamel convert --csv` writes them."""
        _hamel._write_csv(self.path, os.fspath(path), every, overwrite)

    def report(self, path: Path, *, overwrite: bool = False) -> None:
        """A page with the motion, as of `hamel report --out`."""
        _hamel._write_report(os.fspath(path), self.path, self.file, overwrite)


def _reopened(path: str, every: int, at_most: int) -> Record:
    return Record(path, every=every, at_most=at_most)


@method_of(ModelFile)
def record(
    self: ModelFile,
    path: Path,
    *,
    overwrite: bool = False,
    resume: bool = False,
    on_another_machine: bool = False,
    progress: bool | None = None,
    **settings: Any,
) -> Record:
    """The motion of a model file as a record, as `hamel run --out`.

    Stopped or killed, the record has everything up to that moment; `resume=True` goes on with it, to the same bits as
    without a stop.
    """
    return write_record(
        self, path, _settings(self, settings), overwrite=overwrite, resume=resume,
        on_another_machine=on_another_machine, progress=progress,
    )  # fmt: skip


def write_record(
    file: ModelFile, path: Path, settings: dict[str, Any], *, progress: bool | None = None, **options: Any
) -> Record:
    """The motion of a model file as a record; overwrite, resume and on_another_machine as above."""
    system = file.derive()
    start = file.start(system)
    with progress_of(progress, start.t, settings["until"]) as bar:
        _hamel._record_run(file, system, start, path=os.fspath(path), progress=bar, **options, **settings)
    return Record(path)
