"""Model files: those of the gallery, and one's own."""

import os
import pathlib

from . import _hamel


def load(path, set=None, start=None):
    """A model file, with other parameters (`set`) or another start, as behind --set and --start."""
    return _hamel.read_model(os.fspath(path), set or {}, start or {})


class _Gallery:
    """The models of the gallery: hm.gallery["heavy-top"]."""

    def __init__(self, folder):
        self._folder = folder

    def __iter__(self):
        return iter(sorted(path.stem for path in self._folder.glob("*.toml")))

    def __len__(self):
        return sum(1 for _ in self)

    def __contains__(self, name):
        return (self._folder / f"{name}.toml").exists()

    def path(self, name):
        if name not in self:
            import difflib

            near = difflib.get_close_matches(name, list(self), 1)
            raise KeyError(f"there is no model {name} in the gallery" + (f"; did you mean {near[0]}?" if near else ""))
        return self._folder / f"{name}.toml"

    def __getitem__(self, name):
        return load(self.path(name))


gallery = _Gallery(pathlib.Path(__file__).parent / "models")
