"""Everything that the command does, from Python, with the same numbers."""

import json
import os
import pathlib
import re
import subprocess

import hamel as hm
import numpy as np
import pytest

COMMAND = os.environ.get("HAMEL_COMMAND", "hamel")
PAGE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"
FOR_TERMINALS = {"help", "version", "json", "quiet"}


def hamel(*words):
    return subprocess.run(
        [COMMAND, *map(str, words)], capture_output=True, text=True, env={**os.environ, "HAMEL_NATIVE": "0"}, check=True
    ).stdout


def told(*words):
    return json.loads(hamel(*words, "--json"))


def table():
    """Of the page: what Python has for each command, by command."""
    section = PAGE.read_text().split("## What the command does")[1].split("\n## ")[0]
    return dict(re.findall(r"^\| `hamel (\w+)` \| (.*) \|$", section, re.M))


def test_table_has_every_command_and_option():
    commands = re.findall(r"^  (\w+) ", hamel("--help").split("Subcommands:")[1].split("First steps")[0], re.M)
    assert sorted(table()) == sorted(commands) and len(commands) > 10
    for command, words in table().items():
        options = set(re.findall(r"^  (?:-\w,)?--([a-zA-Z][\w-]*)", hamel(command, "--help"), re.M)) - FOR_TERMINALS
        missing = [option for option in options if f"--{option}" not in words]
        assert missing == [], f"hamel {command}: the table does not say what is in the place of {missing}"


def test_template_and_list():
    file = hm.parse(hm.template("mine"))
    assert file.name == "mine" and file.check().holds
    entries = told("list")
    assert [entry["id"] for entry in entries] == list(hm.gallery)
    one = hm.gallery[entries[0]["id"]]
    assert (one.name, one.description, one.source) == tuple(entries[0][key] for key in ("name", "description", "source"))


@pytest.mark.parametrize("name", ["double-spherical-pendulum", "heavy-top", "chain-pendulum-on-cart"])
def test_check(name):
    said, found = told("check", name), hm.gallery[name].check()
    assert found.holds and found.false_claims == []
    assert found.momenta == {one["name"]: pytest.approx(one["initial"], rel=1e-14) for one in said["momenta"]}
    assert found.energy.total == said["energy"]["total"]
    assert [(one.name, one.holds) for one in found.equilibria] == [(one["name"], one["holds"]) for one in said["equilibria"]]
    assert [one.name for one in found.conserved] == [one["name"] for one in said["conserved"]]


def test_false_claims():
    text = hm.template("wrong") + '\n[conserved]\nspeed = "norm2(x\'[1])"\n\n[equilibria.up]\nq = [[0, 0, 1], [1, 0, 0]]\n'
    assert hm.parse(text).check().false_claims == ["speed", "up"]


def test_equations_as_c():
    assert hm.gallery["heavy-top"].model.c_source("pi") == hamel("equations", "heavy-top", "--form", "pi", "--c")


def test_equilibria():
    said, found = told("equilibria", "double-spherical-pendulum"), hm.gallery["double-spherical-pendulum"].equilibria()
    assert [(one.name, one.energy, one.verdict) for one in found] == [
        (one["name"], one["energy"], one["verdict"]) for one in said["equilibria"]
    ]


def test_steady_motions():
    said = told("equilibria", "kepler-restricted-two-body", "--momentum", "e3=1")["equilibria"]
    found = hm.gallery["kepler-restricted-two-body"].equilibria(momentum={"e3": 1})
    assert [(one.rate, one.verdict) for one in found] == [(one["rate"], one["verdict"]) for one in said]
    assert len(found) > 0
    said = told("equilibria", "spherical-pendulum", "--rate", "e3=4")["equilibria"]
    found = hm.gallery["spherical-pendulum"].equilibria(rate={"e3": 4})
    assert [one.verdict for one in found] == [one["verdict"] for one in said]
    # Hanging out by the angle with cos = g/(l rate^2).
    parameters = hm.gallery["spherical-pendulum"].model.parameter_values
    cosine = parameters["g"] / (parameters["l"] * 16)
    assert any(abs(abs(one.state["q"][2]) - cosine) < 1e-9 for one in found)


CART = """name = "cart"
[parameters]
M = 1.0
m = 0.3
l = 0.5
g = 9.81
[coordinates]
x = "R1"
q = "S1"
[points]
bob = "[x + l*q.y, 0, l*q.x]"
[energy]
kinetic = "M/2*x'^2 + m/2*norm2(bob')"
potential = "m*g*bob.z"
[inputs]
u = 1
[forces]
push = { on = "x", force = "u" }
[equilibria.inverted]
x = 0
q = [1, 0]
[outputs]
place = "x"
[start]
x = 0
q = [1, 0]
"""


@pytest.fixture(scope="module")
def cart(tmp_path_factory):
    path = tmp_path_factory.mktemp("cart") / "cart.toml"
    path.write_text(CART)
    return path


