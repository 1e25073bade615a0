"""Inputs along a run: laws of the model, numbers, formulas and functions of Python."""

import hamel as hm
import numpy as np
import pytest


def pushed(law=None, sample=0.0):
    """A mass that an input pushes, and a second input of two numbers that pushes another one."""
    model = hm.Model("pushed")
    x, y = model.coordinate("x", hm.R1), model.coordinate("y", hm.R2)
    u, w = model.input("u"), model.input("w", 2)
    model.kinetic(hm.rate(x) ** 2 / 2 + hm.norm2(hm.rate(y)) / 2)
    model.force_on(x, u)
    model.force_on(y, w)
    if law is not None:
        model.law(u, law(x), sample)
    return model, x, y, u, w


@pytest.fixture(scope="module")
def free():
    model, x, y, u, w = pushed()
    system = model.derive()
    return system, system.state(x=1, y=[0, 0]), x, y, u, w


def test_constant_inputs(free):
    """x = 1 + u t^2/2, by any method."""
    system, start, *_ = free
    for method, settings in (("rk4", {"step": 0.1}), ("variational", {"step": 0.1}), ("gauss4", {"step": 0.1}), ("rk45", {"tolerance": 1e-9})):
        run = system.integrate(start, method, until=2, inputs=[0.5, 1, -1], **settings)
        assert run["x"] == pytest.approx(1 + 0.25 * run.t**2, abs=1e-8)
        assert run["y"][:, 1] == pytest.approx(-(run.t**2) / 2, abs=1e-8)
        assert run.u == pytest.approx(np.tile([0.5, 1, -1], (len(run), 1)), abs=0)
    assert system.integrate(start, "rk4", step=0.1, until=1, inputs={"w": [1, -1]}).u[0].tolist() == [0, 1, -1]
    assert system.input_layout == [("u", 0, 1), ("w", 1, 2)]


def test_functions_and_formulas_agree(free):
    system, start, x, y, u, w = free
    for method in ("rk4", "variational", "gauss4", "rk45"):
        settings = {"tolerance": 1e-9} if method == "rk45" else {"step": 0.05}
        ways = (
            lambda state: {"u": -state["x"] - state["x'"]},
            lambda state: np.array([-state["x"] - state["x'"], 0, 0], dtype=np.float64),
            lambda state: [float(-state["x"] - state["x'"]), 0, 0],
            {"u": -x - hm.rate(x)},
        )
        runs = [system.integrate(start, method, until=3, inputs=way, sample=0.1, **settings) for way in ways]
        for run in runs[1:]:
            assert np.array_equal(run.u, runs[0].u) and np.array_equal(run.q, runs[0].q)


def test_a_function_does_what_a_sampled_law_does(free):
    system, start, *_ = free
    model, x, *_ = pushed(lambda x: -x - hm.rate(x), 0.1)
    lawful = model.derive()
    run = system.integrate(start, "rk4", step=0.05, until=3, inputs=lambda state: {"u": -state["x"] - state["x'"]}, sample=0.1)
    same = lawful.integrate(lawful.state(x=1, y=[0, 0]), "rk4", step=0.05, until=3)
    assert np.array_equal(run.q, same.q) and np.array_equal(run.u, same.u)


def test_continuous_inputs(free):
    """x'' + x' + x = 0, by functions and formulas alike; what is shown at an output is what acts there."""
    system, start, x, *_ = free
    omega = 0.75**0.5
    for method, settings in (("rk4", {"step": 0.01}), ("rkmk4", {"step": 0.01}), ("rk45", {"tolerance": 1e-9}), ("dop853", {"tolerance": 1e-9})):
        ways = (lambda state: [-state["x"] - state["x'"], 0, 0], {"u": -x - hm.rate(x)})
        slow, fast = (system.integrate(start, method, until=5, inputs=way, continuous=True, **settings) for way in ways)
        assert np.array_equal(slow.q, fast.q) and np.array_equal(slow.u, fast.u)
        assert slow["x"] == pytest.approx(np.exp(-slow.t / 2) * (np.cos(omega * slow.t) + np.sin(omega * slow.t) / (2 * omega)), abs=1e-8)
        assert slow.u[:, 0] == pytest.approx(-slow["x"] - slow["x'"], abs=1e-15)
    seen = hm.Event("turns", free[4] + 0.5, terminal=True)
    run = system.integrate(start, "rk45", tolerance=1e-9, until=9, inputs={"u": -x}, continuous=True, events=[seen])
    assert run.t[-1] == pytest.approx(np.pi / 3, abs=1e-7)  # x = cos(t)


