#!/usr/bin/env bash
# Builds and installs the package as where there is a compiler, CMake and Python alone, and uses it: what Debian has of
# hamel's libraries is hidden from this process, and comes from PyPI or third_party/. Arguments go to pip.
#   scripts/from-pypi.sh --config-settings=cmake.build-type=Debug        # faster to build
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${HAMEL_LIBRARIES_ARE_HIDDEN:-}" ]; then
  root=$([ "$(id -u)" = 0 ] || echo --map-root-user)
  # shellcheck disable=SC2086
  exec unshare --mount $root env HAMEL_LIBRARIES_ARE_HIDDEN=1 "$0" "$@"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/nothing"
hide() { for one in "$@"; do if [ -d "$one" ]; then mount --bind "$work/nothing" "$one"; fi; done; }
hide /usr/include/{eigen3,fmt,nlohmann,toml++,CLI,fast_float,Spectra,hdf5} /usr/share/{eigen3,spectra} \
     /usr/share/cmake/{CLI11,nlohmann_json} /usr/lib/cmake/FastFloat /usr/lib/*/cmake/{fmt,tomlplusplus}
if echo '#include <Eigen/Core>' | c++ -I/usr/include/eigen3 -x c++ -fsyntax-only - 2>/dev/null; then
  echo "Eigen is still to be seen" >&2
  exit 1
fi

"${PYTHON:-python3}" -m venv "$work/venv"
"$work/venv/bin/pip" install --disable-pip-version-check -q --config-settings=build-dir="$work/build" "$@" .
grep -E '^(Eigen3_DIR|fmt_DIR|nlohmann_json_INCLUDE|tomlplusplus_INCLUDE|cli11_INCLUDE|fast_float_INCLUDE|spectra_INCLUDE):' \
  "$work/build/CMakeCache.txt" | sed 's/:[A-Z]*=/ = /'
cd "$work"
venv/bin/python - <<'USE'
import hamel as hm
run = hm.gallery["double-spherical-pendulum"].run(until=1.0)
drift = abs(run.energy.total - run.energy.total[0]).max()
assert drift < 0.1, drift
table = hm.gallery["planar-pendulum"].sweep("m=0.5:2:9", keep="energy", until=1).run()
assert len(table) == 9 and table.failures == []
try:
    hm.gallery["heavy-top"].record("top.h5", until=0.1)
except Exception as error:
    print("without records:", str(error).splitlines()[0])
print(f"hamel {hm.__version__} from {hm.__file__}: {len(run)} outputs, {len(table)} members")
USE
venv/bin/hamel --version
