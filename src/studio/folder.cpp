#include "studio/folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "hamel/graph/escape.hpp"
#include "hamel/record/output_file.hpp"

namespace hamel::studio {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 1000, longest_name = 200;

bool is_name(const std::string& name) {
  return !name.empty() && name.size() <= longest_name && name.front() != '.' && visible(name) == name &&
         name.find_first_of(std::string("/\\\0", 3)) == std::string::npos;
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

std::string text_of_file(const std::string& path, std::size_t most) {
  const auto fail = [&](const char* reason) {
    throw std::runtime_error(fmt::format("cannot read {}: {}", path, reason));
  };
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.number() < 0) fail(errno == ELOOP ? "it is a link" : std::strerror(errno));
  struct stat status {};
  if (::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) fail("it is no file");
  std::string text(most + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t count = ::read(file.number(), text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(std::strerror(errno));
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  if (size > most) fail("it is too large");
  text.resize(size);
  return text;
}

void Folder::need() const {
  if (path_.empty()) throw std::invalid_argument("no folder is open: start it as hamel studio FOLDER");
}

std::string Folder::path_of(const std::string& name, const std::string& extension) const {
  need();
  if (!is_name(name) || fs::path(name).extension() != extension)
    throw std::invalid_argument(
        fmt::format("{} is no name of a file {} in {}", visible(name), extension, visible(path_)));
  return (fs::path(path_) / name).string();
}

nlohmann::ordered_json Folder::list() const {
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  std::error_code none;
  if (!path_.empty())
    for (const fs::directory_entry& entry : fs::directory_iterator(path_, none)) {
      const std::string name = entry.path().filename().string(), extension = entry.path().extension().string();
      if ((extension != ".toml" && extension != ".h5") || !is_name(name) || !entry.is_regular_file(none) ||
          entry.is_symlink(none) || files.size() == most_files)
        continue;
      files.push_back({{"name", name}, {"size", entry.file_size(none)}});
    }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) {
    return a.at("name").template get<std::string>() < b.at("name").template get<std::string>();
  });
  return {{"folder", path_}, {"files", files}};
}

std::string Folder::read(const std::string& name) const { return text_of_file(path_of(name, ".toml"), most_text); }

void Folder::write(const std::string& name, const std::string& text) const {
  OutputFile file(path_of(name, ".toml"), true);
  file.write(text);
  file.publish();
}

}  // namespace hamel::studio
