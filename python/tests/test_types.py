"""What editors and type checkers see: stubs, annotations, docstrings."""

import inspect
import os
import pathlib
import re
import subprocess
import sys

import hamel as hm
import pytest

HERE = pathlib.Path(__file__).parent
BUILD = pathlib.Path(hm._hamel.__file__).parents[1]


def mypy(*arguments):
    pytest.importorskip("mypy")
    # What is kept for one set of options is of no use to another.
    kept = BUILD / ("mypy-strict" if "--strict" in arguments else "mypy")
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(kept), "--ignore-missing-imports", *arguments]
    checked = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(BUILD)})
    return checked.stdout + checked.stderr


def test_package_and_its_use_have_types():
    assert "Success" in mypy("-p", "hamel")
    assert "Success" in mypy("--strict", str(HERE / "typed_use.py"))


def test_examples_have_types_and_mistakes_are_seen(tmp_path):
    page = (HERE.parents[1] / "docs" / "python.md").read_text()
    examples, wrong = tmp_path / "examples.py", tmp_path / "wrong.py"
    examples.write_text("\n".join(re.findall(r"```python\n(.*?)```", page, re.S)))
    wrong.write_text("import hamel as hm\nhm.Model('m').parameters(a=1)[0].w\nhm.Model('m').derive().integrate(1, until=2)\n")
    found = re.findall(r"(\w+)\.py:\d+: error:", mypy(str(examples), str(wrong)))
    assert found == ["wrong", "wrong"]


def public(owner):
    """The public members of a module or a class, with what they are."""
    for name, value in vars(owner).items():
        if not name.startswith("_") and not inspect.ismodule(value):
            yield name, value


def test_every_public_name_has_a_docstring():
    missing, seen = [], 0
    for name, value in public(hm):
        if isinstance(value, (hm.Space, hm.Gallery)):
            continue
        seen += 1
        if not inspect.getdoc(value):
            missing.append(name)
        if inspect.isclass(value):
            missing += [f"{name}.{one}" for one, member in public(value) if not inspect.getdoc(member)]
    assert missing == [] and seen > 60
