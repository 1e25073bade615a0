// The folder that a studio was opened on: its model files and records, and nothing else.
//
// A name is that of a file in the folder itself: no path, nothing hidden, no link. What is not so is refused, whatever
// it leads to.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace hamel::studio {

constexpr std::size_t most_text = 4'000'000;  // bytes of a model file

class Folder {
 public:
  explicit Folder(std::string path) : path_(std::move(path)) {}  // empty: there is none

  nlohmann::ordered_json list() const;  // {folder, files: [{name, size}]}, model files and records
  std::string read(const std::string& name) const;
  void write(const std::string& name, const std::string& text) const;  // a model file, complete or not at all
  std::string path_of(const std::string& name, const std::string& extension) const;

 private:
  void need() const;

  std::string path_;
};

// At most so many bytes of a file that is no link; throws std::runtime_error.
std::string text_of_file(const std::string& path, std::size_t most);

}  // namespace hamel::studio