def test_control(cart):
    said = told("control", cart, "--at", "inverted", "--Q", "x=8", "--R", "u=2", "--noise", "x'=2", "--measured", "place=0.01")
    file = hm.load(cart)
    system = file.derive()
    linear = system.trim(file.equilibria()["inverted"].state)
    reach = hm.controllability(linear)
    assert (reach.reached, reach.margin) == (said["controllability"]["reached"], said["controllability"]["margin"])
    regulator = hm.lqr(linear, {"x": 8}, {"u": 2})
    assert regulator.gain.tolist() == said["regulator"]["gain"]
    measured = hm.measurements(linear, file.outputs)
    seen = hm.observability(linear, measured)
    assert (seen.reached, seen.stabilizable) == (said["observability"]["reached"], said["observability"]["detectable"])
    filter = hm.kalman(linear, measured, {"x'": 2}, {"place": 0.01})
    assert filter.gain.tolist() == said["filter"]["gain"] and all(z.real < 0 for z in filter.spectrum)
    sampled = told("control", cart, "--at", "inverted", "--sample", "0.02")["regulator"]
    assert hm.lqr(linear, sample=0.02).gain.tolist() == sampled["gain"]


def test_a_sampled_regulator_as_a_function(cart):
    """u = u0 - gain e, in Python, brings the cart home as the law in the model does."""
    file = hm.load(cart)
    system = file.derive()
    linear = system.trim(file.equilibria()["inverted"].state)
    regulator = hm.lqr(linear, sample=0.02)
    point, rate = regulator.gains["q"]
    start = system.state(x=0.1, q=[np.cos(0.1), np.sin(0.1)])

    def law(state):
        q, v = state["q"], state["q'"]
        angle, speed = np.arctan2(q[1], q[0]), q[0] * v[1] - q[1] * v[0]
        kx, kv = regulator.gains["x"]
        return -(kx[0, 0] * state["x"] + kv[0, 0] * state["x'"] + point[0, 0] * angle + rate[0, 0] * speed)

    run = system.integrate(start, "rk4", step=0.01, until=10, inputs=law, sample=0.02)
    assert abs(run["x"][-1]) < 1e-2 and run["q"][-1, 0] > 0.9999
    assert run.u.shape == (len(run), 1) and abs(run.u[1, 0]) > 0.1 and abs(run.u[-1, 0]) < 0.1


REGION = CART.replace("[start]", "[dissipation]\ndrag = \"x'^2/2 + omega(q)^2/20 + x^2*0\"\n[start]").replace(
    'potential = "m*g*bob.z"', 'potential = "m*g*bob.z + x^2/2"'
)


def test_region(tmp_path):
    path = tmp_path / "damped.toml"
    path.write_text(REGION.replace("[equilibria.inverted]\nx = 0\nq = [1, 0]", "[equilibria.hanging]\nx = 0\nq = [-1, 0]"))
    said = told("region", path, "--at", "hanging", "--along", "x=-1:1", "--along", "x'=-3:3", "--grid", "3")
    file = hm.load(path)
    system = file.derive()
    region = system.region(file.equilibria()["hanging"], {"x": (-1, 1), "x'": (-3, 3)}, grid=3)
    assert region.fates == [start["fate"] for start in said["starts"]]
    assert region.at.tolist() == [start["at"] for start in said["starts"]]
    assert region.count("home") == said["home"] == 9 and np.isfinite(region.times).all()
    assert region.svg("x").startswith("<svg") and "within a ball" in region.rule
    assert len(system.region(file.equilibria()["hanging"], {"x": (-1, 1)}, sample=2).fates) == 2


def test_reduce(tmp_path):
    said = told("reduce", "furuta-pendulum", "--coordinate", "q[1]")
    file = hm.gallery["furuta-pendulum"]
    reduced = file.reduce("q[1]")
    assert (reduced.text, reduced.momentum, reduced.coordinate) == (said["text"], said["momentum"], "q[1]")
    run = reduced.file.run(integrator="gauss8", step=0.01, until=1.0)
    whole = reduced.reconstruct(run)
    system = file.derive()
    other = system.integrate(whole.state(0), "gauss8", step=0.01, until=1.0)
    assert whole.q == pytest.approx(other.q, abs=1e-7)
    reduced.save(tmp_path / "reduced.toml")
    with pytest.raises(FileExistsError):
        reduced.save(tmp_path / "reduced.toml")


def test_compare():
    words = ("--integrators", "gauss4,rk45", "--steps", "0.1", "--tolerances", "1e-6", "--until", "1")
    said = told("compare", "double-spherical-pendulum", *words)
    found = hm.gallery["double-spherical-pendulum"].compare(["gauss4", "rk45"], steps=[0.1], tolerances=[1e-6], until=1)
    assert [(row.integrator, row.step, row.tolerance) for row in found.rows] == [
        (row["integrator"], row["step"], row["tolerance"]) for row in said
    ]
    for mine, its in zip(found.rows, said):
        assert mine.summary.steps == its["run"]["steps"]
        assert mine.summary.energy.max_error == its["run"]["energy"]["max_error"]
        assert [one.max_error for one in mine.summary.momenta] == [one["max_error"] for one in its["run"]["momenta"]]
    assert list(found.to_pandas()["integrator"]) == ["gauss4", "rk45"] and found.reference == ""


def test_compare_where_energy_is_not_conserved():
    model = hm.Model("damped")
    x = model.coordinate("x", hm.R1)
    model.kinetic(hm.rate(x) ** 2 / 2)
    model.potential(x**2 / 2)
    model.dissipation(hm.rate(x) ** 2 / 4)
    system = model.derive()
    found = system.compare(system.state(x=1), ["rk4", "rk2-heun" if "rk2-heun" in hm.method_names() else "rk2"], steps=[0.1, 0.05], until=2)
    errors = [row.state_error for row in found.rows]
    assert errors[0] / errors[1] == pytest.approx(16, rel=0.2) and errors[2] / errors[3] == pytest.approx(4, rel=0.2)
    assert "rk45" in found.reference and found.reference_error < 1e-10
