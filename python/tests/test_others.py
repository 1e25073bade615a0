"""With JAX, SymPy, xarray and tqdm."""

import hamel as hm
import numpy as np
import pytest

SOME = ["double-spherical-pendulum", "heavy-top", "chain-pendulum-on-cart", "furuta-pendulum"]


def test_xarray(system, start):
    pytest.importorskip("xarray")
    run = system.integrate(start, "gauss4", step=0.05, until=1)
    data = run.to_xarray()
    assert data["q"].dims == ("t", "q_member", "q_component") and data.attrs["model"] == system.name
    assert np.array_equal(data["q'"].sel(q_member=1, q_component="z"), run["q'[1]"][:, 2])
    top = hm.gallery["heavy-top"].run(until=0.1).to_xarray()
    assert top["R"].dims == ("t", "R_row", "R_column") and top["R"].shape[1:] == (3, 3)


def test_progress(system, start, capsys):
    pytest.importorskip("tqdm")
    system.integrate(start, "rk4", step=1e-4, until=2, every=0.5)
    assert capsys.readouterr().err == ""  # nobody looks
    system.integrate(start, "rk4", step=1e-4, until=3, every=0.5, progress=True)
    assert "%" in capsys.readouterr().err
    system.integrate(start, "rk4", step=1e-4, until=2, every=0.5, progress=False)
    assert capsys.readouterr().err == ""


# SymPy


def numbers_of(formula, system, state):
    """Values of what sympy_symbols names, at a state."""
    return {symbol: float(system.value(here, state)) for symbol, here in hm.sympy_symbols(formula).items()}


def at(expression, values):
    """The numbers of an expression; rates before points, since a derivative contains its function."""
    rates = {symbol: value for symbol, value in values.items() if symbol.is_Derivative}
    return expression.subs(rates).subs({symbol: value for symbol, value in values.items() if not symbol.is_Derivative})


@pytest.mark.parametrize("name", [*SOME, "spherical-pendulum", "three-bodies-on-sphere", "two-elastic-spherical-pendulums"])
def test_sympy_and_back(name):
    sympy = pytest.importorskip("sympy")
    file = hm.gallery[name]
    system = file.derive()
    state = file.start(system)
    checked = 0
    for terms in file.model.energies().values():
        for term in terms:
            expression = term.to_sympy()
            value = float(system.value(term, state))
            assert float(sympy.N(at(expression, numbers_of(term, system, state)), 17)) == pytest.approx(value, rel=1e-12, abs=1e-12)
            back = hm.from_sympy(expression, hm.sympy_symbols(term))
            assert float(system.value(back, state)) == pytest.approx(value, rel=1e-12, abs=1e-12)
            checked += 1
    assert checked > 0


