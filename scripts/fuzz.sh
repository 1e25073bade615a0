#!/usr/bin/env bash
# Fuzzes what reads files from strangers, for so many seconds in all (default: 60), of which each target has its share.
# With a random seed as second argument it tries the same inputs each time, in an empty build folder.
#
# The readers are built by clang, with coverage and the address sanitizer; the rooms below them are those of build/.
set -euo pipefail
cd "$(dirname "$0")/.."

targets=(model_file set motion record)  # fuzz/NAME.cpp, from what is in build/fuzz/NAME
seconds=${1:-60}
seed=${2:-0}  # 0: another one each time
share=$(((seconds + ${#targets[@]} - 1) / ${#targets[@]}))
folder=build/fuzz
export HAMEL_NATIVE=0  # no compiler for a motion of a few steps
rm -rf "$folder/objects"
mkdir -p "$folder/objects/rooms" "${targets[@]/#/$folder/}"

compile() {
  clang++ -std=c++20 -O1 -g1 -w -fsanitize=fuzzer-no-link,address -DHAMEL_VERSION='"fuzz"' -Iinclude -Isrc -Ifuzz \
    -isystem /usr/include/eigen3 $(pkg-config --cflags hdf5) -c "$1" -o "$2"
}
export -f compile

link() {
  clang++ -fsanitize="$1" "$folder/objects/$2.o" "$folder"/objects/rooms/*.o build/libhamel.a -lfmt -ldl \
    $(pkg-config --libs hdf5) -o "$folder/$3"
}

# The files of a room together, but for the one with settings of its own and what stands in for HDF5.
for room in language record; do
  printf '#include "%s"\n' "$PWD/src/$room"/*.cpp | grep -v -e toml_document -e without_hdf5 >"$folder/objects/rooms/$room.cpp"
done
{
  for source in "$folder"/objects/rooms/*.cpp src/language/toml_document.cpp; do
    echo "$source $folder/objects/rooms/$(basename "$source" .cpp).o"
  done
  for target in dictionary "${targets[@]}"; do echo "fuzz/$target.cpp $folder/objects/$target.o"; done
} | xargs -P"${JOBS:-2}" -L1 bash -c 'compile "$0" "$1"'

link address dictionary dictionary
"$folder/dictionary" >"$folder/dictionary.txt"
for corpus in model_file motion; do
  cp models/*.toml "$folder/$corpus/"
  awk '/^```toml$/ { n++; inside = 1; next } /^```$/ { inside = 0 } inside { print > sprintf("'"$folder/$corpus"'/example-%02d.toml", n) }' \
    docs/model-files.md
done
printf 'm=2\nl=[1, 2]\nn=1\n' >"$folder/set/numbers"
printf 'J[5]=2*m\ng=m*e3\npairs=[[1, 1]]\n' >"$folder/set/expressions"

for target in "${targets[@]}"; do
  case $target in
    record) inputs=(-max_len=4096 -malloc_limit_mb=1024) ;;
    *) inputs=(-max_len=20000 -len_control=0 -malloc_limit_mb=2048 -dict="$folder/dictionary.txt") ;;
  esac
  link fuzzer,address "$target" "$target.fuzzer"
  "$folder/$target.fuzzer" -seed="$seed" -max_total_time="$share" "${inputs[@]}" -timeout=60 -rss_limit_mb=4096 \
    -verbosity=0 -artifact_prefix="$folder/$target-" "$folder/$target"
  echo "$target: no crash and no hang in $share seconds"
done
