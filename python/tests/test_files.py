"""Model files and the gallery, against the command to the bit."""

import json
import os
import subprocess

import hamel as hm
import numpy as np
import pytest

COMMAND = os.environ.get("HAMEL_COMMAND", "hamel")


@pytest.mark.parametrize("name", list(hm.gallery))
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_agrees_with_the_command(name):
    smaller = {"n": 12} if name == "molecules-on-sphere" else {}  # the same equations, derived in no time
    file = hm.load(hm.gallery.path(name), set=smaller)
    settings = file.settings
    step = settings.step or 0.01
    t0 = file.start(file.derive()).t
    until = t0 + 5 * step
    changes = [word for key, value in smaller.items() for word in ("--set", f"{key}={value}")]
    options = changes if settings.step else ["--integrator", "rk4", "--step", str(step), *changes]
    shown = subprocess.run(
        [COMMAND, "run", file.path, "--until", repr(until), "--json", "--quiet", *options],
        capture_output=True, text=True, env={**os.environ, "HAMEL_NATIVE": "0"},
    )  # fmt: skip
    assert shown.returncode == 0, shown.stderr
    final = json.loads(shown.stdout)["final"]
    chosen = {} if settings.step else {"integrator": "rk4", "step": step}
    run = file.run(until=until, **chosen)
    for coordinate, *_ in run.system.layout:
        assert np.array_equal(np.array(final[coordinate]["values"], dtype=float).squeeze(), run[coordinate][-1].squeeze())


def test_settings_change_as_behind_the_command():
    file = hm.parse('name = "x"\n[coordinates]\nx = "R1"\n[energy]\nkinetic = "x\'^2"\n[start]\nx = 1\n'
                    '[run]\nintegrator = "rk45"\ntolerance = 1e-6\nuntil = 1\n')  # fmt: skip
    assert file.run(integrator="rk4", step=0.1).method == "rk4"  # its tolerance is not for rk4
    with pytest.raises(ValueError, match="needs a step"):
        file.run(integrator="rk4")


def test_reports_do_not_know_events(tmp_path, system, start):
    never = hm.Event("never", lambda state: 1.0)
    run = system.integrate(start, "variational", step=0.01, until=1, events=[never])
    with pytest.raises(ValueError, match="do not know events"):
        run.report(tmp_path / "run.html")


def test_load(tmp_path):
    path = tmp_path / "pendulum.toml"
    path.write_text(hm.gallery["double-spherical-pendulum"].text)
    file = hm.load(path, set={"m": [1, 3], "g": "2*pi"})
    assert file.model.parameter_values["m"].tolist() == [1, 3] and file.model.parameter_values["g"] == 2 * np.pi


def test_mistakes_point_at_their_place():
    with pytest.raises(hm.SourceError) as refusal:
        hm.parse('name = "p"\n[coordinates]\nq = "S2"\n[energy]\nkinetic = "norm2(p\')"\n[start]\nq = [0, 0, 1]\n')
    assert "text:5:18" in str(refusal.value) and "^" in str(refusal.value)
    assert isinstance(refusal.value, ValueError)
    with pytest.raises(KeyError, match="did you mean heavy-top"):
        hm.gallery["heavy-tpo"]
    with pytest.raises(RuntimeError, match="nothing.toml"):
        hm.load("nothing.toml")
    with pytest.raises(TypeError, match="there is no setting stepp"):
        hm.gallery["heavy-top"].run(stepp=1)


def test_report(tmp_path):
    page = tmp_path / "report.html"
    hm.gallery["heavy-top"].report(page, until=0.5)
    assert "Heavy symmetric top" in page.read_text()
    with pytest.raises(FileExistsError):
        hm.gallery["heavy-top"].report(page)


def test_a_model_becomes_a_file(model, system, start):
    file = hm.parse(model.to_toml(start, "Written in Python"))
    again = file.derive()
    assert file.description == "Written in Python"
    there = file.start(again)
    assert np.array_equal(there.q, start.q)
    assert again.acceleration(there) == pytest.approx(system.acceleration(start), rel=1e-13)
    assert "q = \"S2[2]\"" in file.text and "m[1]" in file.text and "m[0]" not in file.text


def test_report_of_a_run(tmp_path, system, start):
    page = tmp_path / "run.html"
    system.integrate(start, "variational", step=0.01, until=1).report(page)
    assert "double spherical pendulum" in page.read_text()
    with pytest.raises(FileExistsError):
        system.integrate(start, "variational", step=0.01, until=1).report(page)
