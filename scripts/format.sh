#!/usr/bin/env bash
# Formats all C++ files; with --check, changes nothing and names the files that are not formatted.
set -euo pipefail
cd "$(dirname "$0")/.."

format() {
  find . \( -path './build*' -o -path './third_party' \) -prune -o -type f \( -name '*.hpp' -o -name '*.cpp' -o -name '*.h' \) -print0 |
    xargs -0 --no-run-if-empty clang-format "$@"
}

if [[ ${1:-} != --check ]]; then
  format -i
  exit
fi

echo "== formatting"
if ! messages=$(format --dry-run -Werror 2>&1); then
  grep -oE '^[^ :]+:[0-9]+:[0-9]+: error' <<<"$messages" | cut -d: -f1 | sort -u >&2 || echo "$messages" >&2
  echo "These files are not formatted; 'make format' does it." >&2
  exit 1
fi
