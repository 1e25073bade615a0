"""What formulas do with NumPy: np.sin(theta), np.array([1, 2, 3]) @ q, 2.0 * x with a NumPy number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterator, NoReturn

import numpy as np

from . import _hamel
from ._extend import method_of
from ._hamel import Formula

if TYPE_CHECKING:
    from ._types import FormulaLike

_OPERATORS: dict[np.ufunc, Callable[..., Formula]] = {
    np.add: lambda a, b: a + b,
    np.subtract: lambda a, b: a - b,
    np.multiply: lambda a, b: a * b,
    np.matmul: lambda a, b: a @ b,
    np.divide: lambda a, b: a / b,
    np.power: lambda a, b: a**b,
    np.negative: lambda a: -a,
    np.positive: lambda a: a,
    np.square: lambda a: a * a,
    np.absolute: _hamel.abs,
    np.minimum: _hamel.min,
    np.maximum: _hamel.max,
    np.less: lambda a, b: a < b,
    np.less_equal: lambda a, b: a <= b,
    np.greater: lambda a, b: a > b,
    np.greater_equal: lambda a, b: a >= b,
    np.arctan2: _hamel.atan2,
    np.arcsin: _hamel.asin,
    np.arccos: _hamel.acos,
    np.arctan: lambda a: _hamel.atan2(a, 1.0),
}
for _name in ("sqrt", "cbrt", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "hypot", "sign", "floor", "mod"):
    _OPERATORS[getattr(np, _name)] = getattr(_hamel, _name)


@method_of(Formula)
def __array_ufunc__(self: Formula, ufunc: Any, method: str, *inputs: FormulaLike, **options: Any) -> Formula:
    """np.sin(a), np.add(a, b) and the like."""
    if method != "__call__" or options or ufunc not in _OPERATORS:
        raise TypeError(f"np.{ufunc.__name__} is not for formulas")
    return _OPERATORS[ufunc](*(_hamel.constant(value) for value in inputs))


@method_of(Formula)
def __array__(self: Formula, *arguments: Any, **options: Any) -> NoReturn:
    raise TypeError(f"{self!r} is a formula, and no array of numbers")


@method_of(Formula)
def __iter__(self: Formula) -> Iterator[Formula]:
    return (self[i] for i in range(len(self)))


@method_of(Formula)
def _repr_latex_(self: Formula) -> str:
    return f"${_hamel.latex(self)}$"