def test_sympy_knows_every_function():
    """At random numbers, all functions and operations that both have."""
    sympy = pytest.importorskip("sympy")
    model = hm.Model("m")
    a, b = model.parameters(a=0.3, b=-0.7)
    w, x = model.parameter("w", [1.0, 2.0, 3.0]), model.coordinate("x", hm.R3)
    A = model.parameter("A", [[1.0, 2.0, 3.0], [0.0, 1.0, 4.0], [5.0, 6.0, 0.0]])
    model.kinetic(hm.norm2(hm.rate(x)) / 2)
    system = model.derive()
    state = system.state(x=[0.1, 0.2, 0.3], rate={"x": [1, 2, 3]})
    unary = ("sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "sinh", "cosh", "tanh", "erf", "cbrt", "abs", "sign", "floor")
    formulas = [getattr(hm, name)(a) for name in unary]
    formulas += [getattr(hm, name)(a, b) for name in ("atan2", "hypot", "mod", "min", "max")]
    formulas += [hm.cbrt(b), hm.abs(b), hm.where(a < b, a, b), hm.where(b <= a, a * a, b), (a < 0.5) * b, a**b, a**2, a / b - 3]
    formulas += [hm.dot(w, x), hm.cross(w, x), hm.norm(x), hm.hat(w) @ x, hm.vee(A), hm.turn(w, a) @ x, A.T @ x, hm.trace(A), hm.det(A)]
    formulas += [A[1, 2] * x, A[:, 1], hm.rate(a * hm.dot(x, x)), hm.constant([x.x, a, 1.0]), hm.columns(w, x), model.t * a]
    for formula in formulas:
        expression = sympy.Matrix([formula.to_sympy()]) if formula.shape == () else formula.to_sympy()
        mine = np.array(at(expression, numbers_of(formula, system, state)).evalf(17).tolist(), dtype=float)
        wanted = np.atleast_1d(system.value(formula, state))
        assert mine.reshape(wanted.shape) == pytest.approx(wanted, rel=1e-13, abs=1e-15), repr(formula)
        back = hm.from_sympy(formula.to_sympy(), hm.sympy_symbols(formula))
        assert np.atleast_1d(system.value(back, state)) == pytest.approx(wanted, rel=1e-13, abs=1e-15), repr(formula)


def test_a_model_from_sympy():
    """A pendulum whose Lagrangian is written in SymPy."""
    sympy = pytest.importorskip("sympy")
    t, m, l, g = sympy.symbols("t m l g")
    theta = sympy.Function("theta")(t)
    x, z = l * sympy.sin(theta), -l * sympy.cos(theta)
    model = hm.Model("pendulum")
    angle = model.coordinate("theta", hm.R1)
    known = {theta: angle, theta.diff(t): hm.rate(angle), **dict(zip((m, l, g), model.parameters(m=2.0, l=0.5, g=9.81)))}
    model.lagrangian(hm.from_sympy(m / 2 * (x.diff(t) ** 2 + z.diff(t) ** 2) - m * g * z, known))
    system = model.derive()
    assert system.acceleration(system.state(theta=0.4)) == pytest.approx([-9.81 / 0.5 * np.sin(0.4)])


def test_sympy_refusals():
    sympy = pytest.importorskip("sympy")
    x, y = sympy.symbols("x y")
    model = hm.Model("m")
    a = model.parameter("a", 1.0)
    for expression, words in (
        (x + y, "the symbol y stands for nothing"),
        (sympy.gamma(x), "nothing for gamma"),
        (sympy.Function("f")(x), "nothing for f"),
        (sympy.Function("f")(x).diff(x), "the derivative"),
        (sympy.Piecewise((x, x > 0)), "not defined everywhere"),
        (x + sympy.I, "nothing for"),
        (sympy.oo, "nothing for Infinity"),
    ):
        with pytest.raises(ValueError, match=words):
            hm.from_sympy(expression, {x: a})
    R = model.coordinate("G", hm.SE3)
    with pytest.raises(ValueError, match="angular velocity of G on SE3"):
        hm.omega(R).to_sympy()


# JAX


@pytest.fixture(scope="module")
def jax():
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    return jax


@pytest.mark.parametrize("name", [*SOME, "two-elastic-spherical-pendulums", "particle-rotating-frame"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_jax_derivatives_are_those_of_differences(name, jax):
    """Against central differences of q''(q(s), q'(s)) along curves s on the space: motions of other start velocities."""
    file = hm.gallery[name]
    system = file.derive()
    start = file.start(system)
    a = system.to_jax()
    assert np.array_equal(a(start.q, start.v, t=start.t), system.acceleration(start))
    assert system.is_conservative
    run = system.integrate(start, "dop853", tolerance=1e-13, until=start.t + 8e-4, every=2e-4)
    # Along the motion, q' = v and v' = q'': a state of the run for each s.
    h, k = 2e-4, 2
    middle = run.state(k)
    along = (run.v[k], system.acceleration(middle))
    _, da = jax.jvp(lambda q, v: a(q, v), (middle.q, middle.v), along)
    accelerations = [system.acceleration(run.state(j)) for j in range(5)]
    difference = (accelerations[0] - 8 * accelerations[1] + 8 * accelerations[3] - accelerations[4]) / (12 * h)
    scale = np.abs(difference).max() + np.abs(accelerations[2]).max()
    assert np.asarray(da) == pytest.approx(difference, abs=3e-6 * scale)


def test_jax_under_jit_vmap_and_grad(jax, system, start):
    jnp = jax.numpy
    a = system.to_jax()
    points = np.stack([start.q, -start.q, start.q])
    rates = np.stack([start.v, start.v, 2 * start.v])
    many = jax.jit(jax.vmap(a))(points, rates)
    assert many.shape == (3, 6) and np.asarray(many[0]) == pytest.approx(system.acceleration(start), rel=1e-13)
    forward = jax.jacfwd(a)(start.q, start.v)
    backward = jax.jacrev(a)(start.q, start.v)
    assert np.asarray(forward) == pytest.approx(np.asarray(backward), abs=1e-12)
    gradient = jax.jit(jax.grad(lambda q: jnp.sum(a(q, start.v) ** 2)))(start.q)
    assert abs(gradient[:3] @ start.q[:3]) < 1e-10 * np.abs(gradient).max()  # tangent to the spheres
    batched = jax.vmap(jax.grad(lambda q, v: a(q, v)[2]))(points, rates)
    assert batched.shape == (3, 6) and np.isfinite(batched).all()


def test_jax_on_the_sphere_against_the_formula(jax):
    """q'' = -|q'|^2 q - g/l (e3 - (e3.q) q): its derivative by hand, along tangent directions."""
    file = hm.gallery["spherical-pendulum"]
    system = file.derive()
    g, l = (float(file.model.parameter_values[name]) for name in ("g", "l"))
    jnp = jax.numpy
    e3 = jnp.array([0.0, 0.0, 1.0])

    def formula(q, v):
        q = q / jnp.sqrt(q @ q)
        v = v - q * (q @ v)
        return -(v @ v) * q - g / l * (e3 - q * (e3 @ q))

    start = file.start(system)
    a = system.to_jax()
    assert np.asarray(a(start.q, start.v)) == pytest.approx(np.asarray(formula(start.q, start.v)), rel=1e-13)
    for which in (0, 1):
        mine, wanted = jax.jacfwd(a, which)(start.q, start.v), jax.jacfwd(formula, which)(start.q, start.v)
        assert np.asarray(mine) == pytest.approx(np.asarray(wanted), abs=1e-12)


def test_jax_inputs_and_parameters(jax):
    model = hm.Model("pushed")
    m, k = model.parameters(m=2.0, k=[1.0, 3.0])
    x, u = model.coordinate("x", hm.R2), model.input("u", 2)
    model.kinetic(m / 2 * hm.norm2(hm.rate(x)))
    model.potential(k[0] * x.x**2 / 2 + k[1] * x.y**2 / 2)
    model.force_on(x, u)
    a = model.derive().to_jax(["m", "k"])
    q, v, w, p = np.array([1.0, 2.0]), np.zeros(2), np.array([0.5, 0.0]), np.array([4.0, 1.0, 5.0])
    assert np.asarray(a(q, v, w, 0.0, p)) == pytest.approx([(0.5 - 1) / 4, -10 / 4])
    assert np.asarray(jax.jacfwd(a, 2)(q, v, w, 0.0, p)) == pytest.approx(np.eye(2) / 4)
    by_p = jax.jacrev(a, 4)(q, v, w, 0.0, p)
    assert np.asarray(by_p) == pytest.approx(np.array([[0.5 / 16, -1 / 4, 0], [10 / 16, 0, -2 / 4]]))
    learned = jax.grad(lambda p: (a(q, v, w, 0.0, p) ** 2).sum())(p)
    assert learned.shape == (3,)


def test_jax_refusals(jax, system, start):
    a = system.to_jax()
    for mistake, error, words in (
        (lambda: a(start.q[:3], start.v), ValueError, r"q must have the shape \(6,\)"),
        (lambda: a(np.stack([start.q] * 2), start.v), ValueError, "use jax.vmap"),
        (lambda: a(start.q, start.v, [1.0]), ValueError, r"u must have the shape \(0,\)"),
        (lambda: system.to_jax(["z"]), ValueError, "no parameter z"),
        (lambda: system.to_jax(["m"])(start.q, start.v), ValueError, "p has 2 numbers"),
        (lambda: np.asarray(a(np.full(6, np.nan), start.v)), Exception, "finite"),
    ):
        with pytest.raises(error, match=words):
            mistake()
    jax.config.update("jax_enable_x64", False)
    try:
        with pytest.raises(RuntimeError, match="jax_enable_x64"):
            system.to_jax()
    finally:
        jax.config.update("jax_enable_x64", True)


def test_derivatives(system, start):
    derivative = hm.Derivatives(system).acceleration(start)
    assert derivative.point.shape == (6, 6) and derivative.parameters.shape == (6, 5)
    h = 1e-6
    for column, name in enumerate(["m[0]", "m[1]", "l[0]", "l[1]", "g"]):
        value = float(np.concatenate([np.ravel(one) for one in system.model.parameter_values.values()])[column])
        high, low = (system.with_({name: value + s * h}).acceleration(start) for s in (1, -1))
        assert derivative.parameters[:, column] == pytest.approx((high - low) / (2 * h), abs=1e-6)
