"""Models that are written in Python: equations, motion, analysis."""

import threading

import hamel as hm
import numpy as np
import pytest
from conftest import pendulum
from scipy.integrate import solve_ivp


def test_motion_has_named_views(system, start):
    run = system.integrate(start, "gauss8", step=0.01, until=1, every=0.1)
    assert run["q"].shape == (11, 2, 3) and run["q'"].shape == (11, 2, 3) and run["q[1]"].shape == (11, 3)
    assert np.shares_memory(run["q"], run.q) and np.shares_memory(run["q[1]"], run.q)
    assert np.array_equal(run["q"][:, 1], run["q[1]"])
    assert np.linalg.norm(run["q"], axis=2) == pytest.approx(1, abs=1e-14)
    assert run.t == pytest.approx(np.arange(11) / 10)
    assert np.array_equal(run["q"][0, 1], start["q[1]"])
    assert np.array_equal(run["q"][0], start["q"]) and np.array_equal(run["q'"][0], start["q'"])
    assert np.array_equal(start["q'[1]"], start["q'"][1]) and np.array_equal(start["q[1]'"], start["q'"][1])


def test_matrices_are_shown_as_matrices():
    model = hm.Model("body")
    R = model.coordinate("R", hm.SO3)
    model.body("body", attitude=R, inertia=np.diag([1.0, 2.0, 2.5]))
    system = model.derive()
    turned = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]])
    start = system.state(R=turned, omega={"R": [0, 0, 2.0]})
    assert np.array_equal(start["R"], turned)
    run = system.integrate(start, "rkmk4", step=0.01, until=1)
    c, s = np.cos(2), np.sin(2)
    assert run["R"][-1] == pytest.approx(turned @ [[c, -s, 0], [s, c, 0], [0, 0, 1]], abs=1e-9)


def test_energy_and_momentum_are_kept(model, start):
    system = model.derive()
    run = system.integrate(start, "variational", step=0.01, until=20, every=0.5)
    (momentum,) = model.conserved().momenta
    assert momentum.exact_for_variational and "e3" in momentum.name
    values = []
    for t, q, v in zip(run.t, run["q"], run["q'"]):
        values.append(momentum.value(system, system.state(q=q, rate={"q": v}, t=t, project=True)))
    assert np.array(values) == pytest.approx(values[0], abs=1e-12)


def test_field_is_that_of_solve_ivp(system, start):
    for form in ("velocity", "omega", "mu", "pi"):
        field = system.field(form)
        solution = solve_ivp(field, (0, 1), field.pack(start), method="DOP853", rtol=1e-12, atol=1e-13)
        assert solution.y[:6, -1] == pytest.approx(system.integrate(start, "gauss16", step=0.02, until=1).final.q, abs=1e-10)


def test_field_of_many_states(system, start):
    field = system.field()
    y = np.random.default_rng(1).normal(size=(field.size, 50))
    columns = np.stack([field(0.0, y[:, k]) for k in range(50)], axis=1)
    assert np.array_equal(field(0.0, y), columns)
    assert np.array_equal(field(0.0, np.asfortranarray(y)), columns)
    assert np.array_equal(field(0.0, np.repeat(y, 2, axis=1)[:, ::2]), columns)
    assert field.unpack(0.5, field.pack(start)).t == 0.5
    out = np.empty_like(y)
    assert np.shares_memory(field(0.0, y, out), out) and np.array_equal(out, columns)
    with pytest.raises(ValueError, match="shape of y"):
        field(0.0, y, np.empty((field.size, 3)))
    for other in (np.asfortranarray(out), out.astype(np.float32), out.tolist()):  # nothing is written into a copy
        with pytest.raises(TypeError):
            field(0.0, y, other)


def test_singular_states_are_refused_among_many():
    model = hm.Model("well")
    x = model.coordinate("x", hm.R1)
    model.kinetic(hm.rate(x) ** 2 / 2)
    model.potential(1 / x)
    y = np.ones((2, 20))
    y[0, 3] = 0
    with pytest.raises(RuntimeError, match="no finite acceleration"):
        model.derive().field()(0.0, y)


def test_other_parameters_have_the_bits_of_deriving_anew(model, system, start):
    other = system.with_({"m[1]": 3.0}, l=[1.0, 0.25])
    anew = model.with_(m=[1.0, 3.0], l=[1.0, 0.25]).derive()
    assert np.array_equal(other.acceleration(start), anew.acceleration(start))
    assert not np.array_equal(other.acceleration(start), system.acceleration(start))


