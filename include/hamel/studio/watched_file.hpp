// A file that somebody writes with an editor of their own.
//
//   WatchedFile file("pendulum.toml");
//   if (const auto text = file.change()) ...        // at first, and whenever it is another one
//
// Editors write in place or put another file under the name; both are seen, by looking. While there is no file, or one
// that cannot be read, nothing has changed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace hamel {

class WatchedFile {
 public:
  explicit WatchedFile(std::string path) : path_(std::move(path)) {}  // empty: there is none

  std::optional<std::string> change();

 private:
  std::string path_;
  std::array<std::int64_t, 4> seen_ = {};  // which file, how long, when
  std::optional<std::string> text_;
};

}  // namespace hamel
