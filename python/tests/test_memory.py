"""Memory is given back: thousands of models and runs take no more than a few. Each is measured in a process of its own,
where nothing of other tests is collected meanwhile."""

import subprocess
import sys

import pytest

PROGRAM = """
import hamel as hm

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

def oscillator():
    model = hm.Model("oscillator")
    k = model.parameter("k", 1.0)
    x = model.coordinate("x", hm.R1)
    model.kinetic(hm.rate(x) ** 2 / 2)
    model.potential(k * x**2 / 2)
    return model.derive()

def integrate(system, start):
    return system.integrate(start, "rk4", step=0.1, until=0.2)

def derive_and_integrate(count):
    for _ in range(count):
        system = oscillator()
        integrate(system, system.state(x=1))

def change_and_integrate(count):
    system = oscillator()
    start = system.state(x=1)
    for k in range(count):
        integrate(system.with_(k=1 + 1e-5 * k), start)

{cycles}({count} // 10)
before = resident()
{cycles}({count})
print(resident() - before)
"""


@pytest.mark.parametrize("cycles, count", [("derive_and_integrate", 2_000), ("change_and_integrate", 100_000)])
def test_memory_is_flat(cycles, count):
    program = PROGRAM.replace("{cycles}", cycles).replace("{count}", str(count))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 2**20  # ten bytes of each of 100,000 runs; a tenth of what 2,000 systems need
