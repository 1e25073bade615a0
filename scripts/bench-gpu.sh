#!/usr/bin/env bash
# A million members on the GPU of this machine beside kernels written by hand; bench/gpu/ensembles.cpp.
#
#   scripts/bench-gpu.sh build               makes build-device/, which runs without anything but a C library
#   scripts/bench-gpu.sh [MEMBERS] [STEPS]   runs it, on a machine with an NVIDIA driver and NVRTC or nvcc
set -euo pipefail
cd "$(dirname "$0")/.."
program=build-device/hamel_gpu

if [[ ${1:-} == build ]]; then
  cmake --preset release -DHAMEL_BENCH=ON >/dev/null
  ninja -C build hamel_gpu
  mkdir -p build-device
  cp build/hamel_gpu $(ldd build/hamel_gpu | awk '/libfmt|libhdf5/ { print $3 }') build-device/
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
LD_LIBRARY_PATH=$PWD/build-device exec "$program" "$@"
