#!/usr/bin/env bash
# A million members on the GPU of this machine beside kernels written by hand; bench/gpu/ensembles.cpp.
#
#   scripts/bench-gpu.sh build               makes build-device/, with all libraries that it needs
#   scripts/bench-gpu.sh [MEMBERS] [STEPS]   runs it, on a machine with an NVIDIA driver and NVRTC or nvcc
set -euo pipefail
cd "$(dirname "$0")/.."
program=build-device/hamel_gpu

if [[ ${1:-} == build ]]; then
  cmake --preset release -DHAMEL_BENCH=ON >/dev/null
  ninja -C build hamel_gpu
  mkdir -p build-device/lib
  cp build/hamel_gpu $(ldd build/hamel_gpu | grep -oE '/[^ ]+libfmt[^ ]+') build-device/
  cp $(ldd build/hamel_gpu | grep -oE '/[^ ]+') build-device/lib/
  exit
fi
[[ -x $program ]] || { echo "there is no $program: scripts/bench-gpu.sh build makes it"; exit 1; }

# The toolkit may be where only Python looks for it.
if [[ -z ${HAMEL_NVRTC:-} ]]; then
  for library in /usr/local/cuda*/lib64/libnvrtc.so.* /usr/local/cuda*/targets/*/lib/libnvrtc.so.* \
    /usr/lib/x86_64-linux-gnu/libnvrtc.so.* \
    $(python3 -c 'import sys; print(*[p + "/nvidia/cuda_nvrtc/lib/libnvrtc.so." + v for p in sys.path for v in ("13", "12", "11.2")])' 2>/dev/null); do
    if [[ -f $library ]]; then export HAMEL_NVRTC=$library; break; fi
  done
fi
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv,noheader 2>/dev/null || true
export HAMEL_CACHE=${HAMEL_CACHE:-$PWD/build-device/cache} HAMEL_MODELS=$PWD/models HAMEL_BENCH_GPU=$PWD/bench/gpu
# By the C library of this machine, or where that is older, by the one of the machine where it was built.
if LD_LIBRARY_PATH=$PWD/build-device "$program" --text "$(mktemp -d)" 2>/dev/null; then
  LD_LIBRARY_PATH=$PWD/build-device:${LD_LIBRARY_PATH:-} exec "$program" "$@"
fi
exec build-device/lib/ld-linux-x86-64.so.2 \
  --library-path "$PWD/build-device/lib:${LD_LIBRARY_PATH:-}:/usr/lib/x86_64-linux-gnu:/usr/lib64:/usr/local/cuda/lib64" \
  "$program" "$@"
