"""The command `hamel`, as it comes with the package."""

import os
import pathlib
import sys


def main():
    program = pathlib.Path(__file__).parent / "bin" / "hamel"
    os.execv(program, ["hamel", *sys.argv[1:]])