def test_continuous_functions_are_called_at_stages(free):
    times = []
    free[0].integrate(free[1], "rk4", step=0.1, until=0.1, inputs=lambda state: times.append(state.t) or [0, 0, 0], continuous=True)
    assert {0.05, 0.1} <= {round(t, 12) for t in times} and len(times) >= 5


def test_inputs_are_held(free):
    """u changes at 0, 0.2, 0.4, ...: an output shows what was held before it."""
    system, start, *_ = free
    times = []

    def law(state):
        times.append(state.t)
        return [state.t, 0, 0]

    run = system.integrate(start, "rk4", step=0.1, until=0.6, inputs=law, sample=0.2)
    assert times[:3] == pytest.approx([0, 0.2, 0.4])
    assert run.u[:, 0] == pytest.approx([0, 0, 0, 0.2, 0.2, 0.4, 0.4])
    run = system.integrate(start, "rk4", step=0.1, until=0.3, inputs=law)
    assert run.u[:, 0] == pytest.approx([0, 0, 0.1, 0.2])


def test_values_of_formulas_of_inputs(free):
    system, start, x, y, u, w = free
    run = system.integrate(start, "rk4", step=0.1, until=1, inputs={"u": -x, "w": [1, 2]}, sample=0.1)
    assert run.value(2 * u) == pytest.approx(2 * run.u[:, 0], abs=0)
    assert run.value(w) == pytest.approx(run.u[:, 1:], abs=0)
    assert system.value(u * x, start, u=[3, 0, 0]) == 3 and system.value(u * x, start, u={"u": 3}) == 3
    with pytest.raises(ValueError, match="depends on inputs: say what they are"):
        system.value(2 * u, start)
    assert run.value(lambda state: state.t**2) == pytest.approx(run.t**2)
    zero = system.integrate(start, "rk4", step=0.1, until=1)
    assert not zero.u.any() and not zero.value(u).any()


def test_values_of_inputs_that_follow_laws():
    model, x, y, u, w = pushed(lambda x: -x)
    system = model.derive()
    run = system.integrate(system.state(x=1, y=[0, 0]), "gauss4", step=0.1, until=1)
    assert run.value(2 * u) == pytest.approx(-2 * run["x"], abs=1e-15)
    assert run.u.shape == (11, 2)  # w alone follows no law


def test_events_of_inputs(free):
    """The input is -x, held: its zero is seen where it is set, one sample after that of x."""
    system, start, x, y, u, w = free
    event = hm.Event("turns", u + 0.5, terminal=True)
    run = system.integrate(start, "rk4", step=0.01, until=9, inputs={"u": -x}, sample=0.01, events=[event])
    assert run.ended_by == "turns" and run.t[-1] == pytest.approx(np.pi / 3, abs=0.03)


class Trouble(Exception):
    """Of one's own."""


def _fails(state):
    raise Trouble("no more")


