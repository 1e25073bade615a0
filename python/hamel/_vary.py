"""What varies among the members of an ensemble."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

import numpy as np

from . import _hamel

if TYPE_CHECKING:
    from ._types import Array, ArrayLike, NamedNumbers


@dataclass(frozen=True)
class Distribution:
    """What values are drawn from: hm.uniform, hm.normal, hm.lognormal or hm.cap."""

    kind: str
    arguments: tuple[Any, ...]

    def _made(self) -> _hamel._Distribution:
        make: Callable[..., _hamel._Distribution] = getattr(_hamel, f"_{self.kind}")
        return make(*self.arguments)

    def __repr__(self) -> str:
        return self._made().text


def _checked(distribution: Distribution) -> Distribution:
    distribution._made()
    return distribution


def uniform(low: float, high: float) -> Distribution:
    """Evenly between two numbers."""
    return _checked(Distribution("uniform", (low, high)))


def normal(mean: float, deviation: float) -> Distribution:
    """The normal distribution."""
    return _checked(Distribution("normal", (mean, deviation)))


def lognormal(mean: float, deviation: float) -> Distribution:
    """The exponential of a normal distribution: mean and deviation are those of the logarithm."""
    return _checked(Distribution("lognormal", (mean, deviation)))


def cap(centre: ArrayLike, angle: float) -> Distribution:
    """Points of S1, S2 or SO3 within an angle of the centre, evenly in area or volume; of a start: "start.q"."""
    return _checked(Distribution("cap", (np.array(centre, dtype=float).tolist(), angle)))


class Vary:
    """What varies among the members of an ensemble: hm.grid, hm.listed, hm.samples, products of them and hm.zip.

    A name is that of a parameter ("m", "l[0]"), or of the start: "start.x" a coordinate (on S1 its angle, if it is one
    number), "start.x.y" an entry of it, "start.x'" its rate, "start.t" the time.
    """

    def __init__(self, made: _hamel._Vary, recipe: tuple[Callable[..., Vary], tuple[Any, ...]]) -> None:
        self._made, self._recipe = made, recipe

    def __reduce__(self) -> tuple[Callable[..., Vary], tuple[Any, ...]]:
        return self._recipe

    def __mul__(self, fast: Vary) -> Vary:
        """Each with each; the last varies fastest."""
        if not isinstance(fast, Vary):
            return NotImplemented
        return _product(self, fast)

    def __len__(self) -> int:
        return self._made.members

    def __repr__(self) -> str:
        parts = [f"{name}: {text}" for (name, _), text in builtins.zip(self._made.quantities, self._made.texts)]
        return f"<hamel.Vary of {self.members} members: {', '.join(parts)}>"

    @property
    def members(self) -> int:
        """How many there are."""
        return self._made.members

    @property
    def names(self) -> list[str]:
        """What varies."""
        return [name for name, _ in self._made.quantities]

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides of a grid, the slowest first; empty where not all of it is one."""
        return tuple(self._made.sides)

    def rows(self, first: int = 0, last: int | None = None) -> Array:
        """The numbers of members, a row for each."""
        return self._made.rows(first, self.members if last is None else last)


def _product(slow: Vary, fast: Vary) -> Vary:
    return Vary(slow._made * fast._made, (_product, (slow, fast)))


def nothing() -> Vary:
    return Vary(_hamel._Vary(), (nothing, ()))


def grid(name: str, low: float, high: float, count: int) -> Vary:
    """So many values from low to high, both included."""
    return Vary(_hamel._grid(name, low, high, count), (grid, (name, low, high, count)))


def listed(values: NamedNumbers) -> Vary:
    """Members one by one: arrays with a row for each, {"m": (n,), "start.q": (n, 3), "J": (n, 3, 3)}."""
    if not isinstance(values, Mapping):
        raise TypeError(f"a list of members is a dictionary from names to arrays, not {type(values).__name__}")
    columns, counts = [], {}
    for name, given in values.items():
        array = _numbers(name, given)
        counts[name] = len(array)
        rows = array.swapaxes(1, 2) if array.ndim == 3 else array
        columns.append(rows.reshape(len(rows), int(np.prod(rows.shape[1:]))))
    if len(set(counts.values())) != 1:
        raise ValueError(f"a list of members needs arrays with a row for each member: {counts or 'nothing is given'}")
    return _listed_rows(list(counts), [one.shape[1] for one in columns], np.concatenate(columns, axis=1))


def _listed_rows(names: list[str], sizes: list[int], rows: Array) -> Vary:
    return Vary(_hamel._listed(names, sizes, rows), (_listed_rows, (names, sizes, rows)))


def _numbers(name: str, given: ArrayLike) -> Array:
    array = np.asarray(given)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name} must be an array of numbers, not of {array.dtype}")
    if not 1 <= array.ndim <= 3:
        raise ValueError(f"{name} must have a row for each member, of a number, a vector or a matrix; its shape is {array.shape}")
    return array.astype(float, copy=False)


def samples(values: Mapping[str, Distribution], count: int, *, sampling: str = "random", seed: int = 1) -> Vary:
    """So many members with values drawn from distributions; sampling is random, sobol or latin.

    The values of a member depend on the seed and its number alone; with latin also on how many there are.
    """
    for name, one in values.items():
        if not isinstance(one, Distribution):
            raise TypeError(f"{name} needs a distribution, as hm.normal(1, 0.01), not {type(one).__name__}")
    made = _hamel._samples([(name, one._made()) for name, one in values.items()], count, sampling, seed)
    return Vary(made, (_samples_again, (dict(values), count, sampling, seed)))


def _samples_again(values: Mapping[str, Distribution], count: int, sampling: str, seed: int) -> Vary:
    return samples(values, count, sampling=sampling, seed=seed)


def zip(*parts: Vary) -> Vary:
    """Side by side: all have as many members."""
    for one in parts:
        if not isinstance(one, Vary):
            raise TypeError(f"what varies side by side is made by hm.grid, hm.listed or hm.samples, not {type(one).__name__}")
    if not parts:
        raise ValueError("nothing varies side by side")
    return reduce(lambda a, b: Vary(_hamel._zip(a._made, b._made), (zip, (a, b))), parts)


def varied(given: Any, layout: Sequence[tuple[str, int, int, int]]) -> Vary:
    """What an ensemble is given, as one: nothing, a dictionary of arrays, something of hm.grid and so on."""
    if given is None:
        return nothing()
    if isinstance(given, Vary):
        return given
    if isinstance(given, Mapping):
        return listed(_members_of_families(given, layout))
    raise TypeError(f"what varies is a dictionary of arrays, or made by hm.grid, hm.listed or hm.samples, not {type(given).__name__}")


def _members_of_families(given: NamedNumbers, layout: Sequence[tuple[str, int, int, int]]) -> NamedNumbers:
    """start.q of a family q[0], q[1] as those of its members."""
    result: dict[str, Any] = {}
    for name, value in given.items():
        plain, prime = name[6:].rstrip("'"), "'" * name.endswith("'")
        family = [one for one, *_ in layout if one.startswith(f"{plain}[")] if name.startswith("start.") else []
        if not family or np.ndim(value) < 2 or np.shape(value)[1] != len(family):
            result[name] = value
            continue
        for k, one in enumerate(family):
            result[f"start.{one}{prime}"] = np.asarray(value)[:, k]
    return result
