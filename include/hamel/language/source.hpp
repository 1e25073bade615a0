// The text that people wrote, and mistakes in it: every message says where, and shows the line.
//
//   pendulum.toml:9:17: unknown name lenght; did you mean length?
//       9 | kinetic = "m/2*(lenght*omega(q))^2"
//         |                 ^~~~~~
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "hamel/model/name_list.hpp"  // mistakes suggest names

namespace hamel {

struct Source {
  std::string name;  // of the file
  std::string text;
};

// Some characters of a source, counted in bytes.
struct Place {
  std::shared_ptr<const Source> source;
  std::size_t begin = 0, length = 0;

  std::size_t line() const;    // from 1
  std::size_t column() const;  // from 1, in characters
};

class SourceError : public std::runtime_error {
 public:
  SourceError(const Place& place, const std::string& message);
  const Place& place() const { return place_; }
  const std::string& message() const { return message_; }  // without place and picture

 private:
  Place place_;
  std::string message_;
};

}  // namespace hamel