BAD = {
    "exception": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1, inputs=_fails), Trouble, "no more"),
    "too few": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1, inputs=lambda state: 1.0), ValueError, "has 3 inputs, and u has 1"),
    "too many": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1, inputs=np.zeros(4)), ValueError, "has 3 inputs, and u has 4"),
    "nothing": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1, inputs=lambda state: None), ValueError, "gave none at t = 0"),
    "text": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1, inputs=lambda state: "all"), TypeError, "not str"),
    "text given": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1, inputs="all"), TypeError, "not str"),
    "nan": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1, inputs=lambda state: [np.nan, 0, 0]), ValueError, "not finite"),
    "nan later": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1, inputs=lambda state: [0, 0, 0 if state.t < 0.5 else np.inf]), ValueError, "not finite"),
    "complex": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1, inputs=np.zeros(3) * 1j), TypeError, "complex"),
    "unknown name": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1, inputs={"v": 1}), ValueError, "no input v to be set; there are u, w"),
    "size of one": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1, inputs={"w": 1}), ValueError, "the input w has 2 numbers"),
    "law of a wrong size": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1, inputs={"w": s.model.t}), ValueError, "the input w has 2 numbers"),
    "another model": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1, inputs={"u": hm.Model("other").coordinate("z", hm.R1)}), ValueError, "another"),
    "adaptive": (lambda s, x: s.integrate(x, "rk45", tolerance=1e-6, until=1, inputs=lambda state: [0, 0, 0]), ValueError, "rk45 chooses its steps, so inputs need sample"),
    "adaptive formula": (lambda s, x: s.integrate(x, "dop853", tolerance=1e-6, until=1, inputs={"u": s.model.t}), ValueError, "need sample"),
    "continuous and implicit": (lambda s, x: s.integrate(x, "variational", step=0.1, until=1, inputs=lambda state: [0, 0, 0], continuous=True), ValueError, "variational solves equations"),
    "continuous and implicit formula": (lambda s, x: s.integrate(x, "gauss8", step=0.1, until=1, inputs={"u": s.model.t}, continuous=True), ValueError, "gauss8 solves equations"),
    "continuous and sampled": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1, inputs={"u": s.model.t}, sample=0.1, continuous=True), ValueError, "say one of them"),
    "continuous alone": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1, continuous=True), ValueError, "continuous belongs to inputs"),
    "continuous exception": (lambda s, x: s.integrate(x, "rk45", tolerance=1e-6, until=1, inputs=_fails, continuous=True), Trouble, "no more"),
    "continuous nan": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1, inputs=lambda state: [np.nan, 0, 0], continuous=True), ValueError, "not finite"),
    "sample alone": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1, sample=0.1), ValueError, "sample belongs to inputs"),
    "negative sample": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1, inputs=[0, 0, 0], sample=-1), ValueError, "interval"),
    "sample not finite": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1, inputs=[0, 0, 0], sample=np.nan), ValueError, "interval"),
    "report": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1, inputs=[0, 0, 0]).report("r.html"), ValueError, "give them laws"),
    "record": (lambda s, x: s.integrate(x, "rk4", step=0.1, until=1, inputs=[0, 0, 0]).record("r.h5"), ValueError, "give them laws"),
    "state of another system": (lambda s, x: s.value(s.model.t, hm.gallery["heavy-top"].derive().state(R=np.eye(3))), ValueError, "no state of pushed"),
    "value of a text": (lambda s, x: s.value("x", x), TypeError, "not str"),
    "equilibria": (lambda s, x: s.equilibria(u=[1]), ValueError, "has 3 inputs, and u has 1"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_inputs(name, free):
    mistake, error, words = BAD[name]
    with pytest.raises(error) as refusal:
        mistake(free[0], free[1])
    assert words in str(refusal.value)


def test_no_inputs_to_set(system, start):
    with pytest.raises(ValueError, match="no inputs"):
        system.integrate(start, "rk4", step=0.1, until=1, inputs=lambda state: [])


def test_kinds_of_arrays_as_inputs(free):
    system, start, *_ = free
    wanted = system.integrate(start, "rk4", step=0.1, until=1, inputs=[0.5, 1, 2]).q
    readonly = np.array([0.5, 1, 2])
    readonly.flags.writeable = False
    for given in (readonly, np.array([0.5, 1, 2], dtype=np.float32), np.repeat(readonly, 2)[::2], (0.5, 1, 2), lambda state: readonly):
        assert np.array_equal(system.integrate(start, "rk4", step=0.1, until=1, inputs=given).q, wanted)


def test_threads_with_functions(free):
    import threading

    system, start, *_ = free
    results = [None] * 3

    def work(k):
        results[k] = system.integrate(start, "rk4", step=0.01, until=2, inputs=lambda state: [-state["x"], 0, 0]).q

    threads = [threading.Thread(target=work, args=(k,)) for k in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert np.array_equal(results[0], results[1]) and np.array_equal(results[0], results[2])
