"""What notebooks show of models, states, runs, equilibria and linear models."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from . import _hamel
from ._extend import method_of
from ._hamel import Conserved, Equilibria, Equilibrium, LinearModel, Model, ModelFile, Regulator, State, System
from ._viewer import Shown, frame

if TYPE_CHECKING:
    from ._types import Array

# Characters of LaTeX that someone might read in a cell, and coordinates whose equations they might be.
_LONGEST_ENERGIES, _LONGEST_EQUATIONS, _MOST_COORDINATES = 2_000, 6_000, 12
_MOST_ROWS = 12

def number(value: float, digits: int = 5) -> str:
    """A number in a table."""
    text = f"{value + 0.0:.{digits}g}"
    return text.replace("-", "\u2212")


def _complex(value: complex) -> str:
    size = abs(value) * 1e-9
    re, im = (0.0 if abs(part) <= size else part for part in (value.real, value.imag))
    if im == 0:
        return number(re)
    sign = "±" if im > 0 else "∓"
    return (number(re) + " " if re else "") + f"{sign}{'' if not re else ' '}{number(abs(im))} i"


def _table(titles: list[str], rows: list[list[str]], most: int = _MOST_ROWS) -> str:
    head = "".join(f"<th>{title}</th>" for title in titles)
    shown = rows if len(rows) <= most else rows[: most - 1]
    body = "".join("<tr>" + "".join(f'<td style="text-align: left">{cell}</td>' for cell in row) + "</tr>" for row in shown)
    if len(rows) > len(shown):
        body += f'<tr><td colspan="{len(titles)}"><i>and {len(rows) - len(shown)} more</i></td></tr>'
    table = f'<table style="text-align: left"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return f'<div style="overflow-x: auto">{table}</div>'


def _displayed(lines: list[str]) -> str:
    return "$$\\begin{aligned}" + " \\\\ ".join(f"& {line}" for line in lines) + "\\end{aligned}$$"


def _scrolling(lines: list[str]) -> str:
    return f'<div style="overflow-x: auto">{html.escape(_displayed(lines), quote=False)}</div>'


def _energy_lines(model: Model) -> tuple[list[str], str]:
    """The energies, or why they are not shown."""
    energies = _hamel._energies_of(model)
    lines = [latex for _, latex in energies] if energies is not None else []
    if energies is None or sum(map(len, lines)) > _LONGEST_ENERGIES:
        return [], "The energies are long: <code>model.to_toml()</code> has them."
    return lines, ""


def _equation_lines(model: Model) -> tuple[list[str], str]:
    """The equations of motion, or why they are not shown."""
    count = len(model.coordinate_names)
    if count == 0:
        return [], "There are no coordinates yet."
    if count > _MOST_COORDINATES:
        return [], f"Equations of {count} coordinates are long: <code>model.equations()</code> has them."
    try:
        lines = _hamel._equations(model, "omega", True)
    except (ValueError, RuntimeError) as error:
        return [], f"No equations yet: {html.escape(str(error).splitlines()[0])}"
    length = sum(map(len, lines))
    if length > _LONGEST_EQUATIONS:
        return [], f"The equations of motion are long, {length:,} characters: <code>model.equations()</code> has them."
    return lines, ""


@method_of(Model, "_repr_html_")
def _model_html(self: Model) -> str:
    space = f" on {html.escape(_hamel._space_of(self))}" if self.coordinate_names else ""
    parts = [f"<div><b>{html.escape(self.name)}</b>{space}</div>"]
    for lines, why in (_energy_lines(self), _equation_lines(self)):
        parts += [_scrolling(lines)] if lines else [f"<p><i>{why}</i></p>"] if why else []
    return "".join(parts)


@method_of(Model, "_repr_latex_")
def _model_latex(self: Model) -> str | None:
    lines = _energy_lines(self)[0] + _equation_lines(self)[0]
    return _displayed(lines) if lines else None


@method_of(ModelFile, "_repr_html_")
def _file_html(self: ModelFile) -> str:
    about = "".join(f"<p>{html.escape(part)}</p>" for part in self.description.split("\n\n") if part.strip())
    return _model_html(self.model) + about


@method_of(System, "_repr_html_")
def _system_html(self: System) -> str:
    facts = [f"{self.degrees_of_freedom} degrees of freedom"]
    if self.inputs:
        facts.append(f"{self.inputs} inputs")
    if self.constraint_names:
        facts.append("constraints " + ", ".join(self.constraint_names))
    facts.append("keeps its energy" if self.is_conservative else "need not keep its energy")
    return f"<div><i>System:</i> {html.escape('; '.join(facts))}</div>" + _model_html(self.model)


def _value(numbers: np.ndarray) -> str:
    if numbers.ndim == 0:
        return number(float(numbers))
    if numbers.ndim == 1:
        return "(" + ", ".join(number(float(one), 4) for one in numbers[:6]) + (", …" if len(numbers) > 6 else "") + ")"
    return "<br>".join(_value(row) for row in numbers[:6])


@method_of(State, "_repr_html_")
def _state_html(self: State) -> str:
    rows = []
    for name, *_ in self.layout[:_MOST_ROWS]:
        rows.append([f"<code>{html.escape(name)}</code>", _value(self[name]), _value(self[name + "'"])])
    rows += [[]] * (len(self.layout) - len(rows))
    return f"<div>State at t = {number(self.t)}</div>" + _table(["coordinate", "point", "rate"], rows)


def spectrum_svg(eigenvalues: Sequence[complex], width: int = 260, height: int = 200) -> str:
    """Eigenvalues in the complex plane: to the left they decay, to the right, in red, they grow."""
    values = np.array(eigenvalues, dtype=complex)
    largest = max(float(np.abs(values).max(initial=0)), 1e-300)
    reach_re = max(float(np.abs(values.real).max(initial=0)), largest / 4) * 1.25
    reach_im = max(float(np.abs(values.imag).max(initial=0)), largest / 4) * 1.25
    x = lambda re: width / 2 * (1 + re / reach_re)  # noqa: E731
    y = lambda im: height / 2 * (1 - im / reach_im)  # noqa: E731
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" '
        'font-family="sans-serif" font-size="10" fill="currentColor">'
        "<title>Eigenvalues in the complex plane</title>",
        f'<rect x="{width / 2}" width="{width / 2}" height="{height}" fill="#d55e00" fill-opacity="0.08"/>',
        f'<path d="M0 {height / 2}H{width}M{width / 2} 0V{height}" stroke="currentColor" stroke-opacity="0.35" fill="none"/>',
        f'<text x="{width - 4}" y="{height / 2 + 12}" text-anchor="end" opacity="0.7">Re</text><text x="{width / 2 - 5}" y="10" text-anchor="end" opacity="0.7">Im</text>',
        _tick(x(_round(reach_re)), height / 2, number(_round(reach_re), 3), True),
        _tick(width / 2, y(_round(reach_im)), number(_round(reach_im), 3), False),
    ]
    for value, count in _counted(eigenvalues):
        color = "#d55e00" if value.real > 0 else "#0072b2" if value.real < 0 else "#56606b"
        cx, cy = x(value.real), y(value.imag)
        parts.append(f'<path d="M{cx - 4:.1f} {cy - 4:.1f}l8 8m0 -8l-8 8" stroke="{color}" stroke-width="1.8" fill="none"/>')
        if count > 1:
            parts.append(f'<text x="{cx + 6:.1f}" y="{cy - 5:.1f}" fill="{color}">×{count}</text>')
    return "".join(parts) + "</svg>"


def _round(reach: float) -> float:
    """1, 2 or 5 times a power of ten, beside the middle of an axis."""
    power = 10.0 ** math.floor(math.log10(reach))
    return power * max(digit for digit in (1, 2, 5, 0.5) if digit * power <= 0.8 * reach)


def _tick(x: float, y: float, text: str, horizontal: bool) -> str:
    mark = f"M{x:.1f} {y - 3:.1f}v6" if horizontal else f"M{x - 3:.1f} {y:.1f}h6"
    place = f'x="{x:.1f}" y="{y + 14:.1f}" text-anchor="middle"' if horizontal else f'x="{x - 6:.1f}" y="{y + 3:.1f}" text-anchor="end"'
    return f'<path d="{mark}" stroke="currentColor" stroke-opacity="0.5"/><text {place} opacity="0.7">{text}</text>'


def _counted(values: Sequence[complex]) -> list[tuple[complex, int]]:
    """Each place once, with how many are there; what is zero to rounding is zero."""
    near = 1e-7 * max(map(abs, values), default=0.0)
    found: list[tuple[complex, int]] = []
    for value in values:
        value = complex(*(0.0 if abs(part) < near else part for part in (value.real, value.imag)))
        for k, (other, count) in enumerate(found):
            if abs(other - value) <= near:
                found[k] = (other, count + 1)
                break
        else:
            found.append((value, 1))
    return found


def _moves(linear: LinearModel, mode: _hamel.Mode) -> str:
    """Which coordinates move: q[1], q[0] 40 %."""
    parts = _hamel._participation(linear, mode)
    names = [one[0] for one in linear.at.layout] or [str(k) for k in range(len(parts))]
    ranked = sorted(((part, name) for part, name in zip(parts, names) if part > 0.05), key=lambda one: -one[0])
    said = [name if part > 0.995 else f"{name} {100 * part:.0f} %" for part, name in ranked[:4]]
    return html.escape(", ".join(said)) + (", …" if len(ranked) > 4 else "")


def _mode_table(linear: LinearModel) -> str:
    rows = [
        [
            _complex(mode.eigenvalue),
            number(mode.frequency),
            number(mode.damping_ratio, 3),
            number(mode.period, 4) if math.isfinite(mode.period) else "–",
            mode.course,
            _moves(linear, mode),
        ]
        for mode in linear.modes()
    ]
    return _table(["eigenvalue", "frequency", "damping ratio", "period", "", "moves"], rows)


@method_of(LinearModel, "modes")
def _modes(self: LinearModel, most: int = 60) -> list[_hamel.Mode]:
    """The modes: what grows, then what drifts, then what oscillates or decays; of large models the first ones."""
    return _hamel._modes_of(self, most)


def _beside(*parts: str) -> str:
    cells = "".join(f'<div style="overflow-x: auto; max-width: 100%">{part}</div>' for part in parts)
    return f'<div style="display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: center">{cells}</div>'


@method_of(Equilibrium, "_repr_html_")
def _equilibrium_html(self: Equilibrium) -> str:
    said = f"<div><b>{html.escape(self.name)}</b>: {html.escape(self.verdict)}</div><div>{html.escape(self.reason)}</div>"
    return said + _beside(spectrum_svg(self.eigenvalues), _mode_table(self.linear))


@method_of(Equilibria, "__repr__")
def _equilibria_words(self: Equilibria) -> str:
    names = [one.name for one in self]
    return f"<hamel.Equilibria {', '.join(names[:8])}{', ...' if len(names) > 8 else ''}: {self.remark}>"


@method_of(Equilibria, "_repr_html_")
def _equilibria_html(self: Equilibria) -> str:
    rows = []
    for one in self:
        right = max((value for value, _ in _counted(one.eigenvalues)), key=lambda value: (value.real, value.imag))
        rows.append([f"<b>{html.escape(one.name)}</b>", number(one.energy, 6), html.escape(one.verdict), _complex(right)])
    return _table(["equilibrium", "energy", "", "rightmost eigenvalue"], rows, 40) + f"<div><i>{html.escape(self.remark)}</i></div>"


@method_of(LinearModel, "_repr_html_")
def _linear_html(self: LinearModel) -> str:
    size = self.K.shape[0]
    said = f"<div>M x″ + (D + G) x′ + K x = B u: {size} degrees of freedom, {self.B.shape[1]} inputs</div>"
    return said + _beside(spectrum_svg(self.eigenvalues()), _mode_table(self))


@method_of(Regulator, "_repr_html_")
def _regulator_html(self: Regulator) -> str:
    rows = [[f"<code>{html.escape(name)}</code>", _value(point), _value(rate)] for name, (point, rate) in self.gains.items()]
    said = "<div>u = u\u2080 \u2212 gain (x, x\u2032), and the spectrum with it</div>"
    return said + _beside(spectrum_svg(self.closed_loop), _table(["", "gain of its error", "of its rate"], rows))


@method_of(Conserved, "__repr__")
def _conserved_words(self: Conserved) -> str:
    names = ["energy"] * self.energy_conserved + [one.name for one in self.momenta]
    return f"<hamel.Conserved {', '.join(names) or 'nothing that is known'}>"


class ShownRun:
    """A run in a notebook."""

    system: System
    file: ModelFile | None
    t: Array
    q: Array
    v: Array
    if TYPE_CHECKING:

        @property
        def steps(self) -> int: ...
        @property
        def method(self) -> str: ...

    def show(self, *, links: Sequence[tuple[str, ...]] = (), hide: Sequence[str] = (), height: int = 460) -> Shown:
        """The motion in the interactive viewer, as a notebook shows it; `.html` is its HTML.

        Links between points are drawn where the energies show them; others are `("A", "B")`, or `("A", "B", "string")`, or
        "spring"; "origin" is a point, too. What has one of the names in `hide` is not drawn.
        """
        drawn = [(link[0], link[1], link[2] if len(link) > 2 else "rod") for link in links]
        data = _hamel._motion_data(self.system, self.file, self.t, self.q, self.v, drawn, list(hide))
        if not data:
            raise ValueError(f"{self.system.name} has no points or bodies to draw: name points with model.point")
        return Shown(frame(data, self.system.name, height), repr(self))

    def _repr_html_(self) -> str | None:
        try:
            shown = self.show().html
        except (ValueError, RuntimeError):
            return None  # the words of __repr__
        said = f"{len(self.t)} outputs to t = {self.t[-1]:g}, {self.steps} steps of {self.method}"
        return f"<div><b>{html.escape(self.system.name)}</b>: {html.escape(said)}</div>{shown}"


def _shown_modes(name: str, linear: LinearModel, height: int) -> Shown:
    data = _hamel._modes_data(name, linear)
    if not data:
        raise ValueError("there are no points or bodies to draw: name points with model.point")
    return Shown(frame(data, f"modes near {name}", height), f"<modes near {name}>")


@method_of(Equilibrium, "show")
def _show_equilibrium(self: Equilibrium, height: int = 520) -> Shown:
    """The modes as pictures that move, in the interactive viewer."""
    return _shown_modes(self.name, self.linear, height)


@method_of(LinearModel, "show")
def _show_linear(self: LinearModel, height: int = 520) -> Shown:
    """The modes as pictures that move, in the interactive viewer."""
    return _shown_modes("here", self, height)
