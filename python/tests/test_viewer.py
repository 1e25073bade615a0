"""The viewer in notebooks, in Chromium: in JupyterLab, and in the static HTML of nbconvert, without a network."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import nbformat
import pytest

TESTS = pathlib.Path(__file__).parent
PLAYWRIGHT = TESTS.parents[1] / "viewer" / "node_modules" / "playwright-core"

needs_browser = pytest.mark.skipif(
    not (shutil.which("node") and shutil.which(os.environ.get("CHROMIUM", "chromium")) and PLAYWRIGHT.exists()),
    reason="needs node, chromium and viewer/node_modules",
)

CELLS = [
    "import hamel as hm\nfile = hm.gallery['double-spherical-pendulum']",
    "file.model",
    "file.run(until=10)",
]


@pytest.fixture
def notebook(tmp_path):
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    path = tmp_path / "one.ipynb"
    nbformat.write(book, path)
    return path


def look(address):
    seen = subprocess.run(["node", TESTS / "look.mjs", str(address)], capture_output=True, text=True, timeout=180)
    assert seen.returncode == 0, seen.stderr
    return json.loads(seen.stdout)


def assert_moves(seen):
    assert seen["complaints"] == []
    assert seen["shades"] > 20, "the picture is blank"
    assert seen["difference"] > 0.5, "scrubbing does not change the picture"
    assert seen["isPlaying"], "the motion does not begin by itself"


@needs_browser
def test_viewer_in_static_html(notebook):
    import nbclient
    from nbconvert import HTMLExporter

    book = nbformat.read(notebook, 4)
    nbclient.NotebookClient(book, timeout=60).execute()
    page = notebook.with_suffix(".html")
    page.write_text(HTMLExporter().from_notebook_node(book)[0])
    assert_moves(look(page))


@needs_browser
def test_viewer_in_jupyterlab(notebook, tmp_path):
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    settings = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime", "IPYTHONDIR": "ipython"}
    environment = {**os.environ, **{name: str(tmp_path / folder) for name, folder in settings.items()}}
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}", "--ip=localhost"]
    command += ["--IdentityProvider.token=", f"--ServerApp.root_dir={tmp_path}", "--LabApp.news_url=", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    with open(tmp_path / "server.log", "w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        for _ in range(120):
            try:
                urllib.request.urlopen(f"http://localhost:{port}/api", timeout=1).close()
                break
            except OSError:
                time.sleep(0.25)
        assert_moves(look(f"http://localhost:{port}/lab/tree/{notebook.name}"))
    finally:
        server.terminate()
        server.wait(20)
