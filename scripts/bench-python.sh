#!/usr/bin/env bash
# Benchmarks of the package in build/python, in an environment of their own, which has what they compare with:
#   scripts/bench-python.sh field        the vector field, functions of Python, the start: build/bench_python.json
#   scripts/bench-python.sh ensembles    many members: build/bench_ensembles.json
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
  field) requirements=bench/python/requirements.txt ;;
  ensembles) requirements=bench/ensembles/requirements.txt ;;
  *) sed -n '2,4s/^# *//p' "$0" >&2 && exit 2 ;;
esac
environment=build/bench-venv-$1
if ! cmp -s $requirements "$environment/.installed"; then
  "${PYTHON:-python3}" -m venv "$environment"
  "$environment/bin/pip" install -q --disable-pip-version-check -r $requirements
  cp $requirements "$environment/.installed"
fi
export PYTHONPATH=build/python
if [ "$1" = field ]; then
  "$environment/bin/python" bench/python/field.py build/bench_python.json
  "$environment/bin/python" bench/python/functions.py build/bench_python.json
  "$environment/bin/python" bench/python/launch.py build/hamel
else
  "$environment/bin/python" bench/ensembles/ensembles.py build/bench_ensembles.json "${@:2}"
fi
