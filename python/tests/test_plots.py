"""Pictures with matplotlib: what they draw is what was computed."""

import matplotlib

matplotlib.use("Agg")

import hamel as hm
import matplotlib.pyplot as plt
import numpy as np
import pytest


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def run(system, start):
    return system.integrate(start, "gauss8", step=0.05, until=5)


@pytest.fixture(scope="module")
def turning():
    """A pendulum that goes over the top, its outputs more than half a turn apart."""
    model = hm.Model("pendulum")
    theta = model.coordinate("theta", hm.S1)
    model.kinetic(hm.norm2(hm.rate(theta)) / 2)
    model.potential(-theta[0])
    system = model.derive()
    start = system.state(theta=[1, 0], omega={"theta": 12.0})
    return system.integrate(start, "gauss8", step=0.01, until=3, every=0.3)


def lines(ax):
    return {line.get_label(): line for line in ax.get_lines()}


def test_family_has_a_curve_for_each_number(run):
    ax = run.plot("q")
    drawn = lines(ax)
    assert list(drawn) == [f"$q_{{{k},{c}}}$" for k in range(2) for c in "xyz"]
    assert np.array_equal(drawn["$q_{1,y}$"].get_ydata(), run["q[1]"][:, 1])
    assert ax.get_xlabel() == "$t$" and ax.get_ylabel() == "$q$"


def test_components_and_rates(run):
    drawn = lines(run.plot("q[0].z", "q'[1].x"))
    assert np.array_equal(drawn["$q_{0,z}$"].get_ydata(), run["q[0]"][:, 2])
    assert np.array_equal(drawn["$\\dot{q}_{1,x}$"].get_ydata(), run["q'[1]"][:, 0])


def test_legend_covers_nothing(run):
    ax = run.plot("q")
    ax.figure.canvas.draw()
    assert ax.get_legend().get_window_extent().x0 >= ax.get_window_extent().x1
    assert ax.get_legend().get_window_extent().x1 <= ax.figure.bbox.x1


def test_angles_count_their_turns(turning):
    """Without forces the angle would be 12 t; gravity changes it by less than a turn."""
    (curve,) = turning.curves("theta")
    assert curve.values[-1] == pytest.approx(36, abs=1)
    fine = turning.system.integrate(turning.start, "gauss8", step=0.01, until=3)
    assert curve.values == pytest.approx(np.unwrap(np.arctan2(fine["theta"][:, 1], fine["theta"][:, 0]))[::30], abs=1e-9)
    ax = turning.plot("theta")
    assert ax.get_ylabel() == "$\\theta$ (rad)"


def test_phase_portrait_of_an_angle_lies_on_its_energy(turning):
    ax = turning.phase("theta")
    x, y = ax.get_lines()[0].get_data()
    seen = np.isfinite(x)
    assert np.abs(x[seen]).max() <= np.pi and not seen.all()
    assert y[seen] ** 2 / 2 - np.cos(x[seen]) == pytest.approx(12**2 / 2 - 1, rel=1e-9)
    assert ax.get_xlabel() == "$\\theta$ (rad)"
    unrolled = turning.phase("theta", wrap=False, ax=plt.figure().gca())
    assert unrolled.get_lines()[0].get_xdata()[-1] > 30


def test_phase_portraits_of_a_family_and_a_component(run):
    ax = run.phase("q.z")
    assert set(lines(ax)) >= {"$q_{0,z}$", "$q_{1,z}$"}
    assert np.array_equal(lines(ax)["$q_{1,z}$"].get_ydata(), run["q'[1]"][:, 2])


def test_energy_and_drift(run):
    drawn = lines(run.plot_energy())
    assert list(drawn) == ["kinetic", "potential", "total"]
    assert drawn["total"].get_ydata() == pytest.approx(drawn["kinetic"].get_ydata() + drawn["potential"].get_ydata())
    assert drawn["total"].get_ydata()[0] == run.system.energy(run.start).total
    drift = lines(run.plot_drift(plt.figure().gca()))
    assert list(drift) == list(run.conserved) and len(drift) == 2
    assert all(np.nanmax(line.get_ydata()) < 1e-3 for line in drift.values())


def test_units_of_a_model_file():
    text = "name = 'ball'\n[coordinates]\nx = 'R3'\n[energy]\nkinetic = 'norm2(rate(x))/2'\n[start]\nx = [0, 0, 0]\n[units]\nt = 's'\nx = 'm'\n"
    run = hm.parse(text).run(until=0.1, step=0.1)
    ax = run.plot("x.z")
    assert ax.get_xlabel() == "$t$ (s)" and ax.get_ylabel() == "$x_{z}$ (m)"
    assert run.plot("x'", ax=plt.figure().gca()).get_ylabel() == "$\\dot{x}$ (m/s)"
    run.units["energy"] = "J"
    assert run.plot_energy(plt.figure().gca()).get_ylabel() == "energy (J)"


def test_axes_are_returned_and_used(run):
    ax = plt.figure().gca()
    assert run.plot("q[0]", ax=ax, color="black") is ax and ax.get_lines()[0].get_color() == "black"


@pytest.mark.parametrize(
    "draw, error, words",
    [
        (lambda run: run.plot("p"), KeyError, "no coordinate p; there is q"),
        (lambda run: run.plot("q[2]"), KeyError, "no coordinate q[2]; did you mean q[1]"),
        (lambda run: run.plot("q[0].w"), KeyError, "q[0] has no component w: it is 3 x 1"),
        (lambda run: run.plot("q[0"), KeyError, "is no name of a coordinate"),
        (lambda run: run.phase("q"), ValueError, "q[0] has 3 numbers; say which of them: q[0].x"),
        (lambda run: run.phase("q'"), KeyError, "not of a rate: q"),
    ],
)
def test_unknown_names_are_refused(run, draw, error, words):
    with pytest.raises(error) as refusal:
        draw(run)
    assert words in str(refusal.value)
    assert not plt.get_fignums()


def test_a_field_has_no_energy():
    run = hm.gallery["vf-s1-sine"].run(until=0.1)
    with pytest.raises(ValueError, match="has no energy"):
        run.plot_energy()
