#!/usr/bin/env bash
# Installs those of the named Debian packages that are missing. Does nothing, quickly, when none is.
set -euo pipefail

if ! command -v dpkg-query >/dev/null; then
  echo "Not a Debian system: going on as if these were installed: $*" >&2
  exit 0
fi

installed=$(dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)
missing=()
for package in "$@"; do
  grep -qxF "$package installed" <<<"$installed" || missing+=("$package")
done
[[ ${#missing[@]} -gt 0 ]] || exit 0

if [[ $(id -u) -eq 0 ]]; then
  as_root=(env)
elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
  as_root=(sudo)
else
  cat >&2 <<MESSAGE
These Debian packages are missing: ${missing[*]}
They cannot be installed from here: you are not root, and sudo would not do it without asking. Run, as root,
    apt-get update && apt-get install --no-install-recommends ${missing[*]}
and try again.
MESSAGE
  exit 1
fi

echo "Installing ${missing[*]}"
"${as_root[@]}" apt-get -qq update || echo "apt-get update failed; trying with the package lists at hand" >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends "${missing[@]}"
