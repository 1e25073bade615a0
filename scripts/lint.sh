#!/usr/bin/env bash
# Checks src/**/*.cpp, cli/*.cpp, python/bindings/*.cpp (where build/venv has nanobind) and the headers they include with
# clang-tidy: the files of a room together, as they are compiled, and JOBS such batches at a time.
#
# What passed is remembered by content, in build/lint/passed: a batch is checked again only when one of its files, a
# header of ours that it reaches, the settings or clang-tidy have changed.
set -euo pipefail
cd "$(dirname "$0")/.."

# All files of ours that a batch reaches. Without system headers this takes milliseconds.
own_sources() {
  g++ -std=c++20 -MM -MG -nostdinc -nostdinc++ -Iinclude -Isrc -Icli -Ipython/bindings "$1" | tr -d '\\' | tr ' ' '\n' | sed "s|^$PWD/||" |
    grep -E '^(include|src|cli|python/bindings)/' | LC_ALL=C sort -u
}

content_key() {
  { echo "$TOOLS"; own_sources "$1" | xargs sha256sum .clang-tidy CMakeLists.txt cmake/build_flags.cmake; } |
    sha256sum | cut -d' ' -f1
}

check() {
  local passed
  passed=build/lint/passed/$(content_key "$1")
  [[ ! -e $passed ]] || return 0
  echo "clang-tidy ${1#"$PWD/"}"
  clang-tidy -p build/lint --quiet "$1" 2> >(grep -v 'warnings generated' >&2)
  touch "$passed"
}

# What the rooms are compiled from. Some files only hand matrices on to Eigen, whose templates take clang-tidy longest.
batches() {
  sed -n 's/^ *"file": "\(.*\)",*$/\1/p' build/lint/compile_commands.json |
    grep -E "^$PWD/(src/|cli/|build/lint/(python/)?CMakeFiles/hamel_[a-z]+\.dir/Unity/unity_[0-9]+_cxx)" |
    grep -Ev '/(linear/dense|linear/eigen|linear/lu|nearest_rotation)\.cpp$'
}

if [[ $# -gt 0 ]]; then
  check "$1"
  exit
fi

echo "== static analysis"
bindings=OFF
[[ ! -e build/venv/.installed ]] || bindings=ON
cmake --preset lint -DHAMEL_PYTHON=$bindings -DPython_EXECUTABLE="$PWD/build/venv/bin/python" >/dev/null
mkdir -p build/lint/passed
TOOLS=$(clang-tidy --version && g++ --version)
export TOOLS
batches | xargs --no-run-if-empty -n1 -P"${JOBS:-2}" "$0"