def test_equations_in_four_forms(model):
    assert model.equations()[0] == "q'[0] = cross(omega[0], q[0])"
    assert any("\\dot" in line for line in model.equations("velocity", latex=True))
    assert len({tuple(model.equations(form)) for form in ("velocity", "omega", "mu", "pi")}) == 4


def test_equilibria(system):
    found = system.equilibria()
    assert [one.name for one in found] == ["hanging", "-+", "+-", "inverted"] and found.is_complete
    assert found["hanging"].verdict == "stable" and found["inverted"].verdict == "unstable"
    # two planar pendulums in each of two planes
    M = np.array([[3 * 0.49, 2 * 0.35], [2 * 0.35, 2 * 0.25]])
    K = np.diag([3 * 0.7 * 9.81, 2 * 0.5 * 9.81])
    frequencies = np.sqrt(np.linalg.eigvals(np.linalg.solve(M, K)))
    assert sorted({round(abs(value), 9) for value in found[0].eigenvalues}) == pytest.approx(sorted(frequencies))
    A, B = found[0].linear.first_order()
    assert A.shape == (8, 8) and B.shape == (8, 0)


def test_control():
    cart = hm.Model("cart")
    u = cart.input("u")
    x, theta = cart.coordinate("x", hm.R1), cart.coordinate("q", hm.S1)
    bob = [x + theta[1], theta[0]]
    cart.kinetic(hm.rate(x) ** 2 + 0.1 * hm.norm2(hm.rate(hm.constant(bob))))
    cart.potential(0.2 * 9.81 * theta[0])
    cart.force_on(x, u)
    system = cart.derive()
    upright = system.state(x=0, q=[1, 0])
    linear = system.linearize(upright)
    assert hm.controllability(linear).complete
    regulator = hm.lqr(linear, Q={"x": 2.0, "q'": 0.5}, R={"u": 0.1})
    A, B = linear.first_order()
    assert np.poly(A - B @ regulator.gain) == pytest.approx(np.poly(regulator.closed_loop).real, rel=1e-9)
    cart.law(u, hm.feedback(cart, linear, regulator))
    motion = cart.derive()
    run = motion.integrate(motion.state(x=0.2, q=[np.cos(0.3), np.sin(0.3)]), "gauss8", step=0.02, until=20)
    assert run["q"][-1] == pytest.approx([1, 0], abs=1e-6) and run["x"][-1] == pytest.approx(0, abs=1e-5)


def test_events():
    model = hm.Model("ball")
    z = model.coordinate("z", hm.R1)
    model.kinetic(hm.rate(z) ** 2 / 2)
    model.potential(9.81 * z)
    system = model.derive()
    ground = hm.Event("ground", lambda state: float(state.q[0]), direction="falling", terminal=True)
    run = system.integrate(system.state(z=2.0), "gauss4", step=0.1, until=10, events=[ground])
    assert run.ended_by == "ground" and run.final.t == pytest.approx(np.sqrt(4 / 9.81), rel=1e-12)
    assert [one.event for one in run.occurrences] == ["ground"]


def test_events_as_formulas():
    model = hm.Model("ball")
    z = model.coordinate("z", hm.R1)
    model.kinetic(hm.rate(z) ** 2 / 2)
    model.potential(9.81 * z)
    system = model.derive()
    top = hm.Event("top", hm.rate(z), direction="falling")
    run = system.integrate(system.state(z=0, rate={"z": 3.0}), "gauss4", step=0.1, until=1, events=[top])
    assert [one.state.t for one in run.occurrences] == pytest.approx([3 / 9.81], rel=1e-12)
    with pytest.raises(ValueError, match="must be a scalar"):
        system.integrate(system.state(z=0), "gauss4", step=0.1, until=1, events=[hm.Event("e", hm.constant([z, z]))])


def test_values_of_formulas(start):
    model = pendulum()
    q = [model.coordinate_symbol(k) for k in range(2)]
    system = model.derive()
    run = system.integrate(start, "gauss8", step=0.05, until=1)
    assert run.value(q[1].z) == pytest.approx(run["q[1]"][:, 2], abs=0)
    assert run.value(hm.cross(q[0], hm.rate(q[0]))) == pytest.approx(np.cross(run["q[0]"], run["q'[0]"]), abs=1e-14)
    matrix = hm.constant([q[0], 2 * q[1]])
    assert run.value(matrix).shape == (21, 2, 3) and run.value(matrix)[3, 1] == pytest.approx(2 * run["q[1]"][3], abs=1e-15)
    assert system.value(q[0] @ q[1], run.final) == pytest.approx(run["q[0]"][-1] @ run["q[1]"][-1])
    with pytest.raises(ValueError, match="another"):
        run.value(hm.Model("other").parameter("a", 1.0))


