// A limit on dotted keys. toml++ makes a table of every part, and destroys such tables within each other: a key of
// 16,000 parts overflows the stack before anything can be asked about it.
#pragma once

#include <memory>

#include "hamel/language/source.hpp"

namespace hamel {

// Throws SourceError at a key or a name of a table with too many parts.
void check_keys_are_short(const std::shared_ptr<const Source>& source);

}  // namespace hamel
