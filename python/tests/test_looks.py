"""What notebooks show of models, states, runs, equilibria and linear models."""

import base64
import gzip
import html
import json
import re

import hamel as hm
import numpy as np
import pytest
from conftest import pendulum


def test_model_is_typeset(model):
    shown = model._repr_html_()
    assert "double spherical pendulum" in shown and "S2^2" in shown
    assert "T = " in shown and "U = " in shown and "\\dot{\\omega}_1" in shown
    assert model._repr_latex_().startswith("$$") and "T = " in model._repr_latex_()
    assert "4 degrees of freedom" in model.derive()._repr_html_()


def test_long_equations_are_said():
    shown = hm.gallery["chain-pendulum"].model._repr_html_()
    many = hm.gallery["coupled-s2-n"].model
    assert len(many.coordinate_names) > 12 or len(many._repr_html_()) < 12_000
    model = hm.Model("many")
    x = model.coordinates("x", hm.R1, 40)
    model.kinetic(sum(hm.rate(one) ** 2 for one in x))
    said = model._repr_html_()
    assert "Equations of 40 coordinates are long" in said and len(said) < 5_000
    assert len(shown) < 12_000


def test_models_on_the_way_are_shown():
    model = hm.Model("<empty>")
    assert "&lt;empty&gt;" in model._repr_html_() and "no coordinates yet" in model._repr_html_()
    model.coordinate("x", hm.R1)
    assert "No equations yet" in model._repr_html_()
    assert model._repr_latex_() is None


@pytest.mark.parametrize("name", ["heavy-top", "vf-s1-sine", "stiefel-oscillator", "kepler-restricted-two-body", "planar-slider-crank"])
def test_model_files_are_shown(name):
    file = hm.gallery[name]
    assert file.name in html.unescape(file._repr_html_()) and len(file._repr_html_()) < 12_000
    assert "rate" in file.start(file.derive())._repr_html_()


def test_state_shows_its_coordinates(start):
    shown = start._repr_html_()
    assert "(0.8, 0, \u22120.6)" in shown and "<code>q[1]</code>" in shown


def unpacked(shown):
    """The data that a frame carries."""
    source = html.unescape(re.search(r'srcdoc="([^"]*)"', shown)[1])
    page = gzip.decompress(base64.b64decode(re.search(r'atob\("([^"]*)"\)', source)[1])).decode()
    return json.loads(re.search(r'id="hamel-data">(.*?)</script>', page, re.S)[1])


def numbers(packed):
    return np.frombuffer(base64.b64decode(packed["f64"]))


def test_run_carries_its_motion(system, start):
    run = system.integrate(start, "gauss8", step=0.05, until=5)
    shown = run._repr_html_()
    assert len(shown) < 300_000, "a cell of a notebook is to be small"
    data = unpacked(shown)
    assert data["title"] == "double spherical pendulum"
    assert np.array_equal(numbers(data["time"]), run.t)
    assert {one["kind"] for one in data["scene"]["objects"]} >= {"point", "link"}


def test_links_and_what_is_hidden():
    model = hm.Model("two points")
    x = model.coordinates("x", hm.R3, 2)
    a, b = model.point("a", x[0]), model.point("b", x[1])
    model.kinetic(hm.norm2(hm.rate(a)) / 2 + hm.norm2(hm.rate(b)) / 2)
    system = model.derive()
    start = system.state(x=[[0, 0, 0], [1, 0, 0]], rate={"x": [[0, 0, 1], [0, 1, 0]]})
    run = system.integrate(start, "rk4", step=0.1, until=1)

    def drawn(**options):
        return [(one["kind"], one.get("style")) for one in unpacked(run.show(**options).html)["scene"]["objects"]]

    assert drawn() == [("point", None), ("point", None)]
    assert ("link", "rod") in drawn(links=[("a", "b")]) and ("link", "string") in drawn(links=[("a", "origin", "string")])
    assert drawn(hide=["b"]) == [("point", None)]
    with pytest.raises(ValueError, match="style rope"):
        run.show(links=[("a", "b", "rope")])
    with pytest.raises(ValueError, match="nobody"):
        run.show(links=[("a", "nobody")])


