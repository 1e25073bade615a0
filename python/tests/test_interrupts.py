"""Ctrl-C ends what takes long: deriving, searching, sweeping, compiling."""

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
{prepare}
print("begins", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("interrupted", {after})
"""


def press_ctrl_c(work, prepare="", after="", seconds=0.5, **environment):
    """What a program says that is interrupted some seconds after `work` began; `after` shows that hamel goes on."""
    program = PROGRAM.format(prepare=prepare, work=work, after=after)
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True,
                             env={**os.environ, "HAMEL_NATIVE": "0", **environment})  # fmt: skip
    try:
        assert child.stdout.readline() == "begins\n"
        with pytest.raises(subprocess.TimeoutExpired):  # it is still at work
            child.wait(seconds)
        child.send_signal(signal.SIGINT)
        said, _ = child.communicate(timeout=60)
        assert child.returncode == 0
        return said.strip()
    finally:
        child.kill()


@pytest.mark.parametrize("work", LONG.values(), ids=LONG.keys())
def test_ctrl_c_ends_it(work):
    degrees = 'hm.gallery["spherical-pendulum"].derive().degrees_of_freedom'
    assert press_ctrl_c(work, after=degrees) == "interrupted 2"


def test_ctrl_c_ends_the_threads_of_a_sweep():
    prepare = 'file = hm.gallery["double-spherical-pendulum"]'
    work = 'file.sweep(hm.grid("g", 9, 10, 10**6), until=100).run(threads=2)'
    after = 'len(file.sweep(hm.grid("g", 9, 10, 3), until=0.1).run())'
    assert press_ctrl_c(work, prepare, after) == "interrupted 3"


def test_ctrl_c_ends_the_compiler(tmp_path):
    compiler = tmp_path / "slow-cc"
    compiler.write_text("#!/bin/sh\nexec sleep 100\n")
    compiler.chmod(0o700)
    prepare = """
import numpy as np
system = hm.gallery["double-spherical-pendulum"].derive()
field = system.field("omega")
y = np.tile(field.pack(system.state(q=[[0, 0, -1], [0, 0, -1]]))[:, None], 100_000)
"""
    said = press_ctrl_c("while True: field(0.0, y)", prepare, seconds=1.5, HAMEL_NATIVE="1", HAMEL_CC=str(compiler),
                        HAMEL_CACHE=str(tmp_path / "cache"))  # fmt: skip
    assert said == "interrupted"
