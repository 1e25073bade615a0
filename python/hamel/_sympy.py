"""Formulas from and to SymPy.

Coordinates are functions of t there, q(t), so that their rates are derivatives; parameters, inputs and momenta are symbols.
Vectors and matrices are matrices of such components.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping

from . import _hamel
from ._extend import method_of
from ._hamel import Formula

if TYPE_CHECKING:
    import sympy

    from ._types import FormulaLike


def _component(node: _hamel._Node, i: int, j: int) -> str:
    first = node.first_index
    if node.rows * node.cols == 1:
        return node.name
    if node.cols > 1:
        return f"{node.name}[{i + first},{j + first}]"
    return f"{node.name}.{'xyz'[i]}" if node.rows <= 3 else f"{node.name}[{i + first}]"


def _symbols(node: _hamel._Node) -> Any:
    """The components of a symbol of hamel: a matrix, or the only one."""
    import sympy

    t = sympy.Symbol("t", real=True)

    def one(i: int, j: int) -> Any:
        name = _component(node, i, j)
        if node.role == "time":
            return t
        return sympy.Function(name, real=True)(t) if node.role == "coordinate" else sympy.Symbol(name, real=True)

    whole = sympy.Matrix(node.rows, node.cols, one)
    return whole[0] if whole.shape == (1, 1) else whole


def _omega(node: _hamel._Node, q: Any) -> Any:
    import sympy

    t = sympy.Symbol("t", real=True)
    if node.turning == "plane" and node.cols == 1:
        return q[0] * q[1].diff(t) - q[1] * q[0].diff(t)
    if node.turning == "direction":
        return q.cross(q.diff(t))
    if node.turning == "body" and (node.rows, node.cols) == (3, 3):
        W = q.T * q.diff(t)
        return sympy.Matrix([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) / 2
    raise ValueError(f"SymPy has no angular velocity of {node.name} on {node.space}")


def _hat(a: Any) -> Any:
    import sympy

    return sympy.Matrix([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def _turn(axis: Any, angle: Any) -> Any:
    import sympy

    K = _hat(axis / sympy.sqrt(axis.dot(axis)))
    return sympy.eye(3) + sympy.sin(angle) * K + (1 - sympy.cos(angle)) * K * K


def _functions() -> dict[str, Callable[..., Any]]:
    import sympy as sp

    plain = ("sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan2", "sinh", "cosh", "tanh", "erf", "sign", "floor")
    return {
        **{name: getattr(sp, name) for name in plain},
        "cbrt": lambda a: sp.sign(a) * sp.cbrt(sp.Abs(a)),
        "hypot": lambda a, b: sp.sqrt(a**2 + b**2),
        "abs": sp.Abs,
        "mod": sp.Mod,
        "min": sp.Min,
        "max": sp.Max,
    }


class _ToSympy:
    def __init__(self) -> None:
        import sympy

        self.sp = sympy
        self.t = sympy.Symbol("t", real=True)
        self.functions = _functions()
        self.known: dict[int, Any] = {}

    def __call__(self, formula: Formula) -> Any:
        key = _hamel._node_id(formula)
        if key not in self.known:
            self.known[key] = self.translated(formula)
        return self.known[key]

    def translated(self, formula: Formula) -> Any:
        node = _hamel._node(formula)
        if node.kind == "omega":
            return _omega(_hamel._node(node.args[0]), self(node.args[0]))
        args = [self(arg) for arg in node.args]
        make = getattr(self, "make_" + node.kind, None)
        if make is None:
            raise ValueError(f"SymPy has nothing for {node.kind}, in {formula!r}")
        return make(node, *args)

    def number(self, value: float) -> Any:
        return self.sp.Integer(int(value)) if value == int(value) and abs(value) < 1e15 else self.sp.Float(value)

    def make_number(self, node: _hamel._Node) -> Any:
        whole = self.sp.Matrix(node.rows, node.cols, lambda i, j: self.number(float(node.value[i, j])))
        return whole[0] if whole.shape == (1, 1) else whole

    def make_symbol(self, node: _hamel._Node) -> Any:
        return _symbols(node)

    def make_rate(self, node: _hamel._Node, a: Any) -> Any:
        return a.diff(self.t)

    def make_add(self, node: _hamel._Node, a: Any, b: Any) -> Any:
        return a + b

    def make_subtract(self, node: _hamel._Node, a: Any, b: Any) -> Any:
        return a - b

    def make_negate(self, node: _hamel._Node, a: Any) -> Any:
        return -a

    def make_multiply(self, node: _hamel._Node, a: Any, b: Any) -> Any:
        product = a * b
        return product[0] if getattr(product, "shape", None) == (1, 1) else product

    def make_divide(self, node: _hamel._Node, a: Any, b: Any) -> Any:
        return a / b

    def make_power(self, node: _hamel._Node, a: Any, b: Any) -> Any:
        return a**b

    def make_function(self, node: _hamel._Node, *args: Any) -> Any:
        if node.function not in self.functions:
            raise ValueError(f"SymPy has nothing for the function {node.function}")
        return self.functions[node.function](*args)

    def make_dot(self, node: _hamel._Node, a: Any, b: Any) -> Any:
        return a.dot(b)

    def make_cross(self, node: _hamel._Node, a: Any, b: Any) -> Any:
        return a.cross(b) if a.shape == (3, 1) else a[0] * b[1] - a[1] * b[0]

    def make_norm(self, node: _hamel._Node, a: Any) -> Any:
        return self.sp.sqrt(a.dot(a)) if hasattr(a, "dot") else self.sp.Abs(a)

    def make_norm2(self, node: _hamel._Node, a: Any) -> Any:
        return a.dot(a) if hasattr(a, "dot") else a**2

    def make_hat(self, node: _hamel._Node, a: Any) -> Any:
        return _hat(a)

    def make_vee(self, node: _hamel._Node, a: Any) -> Any:
        return self.sp.Matrix([a[2, 1] - a[1, 2], a[0, 2] - a[2, 0], a[1, 0] - a[0, 1]]) / 2

    def make_turn(self, node: _hamel._Node, axis: Any, angle: Any) -> Any:
        return _turn(axis, angle)

    def make_transpose(self, node: _hamel._Node, a: Any) -> Any:
        return a.T

    def make_trace(self, node: _hamel._Node, a: Any) -> Any:
        return a.trace()

    def make_det(self, node: _hamel._Node, a: Any) -> Any:
        return a.det()

    def make_component(self, node: _hamel._Node, a: Any) -> Any:
        return a[node.i, node.j]

    def make_block(self, node: _hamel._Node, a: Any) -> Any:
        return a[node.i : node.i + node.rows, node.j : node.j + node.cols]

    def make_stack(self, node: _hamel._Node, *args: Any) -> Any:
        return self.sp.Matrix(args) if node.cols == 1 else self.sp.Matrix.hstack(*args)

    def make_less(self, node: _hamel._Node, a: Any, b: Any) -> Any:
        return self.sp.Piecewise((1, a < b), (0, True))

    def make_less_equal(self, node: _hamel._Node, a: Any, b: Any) -> Any:
        return self.sp.Piecewise((1, a <= b), (0, True))

    def make_where(self, node: _hamel._Node, condition: Any, a: Any, b: Any) -> Any:
        holds = self.sp.Ne(condition, 0)
        if not hasattr(a, "shape"):
            return self.sp.Piecewise((a, holds), (b, True))
        return self.sp.Matrix(*a.shape, lambda i, j: self.sp.Piecewise((a[i, j], holds), (b[i, j], True)))


@method_of(Formula)
def to_sympy(self: Formula) -> Any:
    """The formula in SymPy: an expression, or a matrix of them. What SymPy lacks is refused by name."""
    return _ToSympy()(self)


def sympy_symbols(*formulas: Formula) -> dict[Any, Formula]:
    """What from_sympy needs to know: what the symbols, functions of t and derivatives in to_sympy() stand for here."""
    import sympy

    t = sympy.Symbol("t", real=True)
    found: dict[Any, Formula] = {}
    seen: set[int] = set()
    pending = list(formulas)
    while pending:
        formula = pending.pop()
        key, node = _hamel._node_id(formula), _hamel._node(formula)
        if key in seen:
            continue
        seen.add(key)
        pending.extend(node.args)
        if node.kind != "symbol":
            continue
        components = _symbols(node)
        for i in range(node.rows):
            for j in range(node.cols):
                one = components[i, j] if hasattr(components, "shape") else components
                here = formula if node.rows * node.cols == 1 else formula[i] if node.cols == 1 else formula[i, j]
                found[one] = here
                if node.role == "coordinate":
                    found[one.diff(t)] = _hamel.rate(here)
    return found


def _from_functions() -> dict[str, Callable[..., Formula]]:
    plain = ("exp", "log", "sin", "cos", "tan", "asin", "acos", "sinh", "cosh", "tanh", "erf", "sign", "floor", "atan2")
    return {
        **{name: getattr(_hamel, name) for name in plain},
        "Abs": _hamel.abs,
        "Mod": _hamel.mod,
        "atan": lambda a: _hamel.atan2(a, 1.0),
    }


def from_sympy(expression: sympy.Basic, symbols: Mapping[Any, FormulaLike]) -> Formula:
    """An expression or a matrix of SymPy as a formula.

    `symbols` says what the symbols stand for: {x: model.coordinate(...), x.diff(t): hm.rate(...)}, or
    hm.sympy_symbols(formula) of formulas that have them. What hamel lacks is refused by name.
    """
    import sympy as sp

    functions = _from_functions()
    known: dict[Any, Formula] = {}

    def folded(operation: Callable[[Formula, Formula], Formula], args: Any) -> Formula:
        result = convert(args[0])
        for arg in args[1:]:
            result = operation(result, convert(arg))
        return result

    def condition(relation: Any) -> Formula:
        sides = [convert(side) for side in getattr(relation, "args", ())[:2]]
        if isinstance(relation, sp.StrictLessThan):
            return sides[0] < sides[1]
        if isinstance(relation, sp.LessThan):
            return sides[0] <= sides[1]
        if isinstance(relation, sp.StrictGreaterThan):
            return sides[1] < sides[0]
        if isinstance(relation, sp.GreaterThan):
            return sides[1] <= sides[0]
        if isinstance(relation, sp.Ne):
            return _hamel.abs(_hamel.sign(sides[0] - sides[1]))
        if isinstance(relation, sp.Eq):
            return 1 - _hamel.abs(_hamel.sign(sides[0] - sides[1]))
        raise ValueError(f"hamel has nothing for the condition {relation}")

    def pieces(expression: Any) -> Formula:
        *others, (last, always) = expression.args
        if always != sp.true:
            raise ValueError(f"{expression} is not defined everywhere: say what it is otherwise")
        result = convert(last)
        for value, holds in reversed(others):
            result = _hamel.where(condition(holds), convert(value), result)
        return result

    def power(base: Any, exponent: Any) -> Formula:
        if exponent == sp.Rational(1, 2):
            return _hamel.sqrt(convert(base))
        if base == sp.E:
            return _hamel.exp(convert(exponent))
        return convert(base) ** convert(exponent)

    def fresh(expression: Any) -> Formula:
        if expression in symbols:
            return _hamel.constant(symbols[expression])
        if isinstance(expression, sp.MatrixBase):
            rows = [[convert(expression[i, j]) for j in range(expression.cols)] for i in range(expression.rows)]
            return _hamel.constant([row[0] for row in rows] if expression.cols == 1 else rows)
        if expression.is_number and expression.is_real:
            return _hamel.constant(float(expression))
        if isinstance(expression, sp.Add):
            return folded(lambda a, b: a + b, expression.args)
        if isinstance(expression, sp.Mul):
            return folded(lambda a, b: a * b, expression.args)
        if isinstance(expression, sp.Pow):
            return power(*expression.args)
        if isinstance(expression, sp.exp):
            return _hamel.exp(convert(expression.args[0]))
        if isinstance(expression, sp.Piecewise):
            return pieces(expression)
        if isinstance(expression, sp.Min):
            return folded(_hamel.min, expression.args)
        if isinstance(expression, sp.Max):
            return folded(_hamel.max, expression.args)
        name = type(expression).__name__
        if name in functions:
            return functions[name](*(convert(arg) for arg in expression.args))
        what = "the symbol" if isinstance(expression, sp.Symbol) else "the derivative" if isinstance(expression, sp.Derivative) else ""
        if what:
            raise ValueError(f"{what} {expression} stands for nothing here: name it in symbols")
        text = str(expression)
        raise ValueError(f"hamel has nothing for {name}, in {text[:80]}{'...' if len(text) > 80 else ''}")

    def convert(expression: Any) -> Formula:
        expression = sp.sympify(expression)
        key = expression if not isinstance(expression, sp.MatrixBase) else expression.as_immutable()
        if key not in known:
            known[key] = fresh(expression)
        return known[key]

    return convert(expression)
