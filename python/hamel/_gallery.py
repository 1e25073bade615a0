"""Model files: those of the gallery, and one's own."""

from __future__ import annotations

import os
import pathlib
from typing import TYPE_CHECKING, Iterator

from . import _hamel
from ._hamel import ModelFile

if TYPE_CHECKING:
    from ._types import NamedTexts, Path


def load(path: Path, set: NamedTexts | None = None, start: NamedTexts | None = None) -> ModelFile:
    """A model file, with other parameters (`set`) or another start, as behind --set and --start."""
    return _hamel._read_model(os.fspath(path), set or {}, start or {})


class Gallery:
    """The models of the gallery: hm.gallery["heavy-top"]."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(path.stem for path in self._folder.glob("*.toml")))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return (self._folder / f"{name}.toml").exists()

    def path(self, name: str) -> pathlib.Path:
        """Where the file of a model is."""
        if name not in self:
            import difflib

            near = difflib.get_close_matches(name, list(self), 1)
            raise KeyError(f"there is no model {name} in the gallery" + (f"; did you mean {near[0]}?" if near else ""))
        return self._folder / f"{name}.toml"

    def __getitem__(self, name: str) -> ModelFile:
        return load(self.path(name))


gallery = Gallery(pathlib.Path(__file__).parent / "models")
