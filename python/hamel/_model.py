"""What models do beside what C++ gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _hamel
from ._extend import method_of
from ._hamel import Conserved, Formula, Model, State, System

if TYPE_CHECKING:
    from ._types import FormulaLike


@method_of(Model)
def parameters(self: Model, **values: FormulaLike) -> tuple[Formula, ...]:
    """Parameters by name; formulas of them, in the same order."""
    return tuple(self.parameter(name, value) for name, value in values.items())


@method_of(Model)
def derive(self: Model, path: str = "automatic") -> System:
    """The equations of motion, ready to run; path: automatic, constant_mass or reduced."""
    return _hamel._derive(self, path)


@method_of(Model)
def equations(self: Model, form: str = "omega", latex: bool = False) -> list[str]:
    """The equations of motion in one of the forms velocity, omega, mu and pi, one per line."""
    return _hamel._equations(self, form, latex)


@method_of(Model)
def c_source(self: Model, form: str = "omega") -> str:
    """The vector field as a C99 function that includes nothing but math.h, as of `hamel equations --c`."""
    return _hamel._c_source(self, form)


@method_of(Model)
def energies(self: Model) -> dict[str, list[Formula]]:
    """The terms of kinetic, potential, lagrangian, hamiltonian and dissipation that were given."""
    return {name: terms for name, terms in _hamel._energies(self).items() if terms}


@method_of(Model)
def conserved(self: Model) -> Conserved:
    """What symmetries conserve, found from the energies alone."""
    return _hamel._conserved_momenta(self)


@method_of(Model)
def to_toml(self: Model, start: State | None = None, description: str = "") -> str:
    """The model as the text of a model file, with its start if one is given; families count from 1 there."""
    return _hamel._model_text(self, description) + (_hamel._start_text(start) if start is not None else "")
