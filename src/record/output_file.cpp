#include "hamel/record/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>
#include <stdexcept>
#include <utility>

namespace hamel {

namespace {

namespace fs = std::filesystem;

std::string folder_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

std::optional<struct stat> status_of(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0) return status;
  return std::nullopt;
}

const char* kind_of(mode_t mode) {
  return S_ISLNK(mode)    ? "a link"
         : S_ISDIR(mode)  ? "a folder"
         : S_ISFIFO(mode) ? "a fifo"
         : S_ISSOCK(mode) ? "a socket"
                          : "a device";
}

bool is_same_file(const std::string& a, const std::string& b) {
  struct stat first {
  }, second{};
  if (::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0)
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
  std::error_code none;
  return fs::weakly_canonical(fs::absolute(a, none), none) == fs::weakly_canonical(fs::absolute(b, none), none);
}

void need_writable_folder(const std::string& path) {
  if (path.empty()) throw std::invalid_argument("a file needs a path");
  const std::string folder = folder_of(path);
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    throw std::runtime_error(
        fmt::format("cannot write {}: the folder {}: {}; give another path", path, folder, std::strerror(errno)));
}

const char* advice(int reason) {
  return reason == ENOSPC || reason == EDQUOT ? "; make room, or write it to another disk" : "";
}

}  // namespace

void need_regular_file(const std::string& path) {
  const auto status = status_of(path);
  if (status && !S_ISREG(status->st_mode))
    throw std::runtime_error(
        fmt::format("{} is {} and was not touched: only regular files are written to; give another path", path,
                    kind_of(status->st_mode)));
}

void need_output(const std::string& path, bool overwrite, const std::vector<std::string>& others) {
  need_writable_folder(path);
  for (const std::string& other : others)
    if (!other.empty() && is_same_file(path, other))
      throw std::runtime_error(fmt::format("{} is read or written by the same command already{}; give another path",
                                           path, path == other ? "" : fmt::format(", as {}", other)));
  need_regular_file(path);
  if (!overwrite && status_of(path))
    throw std::runtime_error(fmt::format(
        "{} exists and was not touched: give another path, or ask for it to be overwritten (--overwrite)", path));
}

std::string temporary_path(const std::string& beside) {
  std::random_device random;
  const std::uint64_t number = std::uint64_t{random()} << 32 | random();
  return (fs::path(folder_of(beside)) / fmt::format(".hamel-{:016x}.part", number)).string();
}

OutputFile::OutputFile(const std::string& path, bool overwrite)
    : path_(path), temporary_(temporary_path(path)), overwrite_(overwrite) {
  need_output(path, overwrite);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!is_published_) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view text) {
  if (descriptor_ < 0) descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail();
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor_, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail();
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

// Another file of that name that appeared in the meantime is not touched, unless it may be replaced.
void OutputFile::publish() {
  if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0) fail();
  const char *from = temporary_.c_str(), *to = path_.c_str();
  int result = ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
  const bool is_unknown = result < 0 && (errno == EINVAL || errno == ENOSYS);  // to this file system
  if (result < 0 && (is_unknown || errno == EEXIST)) {
    need_output(path_, overwrite_);
    result = ::rename(from, to);
  }
  if (result < 0) fail();
  is_published_ = true;
}

void OutputFile::fail() const {
  const int reason = errno;
  throw std::runtime_error(
      fmt::format("cannot write {}: {}; nothing was written{}", path_, std::strerror(reason), advice(reason)));
}

}  // namespace hamel
