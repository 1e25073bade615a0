#!/usr/bin/env bash
# No two types of the same name: the linker would take one for the other without a word (the one-definition rule).
# Types in unnamed namespaces do not count, nor do those of the same file or of one
# that is compiled instead of others (without_...).
set -euo pipefail
cd "$(dirname "$0")/.."

find include src cli -name '*.hpp' -o -name '*.cpp' | grep -v '/without_' | LC_ALL=C sort | xargs awk '
  FNR == 1 { depth = 0 }
  /^(inline )?namespace .*\{$/ { depth++; space[depth] = $2 == "{" ? "" : $2; next }
  /^\}  \/\/ namespace/ { depth--; next }
  /^(struct|class|enum class|union) [A-Za-z_0-9:]+( final)?( : .*)? *\{/ {
    name = ""
    for (i = 1; i <= depth; i++) {
      if (space[i] == "") next
      name = name space[i] "::"
    }
    name = name ($1 == "enum" ? $3 : $2)
    if (name in place && place[name] != FILENAME) {
      printf "%s is defined in %s and in %s:%d; rename one of them\n", name, place[name], FILENAME, FNR
      failed = 1
    }
    place[name] = FILENAME
  }
  END { exit failed }'
