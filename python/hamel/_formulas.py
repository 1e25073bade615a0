"""What formulas do with NumPy: np.sin(theta), np.array([1, 2, 3]) @ q, 2.0 * x with a NumPy number."""

import numpy as np

from . import _hamel
from ._hamel import Formula

_OPERATORS = {
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


def _array_ufunc(self, ufunc, method, *inputs, **options):
    if method != "__call__" or options or ufunc not in _OPERATORS:
        raise TypeError(f"np.{ufunc.__name__} is not for formulas")
    return _OPERATORS[ufunc](*(_hamel.constant(value) for value in inputs))


def _array(self, *arguments, **options):
    raise TypeError(f"{self!r} is a formula, and no array of numbers")


Formula.__array_ufunc__ = _array_ufunc
Formula.__array__ = _array


def _iterate(self):
    return (self[i] for i in range(len(self)))


Formula.__iter__ = _iterate
Formula._repr_latex_ = lambda self: f"${_hamel.latex(self)}$"
