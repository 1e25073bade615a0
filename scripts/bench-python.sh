#!/usr/bin/env bash
# Benchmarks of the package in build/python, in an environment of their own: build/bench-venv has heyoka and SymPy.
set -euo pipefail
cd "$(dirname "$0")/.."

requirements=bench/python/requirements.txt
if ! cmp -s $requirements build/bench-venv/.installed; then
  "${PYTHON:-python3}" -m venv build/bench-venv
  build/bench-venv/bin/pip install -q --disable-pip-version-check -r $requirements
  cp $requirements build/bench-venv/.installed
fi
export PYTHONPATH=build/python
build/bench-venv/bin/python bench/python/field.py build/bench_python.json
build/bench-venv/bin/python bench/python/launch.py build/hamel
