"""Many members of one system: what varies, what is kept, where they run."""

from __future__ import annotations

import atexit
import os
import pickle
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Sequence

import numpy as np

from . import _hamel
from ._extend import method_of
from ._hamel import Event, Formula, ModelFile, State, System
from ._names import coordinate
from ._progress import progress_of
from ._system import need_state
from ._vary import Vary, nothing, varied

if TYPE_CHECKING:
    import pandas

    from ._types import Array, FormulaLike, NamedNumbers, Path


@dataclass(frozen=True)
class Keep:
    """A formula that is kept of every member: at the end, or its max, min, mean, drift or series over the outputs."""

    name: str
    formula: FormulaLike
    statistic: str = field(default_factory=lambda: "end")  # which is no member of the class, and needs no words


@dataclass(frozen=True)
class Failure:
    """A member that could not go on: its number, why, and what varied."""

    member: int
    why: str
    values: dict[str, Array]


@dataclass(frozen=True)
class _Columns:
    """Where numbers are in the rows of a table."""

    system: str
    layout: list[tuple[str, int, int, int]]
    varied: dict[str, tuple[int, int]]  # name: first, size
    varied_columns: list[str]
    kept: dict[str, tuple[int, int]]
    shapes: dict[str, tuple[list[str], int, int]]  # of formulas: columns, rows, cols
    has_state: bool
    sides: tuple[int, ...] = ()

    @property
    def width(self) -> int:
        return len(self.varied_columns) + sum(size for _, size in self.kept.values())


def _places(sizes: Sequence[tuple[str, int]]) -> dict[str, tuple[int, int]]:
    places, first = {}, 0
    for name, size in sizes:
        places[name] = (first, size)
        first += size
    return places


