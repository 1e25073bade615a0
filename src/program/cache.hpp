// The folder of compiled programs. What is in it is run, so it must be the user's own, and each file carries a
// checksum of itself that is compared before the file is loaded.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace hamel {

// The folder, made where it is missing; a notice and nothing where it cannot be used.
std::optional<std::string> open_cache();

// Appends the checksum to a freshly made shared object and makes it private. False when it cannot be written.
bool seal_library(const std::string& path);

// Stores bytes with their checksum under this path, at once or not at all; and gives them back, if they are whole and
// the user's own.
bool store_sealed(const std::string& path, const std::string& bytes);
std::optional<std::string> read_sealed(const std::string& path);

// Null when there is no such file, or it is damaged, not the user's, or not the library of this key.
std::shared_ptr<void> load_library(const std::string& path, const std::string& key);

}  // namespace hamel
