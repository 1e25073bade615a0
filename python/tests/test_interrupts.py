"""Ctrl-C ends what takes long: deriving, searching, compiling."""

import os
import signal
import subprocess
import sys

import pytest

LONG = {
    "derive": 'hm.load(hm.gallery.path("chain-pendulum"), set={"n": 8_000}).derive()',
    "equilibria": 'hm.load(hm.gallery.path("molecules-on-sphere"), set={"n": 12}).derive().equilibria(starts=100_000)',
    "conserved": 'hm.load(hm.gallery.path("chain-pendulum"), set={"n": 2_000}).model.conserved()',
}
PROGRAM = """
import hamel as hm
print("begins", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("interrupted", hm.gallery["spherical-pendulum"].derive().degrees_of_freedom)
"""


@pytest.mark.parametrize("work", LONG.values(), ids=LONG.keys())
def test_ctrl_c_ends_it(work):
    child = subprocess.Popen([sys.executable, "-c", PROGRAM.format(work=work)], stdout=subprocess.PIPE, text=True,
                             env={**os.environ, "HAMEL_NATIVE": "0"})  # fmt: skip
    try:
        assert child.stdout.readline() == "begins\n"
        with pytest.raises(subprocess.TimeoutExpired):  # it is still at work
            child.wait(0.5)
        child.send_signal(signal.SIGINT)
        output, _ = child.communicate(timeout=60)
        assert output == "interrupted 2\n"  # and hamel goes on
        assert child.returncode == 0
    finally:
        child.kill()


def test_ctrl_c_ends_the_compiler(tmp_path):
    compiler = tmp_path / "slow-cc"
    compiler.write_text("#!/bin/sh\nexec sleep 100\n")
    compiler.chmod(0o700)
    work = """
import numpy as np
system = hm.gallery["double-spherical-pendulum"].derive()
field = system.field("omega")
y = np.tile(field.pack(system.state(q=[[0, 0, -1], [0, 0, -1]]))[:, None], 100_000)
print("begins", flush=True)
try:
    while True:
        field(0.0, y)
except KeyboardInterrupt:
    print("interrupted")
"""
    child = subprocess.Popen([sys.executable, "-c", "import hamel as hm" + work], stdout=subprocess.PIPE, text=True,
                             env={**os.environ, "HAMEL_NATIVE": "1", "HAMEL_CC": str(compiler),
                                  "HAMEL_CACHE": str(tmp_path / "cache")})  # fmt: skip
    try:
        assert child.stdout.readline() == "begins\n"
        with pytest.raises(subprocess.TimeoutExpired):
            child.wait(1.5)
        child.send_signal(signal.SIGINT)
        assert child.communicate(timeout=60)[0] == "interrupted\n"
    finally:
        child.kill()