def test_long_runs_are_thinned(system, start):
    run = system.integrate(start, "rk4", step=1e-3, until=60)
    shown = run._repr_html_()
    data = unpacked(shown)
    time = numbers(data["time"])
    assert len(run) == 60_001 and len(time) <= 1500 and time[0] == 0 and time[-1] == run.t[-1]
    assert len(shown) < 800_000
    assert "of 60001 recorded states are shown" in data["note"]


def test_what_cannot_be_drawn_is_said():
    model = hm.Model("numbers")
    x = model.coordinate("x", hm.R(5))
    model.kinetic(hm.norm2(hm.rate(x)) / 2)
    system = model.derive()
    run = system.integrate(system.state(x=np.zeros(5)), "rk4", step=0.1, until=1)
    assert run._repr_html_() is None and "11 outputs" in repr(run)
    with pytest.raises(ValueError, match="name points"):
        run.show()


def test_equilibria_and_their_spectra(system):
    found = system.equilibria()
    table = found._repr_html_()
    assert table.count("<tr>") == 5 and "inverted" in table and "unstable" in table and "there are no others" in table
    shown = found["inverted"]._repr_html_()
    assert "<svg" in shown and "unstable" in shown and "#d55e00" in shown and len(shown) < 10_000
    assert shown.count("grows") == 4
    hanging = found["hanging"]._repr_html_()
    assert hanging.count('stroke="#56606b"') == 4, "two frequencies, each twice, and their conjugates"


def test_words_of_what_was_found(model, system):
    assert repr(system.equilibria()) == "<hamel.Equilibria hanging, -+, +-, inverted: enumerated: there are no others>"
    assert repr(model.conserved()) == "<hamel.Conserved energy, angular momentum about e3 (q[0], q[1])>"
    assert repr(hm.gallery["vf-s1-sine"].model.conserved()) == "<hamel.Conserved nothing that is known>"


def test_regulator_shows_its_closed_loop():
    """x'' = u with the weights 1 and 1: the gain is (1, sqrt 3), and x'' + sqrt 3 x' + x = 0."""
    model = hm.Model("point")
    x, u = model.coordinate("x", hm.R1), model.input("u")
    model.kinetic(hm.rate(x) ** 2 / 2)
    model.force_on(x, u)
    system = model.derive()
    regulator = hm.lqr(system.linearize(system.state(x=0)))
    assert regulator.gain == pytest.approx(np.array([[1, np.sqrt(3)]]))
    shown = regulator._repr_html_()
    assert shown.count('stroke="#0072b2"') == 2 and "1.732" in shown and "<code>x</code>" in shown


def test_modes_of_a_linear_model():
    """x'' + 2 zeta x' + x = 0."""
    model = hm.Model("oscillator")
    x = model.coordinate("x", hm.R1)
    model.kinetic(hm.rate(x) ** 2 / 2)
    model.potential(4 * x**2 / 2)
    model.dissipation(0.4 * hm.rate(x) ** 2 / 2)
    system = model.derive()
    linear = system.linearize(system.state(x=0))
    (mode,) = linear.modes()
    assert mode.frequency == pytest.approx(2) and mode.damping_ratio == pytest.approx(0.1)
    assert mode.period == pytest.approx(2 * np.pi / np.sqrt(4 - 0.04)) and mode.course == "decays"
    assert mode.shape == pytest.approx([1])
    shown = linear._repr_html_()
    assert "damping ratio" in shown and "<td" in shown and "0.1" in shown and "decays" in shown


def test_modes_move(system):
    hanging = system.equilibria()["hanging"]
    data = unpacked(hanging.show().html)
    (place,) = data["modes"]["places"]
    assert place["name"] == "hanging" and len(place["modes"]) == 4 and all(mode["clips"] for mode in place["modes"])
    assert "modes" in unpacked(hanging.linear.show()._repr_html_())


def test_everything_in_the_gallery_can_be_shown():
    for name in hm.gallery:
        file = hm.gallery[name]
        assert len(file.model._repr_html_()) < 12_000, name
