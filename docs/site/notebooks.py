"""Writes docs/notebooks/*.md: what the notebooks there say, do and show.   python docs/site/notebooks.py [name ...]

Notebooks are kept without outputs, so that they are small and their changes can be read; these pages have the pictures.
"""

from __future__ import annotations

import base64
import io
import pathlib
import subprocess
import sys
import tempfile

import nbclient
import nbformat
from PIL import Image

SITE = pathlib.Path(__file__).parent
BOOKS = SITE.parent / "notebooks"


def executed(path):
    book = nbformat.read(path, 4)
    nbclient.NotebookClient(book, timeout=120, resources={"metadata": {"path": str(BOOKS)}}).execute()
    return book


class Page:
    """The text of a page, and its pictures beside it."""

    def __init__(self, name):
        self.name, self.parts, self.pictures = name, [], 0

    def say(self, text):
        self.parts.append(text.strip("\n"))

    def fence(self, language, text):
        self.say(f"```{language}\n{text.rstrip()}\n```")

    def picture(self, png, alt, **options):
        self.pictures += 1
        name = f"{self.name}-{self.pictures}.webp"
        Image.open(io.BytesIO(png)).convert("RGB").save(BOOKS / name, method=6, **options)
        self.say(f"![{alt}]({name})")


def still(frame):
    """A picture of the viewer, some time after its start."""
    with tempfile.TemporaryDirectory() as folder:
        page, picture = pathlib.Path(folder) / "page.html", pathlib.Path(folder) / "page.png"
        page.write_text(f"<!doctype html><meta charset=utf-8>{frame}")
        subprocess.run(["node", SITE / "still.mjs", page, picture], check=True, timeout=120)
        return picture.read_bytes()


def merged(outputs):
    """What is printed arrives in pieces, and not always in the same ones."""
    whole = []
    for output in outputs:
        if whole and output.output_type == "stream" and whole[-1].get("name") == output.name:
            whole[-1].text += output.text
        else:
            whole.append(output)
    return whole


def show(page, output):
    data = output.get("data", {})
    if output.output_type == "stream":
        if output.name == "stdout":
            page.fence("text", output.text)
    elif "<iframe" in data.get("text/html", ""):
        page.picture(still(data["text/html"]), data["text/plain"].strip("<>"), quality=82)
        page.say("*In the notebook this picture moves, and can be turned.*")
    elif "text/latex" in data:
        page.fence("math", data["text/latex"].strip("$"))
    elif "text/html" in data:
        page.say(data["text/html"])
    elif "image/png" in data:
        page.picture(base64.b64decode(data["image/png"]), "", lossless=True)
    else:
        page.fence("text", data["text/plain"])


def write(path):
    for old in BOOKS.glob(f"{path.stem}-*.webp"):
        old.unlink()
    page = Page(path.stem)
    for cell in executed(path).cells:
        if cell.cell_type == "markdown":
            page.say(cell.source)
            if page.parts[-1].startswith("# "):
                title, _, rest = page.parts.pop().partition("\n")
                page.say(f"{title}\n\n[This page as a notebook]({path.name})\n{rest}")
            continue
        page.fence("python", cell.source)
        for output in merged(cell.outputs):
            show(page, output)
    (BOOKS / f"{path.stem}.md").write_text("\n\n".join(page.parts) + "\n")


if __name__ == "__main__":
    for path in sorted(BOOKS.glob("*.ipynb")):
        if len(sys.argv) < 2 or path.stem in sys.argv[1:]:
            write(path)
            print(path.stem)
