#!/usr/bin/env bash
# Fuzzes what reads files from strangers, for so many seconds in all (default: 60), of which each target has its share.
# With a random seed as second argument it tries the same inputs each time, in an empty build folder.
#
# The readers are built by clang, with coverage and the address sanitizer; the rooms below them are those of build/.
set -euo pipefail
cd "$(dirname "$0")/.."

targets=(model_file record)  # fuzz/NAME.cpp, from what is in build/fuzz/NAME
seconds=${1:-60}
seed=${2:-0}  # 0: another one each time
share=$(((seconds + ${#targets[@]} - 1) / ${#targets[@]}))
folder=build/fuzz
rm -rf "$folder/objects"
mkdir -p "$folder/objects/rooms" "${targets[@]/#/$folder/}"

compile() {
  clang++ -std=c++20 -O1 -g1 -w -fsanitize=fuzzer-no-link,address -DHAMEL_VERSION='"fuzz"' -Iinclude -Isrc \
    -isystem /usr/include/eigen3 $(pkg-config --cflags hdf5) -c "$1" -o "$2"
}
export -f compile

# The files of a room together, but for the one with settings of its own.
for room in language record; do
  printf '#include "%s"\n' "$PWD/src/$room"/*.cpp | grep -v toml_document >"$folder/objects/rooms/$room.cpp"
done
{
  for source in "$folder"/objects/rooms/*.cpp src/language/toml_document.cpp; do
    echo "$source $folder/objects/rooms/$(basename "$source" .cpp).o"
  done
  for target in "${targets[@]}"; do echo "fuzz/$target.cpp $folder/objects/$target.o"; done
} | xargs -P"${JOBS:-2}" -L1 bash -c 'compile "$0" "$1"'

cp models/*.toml "$folder/model_file/"
awk '/^```toml$/ { n++; inside = 1; next } /^```$/ { inside = 0 } inside { print > sprintf("'"$folder"'/model_file/example-%02d.toml", n) }' \
  docs/model-files.md

for target in "${targets[@]}"; do
  clang++ -fsanitize=fuzzer,address "$folder/objects/$target.o" "$folder"/objects/rooms/*.o build/libhamel.a -lfmt -ldl \
    $(pkg-config --libs hdf5) -o "$folder/$target.fuzzer"
  dictionary=$(ls "fuzz/$target.dict" 2>/dev/null || true)
  "$folder/$target.fuzzer" -seed="$seed" -max_total_time="$share" -max_len=4096 -timeout=20 -rss_limit_mb=4096 \
    -malloc_limit_mb=1024 -verbosity=0 ${dictionary:+-dict="$dictionary"} -artifact_prefix="$folder/" \
    "$folder/$target"
  echo "$target: no crash and no hang in $share seconds"
done
