"""Many members of one system: what varies, what is kept, the same bits as single runs and as `hamel sweep`."""

import csv
import pickle
import subprocess
import sys

import dask
import hamel as hm
import numpy as np
import pytest
from test_command import hamel

GRID = hm.grid("l", 0.5, 2, 5) * hm.grid("start.q'.y", -1, 1, 3)


def spherical():
    model = hm.Model("pendulum")
    m, l, g = model.parameters(m=[1.0, 0.5], l=0.9, g=9.81)
    q = model.coordinate("q", hm.S2)
    x = l * q
    model.kinetic(hm.norm2(hm.rate(x)) * (m[0] + m[1]) / 2)
    model.potential((m[0] + m[1]) * g * x.z)
    return model, x


@pytest.fixture(scope="module")
def swing():
    model, x = spherical()
    system = model.derive()
    return system, system.state(q=[0.6, 0, -0.8]), x


def test_members_are_single_runs(swing):
    system, start, x = swing
    for method, settings in (("variational", {"step": 0.01}), ("rk4", {"step": 0.01}), ("rk45", {"tolerance": 1e-8}), ("gauss8", {"step": 0.05})):
        table = system.ensemble(start, method, vary=GRID, until=1, **settings).run(threads=2)
        assert len(table) == 15 and table.failures == [] and not table.failed.any()
        for k in (0, 7, 14):
            begin = system.state(q=[0.6, 0, -0.8], rate={"q": [0, table["start.q'.y"][k], 0]})
            alone = system.with_(l=table["l"][k]).integrate(begin, method, until=1, **settings).final
            assert np.array_equal(table["q"][k], alone.q) and np.array_equal(table["q'"][k], alone.v)
    assert np.array_equal(table.on_grid("l")[:, 0], np.linspace(0.5, 2, 5)) and table.on_grid("q").shape == (5, 3, 3)


def test_bits_do_not_depend_on_threads_and_parts(swing):
    system, start, x = swing
    many = system.ensemble(start, "rk4", vary=hm.grid("l", 0.5, 2, 150), keep=["final", "energy"], step=0.02, until=0.4)
    whole = many.run(threads=1)
    for other in (many.run(threads=3), hm.joined(list(many.chunks(40))), hm.joined([part() for part in many.parts(70)])):
        assert np.array_equal(other.kept, whole.kept) and np.array_equal(other.varied, whole.varied)
    assert [len(one) for one in many.chunks(40, first=100)] == [40, 10]
    assert np.array_equal(many.run(20, 30).kept, whole.kept[20:30])


@pytest.mark.parametrize("words, given", [
    (("--vary", "m=0.5:2:4", "--vary", "start.q=-1:1:3", "--keep", "final", "--keep", "energy"),
     dict(vary=["m=0.5:2:4", "start.q=-1:1:3"], keep=["final", "energy"])),
    (("--sample", "l ~ normal(1, 0.01)", "--members", "7", "--sampling", "sobol", "--seed", "3", "--keep", "max(tension)", "--event", "low=q.x"),
     dict(sample="l ~ normal(1, 0.01)", members=7, sampling="sobol", seed=3, keep="max(tension)", event="low=q.x")),
])  # fmt: skip
def test_sweeps_of_model_files_are_those_of_the_command(words, given, tmp_path):
    hamel("sweep", "planar-pendulum", *words, "--until", "2", "--csv", tmp_path / "table.csv", "--out", tmp_path / "sweep.h5", "--quiet")
    header, *rows = csv.reader((tmp_path / "table.csv").open())
    table = hm.gallery["planar-pendulum"].sweep(until=2, **given).run()
    mine = table.to_pandas()
    assert header[1:-1] == list(mine.columns)[:-1]
    assert np.array_equal(np.array(rows, dtype=float)[:, 1:-1], mine.to_numpy()[:, :-1].astype(float))
    file = hm.SweepFile(tmp_path / "sweep.h5")
    assert file.finished and file.damage == "" and len(file) == len(table) and "integrator" in file.settings
    assert np.array_equal(file.read().kept, table.kept) and np.array_equal(file.read().varied, table.varied)
    assert np.array_equal(hm.joined(list(file.chunks(5)))[header[1]], table[header[1]])


