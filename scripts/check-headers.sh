#!/usr/bin/env bash
# Every public header compiles on its own. Eigen's core, which most of them need, is read once, and clang reads the rest
# three times as fast as gcc. To include all of hamel costs less than twice what <Eigen/Dense> does, which is 1.5 seconds
# where that takes 0.8: in CPU time, the least of three, in turns, so that a busy machine changes little.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export COMPILE="clang++ -std=c++20 -Wall -Wextra -Iinclude $(pkg-config --cflags eigen3 | sed 's/-I/-isystem /g') -DFMT_SHARED"
printf '#include <Eigen/Core>\n' >"$folder/core.hpp"
$COMPILE -x c++-header "$folder/core.hpp" -o "$folder/core.pch"
export PRECOMPILED="$folder/core.pch"
find include -name '*.hpp' | LC_ALL=C sort |
  xargs -P"${JOBS:-2}" -I{} bash -c '$COMPILE -fsyntax-only -include-pch "$PRECOMPILED" -x c++ -include {} /dev/null'

seconds_for() { (TIMEFORMAT=%U && time ${CXX:-g++} ${COMPILE#* } -fsyntax-only -x c++ -include "$1" /dev/null) 2>&1; }
for _ in 1 2 3; do echo "$(seconds_for hamel/hamel.hpp) $(seconds_for Eigen/Dense)"; done |
  awk '{ if (NR == 1 || $1 < ours) ours = $1; if (NR == 1 || $2 < eigens) eigens = $2 }
       END { printf "hamel/hamel.hpp %.2f s, Eigen/Dense %.2f s\n", ours, eigens; exit !(ours > 0 && ours < 2 * eigens) }' ||
  { echo "hamel/hamel.hpp is too heavy: g++ -H and -ftime-report show what it includes and costs"; exit 1; }