def test_empty_and_other_arrays(system):
    field = system.field()
    assert field(0.0, np.zeros((12, 0))).shape == (12, 0)
    with pytest.raises(RuntimeError, match="finite"):
        field(0.0, np.full(12, np.nan))


def test_an_event_that_fails_is_an_exception(system, start):
    def broken(state):
        raise LookupError("nothing there")

    with pytest.raises(LookupError, match="nothing there"):
        system.integrate(start, "gauss4", step=0.1, until=1, events=[hm.Event("e", broken)])
    with pytest.raises(ValueError, match="event e is nan"):
        system.integrate(start, "gauss4", step=0.1, until=1, events=[hm.Event("e", lambda s: float("nan"))])


def test_threads(system, start):
    alone = system.integrate(start, "rk4", step=1e-3, until=2).final.q
    runs = [None] * 4

    def work(k):
        runs[k] = system.integrate(start, "rk4", step=1e-3, until=2).final.q

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(run, alone) for run in runs)


def test_tables(system, start):
    table = system.integrate(start, "gauss8", step=0.1, until=1).to_pandas()
    assert list(table.columns[:4]) == ["t", "q[0].x", "q[0].y", "q[0].z"] and "q'[1].z" in table.columns
    assert table["q[1].y"][0] == 0.6


REFUSED = {
    "point off the sphere": (lambda s, x: s.state(q=[[1, 2, 3], [0, 0, 1]]), ValueError, "must be on S2; it is off by 2.74"),
    "shape": (lambda s, x: s.state(q=[1, 0, 0]), ValueError, "shape (2, 3), and has (3,)"),
    "too many": (lambda s, x: s.state(q=np.zeros((3, 3))), ValueError, "shape (2, 3), and has (3, 3)"),
    "unknown coordinate": (lambda s, x: s.state(p=[1, 0, 0]), KeyError, "no coordinate p"),
    "nothing": (lambda s, x: s.state(), ValueError, "does not say where q[0] is"),
    "not finite": (lambda s, x: s.state(q=[[np.nan, 0, 1], [0, 0, 1]]), ValueError, "q is not finite: entry 0"),
    "text": (lambda s, x: s.state(q="up"), TypeError, "q must be a number or an array of numbers, not str"),
    "texts": (lambda s, x: s.state(q=[["a", "b", "c"]] * 2), TypeError, "dtype str"),
    "complex": (lambda s, x: s.state(q=np.ones((2, 3)) * 1j), TypeError, "complex128"),
    "object": (lambda s, x: s.state(q=np.array([[None] * 3] * 2)), TypeError, "object"),
    "rate not tangent": (lambda s, x: s.state(q=x["q[0]"], rate={"q": [1]}), ValueError, "shape"),
    "omega of a vector": (lambda s, x: hm.gallery["pendulum-3d"].derive().state(q=1, omega={"nothing": 1}), KeyError, "no coordinate"),
    "unknown parameter": (lambda s, x: s.with_(k=1), ValueError, "no parameter k; there are m, l, g"),
    "size of a parameter": (lambda s, x: s.with_(m=[1, 2, 3]), ValueError, "2x1, got 3x1"),
    "parameter not finite": (lambda s, x: s.with_(g=np.inf), ValueError, "g is not finite"),
    "parameter as text": (lambda s, x: s.with_(g="9.81"), TypeError, "not str"),
    "negative mass": (lambda s, x: s.with_(m=[1, 0]), ValueError, ""),
    "unknown integrator": (lambda s, x: s.integrate(x, "rk5", until=1), ValueError, "unknown integrator rk5"),
    "no step": (lambda s, x: s.integrate(x, "rk4", until=1), ValueError, "rk4 needs a step"),
    "step not finite": (lambda s, x: s.integrate(x, "rk4", step=np.nan, until=1), ValueError, "step"),
    "negative step": (lambda s, x: s.integrate(x, "rk4", step=-1, until=1), ValueError, "step"),
    "end before start": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=-1), ValueError, "backwards"),
    "end not finite": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=np.inf), ValueError, ""),
    "no end": (lambda s, x: s.integrate(x, "rk4", step=0.1), TypeError, "until"),
    "unknown option": (lambda s, x: s.integrate(x, "rk4", stepp=0.1, until=1), TypeError, "stepp"),
    "tolerance for rk4": (lambda s, x: s.integrate(x, "rk4", step=0.1, tolerance=1, until=1), ValueError, "tolerance"),
    "start of another system": (lambda s, x: hm.gallery["heavy-top"].derive().integrate(x, "rk4", step=0.1, until=1), ValueError, ""),
    "state of another system": (lambda s, x: hm.gallery["heavy-top"].derive().acceleration(x), ValueError, "another system"),
    "start is no state": (lambda s, x: s.integrate([1, 2], "rk4", step=0.1, until=1), TypeError, "a start is a state"),
    "events that are none": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1, events=[1]), TypeError, "incompatible"),
    "direction": (lambda s, x: hm.Event("e", lambda s: 1.0, direction="up"), ValueError, "any, rising or falling"),
    "event not callable": (lambda s, x: hm.Event("e", 1.0), TypeError, "a formula or a function of a state"),
    "unknown name in a run": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1)["p"], KeyError, "no coordinate p"),
    "unknown name in a state": (lambda s, x: x["p"], KeyError, "no coordinate p"),
    "no name in a state": (lambda s, x: x[""], KeyError, "no coordinate"),
    "no name of a point": (lambda s, x: s.state(**{"": 1.0}), KeyError, "no coordinate"),
    "inputs": (lambda s, x: s.acceleration(x, [1.0]), ValueError, "0 inputs, and u has 1"),
    "no equilibrium": (lambda s, x: s.linearize(s.state(q=x.q.reshape(2, 3))), ValueError, "not in equilibrium"),
    "unknown equilibrium": (lambda s, x: s.equilibria()["up"], KeyError, "no equilibrium up"),
    "unknown form": (lambda s, x: s.field("q"), ValueError, "velocity, omega, mu or pi"),
    "size of y": (lambda s, x: s.field()(0.0, np.zeros(3)), ValueError, "shape (12,)"),
    "y as a cube": (lambda s, x: s.field()(0.0, np.zeros((12, 1, 1))), ValueError, "shape (12,)"),
    "y as a text": (lambda s, x: s.field()(0.0, "y"), TypeError, "incompatible"),
    "weights": (lambda s, x: hm.lqr(s.equilibria()[0].linear, Q={"z": 1}), ValueError, ""),
    "path": (lambda s, x: s.model.derive("fast"), ValueError, "automatic, constant_mass or reduced"),
    "model without coordinates": (lambda s, x: hm.Model("m").derive(), ValueError, "no coordinates"),
    "a name twice": (lambda s, x: hm.Model("m").parameters(a=1) and _twice(), ValueError, "already taken"),
    "another model's formula": (lambda s, x: hm.Model("m").kinetic(hm.Model("n").parameter("a", 1)), ValueError, "one model cannot be used in another"),
    "energy as a text": (lambda s, x: hm.Model("m").kinetic("v^2"), TypeError, "not str"),
    "space as a text": (lambda s, x: hm.Model("m").coordinate("q", "S2"), TypeError, "incompatible"),
    "unknown space": (lambda s, x: hm.space("T", [2]), ValueError, "T"),
    "size of a space": (lambda s, x: hm.R(0), ValueError, ""),
    "equations of another form": (lambda s, x: s.model.equations("lagrange"), ValueError, "velocity, omega, mu or pi"),
}


