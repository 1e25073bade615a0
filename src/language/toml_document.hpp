// A TOML document as values with places. Entries are in the order in which they were written.
#pragma once

#include <string>
#include <vector>

#include "language/syntax.hpp"

namespace hamel {

struct TomlEntry;

struct TomlValue {
  enum class Kind { text, number, truth, list, table };

  Kind kind = Kind::table;
  Place place;
  Snippet text;       // text
  double number = 0;  // number
  bool truth = false;
  std::vector<TomlValue> items;    // list
  std::vector<TomlEntry> entries;  // table

  const TomlEntry* find(const std::string& key) const;
};

struct TomlEntry {
  Snippet key;
  TomlValue value;
  Place place() const { return key.place(0, key.text.size()); }
};

// Throws SourceError.
TomlValue parse_toml(const std::shared_ptr<const Source>& source);

// All of a text, as it is.
Snippet whole_text(const std::shared_ptr<const Source>& source, std::size_t begin, std::size_t end);

}  // namespace hamel
