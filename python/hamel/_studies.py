"""What is asked of a system near an equilibrium, and of integrators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Mapping, Sequence

from . import _hamel
from ._extend import method_of
from ._hamel import Comparison, Equilibria, Equilibrium, LinearModel, ModelFile, Region, State, System

if TYPE_CHECKING:
    import pandas

    from ._types import InputValues, NamedNumbers


@method_of(System)
def trim(self: System, state: State) -> LinearModel:
    """The linear equations at a point that constant inputs hold in balance: the smallest ones that do."""
    return _hamel._trim(self, state)


@method_of(System)
def region(
    self: System,
    at: Equilibrium | State,
    along: Mapping[str, tuple[float, float]] | None = None,
    *,
    grid: int = 41,
    sample: int = 0,
    seed: int = 1,
    ball: float = 0.0,
    stay: float = 0.0,
    until: float = 0.0,
    seconds: float = 60.0,
    steps: int = 20000,
    threads: int = 0,
) -> Region:
    """From where the system comes home to an equilibrium, as `hamel region`.

    Axes are entries of q, or x1, x2, ... of the basis of the linear model, with ' their rates:
    `along={"q.x": (-1, 1), "q.x'": (-3, 3)}`. A grid has one or two; `sample` draws so many starts along any number.
    """
    state = at.state if isinstance(at, Equilibrium) else at
    return _hamel._region(self, state, dict(along or {}), grid, sample, seed, ball, stay, until, seconds, steps, threads)


@method_of(System)
def compare(
    self: System,
    start: State,
    integrators: Sequence[str],
    *,
    until: float,
    steps: Sequence[float] = (),
    tolerances: Sequence[float] = (),
) -> Comparison:
    """What integrators keep of a motion, and what they cost: each with every step, or every tolerance."""
    return _hamel._compare(self, start, list(integrators), list(steps), list(tolerances), 0.0, until)


@method_of(ModelFile)  # type: ignore[no-redef]
def compare(  # noqa: F811
    self: ModelFile,
    integrators: Sequence[str],
    *,
    until: float | None = None,
    steps: Sequence[float] = (),
    tolerances: Sequence[float] = (),
) -> Comparison:
    """What integrators keep of the motion of a model file, as `hamel compare`; steps are those of [run] if not given."""
    system, settings = self.derive(), self.settings
    end = settings.until if until is None else until
    return _hamel._compare(system, self.start(system), list(integrators), list(steps), list(tolerances), settings.step, end)


@method_of(Comparison)
def to_pandas(self: Comparison) -> pandas.DataFrame:
    """A table with a row for each run."""
    import pandas

    rows = []
    for one in self.rows:
        row = {"integrator": one.integrator, "step": one.step, "tolerance": one.tolerance, "failure": one.failure}
        if one.summary is not None:
            errors = {"energy_error": one.summary.energy.max_error} if one.summary.energy is not None else {}
            momenta = [momentum.max_error for momentum in one.summary.momenta]
            row |= {"steps": one.summary.steps, **errors, "seconds": one.summary.wall_seconds}
            row |= {"momentum_error": max(momenta)} if momenta else {}
            row |= {"state_error": one.state_error} if self.reference else {}
            row["manifold_error"] = one.summary.manifold.max_error
        rows.append(row)
    return pandas.DataFrame(rows)


@method_of(ModelFile)
def equilibria(
    self: ModelFile,
    u: InputValues = None,
    seed: int = 1,
    starts: int = 0,
    *,
    rate: NamedNumbers | None = None,
    momentum: NamedNumbers | None = None,
) -> Equilibria:
    """Where the model can rest, as `hamel equilibria`: those of [equilibria] have their names."""
    return self.derive().equilibria(u, seed, starts, rate=rate, momentum=momentum, file=self)
