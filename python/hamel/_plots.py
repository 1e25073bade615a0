"""Pictures of a motion with matplotlib: each method draws into `ax`, or the current axes, and returns it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ._names import Name, parsed, suggestion, typeset

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._hamel import System
    from ._run import Energies
    from ._types import Array

_MOST_NAMED = 10  # curves of a legend


class Curve(NamedTuple):
    """One number along a motion."""

    label: str
    values: Array


def _component_index(asked: Name, rows: int, cols: int) -> int:
    """Where a component is in the numbers of a coordinate, column by column."""
    text = asked.component or ""
    if text in "xyzw" and cols == 1 and rows > 1 and "xyzw".index(text) < rows:
        return "xyzw".index(text)
    entry = [int(part) for part in text.split(",") if part.isdigit()]
    if len(entry) == 1 and cols == 1 and entry[0] < rows:
        return entry[0]
    if len(entry) == 2 and cols > 1 and entry[0] < rows and entry[1] < cols:
        return entry[0] + rows * entry[1]
    raise KeyError(f"{asked.coordinate} has no component {text}: it is {rows} x {cols}")


def _component_name(asked: str, rows: int, cols: int, k: int) -> str:
    if rows * cols == 1:
        return asked
    if cols > 1:
        return f"{asked}[{k % rows},{k // rows}]"
    return f"{asked}.{'xyz'[k]}" if rows <= 3 else f"{asked}[{k}]"


def unwrapped(cosine: Array, sine: Array, rate: Array, t: Array) -> Array:
    """The angle of a direction, turns counted: where outputs are far apart, its rate says how many there were."""
    angle = np.arctan2(sine, cosine)
    expected = (rate[1:] + rate[:-1]) / 2 * np.diff(t)
    turns = np.round((expected - np.diff(angle)) / (2 * np.pi))
    return angle + 2 * np.pi * np.concatenate([[0.0], np.cumsum(turns)])


class Plots:
    """What a run draws."""

    system: System
    t: Array
    q: Array
    v: Array
    units: dict[str, str]
    if TYPE_CHECKING:

        @property
        def energy(self) -> Energies: ...
        @property
        def conserved(self) -> dict[str, Array]: ...

    def _members(self, name: Name) -> list[int]:
        names = [one[0] for one in self.system.layout]
        found = [k for k, one in enumerate(names) if one == name.coordinate or (name.member is None and one.partition("[")[0] == name.base)]
        if not found:
            known = list(dict.fromkeys(one.partition("[")[0] for one in names)) + names
            raise KeyError(f"{self.system.name} has no coordinate {name.coordinate}{suggestion(name.coordinate, list(dict.fromkeys(known)))}")
        return found

    def curves(self, name: str) -> list[Curve]:
        """The numbers that a name stands for, each along the motion: those of `run.plot`.

        A coordinate (`"q"`, `"q[0]"`), a rate (`"q'"`), a family of either, or one component (`"q[0].z"`, `"R[0,1]"`).
        Of a direction of the plane (S1, SO2) it is the angle, with its turns, and the rate of the angle.
        """
        asked = parsed(name)
        spaces = self.system.model.spaces
        found: list[Curve] = []
        for k in self._members(asked):
            label, first, rows, cols = self.system.layout[k]
            whole = parsed(label)._replace(is_rate=asked.is_rate).of_rates
            numbers = self.v if asked.is_rate else self.q
            if spaces[k].is_angle and asked.component is None:
                found.append(Curve(whole, self._angle(first, asked.is_rate)))
                continue
            entries = range(rows * cols) if asked.component is None else [_component_index(asked, rows, cols)]
            found += [Curve(_component_name(whole, rows, cols, entry), numbers[:, first + entry]) for entry in entries]
        return found

    def _angle(self, first: int, is_rate: bool) -> Array:
        c, s = self.q[:, first], self.q[:, first + 1]
        rate = c * self.v[:, first + 1] - s * self.v[:, first]
        return rate if is_rate else unwrapped(c, s, rate, self.t)

    def _with_unit(self, name: str) -> str:
        asked = parsed(name)
        unit = self.units.get(asked.coordinate) or self.units.get(asked.base) or ""
        space = self.system.model.spaces[self._members(asked)[0]]
        if space.is_angle and asked.component is None:
            unit = "rad"
        elif not space.is_flat:
            unit = ""
        if asked.is_rate:
            unit = f"{unit or '1'}/{self._time_unit}" if self._time_unit else ""
        label = typeset(name)
        return f"{label} ({unit})" if unit else label

    @property
    def _time_unit(self) -> str:
        return self.units.get("t", "")

    def _time_axis(self, ax: Axes) -> None:
        ax.set_xlabel(f"$t$ ({self._time_unit})" if self._time_unit else "$t$")
        ax.margins(x=0)

    def plot(self, *names: str, ax: Axes | None = None, **style: Any) -> Axes:
        """Coordinates over time, or their rates: `run.plot("q")`, `run.plot("q'[1]")`, `run.plot("q[0].z", "q[1].z")`.

        Without a name, all coordinates. `style` goes to `ax.plot`. Names are those of `curves`.
        """
        names = names or tuple(dict.fromkeys(one[0].partition("[")[0] for one in self.system.layout))
        every = [curve for name in names for curve in self.curves(name)]
        ax = _axes(ax)
        _draw(ax, self.t, every, style)
        self._time_axis(ax)
        labels = dict.fromkeys(self._with_unit(name) for name in names)
        ax.set_ylabel(", ".join(labels) if len(labels) <= 4 else "coordinates")
        return ax

    def phase(self, name: str, ax: Axes | None = None, *, wrap: bool = True, **style: Any) -> Axes:
        """A phase portrait: a coordinate and its rate, `run.phase("theta")`, `run.phase("x.z")`; a dot is the start.

        Angles are drawn between -pi and pi, unless `wrap` is false. Of a family each member has a curve.
        """
        asked = parsed(name)
        if asked.is_rate:
            raise KeyError(f"a phase portrait is of a coordinate, not of a rate: {asked.coordinate}")
        places = self.curves(name)
        members = self._members(asked)
        if len(places) > len(members):
            label = self.system.layout[members[0]][0]
            raise ValueError(f"{label} has {len(places) // len(members)} numbers; say which of them: {places[0].label}, ...")
        part = name[len(asked.coordinate) :] if asked.component else ""
        rates = self.curves(asked._replace(is_rate=True).of_rates + part)
        ax = _axes(ax)
        is_angle = self.system.model.spaces[members[0]].is_angle and not asked.component
        for place, rate in zip(places, rates):
            x, y = _wrapped(place.values, rate.values) if is_angle and wrap else (place.values, rate.values)
            (line,) = ax.plot(x, y, label=typeset(place.label), **{"linewidth": 1, **style})
            ax.plot(x[:1], y[:1], "o", color=line.get_color(), markersize=4)
        ax.set_xlabel(self._with_unit(name))
        ax.set_ylabel(self._with_unit(rates[0].label if len(rates) == 1 else asked._replace(is_rate=True).of_rates + part))
        _legend(ax, len(places))
        return ax

    def plot_energy(self, ax: Axes | None = None, **style: Any) -> Axes:
        """Kinetic, potential and total energy over time."""
        energy = self.energy
        ax = _axes(ax)
        _draw(ax, self.t, [Curve(name, values) for name, values in energy._asdict().items()], style, plain=True)
        self._time_axis(ax)
        unit = self.units.get("energy", "")
        ax.set_ylabel(f"energy ({unit})" if unit else "energy")
        return ax

    def plot_drift(self, ax: Axes | None = None, **style: Any) -> Axes:
        """By how much the energy, if it is conserved, and the conserved momenta have changed, on a logarithmic axis."""
        curves = [Curve(name, np.abs(values - values[0])) for name, values in self.conserved.items()]
        if not curves:
            raise ValueError(f"{self.system.name} is not known to conserve anything")
        ax = _axes(ax)
        ax.set_yscale("log")
        _draw(ax, self.t, [Curve(one.label, np.where(one.values > 0, one.values, np.nan)) for one in curves], style, plain=True)
        ax.legend(loc="upper left", bbox_to_anchor=(0, -0.16), frameon=False, borderaxespad=0.0)  # names of momenta are long
        self._time_axis(ax)
        ax.set_ylabel("|change since the start|")
        return ax


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    if not plt.get_fignums():
        plt.figure(layout="constrained")  # has room for a legend beside the axes
    return plt.gca()


def _draw(ax: Axes, t: Array, curves: list[Curve], style: dict[str, Any], plain: bool = False) -> None:
    many = len(curves) > _MOST_NAMED
    for k, curve in enumerate(curves):
        named = not many or k in (0, len(curves) - 1)
        color = {"color": _shade(k / (len(curves) - 1))} if many else {}
        label = (curve.label if plain else typeset(curve.label)) if named else None
        ax.plot(t, curve.values, label=label, **{"linewidth": 1.2, **color, **style})
    _legend(ax, len(curves))


def _shade(part: float) -> Any:
    import matplotlib

    return matplotlib.colormaps["viridis"](0.92 * part)


def _legend(ax: Axes, count: int) -> None:
    """Beside the axes, where it covers nothing; one curve needs none."""
    if count > 1 or len(ax.get_legend_handles_labels()[1]) > 1:
        ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, borderaxespad=0.0)


def _wrapped(angle: Array, rate: Array) -> tuple[Array, Array]:
    """Between -pi and pi, with gaps where a turn is complete."""
    turn = np.floor((angle + np.pi) / (2 * np.pi))
    jumps = np.flatnonzero(np.diff(turn)) + 1
    inside = angle - 2 * np.pi * turn
    return np.insert(inside, jumps, np.nan), np.insert(rate, jumps, np.nan)