def test_arrays_of_starts_and_parameters(swing):
    system, start, x = swing
    angle = np.linspace(0, 1, 9)
    q = np.stack([np.sin(angle), 0 * angle, -np.cos(angle)], axis=1)
    v = np.stack([0 * angle, 1 + angle, 0 * angle], axis=1)
    m = np.stack([1 + angle, 2 - angle], axis=1)
    for one in ({"start.q": q, "start.q'": v, "m": m}, {"start.q": np.asfortranarray(q)[:, :], "start.q'": v.tolist(), "m": m.astype(np.float32).astype(float)}):
        table = system.ensemble(start, "rk4", vary=one, step=0.01, until=0.5).run()
        assert table["m"].shape == (9, 2) and np.array_equal(table["start.q"], q)
    for k in (0, 8):
        alone = system.with_(m=m[k]).integrate(system.state(q=q[k], rate={"q": v[k]}), "rk4", step=0.01, until=0.5).final
        assert np.array_equal(table["q"][k], alone.q)


def test_families_and_matrices(system, start):
    """Starts shaped as run["q"] is: (n, 2, 3); and attitudes (n, 3, 3)."""
    run = system.integrate(start, "rkmk4", step=0.1, until=0.4)
    table = system.ensemble(start, "rkmk4", vary={"start.q": run["q"], "start.q'": run["q'"]}, step=0.1, until=0.1).run()
    assert table["q"].shape == (5, 2, 3) and table["q"][:-1] == pytest.approx(run["q"][1:], abs=1e-14)
    assert np.array_equal(table["start.q[1]"], run["q"][:, 1])
    top = hm.gallery["heavy-top"]
    own = top.derive()
    spun = own.integrate(top.start(own), "rkmk4", step=0.01, until=0.03)
    table = own.ensemble(top.start(own), "rkmk4", vary={"start.R": spun["R"], "start.R'": spun["R'"]}, step=0.01, until=0.01).run()
    assert table["R"].shape == (4, 3, 3) and table["R"][:-1] == pytest.approx(spun["R"][1:], abs=1e-15)
    same = top.sweep({"start.R": spun["R"]}, until=0.01, integrator="rkmk4", step=0.01).run()
    assert np.array_equal(same["start.R"].reshape(4, 3, 3).swapaxes(1, 2), spun["R"])


def test_what_is_kept(swing):
    """x.z of a small swing is -l cos(a): its extremes, mean and series; the event is its first zero of x.x."""
    system, start, x = swing
    keep = ["final", "energy", "momenta", hm.Keep("x", x, "max"), hm.Keep("x", x, "min"), hm.Keep("h", x.z, "series"), hm.Keep("h", x.z)]
    across = hm.Event("across", x.x, direction="falling")
    table = system.ensemble(start, "rk4", vary={"l": [0.4, 0.9]}, keep=keep, events=[across], step=0.01, every=0.1, until=2).run()
    for k, l in enumerate((0.4, 0.9)):
        run = system.with_(l=l).integrate(start, "rk4", step=0.01, every=0.1, until=2, events=[across])
        heights = run.value(x.z)
        assert np.array_equal(table["h series"][k], heights) and table["h end"][k] == heights[-1]
        assert np.array_equal(table["x max"][k], run.value(x).max(axis=0)) and np.array_equal(table["x min"][k], run.value(x).min(axis=0))
        assert table["across time"][k] == run.occurrences[0].state.t and table["across count"][k] == len(run.occurrences)
        assert table["energy drift"][k] == pytest.approx(abs(run.energy.total - run.energy.total[0]).max(), rel=1e-9)
    never = system.ensemble(start, "rk4", vary={"l": [0.9]}, events=[hm.Event("never", x.z - 10, terminal=True)], step=0.01, until=0.1).run()
    assert never["never time"][0] == np.inf and never["never count"][0] == 0


def test_samples_and_zips():
    drawn = hm.samples({"l": hm.normal(1, 0.01), "m": hm.uniform(1, 2), "g": hm.lognormal(0, 0.1)}, 4096, sampling="latin", seed=7)
    l, m, g = drawn.rows().T
    assert l.mean() == pytest.approx(1, abs=1e-5) and l.std() == pytest.approx(0.01, rel=1e-2)
    assert 1 <= m.min() < 1.001 and 1.999 < m.max() <= 2 and np.log(g).std() == pytest.approx(0.1, rel=1e-2)
    near = hm.samples({"start.q": hm.cap([0, 0, 1], 0.2)}, 1000).rows()
    assert np.linalg.norm(near, axis=1) == pytest.approx(1) and near[:, 2].min() >= np.cos(0.2) - 1e-12
    side = hm.zip(hm.grid("a", 0, 1, 3), hm.grid("b", 1, 0, 3), hm.listed({"c": [7, 8, 9]}))
    assert side.rows().tolist() == [[0, 1, 7], [0.5, 0.5, 8], [1, 0, 9]] and side.names == ["a", "b", "c"]
    assert (side * hm.grid("d", 0, 1, 2)).members == 6 and np.array_equal(drawn.rows(5, 9), drawn.rows()[5:9])
    assert "3 members" in repr(side) and repr(hm.normal(1, 0.01)) == "normal(1, 0.01)"


