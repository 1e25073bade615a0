"""The notebooks of docs/notebooks: they run, what they assert holds, and their pages are theirs."""

import pathlib
import re

import nbclient
import nbformat
import pytest

BOOKS = pathlib.Path(__file__).parents[2] / "docs" / "notebooks"
NAMES = sorted(path.stem for path in BOOKS.glob("*.ipynb"))


def test_there_are_six():
    assert len(NAMES) == 6
    index = (BOOKS / "README.md").read_text()
    assert [name for name in NAMES if f"({name}.md)" not in index] == []


@pytest.mark.parametrize("name", NAMES)
def test_notebook_runs(name, tmp_path):
    book = nbformat.read(BOOKS / f"{name}.ipynb", 4)
    nbformat.validate(book)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code), "notebooks are kept without outputs"
    assert sum(cell.source.count("assert ") for cell in code) >= 3
    nbclient.NotebookClient(book, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in code for output in cell.outputs]
    assert sum("image/png" in output.get("data", {}) for output in outputs) >= 2
    assert any("<iframe" in output.get("data", {}).get("text/html", "") for output in outputs)
    said = [output.text for output in outputs if output.get("name") == "stderr" and not output.text.startswith("\r")]
    assert said == [], "a notebook warns of nothing; bars of progress come where the machine is slow"


@pytest.mark.parametrize("name", NAMES)
def test_page_is_that_of_the_notebook(name):
    book = nbformat.read(BOOKS / f"{name}.ipynb", 4)
    page = (BOOKS / f"{name}.md").read_text()
    blocks = re.findall(r"```python\n(.*?)\n```", page, re.S)
    assert blocks == [cell.source.rstrip() for cell in book.cells if cell.cell_type == "code"], "run `make notebooks`"
    pictures = re.findall(r"\]\(([^)]*\.webp)\)", page)
    assert len(pictures) >= 3 and all((BOOKS / picture).stat().st_size > 2_000 for picture in pictures)
    assert {path.name for path in BOOKS.glob(f"{name}-*.webp")} == set(pictures)
