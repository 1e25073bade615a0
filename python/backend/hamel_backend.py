"""Builds the package with scikit-build-core. What the system does not have of Eigen, fmt and nlohmann-json comes from PyPI."""

import os
import pathlib
import sys

from scikit_build_core import build as core
from scikit_build_core.build import *  # noqa: F403

# A header, and the package that has it.
LIBRARIES = {
    "eigen3/Eigen/Core": "cmeel-eigen>=3.4,<4",
    "fmt/format.h": "cmeel-fmt>=9",
    "nlohmann/json.hpp": "nlohmann-json>=3.11",
}


def system_prefixes():
    """Where CMake looks by itself; HAMEL_FROM_PYPI=1 makes it look nowhere else than in packages of PyPI."""
    if os.environ.get("HAMEL_FROM_PYPI"):
        return []
    given = os.environ.get("CMAKE_PREFIX_PATH", "").split(os.pathsep)
    return [pathlib.Path(one) for one in [*given, "/usr", "/usr/local", "/opt/homebrew", sys.prefix] if one]


def missing():
    return [header for header in LIBRARIES if not any((one / "include" / header).exists() for one in system_prefixes())]


def get_requires_for_build_wheel(config_settings=None):
    return [*core.get_requires_for_build_wheel(config_settings), *(LIBRARIES[header] for header in missing())]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    settings = dict(config_settings or {})
    if missing():
        folders = [pathlib.Path(entry) / name for entry in sys.path for name in ("cmeel.prefix", "nlohmann_json")]
        settings["cmake.define.CMAKE_PREFIX_PATH"] = ";".join(str(one) for one in folders if one.is_dir())
    if "fmt/format.h" in missing():
        settings["cmake.define.HAMEL_FMT_HEADER_ONLY"] = "ON"  # its library is not there any more when hamel runs
    if os.environ.get("HAMEL_FROM_PYPI"):
        settings["cmake.define.CMAKE_FIND_USE_CMAKE_SYSTEM_PATH"] = "OFF"
        settings["cmake.define.CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH"] = "OFF"
        settings["cmake.define.CMAKE_DISABLE_FIND_PACKAGE_HDF5"] = "ON"
    return core.build_wheel(wheel_directory, settings, metadata_directory)
