"""What systems do beside what C++ gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence

from . import _hamel
from ._extend import method_of
from ._hamel import Equilibria, Event, Field, LinearModel, State, System
from ._run import Run

if TYPE_CHECKING:
    from ._types import Array, ArrayLike, FormulaLike


@method_of(System)
def integrate(
    self: System,
    start: State,
    method: str = "variational",
    *,
    until: float,
    step: float = 0.0,
    tolerance: float = 0.0,
    every: float = 0.0,
    halvings: int = 0,
    events: Sequence[Event] = (),
) -> Run:
    """The motion from a start until a time, with an output for each step or `every` so much time."""
    events = list(events)
    motion = _hamel._integrate(self, start, method, until, step, tolerance, every, halvings, events)
    settings = {"integrator": method, "step": step, "tolerance": tolerance, "until": until, "every": every, "halvings": halvings}
    return Run(self, motion, start, settings, has_events=bool(events))


@method_of(System)
def value(self: System, formula: FormulaLike, state: State) -> Array:
    """The value of a formula of the model."""
    return _hamel._value_at(self, formula, state)


@method_of(System)
def field(self: System, form: str = "omega") -> Field:
    """The motion as y' = f(t, y), in one of the forms velocity, omega, mu and pi."""
    return Field(self, form)


@method_of(System)
def equilibria(self: System, u: ArrayLike | None = None, seed: int = 1, starts: int = 0) -> Equilibria:
    """Where the system can rest while its inputs are u, with spectra and verdicts."""
    return _hamel._equilibria(self, u, seed, starts)


@method_of(System)
def linearize(self: System, state: State, u: ArrayLike | None = None) -> LinearModel:
    """The linear equations near an equilibrium; refuses a state that is none."""
    return _hamel._linearize(self, state, u)
