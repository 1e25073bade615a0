"""Records: written from Python and by the command, to the bit."""

import os
import signal
import subprocess
import threading

import hamel as hm
import numpy as np
import pytest

COMMAND = os.environ.get("HAMEL_COMMAND", "hamel")
NAME = "double-spherical-pendulum"


def test_record_is_that_of_the_command(tmp_path):
    subprocess.run(
        [COMMAND, "run", NAME, "--until", "1", "--out", tmp_path / "its.h5", "--quiet"],
        env={**os.environ, "HAMEL_NATIVE": "0"}, check=True,
    )  # fmt: skip
    mine, its = hm.gallery[NAME].record(tmp_path / "mine.h5", until=1), hm.Record(tmp_path / "its.h5")
    assert np.array_equal(mine.q, its.q) and np.array_equal(mine.v, its.v) and np.array_equal(mine.t, its.t)
    run = hm.gallery[NAME].run(until=1)
    assert np.array_equal(run.q, its.q) and np.array_equal(run["q"], its["q"])
    for name, values in its.outputs.items():
        assert np.array_equal(mine.outputs[name], values)
    assert its.finished and its.damage == "" and mine.method == its.method == run.method and its.steps == run.steps
    assert its.final.t == 1 and np.array_equal(its.final.q, run.final.q)


def test_what_a_record_has(tmp_path):
    file = hm.gallery[NAME]
    record = file.record(tmp_path / "run.h5", until=1, every=0.1)
    assert len(record) == 11 and record.header["model"] == file.name and record.header["until"] == 1
    assert record.header["integrator"] == file.settings.integrator and record.header["model_text"] == file.text
    system = file.derive()
    energy = system.energy(record.state(3))
    assert record.energy.total[3] == pytest.approx(energy.total, rel=1e-14)
    for momentum in file.model.conserved().momenta:
        assert record.momenta[momentum.name][5] == pytest.approx(momentum.value(system, record.state(5)), rel=1e-12)
    assert record.errors["manifold"].max() < 1e-12
    assert record.summary.energy.kept in ("bounded", "kept to rounding", "drifting")
    for name, formula in file.outputs.items():
        assert record.value(record.file.outputs[name]) == pytest.approx(record.outputs[name], abs=1e-14)
    table = record.to_pandas()
    assert len(table) == 11 and "total" in table.columns and "q[1].x" in table.columns
    thin = hm.Record(tmp_path / "run.h5", every=4)
    assert thin.t == pytest.approx([0, 0.4, 0.8, 1.0]) and len(hm.Record(tmp_path / "run.h5", at_most=3)) <= 3


def test_csv_and_report(tmp_path):
    record = hm.gallery[NAME].record(tmp_path / "run.h5", until=0.2)
    record.to_csv(tmp_path / "run.csv")
    said = subprocess.run([COMMAND, "convert", tmp_path / "run.h5", "--csv", "-"], capture_output=True, text=True, check=True)
    assert (tmp_path / "run.csv").read_text() == said.stdout
    record.report(tmp_path / "run.html")
    assert "<html" in (tmp_path / "run.html").read_text()[:300].lower()
    for again in (lambda: record.to_csv(tmp_path / "run.csv"), lambda: record.report(tmp_path / "run.html")):
        with pytest.raises(Exception, match="exists"):
            again()


def test_resume_goes_on_to_the_same_bits(tmp_path):
    file = hm.gallery[NAME]
    whole = file.record(tmp_path / "whole.h5", until=2)
    part = file.record(tmp_path / "part.h5", until=1)
    assert part.finished
    longer = file.record(tmp_path / "part.h5", until=2, resume=True)
    assert np.array_equal(longer.q, whole.q) and np.array_equal(longer.v, whole.v)


def test_interrupted_record_can_be_resumed(tmp_path):
    file = hm.gallery["spherical-pendulum"]
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        file.record(tmp_path / "run.h5", integrator="rk4", step=1e-5, until=1000, every=0.01)
    timer.join()
    record = hm.Record(tmp_path / "run.h5")
    assert not record.finished and 0 < record.t[-1] < 1000


def test_a_run_of_a_model_in_python(tmp_path, system, start):
    run = system.integrate(start, "gauss4", step=0.01, until=1, every=0.1)
    record = run.record(tmp_path / "run.h5")
    assert record["q"] == pytest.approx(run["q"], abs=1e-12) and record["q[1]"] == pytest.approx(run["q[0]"], abs=1e-12)
    assert record.settings == run.settings
    with pytest.raises(Exception, match="exists"):
        run.record(tmp_path / "run.h5")


BAD = {
    "no file": (lambda path: hm.Record(path / "none.h5"), (RuntimeError, OSError), "none.h5"),
    "no record": (lambda path: hm.Record(__file__), RuntimeError, ""),
    "every 0": (lambda path: hm.Record(_small(path), every=0), ValueError, "at least 1"),
    "every negative": (lambda path: hm.Record(_small(path), every=-1), TypeError, ""),
    "unknown name": (lambda path: hm.Record(_small(path))["p"], KeyError, "no coordinate p"),
    "unknown setting": (lambda path: hm.gallery[NAME].record(path / "a.h5", steps=1), TypeError, "no setting steps"),
    "exists": (lambda path: hm.gallery[NAME].record(_small(path), until=0.1), Exception, "exists"),
    "resume nothing": (lambda path: hm.gallery[NAME].record(path / "b.h5", until=0.1, resume=True), Exception, "b.h5"),
    "resume another": (lambda path: hm.gallery["heavy-top"].record(_small(path), until=0.1, resume=True), Exception, ""),
    "no folder": (lambda path: hm.gallery[NAME].record(path / "no" / "c.h5", until=0.1), Exception, "c.h5"),
    "damaged": (lambda path: hm.Record(_damaged(path)).damage or 1 / 0, Exception, ""),
}  # fmt: skip


def _small(path):
    if not (path / "small.h5").exists():
        hm.gallery[NAME].record(path / "small.h5", until=0.05)
    return path / "small.h5"


def _damaged(path):
    numbers = bytearray(_small(path).read_bytes())
    (path / "half.h5").write_bytes(numbers[: len(numbers) // 3])
    return path / "half.h5"


@pytest.mark.parametrize("name", BAD)
def test_bad_records(name, tmp_path):
    mistake, error, words = BAD[name]
    with pytest.raises(error) as refusal:
        mistake(tmp_path)
    assert words in str(refusal.value)
