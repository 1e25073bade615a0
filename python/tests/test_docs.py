"""The examples of docs/python.md, one after another."""

import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"


def test_examples_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    examples = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    assert len(examples) >= 5
    for example in examples:
        exec(compile(example, str(PAGE), "exec"), names)
    assert names["many"].shape == (12, 1000) and len(names["run"]) > 1


def test_nothing_is_left_behind_when_python_ends():
    """An event knows its function, whose globals know the event."""
    script = "import hamel as hm\nevent = hm.Event('e', lambda state: 1.0)\nmodel = hm.Model('m')\nx = model.coordinate('x', hm.R1)\n"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ended.returncode == 0 and ended.stderr == ""
