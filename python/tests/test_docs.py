"""The examples of docs/python.md, one after another."""

import inspect
import pathlib
import re
import subprocess
import sys

import hamel as hm

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


def words_of(name, value):
    """A docstring in one line, without the signature that nanobind puts before it."""
    paragraphs = (inspect.getdoc(value) or "").split("\n\n")
    return " ".join(" ".join(one for one in paragraphs if not one.startswith(f"{name}(")).split())


def test_reference_is_that_of_the_docstrings():
    """`make docs` and `make python` write it."""
    page = PAGE.with_name("python-reference.md").read_text()
    missing = []
    for name, value in vars(hm).items():
        if name.startswith("_") or inspect.ismodule(value) or isinstance(value, (hm.Space, hm.Gallery)):
            continue
        members = vars(value).items() if inspect.isclass(value) else ()
        for label, one in [(name, value), *((key, one) for key, one in members if not key.startswith("_"))]:
            if f"{label}" not in page or words_of(label, one) not in page:
                missing.append(f"{name}.{label}")
    assert missing == []
