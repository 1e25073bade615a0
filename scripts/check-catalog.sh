#!/usr/bin/env bash
# Every place of the texts in tests/catalog.txt has tests, and they exist; models among their cases are named there.
set -euo pipefail
cd "$(dirname "$0")/.."
missing=0
while IFS='|' read -r place tests; do
  [[ $place == \#* || -z $place ]] && continue
  for test in ${tests//,/ }; do
    name=${test%%/*} model=${test#"$name"} suite=${test%%.*} case=${name#*.}
    cases=tests/analyze/oracles.txt
    file=$(grep -rlE "TEST(_P|_F)?\($suite, $case\)" tests --include='*.cpp' | head -1 || true)
    if [[ -z $file ]]; then
      echo "tests/catalog.txt: ${place% }: there is no test $name"
      missing=1
    elif [[ $suite != Stabilities ]] && cases=$file && [[ -z $model ]]; then
      continue
    elif ! grep -qE "(^|\")${model#/}(\"| \|)" "$cases"; then
      echo "tests/catalog.txt: ${place% }: $name has no case ${model#/}"
      missing=1
    fi
  done
done <tests/catalog.txt
exit "$missing"
