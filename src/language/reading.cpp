#include "language/reading.hpp"

#include <algorithm>

namespace hamel {

const TomlValue& need_table(const TomlEntry& entry, const char* example) {
  if (entry.value.kind != TomlValue::Kind::table)
    throw SourceError(entry.value.place, fmt::format("{} must be a table, such as {}", entry.key.text, example));
  return entry.value;
}

std::string need_text(const TomlEntry& entry) {
  if (entry.value.kind != TomlValue::Kind::text)
    throw SourceError(entry.value.place, fmt::format("{} must be a text in quotes", entry.key.text));
  return entry.value.text.text;
}

void check_keys(const TomlValue& table, const std::vector<std::string>& known, const std::string& where) {
  for (const TomlEntry& entry : table.entries) {
    const std::string& key = entry.key.text;
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    refuse_key(entry, known, where);
  }
}

void refuse_key(const TomlEntry& entry, const std::vector<std::string>& known, const std::string& where) {
  const std::string& key = entry.key.text;
  const std::string near = suggestion(key, known);
  throw SourceError(entry.place(),
                    near.empty() ? fmt::format("unknown key {} in {}; there are {}", key, where, fmt::join(known, ", "))
                                 : fmt::format("unknown key {} in {}{}", key, where, near));
}

}  // namespace hamel
