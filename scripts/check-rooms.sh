#!/usr/bin/env bash
# The rooms of the house, in order (CMakeLists.txt and cmake/command.cmake list them): each uses only those before it,
# and of another room only its public headers, those of include/hamel/ROOM. What stands on the rooms does the same; tests
# and fuzz/ look inside.
# No public header includes a private one, and each is of a room that a library is made of. What users include reaches
# nothing that only integrators need, and of Eigen its core alone.
# Spaces are not strings: outside of manifold/, which has their table, no name of a space is written as a text, the name
# of a space is compared with no text, and no factor is cast to its class.
set -euo pipefail
cd "$(dirname "$0")/.."

rooms=$(sed -nE 's/^set\(HAMEL_(COMMAND_)?ROOMS ([^)]+)\).*/\2/p' CMakeLists.txt cmake/command.cmake | tr '\n' ' ')
faces="cli errata examples bench web/module python/bindings"

find include src $faces -name '*.hpp' -o -name '*.cpp' -o -name '*.inc' | LC_ALL=C sort | xargs awk -v rooms="$rooms" '
  function complain(what) { printf "%s:%d: %s\n", FILENAME, FNR, what; failed = 1 }

  BEGIN {
    count = split(rooms, names, " ")
    for (i = 1; i <= count; i++) place[names[i]] = i
  }
  FNR == 1 {
    split(FILENAME, part, "/")
    public = part[1] == "include"
    room = public ? part[3] : part[1] == "src" ? part[2] : ""
    if (room == "hamel.hpp") room = ""  # all of hamel
    if (room != "" && !(room in place)) complain("no library has a room " room "; it belongs to HAMEL_ROOMS")
    here = room in place ? place[room] : count + 1
  }
  /^ *# *include *["<]/ {
    split($0, quoted, "[\"<>]")
    header = quoted[2]
    split(header, path, "/")
    if (header ~ /(^|\/)\.\.?\//) {
      complain(header " is a way through folders: headers are named from include/ or src/")
    } else if (path[1] == "hamel") {
      if (path[2] in place && place[path[2]] > here) complain(room " comes before " path[2] " and includes " header)
    } else if (public && ($0 ~ /"/ || path[1] in place)) {
      complain("a public header includes the private " header)
    } else if (path[1] in place && path[1] != room) {
      complain(header " is private to " path[1])
    }
  }
  room != "manifold" {
    code = $0
    sub(/\/\/.*/, "", code)
    if (code ~ /(^|[^\\])"(R|S|SO|SE|SL)(\^?[0-9]+|\([0-9]+\))"/ || code ~ /(^|[^\\])"Stiefel["(]/ ||
        code ~ /[Ss]pace[A-Za-z_]*(\(\))?(\.|->)name(\(\))? *[!=]= *"/ || code ~ /_cast<[^>]*WrappedFactor/)
      complain("a space is asked what it is (turning, parts, is_flat, generators), not for its name or class: " $0)
  }
  END {
    if (count < 2) { print "no rooms found in CMakeLists.txt"; failed = 1 }
    exit failed
  }'

for_integrators='^hamel/(program|linear)/|^hamel/derive/(kernel|formulation|[a-z_]*mass|reduced|canonical|tangent|lift)|^hamel/mechanics/(dynamics|parts|scratch|geometry|constraints|reduced|hamilton|canonical|discrete_map)|^hamel/integrate/memory|^Eigen/[A-BD-Z]|^Eigen/C[^o]'
reached=""
reach() {
  local header
  while read -r header; do
    [[ " $reached " == *" $header "* ]] && continue
    reached+=" $header"
    if [[ -f include/$header ]]; then reach "$header"; fi
  done < <(sed -nE 's/^#include [<"]([^>"]+)[>"].*/\1/p' "include/$1")
}
reach hamel/hamel.hpp
if tr ' ' '\n' <<<"$reached" | grep -E "$for_integrators"; then
  echo "include/hamel/hamel.hpp reaches these, which only integrators need"
  exit 1
fi

# Where memory does not matter, products of matrices are compiled once: A.transpose() * B asks for the header.
if grep -lE 'transpose\(\) \* ' src/{symmetry,analyze,language}/*.cpp | xargs grep -L 'SparseMatrix\|hamel/linear/product.hpp' | grep .; then
  echo "these multiply matrices without hamel/linear/product.hpp, which takes seconds to compile"
  exit 1
fi