def test_failures_come_with_their_parameters(swing):
    system, start, x = swing
    table = system.ensemble(start, vary=hm.grid("m[0]", -1, 1, 5), step=0.01, until=0.1).run()
    assert [one.member for one in table.failures] == [0, 1] and table.failed.tolist() == [True, True, False, False, False]
    assert table.failures[0].values == {"m[0]": -1.0} and "step" in table.failures[0].why
    assert np.isfinite(table.kept).all() and list(table.to_pandas()["failed"]) == table.failed.tolist()


def test_points_off_the_sphere_fail_one_by_one(swing):
    system, start, x = swing
    table = plain(system, start, vary={"start.q": [[1, 1, 1], [0, 0, 1], [np.nextafter(1, 2), 0, 0]]}).run()
    assert [one.member for one in table.failures] == [0] and "S2" in table.failures[0].why


def test_pickles_and_processes(swing):
    system, start, x = swing
    many = system.ensemble(start, "rk4", vary=hm.zip(GRID, hm.samples({"g": hm.normal(9.8, 0.1)}, 15)), step=0.02, until=0.2)
    table = pickle.loads(pickle.dumps(many)).run()
    assert np.array_equal(table.kept, many.run().kept)
    assert np.array_equal(pickle.loads(pickle.dumps(table))["q"], table["q"])
    kept = system.ensemble(start, keep=hm.Keep("height", x.z), step=0.1, until=1)
    with pytest.raises(TypeError, match="one of a model file does"):
        pickle.dumps(kept)


