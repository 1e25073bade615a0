"""What systems do beside what C++ gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence

from . import _hamel
from ._extend import method_of
from ._hamel import Equilibria, Event, Field, LinearModel, ModelFile, State, System
from ._progress import progress_of
from ._run import Run

if TYPE_CHECKING:
    from ._types import Array, FormulaLike, Inputs, InputValues, NamedNumbers


def need_state(start: State) -> None:
    """Refuses what has no time to begin at."""
    if not isinstance(start, State):
        raise TypeError(f"a start is a state, as system.state(...) makes it, not {type(start).__name__}")


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
    inputs: Inputs = None,
    sample: float = 0.0,
    continuous: bool = False,
    progress: bool | None = None,
) -> Run:
    """The motion from a start until a time, with an output for each step or `every` so much time.

    Inputs that follow no law of the model are zero, or what `inputs` says: numbers, formulas by name, which are
    compiled, or a function of the state. They are held for a step, or for `sample`, which methods that choose their steps
    need; `continuous=True` asks for them wherever an explicit method evaluates the motion. A bar shows the progress of long runs where tqdm is installed and somebody looks; `progress` decides instead.
    """
    need_state(start)
    events = list(events)
    with progress_of(progress, start.t, until) as bar:
        motion = _hamel._integrate(
            self, start, method, until, step, tolerance, every, halvings, events, inputs, sample, continuous, bar
        )  # fmt: skip
    settings = {"integrator": method, "step": step, "tolerance": tolerance, "until": until, "every": every, "halvings": halvings}
    return Run(self, motion, start, settings, has_events=bool(events), has_inputs=inputs is not None)


@method_of(System)
def value(self: System, formula: FormulaLike, state: State, u: InputValues = None) -> Array:
    """The value of a formula of the model; of one that depends on inputs, for the inputs u."""
    return _hamel._value_at(self, formula, state, u)


@method_of(System)
def field(self: System, form: str = "omega") -> Field:
    """The motion as y' = f(t, y), in one of the forms velocity, omega, mu and pi."""
    return Field(self, form)


@method_of(System)
def equilibria(
    self: System,
    u: InputValues = None,
    seed: int = 1,
    starts: int = 0,
    *,
    rate: NamedNumbers | None = None,
    momentum: NamedNumbers | None = None,
    file: ModelFile | None = None,
) -> Equilibria:
    """Where the system can rest while its inputs are u, with spectra and verdicts.

    Instead of rest, steady motions along symmetries: `rate={"e3": 2}` at given rates, `momentum={"e3": 0.5}` with a given
    momentum. A symmetry is meant by its number from 1 in model.conserved().momenta, or by a part of its name. The
    equilibria of a model file begin the search, and have their names.
    """
    return _hamel._equilibria(self, u, seed, starts, dict(rate or {}), dict(momentum or {}), file)


@method_of(System)
def linearize(self: System, state: State, u: InputValues = None) -> LinearModel:
    """The linear equations near an equilibrium; refuses a state that is none."""
    return _hamel._linearize(self, state, u)
