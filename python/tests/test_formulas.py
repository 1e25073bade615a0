"""Formulas read like mathematics, and mean what they say: their values against NumPy's."""

import hamel as hm
import numpy as np
import pytest


class Point:
    """A model whose field is a formula: evaluating the field evaluates the formula."""

    def __init__(self, size=3):
        self.model = hm.Model("point")
        self.x = self.model.coordinate("x", hm.R(size))

    def value(self, formula, at):
        formula = hm.constant(formula)
        n = formula.shape[0] if formula.shape else 1
        y = self.model.coordinate("y", hm.R(n))
        self.model.field(self.x, 0 * self.x)
        self.model.field(y, formula)
        field = self.model.derive().field()
        return field(0.0, np.concatenate([at, np.zeros(n)]))[len(at) :]


AT = np.array([0.3, -1.2, 0.7])
CASES = {
    "sum": (lambda x: x + [1, 2, 3], AT + [1, 2, 3]),
    "list first": (lambda x: [1, 2, 3] - x, [1, 2, 3] - AT),
    "numpy number": (lambda x: np.float64(2) * x, 2 * AT),
    "numpy array": (lambda x: np.ones(3) + x, 1 + AT),
    "quotient": (lambda x: x / 4, AT / 4),
    "power": (lambda x: x[0] ** 3, AT[0] ** 3),
    "power of a number": (lambda x: 2 ** x[0], 2 ** AT[0]),
    "inner product": (lambda x: x @ x, AT @ AT),
    "matrix times vector": (lambda x: np.arange(9.0).reshape(3, 3) @ x, np.arange(9.0).reshape(3, 3) @ AT),
    "vector times matrix": (lambda x: x @ np.arange(9.0).reshape(3, 3), AT @ np.arange(9.0).reshape(3, 3)),
    "slice": (lambda x: x[::-1], AT[::-1]),
    "last": (lambda x: x[-1], AT[-1]),
    "unpacked": (lambda x: sum(x), AT.sum()),
    "comprehension": (lambda x: [c * c for c in x], AT**2),
    "rows": (lambda x: hm.constant([x, 2 * x])[1], 2 * AT),
    "entry": (lambda x: hm.constant([x, 2 * x])[1, 2], 2 * AT[2]),
    "column": (lambda x: hm.constant([x, 2 * x])[:, 1], [AT[1], 2 * AT[1]]),
    "corner": (lambda x: hm.constant([x, 2 * x])[0:2, 1:3] @ [1, 0], [AT[1], 2 * AT[1]]),
    "transpose": (lambda x: hm.constant([x, 2 * x]).T @ [1, 1], 3 * AT),
    "cross": (lambda x: hm.cross(x, [1, 0, 0]), np.cross(AT, [1, 0, 0])),
    "hat": (lambda x: hm.hat(x) @ [1, 0, 0], np.cross(AT, [1, 0, 0])),
    "np.sin": (lambda x: np.sin(x[0]), np.sin(AT[0])),
    "np.arctan": (lambda x: np.arctan(x[0]), np.arctan(AT[0])),
    "np.arctan2": (lambda x: np.arctan2(x[0], x[1]), np.arctan2(AT[0], AT[1])),
    "np.maximum": (lambda x: np.maximum(x[0], 1.0), 1.0),
    "abs": (lambda x: abs(x[1]), 1.2),
    "where": (lambda x: hm.where(x[0] > 0, x[1], x[2]), AT[1]),
    "where not": (lambda x: hm.where(x[0] <= 0, x[1], x[2]), AT[2]),
    "letters": (lambda x: x.x + 10 * x.y + 100 * x.z, AT @ [1, 10, 100]),
}


@pytest.mark.parametrize("name", CASES)
def test_values_are_those_of_numpy(name):
    formula, expected = CASES[name]
    point = Point()
    assert point.value(formula(point.x), AT) == pytest.approx(np.atleast_1d(expected), rel=1e-15, abs=1e-15)


def test_shapes():
    x = Point().x
    assert x.shape == (3,) and x[0].shape == () and hm.hat(x).shape == (3, 3) and len(x) == 3
    assert repr(x @ x) == "dot(x, x)"


REFUSED = {
    "vectors by entries": (lambda x: x * x, ValueError, "a @ b for the product of matrices"),
    "text": (lambda x: x + "a", TypeError, "unsupported operand"),
    "beyond the end": (lambda x: x[3], IndexError, "3 components, and no 3"),
    "component of a scalar": (lambda x: x[0][0], TypeError, "no components"),
    "shapes": (lambda x: x + [1, 2], ValueError, "3x1"),
    "truth": (lambda x: 1 if x[0] > 0 else 2, TypeError, "where(condition"),
    "sine of a vector": (lambda x: np.sin(x), ValueError, "scalar"),
    "reduction": (lambda x: np.add.reduce([x, x]), TypeError, "formula"),
    "ufunc": (lambda x: np.isnan(x), TypeError, "np.isnan is not for formulas"),
    "array": (lambda x: np.asarray(x, dtype=float), TypeError, "no array of numbers"),
    "float": (lambda x: float(x[0]), TypeError, "Formula"),
    "not finite": (lambda x: x * float("nan"), ValueError, "not finite"),
    "complex": (lambda x: x * 1j, TypeError, "unsupported operand"),
    "ragged": (lambda x: hm.constant([[1, 2], [3]]), ValueError, "one length"),
    "three dimensions": (lambda x: hm.constant(np.zeros((2, 2, 2))), ValueError, "(2, 2, 2)"),
    "empty": (lambda x: hm.constant([]), ValueError, "shape (0,)"),
    "empty slice": (lambda x: x[3:], IndexError, "empty slice"),
    "scalar matrix product": (lambda x: x[0] @ x, ValueError, "a * b where one is a scalar"),
    "unknown component": (lambda x: x.w, AttributeError, "w"),
    "component z of two": (lambda x: x[:2].z, AttributeError, "no component z"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_mistakes_are_refused(name):
    mistake, error, words = REFUSED[name]
    with pytest.raises(error) as refusal:
        mistake(Point().x)
    assert words in str(refusal.value)