def test_nothing_is_left_of_pickles():
    program = """
import pickle
import subprocess
import sys
import hamel as hm
file = hm.gallery["planar-pendulum"]
system = file.derive()
many = system.ensemble(file.start(system), "rk4", vary=hm.grid("g", 9, 10, 3), step=0.1, until=0.2)
print(len(pickle.loads(pickle.dumps(many)).run()))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("3\n", "")


@pytest.mark.parametrize("scheduler", ["threads", "processes"])
def test_dask_hands_out_parts(scheduler):
    many = hm.gallery["planar-pendulum"].sweep(hm.grid("m", 0.5, 2, 90), keep=["max(tension)", "energy"], until=1)
    table = hm.joined(dask.compute(*(dask.delayed(part)() for part in many.parts(30)), scheduler=scheduler, num_workers=2))
    assert np.array_equal(table.kept, many.run().kept)


def test_progress(swing, monkeypatch):
    import hamel._progress as progress

    told = []

    class Bar:
        n = 0.0

        def __init__(self, **_): ...
        def __enter__(self):
            return self

        def __exit__(self, *_): ...
        def update(self, more):
            Bar.n += more
            told.append(Bar.n)

    monkeypatch.setattr(progress, "_tqdm", lambda: Bar)
    system, start, x = swing
    system.ensemble(start, "rk45", vary=hm.grid("l", 1, 2, 600), until=2, tolerance=1e-10).run(progress=True)
    assert told[0] > 0 and told == sorted(told) and told[-1] == pytest.approx(100)


SETTINGS = {"rk4": {"step": 0.01}, "variational": {"step": 0.01}, "gauss8": {"step": 0.01}, "dop853": {"tolerance": 1e-8}, "rkmk4": {"step": 0.01}}


def first_that_varies(system, numbers):
    """A parameter and ten values of it; None where no number can change so."""
    for name, value in numbers.items():
        values = np.ravel(value)[0] * (1 + 1e-3 * np.arange(-4, 6))
        if np.size(value) == 1 and value != 0:
            try:
                system.with_({name: values[0]}), system.with_({name: values[-1]})
            except ValueError:
                continue
            return name, values
    return None


@pytest.mark.parametrize("name", [name for name in hm.gallery if name != "molecules-on-sphere"])
@pytest.mark.filterwarnings("ignore:the rate of")
def test_members_of_every_model_are_runs_to_the_bit(name):
    file = hm.gallery[name]
    system = file.derive()
    start, found = file.start(system), first_that_varies(system, file.model.parameter_values)
    vary = {found[0]: found[1]} if found else hm.grid("start.t", start.t, start.t, 10)
    for method, settings in SETTINGS.items():
        settings = {**settings, "until": start.t + 0.2}
        try:
            table = system.ensemble(start, method, vary=vary, keep="final", **settings).run()
        except ValueError:
            with pytest.raises(ValueError):
                system.integrate(start, method, **settings)
            continue
        for k in (0, 4, 9):  # that with the parameters of the model is number 4
            member = system.with_({found[0]: found[1][k]}) if found else system
            if table.failed[k]:
                with pytest.raises((ValueError, RuntimeError)):
                    member.integrate(start, method, **settings)
            else:
                end = member.integrate(start, method, **settings).final
                assert np.array_equal(table.kept[k], [end.t, *end.q, *end.v]), (method, k)


def plain(system, start, **changes):
    return system.ensemble(start, **{"method": "rk4", "step": 0.1, "until": 1.0, **changes})


BAD = {
    "no such parameter": (lambda s, x, z: plain(s, x, vary=hm.grid("k", 0, 1, 2)), ValueError, "has no parameter k"),
    "no such start": (lambda s, x, z: plain(s, x, vary=hm.grid("start.p", 0, 1, 2)), ValueError, "start.p is nothing of the start; did you mean start.q?"),
    "off the manifold": (lambda s, x, z: plain(s, x, vary=hm.grid("start.q.x", 0, 1, 2)), ValueError, "would leave it"),
    "too few numbers": (lambda s, x, z: plain(s, x, vary={"start.q": np.ones((3, 2))}), ValueError, "is one number; this gives 2"),
    "too many numbers": (lambda s, x, z: plain(s, x, vary={"m": np.ones((3, 3))}), ValueError, "the parameter m has 2 numbers, and 3 are given"),
    "different lengths": (lambda s, x, z: plain(s, x, vary={"l": [1, 2], "g": [1, 2, 3]}), ValueError, "a row for each member"),
    "nothing in it": (lambda s, x, z: plain(s, x, vary={"l": []}), ValueError, "a list without rows has no members"),
    "an interval backwards": (lambda s, x, z: plain(s, x, vary=hm.grid("l", 1, 2, 2), every=-1.0), ValueError, "output interval of members"),
    "an interval that is none": (lambda s, x, z: plain(s, x, vary=hm.grid("l", 1, 2, 2), every=np.nan), ValueError, "output interval of members"),
    "an empty dictionary": (lambda s, x, z: plain(s, x, vary={}), ValueError, "nothing is given"),
    "not finite": (lambda s, x, z: plain(s, x, vary={"l": [1, np.nan]}), ValueError, "not finite"),
    "texts": (lambda s, x, z: plain(s, x, vary={"l": ["long"]}), TypeError, "array of numbers"),
    "complex": (lambda s, x, z: plain(s, x, vary={"l": [1j]}), TypeError, "array of numbers"),
    "a number": (lambda s, x, z: plain(s, x, vary={"l": 1.0}), ValueError, "must have a row for each member"),
    "four dimensions": (lambda s, x, z: plain(s, x, vary={"l": np.ones((2, 1, 1, 1))}), ValueError, "must have a row for each member"),
    "a list": (lambda s, x, z: plain(s, x, vary=[1, 2]), TypeError, "made by hm.grid"),
    "an empty grid": (lambda s, x, z: hm.grid("l", 0, 1, 0), ValueError, "at least one value"),
    "an infinite grid": (lambda s, x, z: hm.grid("l", 0, np.inf, 3), ValueError, "finite"),
    "a negative count": (lambda s, x, z: hm.grid("l", 0, 1, -3), TypeError, "incompatible"),
    "varies twice": (lambda s, x, z: hm.grid("l", 0, 1, 2) * hm.grid("l", 0, 1, 2), ValueError, "varies twice"),
    "a zip of different lengths": (lambda s, x, z: hm.zip(hm.grid("l", 0, 1, 2), hm.grid("g", 0, 1, 3)), ValueError, "needs as many members"),
    "a zip of something else": (lambda s, x, z: hm.zip([1], [2]), TypeError, "made by hm.grid"),
    "a product with a number": (lambda s, x, z: hm.grid("l", 0, 1, 2) * 2, TypeError, "unsupported"),
    "no such sampling": (lambda s, x, z: hm.samples({"l": hm.normal(1, 1)}, 5, sampling="sobel"), ValueError, "sobol"),
    "no distribution": (lambda s, x, z: hm.samples({"l": 3.0}, 5), TypeError, "needs a distribution"),
    "a negative deviation": (lambda s, x, z: hm.normal(0, -1), ValueError, "deviation"),
    "a cap off the sphere": (lambda s, x, z: hm.cap([1, 1, 1], 0.1), ValueError, "S2"),
    "a cap nowhere": (lambda s, x, z: hm.cap([1, 0, 0, 0], 0.1), ValueError, "S1, S2 or SO3"),
    "a wide cap": (lambda s, x, z: hm.cap([0, 0, 1], 9), ValueError, "angle"),
    "nothing of this to keep": (lambda s, x, z: plain(s, x, keep=["last"]), ValueError, "there are final, energy and momenta"),
    "a formula to keep": (lambda s, x, z: plain(s, x, keep=[z]), TypeError, "hm.Keep(name, formula)"),
    "no such statistic": (lambda s, x, z: plain(s, x, keep=[hm.Keep("h", z, "median")]), ValueError, "there is no statistic median"),
    "a formula of another model": (lambda s, x, z: plain(s, x, keep=[hm.Keep("h", hm.Model("o").parameter("a", 1.0))]), ValueError, "another"),
    "kept twice": (lambda s, x, z: plain(s, x, keep=[hm.Keep("h", z), hm.Keep("h", z)]), ValueError, "kept twice"),
    "a series of unknown length": (lambda s, x, z: plain(s, x, method="rk45", step=0, tolerance=1e-6, keep=[hm.Keep("h", z, "series")]), ValueError, "known number of outputs"),
    "a function as an event": (lambda s, x, z: plain(s, x, events=[hm.Event("e", lambda state: 1.0)]), TypeError, "must be a formula"),
    "a vector as an event": (lambda s, x, z: plain(s, x, events=[hm.Event("e", s.model.coordinate_symbol(0))]), ValueError, "a formula that is a number"),
    "no such method": (lambda s, x, z: plain(s, x, method="rk5"), ValueError, "rk"),
    "no step": (lambda s, x, z: plain(s, x, step=0.0), ValueError, "step"),
    "backwards": (lambda s, x, z: plain(s, x, until=-1), ValueError, "should end at t = -1"),
    "no end": (lambda s, x, z: plain(s, x, until=np.nan), ValueError, "should end"),
    "a start of another system": (lambda s, x, z: plain(s, hm.gallery["heavy-top"].derive().state(R=np.eye(3))), ValueError, "another system"),
    "a start that is no state": (lambda s, x, z: plain(s, [1, 2]), TypeError, "a start is a state"),
    "members that are not there": (lambda s, x, z: plain(s, x, vary=GRID).run(3, 99), ValueError, "there are members 0 to 15"),
    "chunks of nothing": (lambda s, x, z: list(plain(s, x, vary=GRID).chunks(0)), ValueError, "at least one member"),
    "more than memory has": (lambda s, x, z: plain(s, x, vary=hm.grid("l", 1, 2, 10**12)).run(), MemoryError, "chunks"),
    "a name that is not there": (lambda s, x, z: plain(s, x, vary=GRID).run()["p"], KeyError, "has no coordinate p"),
    "no grid": (lambda s, x, z: plain(s, x, vary={"l": [1, 2]}).run().on_grid("l"), ValueError, "not all those of a grid"),
    "parts in another order": (lambda s, x, z: hm.joined([plain(s, x, vary=GRID).run(5, 9), plain(s, x, vary=GRID).run(0, 5)]), ValueError, "another order"),
    "parts of different ensembles": (lambda s, x, z: hm.joined([plain(s, x, vary=GRID).run(0, 5), plain(s, x, vary=hm.grid("g", 0, 1, 9)).run(5, 9)]), ValueError, "different ensembles"),
    "no parts": (lambda s, x, z: hm.joined([]), ValueError, "nothing"),
    "a sweep of a number": (lambda s, x, z: hm.gallery["planar-pendulum"].sweep(keep=[3]), TypeError, "a text as behind --keep"),
    "a sweep that is misspelt": (lambda s, x, z: hm.gallery["planar-pendulum"].sweep("m=1:2"), ValueError, "m=1:2"),
    "a setting that is not there": (lambda s, x, z: hm.gallery["planar-pendulum"].sweep("m=1:2:3", steps=3), TypeError, "no setting steps"),
    "samples of no number": (lambda s, x, z: hm.gallery["planar-pendulum"].sweep(sample="l ~ normal(1, 0.1)"), ValueError, "how many samples"),
    "a file that is not there": (lambda s, x, z: hm.SweepFile("nothing.h5"), RuntimeError, "nothing.h5"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_ensembles(name, swing):
    mistake, error, words = BAD[name]
    system, start, x = swing
    with pytest.raises(error) as refusal:
        mistake(system, start, x.z)
    assert words in str(refusal.value)
