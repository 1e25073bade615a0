#include "hamel/studio/watched_file.hpp"

#include <sys/stat.h>

#include <stdexcept>

#include "studio/folder.hpp"

namespace hamel {

std::optional<std::string> WatchedFile::change() {
  struct stat status {};
  if (path_.empty() || ::stat(path_.c_str(), &status) != 0) return {};
  const std::array<std::int64_t, 4> now = {static_cast<std::int64_t>(status.st_ino), status.st_size,
                                           status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
  if (now == seen_) return {};
  try {
    std::string text = studio::text_of_file(path_, studio::most_text);
    seen_ = now;
    if (text == text_) return {};
    text_ = std::move(text);
    return text_;
  } catch (const std::runtime_error&) {
    return {};
  }
}

}  // namespace hamel
