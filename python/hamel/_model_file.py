"""What model files do beside what C++ gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _hamel
from ._extend import method_of
from ._hamel import ModelFile, System
from ._run import Run, write_report

if TYPE_CHECKING:
    from ._types import Path

_SETTINGS = ("integrator", "step", "tolerance", "until", "every", "halvings")


def _settings(file: ModelFile, given: dict[str, Any]) -> dict[str, Any]:
    unknown = set(given) - set(_SETTINGS)
    if unknown:
        raise TypeError(f"there is no setting {', '.join(sorted(unknown))}: there are {', '.join(_SETTINGS)}")
    chosen = _hamel._changed_settings(file, **given)
    return {name: getattr(chosen, name) for name in _SETTINGS}


@method_of(ModelFile)
def derive(self: ModelFile) -> System:
    """The equations of motion of its model."""
    return self.model.derive()


@method_of(ModelFile)
def run(self: ModelFile, **settings: Any) -> Run:
    """The motion of a model file from its start: integrator, step, tolerance, until, every, halvings as in [run]."""
    chosen = _settings(self, settings)
    system = self.derive()
    method = chosen.pop("integrator")
    motion = system.integrate(self.start(system), method, **chosen)
    motion.file, motion.units = self, dict(self.units)
    return motion


@method_of(ModelFile)
def report(self: ModelFile, path: Path, *, overwrite: bool = False, **settings: Any) -> None:
    """A page with the motion: as `hamel run --report`."""
    write_report(self, path, overwrite, _settings(self, settings))


def _read_again(text: str, path: str, set: dict[str, Any], start: dict[str, Any]) -> ModelFile:
    return _hamel.parse(text, path, set, start)


@method_of(ModelFile)
def __reduce__(self: ModelFile) -> tuple[Any, ...]:
    given = (self.text, self.path, *getattr(self, "_changes", ({}, {})))
    mine, read = self.model.parameter_values, _read_again(*given).model.parameter_values
    changed = [name for name, value in mine.items() if name not in read or not np.array_equal(value, read[name])]
    if changed:
        raise TypeError(f"{self!r} has other parameters than its text, and no pickle: {', '.join(changed)}")
    return _read_again, given
