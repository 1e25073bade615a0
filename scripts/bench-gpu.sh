#!/usr/bin/env bash
# A million members on the GPU of this machine, beside kernels written by hand (bench/gpu/ensembles.cpp) and JAX, and by
# the command, from the model file to the file of results.
#
#   scripts/bench-gpu.sh build               makes build-device/, with all libraries that it needs
#   scripts/bench-gpu.sh [MEMBERS] [STEPS]   runs it, on a machine with an NVIDIA driver and NVRTC or nvcc
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$PWD/build-device

if [[ ${1:-} == build ]]; then
  cmake --preset release -DHAMEL_BENCH=ON >/dev/null
  ninja -C build hamel_gpu hamel_command
  mkdir -p "$folder/lib" "$folder/libc"
  cp build/hamel_gpu build/hamel "$folder/"
  strip "$folder/hamel_gpu" "$folder/hamel"
  cp $(ldd build/hamel_gpu build/hamel | grep -oE '/[^ ]+\.so[^ ]*' | sort -u) "$folder/lib/"
  mv "$folder"/lib/{ld-linux,libc.so,libm.so,libdl.so,libpthread.so,librt.so,libresolv.so,libutil.so}* "$folder/libc/" 2>/dev/null || true
  exit
fi
[[ -x $folder/hamel_gpu ]] || { echo "there is no $folder/hamel_gpu: scripts/bench-gpu.sh build makes it"; exit 1; }

# The toolkit may be where only Python looks for it.
if [[ -z ${HAMEL_NVRTC:-} ]]; then
  for library in /usr/local/cuda*/lib64/libnvrtc.so.* /usr/local/cuda*/targets/*/lib/libnvrtc.so.* \
    /usr/lib/x86_64-linux-gnu/libnvrtc.so.* \
    $(python3 -c 'import sys; print(*[p + "/nvidia/cuda_nvrtc/lib/libnvrtc.so." + v for p in sys.path for v in ("13", "12", "11.2")])' 2>/dev/null); do
    if [[ -f $library ]]; then export HAMEL_NVRTC=$library; break; fi
  done
fi
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv,noheader 2>/dev/null || true
export HAMEL_CACHE=${HAMEL_CACHE:-$folder/cache} HAMEL_MODELS=$PWD/models HAMEL_BENCH_GPU=$PWD/bench/gpu

# By the C library of this machine, or where that is older, by the one of the machine where it was built.
loader=()
if ! LD_LIBRARY_PATH=$folder/lib "$folder/hamel" --version >/dev/null 2>&1; then
  loader=("$folder/libc/ld-linux-x86-64.so.2" --library-path
    "$folder/libc:$folder/lib:${LD_LIBRARY_PATH:-}:/usr/lib/x86_64-linux-gnu:/usr/lib64:/usr/local/cuda/lib64")
fi
start() { LD_LIBRARY_PATH=$folder/lib:${LD_LIBRARY_PATH:-} "${loader[@]}" "$folder/$1" "${@:2}"; }
start hamel_gpu "$@"
if python3 -c 'import jax; assert jax.default_backend() == "gpu"' 2>/dev/null; then
  XLA_PYTHON_CLIENT_PREALLOCATE=false python3 bench/gpu/jax_rk4.py "$@"
fi

# Twice: the first time has to compile.
sweep=(sweep double-planar-pendulum --vary 'm[1]=0.5:2:1000' --vary 'start.q[2]=-3:3:1000' --integrator rk4 --step 0.002
  --until 4 --keep final --on cuda --out "$folder/sweep.h5" --overwrite -q)
for turn in first second; do
  begin=$(date +%s.%N)
  start hamel "${sweep[@]}"
  echo "hamel ${sweep[*]:0:12} ...: $(echo "$(date +%s.%N) $begin" | awk '{ printf "%.2f", $1 - $2 }') s, the $turn time"
done
rm -f "$folder/sweep.h5"
