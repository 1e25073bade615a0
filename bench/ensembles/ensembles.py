"""Ten thousand members by hamel, heyoka, JAX and MuJoCo, each at the coarsest of its settings at which 95 of 100 members
keep the energy to 1e-6. CPU time of all threads together, code compiled before.

    scripts/bench-python.sh ensembles
    scripts/bench-python.sh ensembles "free body" "hamel, dop853" heyoka       some systems, some programs
"""

import json
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "python"))

from ours import ours  # noqa: E402
from peers import peers  # noqa: E402
from systems import SYSTEMS  # noqa: E402

MEMBERS = 10_000
ENERGY_ERROR = 1e-6
SLOW = 10  # seconds of CPU: what takes longer is measured once


def energy_error(system, starts, ends):
    if not np.isfinite(ends).all():
        return np.inf
    change = np.abs(system.energy(ends) - system.energy(starts)) / system.scale
    return float(np.quantile(change, 0.95))


def setting_of(system, one):
    """The coarsest that is good enough, by a tenth of the members."""
    starts = system.starts(MEMBERS)[: MEMBERS // 10]
    for setting in one.settings:
        error = energy_error(system, starts, one.run(starts, setting))
        if error <= ENERGY_ERROR:
            return setting, error
    raise SystemExit(f"{one.name} does not keep the energy of the {system.name} to {ENERGY_ERROR}")


def compare(system, wanted):
    programs = [one for one in [*ours(system), *peers(system)] if not wanted or one.name.startswith(tuple(wanted))]
    starts, rows = system.starts(MEMBERS), {}
    for one in programs:
        setting, error = setting_of(system, one)
        rows[one.name] = {"setting": setting, "energy error": error, "us": np.inf}
    for turn in range(3):  # they take turns: who shares the machine disturbs all of them alike
        for one in programs:
            row = rows[one.name]
            if turn > 0 and row["us"] * MEMBERS > SLOW * 1e6:
                continue
            begin = time.process_time()
            one.run(starts, row["setting"])
            row["us"] = min(row["us"], (time.process_time() - begin) / MEMBERS * 1e6)
    return rows


def main():
    systems, everything = [system for system in SYSTEMS if system.name in sys.argv[2:]], {}
    wanted = [word for word in sys.argv[2:] if word not in [system.name for system in systems]]
    for system in systems or SYSTEMS:
        rows = everything[system.name] = compare(system, wanted)
        best = min([row["us"] for name, row in rows.items() if name.startswith("hamel")] or [row["us"] for row in rows.values()])
        print(f"{system.name}, {MEMBERS} members, {system.duration:g} s each, energy error at most {ENERGY_ERROR:g}")
        for name, row in rows.items():
            print(f"  {name:24} at {row['setting']:<8.3g} error {row['energy error']:.0e}  {row['us']:9.1f} us of CPU a member  {row['us'] / best:7.1f}")
        print(flush=True)
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(json.dumps(everything, indent=1))


main()
