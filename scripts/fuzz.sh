#!/usr/bin/env bash
# Fuzzes the reader of model files for so many seconds (default: 60), from the models and examples as seeds. With a
# random seed as second argument it tries the same inputs each time, in an empty build folder.
#
# The reader itself is built by clang, with coverage and the address sanitizer; the rooms below it are those of build/.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
seed=${2:-0}  # 0: another one each time
folder=build/fuzz
mkdir -p "$folder/corpus"
rm -rf "$folder/objects"
mkdir "$folder/objects"

compile() {
  clang++ -std=c++20 -O1 -g1 -w -fsanitize=fuzzer-no-link,address -Iinclude -Isrc -isystem /usr/include/eigen3 \
    -c "$1" -o "$folder/objects/$(basename "$1" .cpp).o"
}
export -f compile
export folder
# The files of the reader together, but for the one with settings of its own.
printf '#include "%s"\n' "$PWD"/src/language/*.cpp | grep -v toml_document >"$folder/language.cpp"
printf '%s\n' "$folder/language.cpp" src/language/toml_document.cpp fuzz/model_file.cpp | xargs -P"${JOBS:-2}" -I{} bash -c 'compile {}'
clang++ -fsanitize=fuzzer,address "$folder"/objects/*.o build/libhamel.a -lfmt -ldl -o "$folder/model_file"

cp models/*.toml "$folder/corpus/"
awk '/^```toml$/ { n++; inside = 1; next } /^```$/ { inside = 0 } inside { print > sprintf("'"$folder"'/corpus/example-%02d.toml", n) }' \
  docs/model-files.md
"$folder/model_file" -seed="$seed" -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=4096 \
  -verbosity=0 -dict=fuzz/model_file.dict -artifact_prefix="$folder/" "$folder/corpus"
echo "no crash and no hang in $seconds seconds"
