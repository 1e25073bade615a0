"""Copies and pickles: the same names, and after them the same bits."""

import copy
import pickle
import subprocess
import sys

import hamel as hm
import numpy as np
import pytest

from conftest import pendulum


def again(value):
    return pickle.loads(pickle.dumps(value))


def motion(system, start):
    return system.integrate(start, "gauss4", step=0.05, until=1)


@pytest.mark.parametrize("way", [again, copy.copy, copy.deepcopy])
def test_models_systems_states_and_runs(way, system, start):
    model = way(pendulum())
    assert model.coordinate_names == ["q[0]", "q[1]"] and model.name == "double spherical pendulum"
    wanted = motion(system, start)
    derived = model.derive()
    points, rates = {"q": start.q.reshape(2, 3)}, {"q": start.v.reshape(2, 3)}
    assert np.array_equal(motion(derived, derived.state(points, rate=rates)).q, wanted.q)
    other = way(system.with_(g=1.62))
    assert other.model.parameter_values["g"] == 1.62
    assert np.array_equal(motion(other, way(start)).q, motion(system.with_(g=1.62), start).q)
    state = way(start)
    assert state.t == start.t and np.array_equal(state["q[1]"], start["q[1]"]) and np.array_equal(state.v, start.v)
    run = way(wanted)
    assert np.array_equal(run.q, wanted.q) and np.array_equal(run["q'[1]"], wanted["q'[1]"])
    assert (run.method, run.steps, run.settings) == (wanted.method, wanted.steps, wanted.settings)
    assert np.array_equal(run.final.q, wanted.final.q) and len(run.occurrences) == 0
    assert np.array_equal(motion(run.system, run.start).q, wanted.q)


def test_copies_of_models_are_independent():
    model = pendulum()
    other = copy.deepcopy(model)
    q = model.coordinate_symbol(0)
    other.potential(q.z)  # formulas of a model are those of its copy
    assert len(other.energies()["potential"]) == 2 and len(model.energies()["potential"]) == 1
    with pytest.raises(ValueError, match="another"):
        again(model).potential(q.z)


@pytest.mark.parametrize("name", list(hm.gallery))
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_model_files(name):
    file = hm.load(hm.gallery.path(name), set={"n": 12} if name == "molecules-on-sphere" else {})
    same = again(file)
    assert (same.text, same.path, same.settings.step) == (file.text, file.path, file.settings.step)
    system, derived = file.derive(), same.derive()
    start = file.start(system)
    assert np.array_equal(start.q, same.start(derived).q)
    assert np.array_equal(system.field("velocity").pack(start), derived.field("velocity").pack(same.start(derived)))
    try:
        stored = again(system)
    except ValueError as refusal:
        assert "store the text of the model file" in str(refusal)
        return
    a = system.field("velocity")
    b = stored.field("velocity")
    assert np.array_equal(a(start.t, a.pack(start)), b(start.t, b.pack(start)))


def test_changed_model_files():
    file = hm.load(hm.gallery.path("heavy-top"), set={"g": 1.5}, start={"omega.R": [1, 2, 3]})
    same = again(file)
    assert same.model.parameter_values["g"] == 1.5
    assert np.array_equal(same.start(same.derive()).v, file.start(file.derive()).v)


def test_equilibria_and_regulators(system):
    one = system.equilibria()["inverted"]
    for same in (again(one), copy.copy(one), copy.deepcopy(one)):
        assert (same.name, same.verdict, same.reason, same.energy) == (one.name, one.verdict, one.reason, one.energy)
        assert same.eigenvalues == one.eigenvalues and np.array_equal(same.linear.K, one.linear.K)
        assert np.array_equal(same.state["q[1]"], one.state["q[1]"])
    assert np.array_equal(again(one.linear).first_order()[0], one.linear.first_order()[0])


def test_in_another_process(tmp_path, system, start):
    wanted = motion(system, start)
    (tmp_path / "run.pickle").write_bytes(pickle.dumps(wanted))
    script = (
        "import pickle, sys\nrun = pickle.load(open(sys.argv[1], 'rb'))\n"
        "same = run.system.integrate(run.start, 'gauss4', step=0.05, until=1)\n"
        "assert (same.q == run.q).all() and (same.v == run.v).all()\nprint(run.q[-1].tolist())\n"
    )
    said = subprocess.run([sys.executable, "-c", script, tmp_path / "run.pickle"], capture_output=True, text=True)
    assert said.stdout.strip() == str(wanted.q[-1].tolist()), said.stderr


def test_events_in_runs(system, start):
    event = hm.Event("level", lambda state: float(state["q[0]"][2]) + 0.7)
    run = system.integrate(start, "gauss4", step=0.05, until=2, events=[event])
    same = again(run)
    assert len(run.occurrences) > 0
    assert [(one.event, one.state.t) for one in same.occurrences] == [(one.event, one.state.t) for one in run.occurrences]


def test_records(tmp_path):
    record = hm.gallery["heavy-top"].record(tmp_path / "top.h5", until=0.1)
    assert np.array_equal(again(record).q, record.q)


BAD = {
    "formula": lambda: pickle.dumps(pendulum().coordinate_symbol(0)),
    "field": lambda: pickle.dumps(pendulum().derive().field()),
    "event": lambda: pickle.dumps(hm.Event("e", lambda state: 1.0)),
}


@pytest.mark.parametrize("name", BAD)
def test_what_has_no_pickle(name):
    with pytest.raises((TypeError, ValueError, AttributeError, pickle.PicklingError)):
        BAD[name]()


def test_damaged_pickles(system, start):
    for value in (pendulum(), system, start):
        for state in (b"", b"nonsense" * 20, (b"", 0), (b"x" * 100, 7)):
            fresh = type(value).__new__(type(value))
            with pytest.raises((TypeError, ValueError, RuntimeError)):
                fresh.__setstate__(state)
    good = pendulum().__getstate__()
    for k in range(0, len(good), 97):
        with pytest.raises(ValueError, match="damaged"):
            type(pendulum()).__new__(hm.Model).__setstate__(good[:k] + bytes([good[k] ^ 1]) + good[k + 1 :])
