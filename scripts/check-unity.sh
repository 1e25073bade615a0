#!/usr/bin/env bash
# The files of a room are compiled all at once (cmake/unity.cmake), so names that belong to one file, in an unnamed
# namespace or static, must differ within a room, from one another and from its types. A compiler notices only where the
# two files meet, which changes with every new file. The same alias twice is no harm. Reads what clang-format wrote: a
# declaration begins at the left margin.
set -euo pipefail
cd "$(dirname "$0")/.."

alone=$(sed -nE 's/^set_source_files_properties\((.*) PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON\)$/\1/p' cmake/unity.cmake)

find include src cli tests -name '*.hpp' -o -name '*.cpp' | grep -v '^tests/consumer/' | grep -vxF "${alone:-none}" |
  LC_ALL=C sort | xargs awk '
  # The names that a line declares, each with a space before it.
  function declared(line,    name, rest) {
    name = first_declared(line)
    if (name == "") return ""
    name = " " name
    sub(/ *\/\/.*/, "", line)
    while (gsub(/<[^<>]*>|\{[^{}]*\}|"[^"]*"/, "", line)) {}
    if (line !~ /^[^(=]*=/ && line !~ /^const/) return name
    while (match(line, /, [A-Za-z_][A-Za-z_0-9]* *(=|;|$)/)) {
      rest = substr(line, RSTART + 2)
      match(rest, /^[A-Za-z_][A-Za-z_0-9]*/)
      name = name " " substr(rest, 1, RLENGTH)
      line = rest
    }
    return name
  }
  function first_declared(line,    cut) {
    sub(/ *\/\/.*/, "", line)
    sub(/^\[\[[^]]*\]\] /, "", line)
    sub(/^__attribute__\(\([a-z_0-9]*(\("[^"]*"\))?\)\) /, "", line)
    if (line ~ /^(using namespace |static_assert|friend |extern |template *<|namespace |typedef |public:|private:)/)
      return ""
    if (line ~ /^[A-Z][A-Z0-9_]+\(/ || line ~ /operator[^A-Za-z_0-9]/) return ""  # a macro; an overload
    if (line ~ /^(struct|class|union|enum) /) {
      if (line ~ /;$/ && line !~ /\{/) return ""  # said, not defined
      sub(/^(struct|class|union|enum class|enum) /, "", line)
    }
    sub(/^using /, "", line)
    while (gsub(/<[^<>]*>/, "", line)) {}
    cut = match(line, /[=({;:[]/)
    if (cut == 0 || substr(line, cut, 2) == "::" && line !~ /^[A-Za-z_0-9:]+ /) return ""
    while (substr(line, cut, 2) == "::") {  # of a type, or of a member that is defined
      if (!match(substr(line, cut + 2), /[=({;:[]/)) return ""
      cut += 1 + RSTART
    }
    line = substr(line, 1, cut - 1)
    sub(/( final)? *$/, "", line)
    if (!match(line, /[A-Za-z_][A-Za-z_0-9:]*$/)) return ""
    line = substr(line, RSTART)
    return line ~ /::/ ? "" : line
  }

  function check(name,    key, i) {
    key = room " "
    for (i = 1; i <= depth; i++) key = key space[i]
    key = key name
    if (key in file && file[key] != FILENAME && (is_own || own[key]) && !(/^using / && text[key] == $0)) {
      printf "%s:%d: %s is also a name of %s:%d; rename one of them\n", FILENAME, FNR, name, file[key], line_of[key]
      failed = 1
    }
    found++
    if (!(key in file)) { file[key] = FILENAME; line_of[key] = FNR; text[key] = $0; own[key] = is_own }
  }

  # These helpers are compiled alone (tests/CMakeLists.txt).
  FNR == 1 { is_alone = FILENAME ~ /^tests\/(gallery|systems)\/.*\.cpp$/ && FILENAME !~ /_test\.cpp$/ }
  is_alone { next }

  # Texts of several lines.
  FNR == 1 { quoted = "" }
  quoted != "" { if (index($0, quoted)) quoted = ""; else next }
  match($0, /R"[^(" ]*\(/) {
    end = ")" substr($0, RSTART + 2, RLENGTH - 3) "\""
    if (!index(substr($0, RSTART + RLENGTH), end)) quoted = end
  }
  FNR == 1 {
    depth = unnamed = 0
    split(FILENAME, part, "/")
    room = part[1] == "include" ? "src/" part[3] : part[1] == "cli" ? "cli" : part[1] "/" part[2]
  }
  /^(inline )?namespace .*\{/ {
    sub(/^inline /, "")
    depth++
    space[depth] = $2 == "{" ? "" : $2 "::"
    if ($2 == "{") unnamed++
    if (/\}/) { if ($2 == "{") unnamed--; depth-- }
    next
  }
  /^\}  \/\/ .*namespace/ && depth > 0 { if (space[depth] == "") unnamed--; depth--; next }
  /^[A-Za-z_[]/ {
    is_type = /^(struct|class|union|enum) /
    is_own = unnamed > 0 || /^static /
    if (!is_own && !is_type) next
    count = split(declared($0), names, " ")
    for (n = 1; n <= count; n++) check(names[n])
  }
  END {
    if (!found) { print "no names found in src"; failed = 1 }
    exit failed
  }'