def _twice():
    model = hm.Model("m")
    model.parameter("a", 1)
    model.parameter("a", 2)


@pytest.mark.parametrize("name", REFUSED)
def test_mistakes_are_refused(name, system, start):
    mistake, error, words = REFUSED[name]
    with pytest.raises(error) as refusal:
        mistake(system, start)
    assert words in str(refusal.value)


def test_kinds_of_arrays(system):
    points = np.array([[0.8, 0, -0.6], [0, 0.6, -0.8]])
    wanted = system.state(q=points).q
    readonly = points.copy()
    readonly.flags.writeable = False
    for given in (points.tolist(), tuple(map(tuple, points)), np.asfortranarray(points), readonly, np.repeat(points, 2, 0)[::2]):
        assert np.array_equal(system.state(q=given).q, wanted)
    with pytest.warns(UserWarning, match="was corrected"):
        assert system.state(q=points.astype(np.float32)).q == pytest.approx(wanted, abs=1e-7)


def test_numbers_outlive_their_run(system, start):
    q = system.integrate(start, "rk4", step=0.1, until=1)["q"]
    import gc

    gc.collect()
    assert np.linalg.norm(q, axis=2) == pytest.approx(1, abs=1e-2)


def test_interrupt():
    """Ctrl-C ends a long run, and Python goes on."""
    import os
    import signal
    import time

    model = hm.Model("oscillator")
    x = model.coordinate("x", hm.R1)
    model.kinetic(hm.rate(x) ** 2 / 2)
    model.potential(x**2 / 2)
    system = model.derive()
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        system.integrate(system.state(x=1), "rk4", step=1e-6, until=1e6, every=1e5)
    assert time.monotonic() - begin < 5
    timer.join()
