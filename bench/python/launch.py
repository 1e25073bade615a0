"""What Python adds: `import hamel` beside `import numpy`, and a run beside that of the command. CPU time.

    scripts/bench-python.sh field
"""

import os
import resource
import subprocess
import sys
import tempfile


def cpu(*command):
    """The least of five CPU times of a process."""
    times = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


def main():
    python, numpy, hamel = (cpu(sys.executable, "-c", text) for text in ("pass", "import numpy", "import numpy, hamel"))
    print(f"import hamel takes {hamel - numpy:.3f} s of CPU beyond import numpy ({numpy - python:.3f} s); at most 0.1")
    if len(sys.argv) < 2:
        return
    # So long a run that the start of a process is nothing beside it.
    model, until = "double-spherical-pendulum", "20000"
    with tempfile.TemporaryDirectory() as folder:
        command = cpu(sys.argv[1], "run", model, "--until", until, "--every", "1", "--out", os.path.join(folder, "run.h5"), "--overwrite")
    script = f"import hamel as hm; hm.gallery['{model}'].run(until={until}, every=1.0)"
    print(f"a run of {model} until {until}: {cpu(sys.executable, '-c', script) - hamel:.2f} s from Python, {command:.2f} s by the command")


main()
