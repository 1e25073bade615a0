"""The examples of the pages about Python, one after another."""

import inspect
import pathlib
import re
import subprocess
import sys

import hamel as hm
import matplotlib
import matplotlib.pyplot
import pytest

matplotlib.use("Agg")

HERE = pathlib.Path(__file__).parents[2]


@pytest.mark.parametrize("page, least", [("README.md", 1), ("docs/python.md", 6), ("docs/python-howto.md", 10), ("docs/python-ensembles.md", 6)])
def test_examples_run(page, least, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    examples = re.findall(r"```python\n(.*?)```", (HERE / page).read_text(), re.S)
    assert len(examples) >= least
    for example in examples:
        exec(compile(example, page, "exec"), names)
    matplotlib.pyplot.close("all")
    assert len(names["run"]) > 1
    assert page != "docs/python.md" or names["many"].shape == (12, 1000)


def test_nothing_is_left_behind_when_python_ends():
    """An event knows its function, whose globals know the event."""
    script = "import hamel as hm\nevent = hm.Event('e', lambda state: 1.0)\nmodel = hm.Model('m')\nx = model.coordinate('x', hm.R1)\n"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ended.returncode == 0 and ended.stderr == ""


def words_of(name, value):
    """A docstring in one line, without the signature that nanobind puts before it."""
    paragraphs = (inspect.getdoc(value) or "").split("\n\n")
    return " ".join(" ".join(one for one in paragraphs if not one.startswith(f"{name}(")).split())


def test_reference_is_that_of_the_docstrings():
    """`make docs` and `make python` write it."""
    page = (HERE / "docs/python-reference.md").read_text()
    missing = []
    for name, value in vars(hm).items():
        if name.startswith("_") or inspect.ismodule(value) or isinstance(value, (hm.Space, hm.Gallery)):
            continue
        bases = [base for base in value.__mro__ if base.__module__.startswith("hamel")] if inspect.isclass(value) else []
        members = [one for base in bases for one in vars(base).items()]
        for label, one in [(name, value), *((key, one) for key, one in members if not key.startswith("_"))]:
            if f"{label}" not in page or words_of(label, one) not in page:
                missing.append(f"{name}.{label}")
    assert missing == []
