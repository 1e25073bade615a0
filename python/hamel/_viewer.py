"""The interactive viewer in a cell of a notebook: a frame that holds its page, packed, and needs nothing else."""

from __future__ import annotations

import base64
import functools
import gzip
import html
import pathlib

# A frame of its own keeps the styles of the page and of the notebook apart. It unpacks itself, so that a cell has some
# 0.2 MB instead of 0.6 MB and its motion.
_LOADER = """<!doctype html><script>
const bytes = Uint8Array.from(atob("{packed}"), (c) => c.charCodeAt(0));
const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
new Response(unpacked).text().then((page) => {{ document.open(); document.write(page); document.close(); }});
</script>"""


@functools.lru_cache(maxsize=1)
def _template() -> str:
    return (pathlib.Path(__file__).parent / "viewer.html").read_text(encoding="utf-8")


def frame(data: str, title: str, height: int) -> str:
    """HTML that shows a motion, given as the data of the viewer."""
    page = _template().replace("/*hamel-data*/", data)
    packed = base64.b64encode(gzip.compress(page.encode(), 9, mtime=0)).decode()
    source = html.escape(_LOADER.format(packed=packed))
    return (
        f'<iframe srcdoc="{source}" title="{html.escape(title)}" width="100%" height="{height}" allowfullscreen '
        'style="border: 0; max-width: 60rem"></iframe>'
    )


class Shown:
    """What `show` returns: a picture that a notebook displays, and that is HTML everywhere else."""

    def __init__(self, markup: str, words: str):
        self.html = markup
        self._words = words

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return self._words