@dataclass(frozen=True, repr=False)
class EnsembleTable:
    """What varied and what was kept, with a row for each member: table["m"], table["height max"], table["q"].

    The final state is by the names of coordinates, shaped as in runs; a series has a column for each output. Of a member
    that failed there is what was known when it did.
    """

    first: int
    varied: Array
    kept: Array
    failures: list[Failure]
    _columns: _Columns = field(compare=False)

    def __len__(self) -> int:
        return len(self.kept)

    def __repr__(self) -> str:
        failed = f", {len(self.failures)} failed" if self.failures else ""
        return f"<hamel.EnsembleTable {self._columns.system}: {len(self)} members{failed}; {', '.join(self.names)}>"

    @property
    def names(self) -> list[str]:
        """What varied and what was kept; of the final state the columns."""
        return [*self._columns.varied, *self._columns.kept]

    @property
    def failed(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which members failed."""
        result = np.zeros(len(self), dtype=bool)
        result[[one.member - self.first for one in self.failures]] = True
        return result

    def __getitem__(self, name: str) -> Array:
        columns = self._columns
        if name in columns.varied:
            first, size = columns.varied[name]
            return self.varied[:, first] if size == 1 else self.varied[:, first : first + size]
        if name in columns.kept:
            first, size = columns.kept[name]
            return self.kept[:, first] if size == 1 else self.kept[:, first : first + size]
        if name in columns.shapes:
            parts, rows, cols = columns.shapes[name]
            stacked = np.stack([self[one] for one in parts], axis=1)
            return stacked if cols == 1 else stacked.reshape(len(self), cols, rows, *stacked.shape[2:]).swapaxes(1, 2)
        if columns.has_state and columns.layout:
            size = max(first + rows * cols for _, first, rows, cols in columns.layout)
            q, v = self.kept[:, 1 : 1 + size], self.kept[:, 1 + size : 1 + 2 * size]
            return coordinate(columns.system, columns.layout, q, v, name)
        raise KeyError(f"nothing is called {name}; there are {', '.join([*columns.shapes, *self.names][:12])}")

    def on_grid(self, name: str) -> Array:
        """The same, with a dimension for each side of a grid, the slowest first; of a whole table."""
        sides = self._columns.sides
        if not sides or int(np.prod(sides)) != len(self):
            raise ValueError(f"these {len(self)} members are not all those of a grid: its sides are {sides}")
        values = self[name]
        return values.reshape(*sides, *values.shape[1:])

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each member and a column for each number; series are left out."""
        import pandas

        named = {name: self.varied[:, k] for k, name in enumerate(self._columns.varied_columns)}
        named |= {name: self[name] for name, (_, size) in self._columns.kept.items() if size == 1}
        return pandas.DataFrame({**named, "failed": self.failed}, index=range(self.first, self.first + len(self)))


def _table(columns: _Columns, first: int, rows: Array, kept: Array, failures: list[tuple[int, str]]) -> EnsembleTable:
    def values(member: int) -> dict[str, Array]:
        row = rows[member - first]
        return {name: row[at] if size == 1 else row[at : at + size] for name, (at, size) in columns.varied.items()}

    return EnsembleTable(first, rows, kept, [Failure(member, why, values(member)) for member, why in failures], columns)


def joined(tables: Sequence[EnsembleTable]) -> EnsembleTable:
    """Parts of one ensemble as one table; each begins where the one before it ends."""
    tables = [one for one in tables if len(one) > 0] or list(tables)[:1]
    if not tables:
        raise ValueError("nothing is to be joined")
    for a, b in zip(tables, tables[1:]):
        if b._columns != a._columns:
            raise ValueError(f"these are parts of different ensembles: {a!r}, {b!r}")
        if b.first != a.first + len(a):
            raise ValueError(f"members {a.first + len(a)} to {b.first} are missing, or the parts are in another order")
    varied, kept = (np.concatenate([getattr(one, name) for one in tables]) for name in ("varied", "kept"))
    return EnsembleTable(tables[0].first, varied, kept, [one for table in tables for one in table.failures], tables[0]._columns)


class Ensemble:
    """Members that are ready to run: system.ensemble(start, ...), or file.sweep(...) of a model file.

    `run()` makes a table of all of them, `chunks()` one table after another, and `parts()` what Dask, Ray or a pool of
    processes can call. Every member is the run that `system.integrate` makes of it alone, to the bit, for any number of
    threads and parts.
    """

    def __init__(self, plan: _hamel._EnsemblePlan, recipe: tuple[Callable[..., Ensemble], tuple[Any, ...]]) -> None:
        self._plan, self._recipe = plan, recipe
        vary, columns = plan.vary, plan.columns
        names = [name for name, _ in columns]
        self._columns = _Columns(
            plan.system.name,
            plan.system.layout,
            _places(vary.quantities),
            vary.columns,
            _places(columns),
            {name: ([names[k] for k in places], rows, cols) for name, places, rows, cols in plan.shapes if rows * cols > 1},
            plan.has_state,
            tuple(vary.sides),
        )

    def __reduce__(self) -> tuple[Callable[..., Ensemble], tuple[Any, ...]]:
        try:
            return _again, (pickle.dumps(self._recipe),)
        except TypeError as error:
            raise TypeError(f"{self!r} has no pickle: {error}; one of a model file does, file.sweep(...)") from None

    def __len__(self) -> int:
        return self.members

    def __repr__(self) -> str:
        return f"<hamel.Ensemble {self._columns.system}: {self.members} members; {', '.join(self._columns.kept)}>"

    @property
    def members(self) -> int:
        """How many there are."""
        return self._plan.vary.members

    def run(self, first: int = 0, last: int | None = None, *, threads: int = 0, progress: bool | None = None) -> EnsembleTable:
        """All members, or those from first to last, on so many threads; 0: as many as there are cores."""
        first, last = self._range(first, last)
        self._need_memory(last - first)
        with progress_of(progress, 0.0, float(last - first)) as bar:
            return _table(self._columns, first, *self._plan.rows(first, last, threads, bar))

    def chunks(self, size: int = 10_000, *, first: int = 0, threads: int = 0) -> Iterator[EnsembleTable]:
        """Tables of at most so many members, one after another: for what does not fit in memory."""
        for begin, end in self._ranges(size, first):
            yield self.run(begin, end, threads=threads, progress=False)

    def parts(self, size: int = 1_000) -> list[Callable[[], EnsembleTable]]:
        """The same as functions without arguments, to be called anywhere, each with one thread; hm.joined(tables)."""
        return [partial(self.run, begin, end, threads=1, progress=False) for begin, end in self._ranges(size, 0)]

    def _ranges(self, size: int, first: int) -> Iterator[tuple[int, int]]:
        if not isinstance(size, int) or size < 1:
            raise ValueError(f"a chunk has at least one member, not {size}")
        first, last = self._range(first, None)
        return ((begin, min(begin + size, last)) for begin in range(first, last, size))

    def _range(self, first: int, last: int | None) -> tuple[int, int]:
        end = self.members if last is None else last
        if not 0 <= first <= end <= self.members:
            raise ValueError(f"there are members 0 to {self.members}, and {first} to {end} are asked for")
        return first, end

    def _need_memory(self, members: int) -> None:
        bytes_needed = 8.0 * members * self._columns.width
        there = float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 2.0**40
        if bytes_needed > there:
            raise MemoryError(
                f"{members} members with {self._columns.width} numbers each are {bytes_needed / 1e9:.3g} GB, and this machine has "
                f"{there / 1e9:.3g}: take a coarser grid or fewer samples, or go through chunks(10_000)"
            )


@lru_cache(maxsize=8)  # a worker that is handed many parts derives once
def _again(recipe: bytes) -> Ensemble:
    function, arguments = pickle.loads(recipe)
    return function(*arguments)


atexit.register(_again.cache_clear)  # or nanobind complains of what is left


def _of_system(
    system: System, start: State, method: str, settings: tuple[Any, ...], vary: Vary, keep: tuple[Any, ...], events: tuple[Any, ...]
) -> Ensemble:
    words = [one for one in keep if isinstance(one, str)]
    formulas = [(one.name, one.formula, one.statistic) for one in keep if isinstance(one, Keep)]
    if not keep and not events:
        words = ["final"]
    named = [(one.name, one.value, one.direction, one.terminal) for one in events]
    until, step, tolerance, every, halvings = settings
    plan = _hamel._ensemble(
        system, start, method, until, step, tolerance, every, halvings, vary._made, words, formulas, named
    )  # fmt: skip
    return Ensemble(plan, (_of_system, (system, start, method, settings, vary, keep, events)))


@method_of(System)
def ensemble(
    self: System,
    start: State,
    method: str = "variational",
    *,
    vary: Vary | NamedNumbers | None = None,
    keep: Sequence[str | Keep] = (),
    events: Sequence[Event] = (),
    until: float,
    step: float = 0.0,
    tolerance: float = 0.0,
    every: float = 0.0,
    halvings: int = 0,
) -> Ensemble:
    """Many members of this system, from this start, with what `vary` says in its place; `run()` runs them.

    `vary` is made by hm.grid, hm.listed, hm.samples, * and hm.zip, or is a dictionary of arrays with a row for each
    member: {"m": (n,), "start.q": (n, 3)}. `keep` has "final" (the state), "energy" and "momenta" (how far they drift)
    and hm.Keep(name, formula, "max"); without it the final state is kept. Events are formulas: the time of the first
    and how many there were are kept.
    """
    need_state(start)
    if isinstance(keep, (str, Keep)):
        keep = (keep,)
    for one in keep:
        if not isinstance(one, (str, Keep)):
            raise TypeError(f"what is kept is a word or hm.Keep(name, formula), not {type(one).__name__}")
    for event in events:
        if not isinstance(event, Event):
            raise TypeError(f"events are made by hm.Event(name, formula), not {type(event).__name__}")
        if not isinstance(event.value, Formula):
            raise TypeError(f"the event {event.name} must be a formula: members run without Python, on many threads")
    if not until > start.t:
        raise ValueError(f"the members start at t = {start.t:g} and should end at t = {until:g}")
    settings = (until, step, tolerance, every, halvings)
    return _of_system(self, start, method, settings, varied(vary, self.layout), tuple(keep), tuple(events))


def _texts(given: str | Sequence[str], what: str) -> list[str]:
    texts = [given] if isinstance(given, str) else list(given)
    for one in texts:
        if not isinstance(one, str):
            raise TypeError(f"{what} of a model file is a text as behind --{what}, not {type(one).__name__}")
    return texts


def _of_file(file: ModelFile, given: Vary, texts: Mapping[str, Any], settings: Mapping[str, Any]) -> Ensemble:
    _, (text, path, set_, start) = file.__reduce__()  # refuses a file whose text says something else
    plan = _hamel._sweep(text, path, set_, start, given._made, **texts, **settings)
    return Ensemble(plan, (_of_file, (file, given, texts, settings)))


@method_of(ModelFile)
def sweep(
    self: ModelFile,
    vary: str | Vary | NamedNumbers | Sequence[str] = (),
    *,
    vary_list: Path | Sequence[Path] = (),
    sample: str | Sequence[str] = (),
    members: int = 0,
    sampling: str = "random",
    seed: int = 1,
    keep: str | Sequence[str] = (),
    event: str | Sequence[str] = (),
    stop: str | Sequence[str] = (),
    **settings: Any,
) -> Ensemble:
    """Many members of a model file, as `hamel sweep`, with the same bits: file.sweep("m=0.5:2:20", keep=["final", "energy"]).

    Texts are those behind --vary, --sample, --keep, --event and --stop, settings those of [run]; `vary` may be made by
    hm.grid and so on, too, or be a dictionary of arrays. Starts that are expressions follow the parameters.
    """
    is_text = isinstance(vary, (str, list, tuple))
    paths = [vary_list] if isinstance(vary_list, (str, os.PathLike)) else vary_list
    texts = {
        "vary": _texts(vary, "vary") if is_text else [],  # type: ignore[arg-type]
        "lists": [os.fspath(one) for one in paths],
        "sample": _texts(sample, "sample"),
        "members": members,
        "sampling": sampling,
        "seed": seed,
        "keep": _texts(keep, "keep"),
        "events": _texts(event, "event"),
        "stops": _texts(stop, "stop"),
    }
    unknown = set(settings) - {"integrator", "step", "tolerance", "until", "every", "halvings"}
    if unknown:
        raise TypeError(f"there is no setting {', '.join(sorted(unknown))} of a sweep")
    return _of_file(self, nothing() if is_text else varied(vary, self.derive().layout), texts, settings)


class SweepFile:
    """The file of `hamel sweep --out`: hm.SweepFile("sweep.h5").read() is its table, by the names of columns."""

    def __init__(self, path: Path) -> None:
        self._file = _hamel._SweepReader(os.fspath(path))
        self.settings = dict(self._file.settings)  # all that the numbers depend on beside the model, as texts
        names = self._file.varied
        self._columns = _Columns(
            self._file.model_name, [], _places([(name, 1) for name in names]), names, _places(self._file.columns), {}, False,
            tuple(self._file.sides),
        )  # fmt: skip

    def __len__(self) -> int:
        return self._file.rows

    def __repr__(self) -> str:
        return f"<hamel.SweepFile {self._file.model_name}: {len(self)} of {self._file.members} members>"

    @property
    def finished(self) -> bool:
        """Whether all members are in it; otherwise `hamel sweep --resume` goes on."""
        return self._file.finished

    @property
    def damage(self) -> str:
        """What is not whole; empty where all is."""
        return self._file.damage

    @property
    def model_text(self) -> str:
        """The model file."""
        return self._file.model_text

    def read(self, first: int = 0, last: int | None = None) -> EnsembleTable:
        """All members that are done, or those from first to last."""
        end = len(self) if last is None else last
        if not 0 <= first <= end <= len(self):
            raise ValueError(f"there are members 0 to {len(self)}, and {first} to {end} are asked for")
        failures = [one for one in self._file.failures if first <= one[0] < end]
        rows, kept = self._file.read(first, end - first)
        return _table(self._columns, first, rows, kept, failures)

    def chunks(self, size: int = 10_000) -> Iterator[EnsembleTable]:
        """Tables of at most so many members, one after another."""
        for begin in range(0, len(self), size):
            yield self.read(begin, min(begin + size, len(self)))
