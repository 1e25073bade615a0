"""The wheel of what was built, in an environment of its own that has NumPy and no compiler."""

import json
import os
import pathlib
import subprocess
import sys
import zipfile

import hamel as hm
import numpy as np
import pytest

REPOSITORY = pathlib.Path(__file__).parents[2]
BUILD = pathlib.Path(hm._hamel.__file__).parents[2]

USE = """
import json, sys
import hamel as hm
file = hm.gallery["heavy-top"]
run = file.run(until=1.0)
file.report("page.html", until=0.5)
print(json.dumps({"from": hm.__file__, "models": len(hm.gallery), "q": run.final.q.tolist()}))
"""


@pytest.fixture(scope="module")
def wheel():
    for tool in ("scikit_build_core", "wheel", "auditwheel"):
        pytest.importorskip(tool)
    python = os.path.relpath(sys.executable, REPOSITORY)  # as `make wheel` says it
    made = subprocess.run([REPOSITORY / "scripts" / "wheel.sh", BUILD, python], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return pathlib.Path(made.stdout.split()[-1])


@pytest.fixture(scope="module")
def clean(wheel, tmp_path_factory):
    """A virtual environment with the wheel, and NumPy from the one that runs the tests."""
    folder = tmp_path_factory.mktemp("clean")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    install = ["-m", "pip", "--disable-pip-version-check", "--python", python, "install", "-q", "--no-deps", "--no-index", wheel]
    subprocess.run([sys.executable, *install], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    for part in pathlib.Path(np.__file__).parents[1].glob("numpy*"):
        (site / part.name).symlink_to(part)
    return folder


def run(clean, *command):
    """Where nothing else is found: no compiler, no other packages."""
    environment = {"PATH": str(clean / "bin"), "HOME": str(clean)}
    done = subprocess.run(command, cwd=clean, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_wheel_has_what_it_should(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert wheel.name.startswith("hamel-") and "manylinux" in wheel.name
    for wanted in ("hamel/_hamel.pyi", "hamel/py.typed", "hamel/bin/hamel", "hamel/models/heavy-top.toml"):
        assert wanted in names
    assert any(name.startswith("hamel/licenses/") for name in names)
    assert not any("curl" in name or "crypto" in name for name in names)  # HDF5 is within, alone
    assert wheel.stat().st_size < 12 * 2**20


def test_wheel_runs_without_a_compiler(clean):
    found = json.loads(run(clean, clean / "bin" / "python", "-c", USE))
    assert found["from"].startswith(str(clean)) and found["models"] == len(hm.gallery)
    assert found["q"] == hm.gallery["heavy-top"].run(until=1.0).final.q.tolist()
    assert (clean / "page.html").stat().st_size > 10**5


def test_wheel_brings_the_command(clean):
    assert hm.__version__ in run(clean, clean / "bin" / "hamel", "--version")
    run(clean, clean / "bin" / "hamel", "run", "heavy-top", "--until", "0.5", "--out", "run.h5")
    assert (clean / "run.h5").read_bytes()[:4] == b"\x89HDF"
    assert os.access(clean / "bin" / "hamel", os.X_OK)
