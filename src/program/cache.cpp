#include "program/cache.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "program/notice.hpp"
#include "program/sha256.hpp"

namespace hamel {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view seal_mark = "hamel library, sha256 ";
constexpr std::size_t seal_size = seal_mark.size() + 64;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

fs::path cache_path() {
  if (const std::string chosen = variable("HAMEL_CACHE"); !chosen.empty()) return chosen;
  if (const std::string base = variable("XDG_CACHE_HOME"); !base.empty()) return fs::path(base) / "hamel";
  if (const std::string home = variable("HOME"); !home.empty()) return fs::path(home) / ".cache" / "hamel";
  return {};
}

bool others_can_write(const struct stat& status) {
  return status.st_uid != ::geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

std::string problem_of(const fs::path& folder) {
  if (folder.empty()) return "there is no HOME; set HAMEL_CACHE to a folder of yours";
  std::error_code ignored;
  if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), ignored);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return fmt::format("{} cannot be made ({}); set HAMEL_CACHE to a folder of yours", folder.string(),
                       std::strerror(errno));
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
    return fmt::format("{} is not a folder; set HAMEL_CACHE to one of yours", folder.string());
  if (others_can_write(status))
    return fmt::format(
        "{} has owner {} and mode {:o}, but what it holds is run: it must be yours and writable by nobody else; "
        "chmod go-w it or set HAMEL_CACHE",
        folder.string(), status.st_uid, status.st_mode & 07777u);
  return {};
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool is_own_file(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && !others_can_write(status);
}

}  // namespace

std::optional<std::string> open_cache() {
  const fs::path folder = cache_path();
  const std::string problem = problem_of(folder);
  if (problem.empty()) return folder.string();
  notice("cache " + folder.string(), "no native code: the cache " + problem + ". Programs run in the interpreter.");
  return std::nullopt;
}

bool seal_library(const std::string& path) {
  const std::string content = read_file(path);
  if (content.empty()) return false;
  const std::string seal = std::string(seal_mark) + sha256(content);
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file << seal << std::flush;
  return file.good() && ::chmod(path.c_str(), 0700) == 0;  // whatever the umask left open
}

std::optional<std::string> read_sealed(const std::string& path) {
  if (!is_own_file(path)) return std::nullopt;
  std::string bytes = read_file(path);
  if (bytes.size() < seal_size) return std::nullopt;
  const std::string seal = bytes.substr(bytes.size() - seal_size);
  bytes.resize(bytes.size() - seal_size);
  if (seal != std::string(seal_mark) + sha256(bytes)) return std::nullopt;
  return bytes;
}

bool store_sealed(const std::string& path, const std::string& bytes) {
  static std::atomic<int> counter = 0;
  const std::string draft = fmt::format("{}.{}.{}", path, ::getpid(), ++counter);
  std::ofstream file(draft, std::ios::binary);
  file << bytes << std::flush;
  file.close();
  if (file && seal_library(draft) && ::rename(draft.c_str(), path.c_str()) == 0) return true;
  std::error_code ignored;
  fs::remove(draft, ignored);
  return false;
}

// dlopen of a truncated file may end the process: nothing is loaded whose checksum is not right.
std::shared_ptr<void> load_library(const std::string& path, const std::string& key) {
  if (!read_sealed(path)) return nullptr;
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return nullptr;
  std::shared_ptr<void> library(handle, [](void* loaded) { ::dlclose(loaded); });
  const auto* found = static_cast<const char*>(::dlsym(handle, "hamel_key"));
  return found != nullptr && key == found ? library : nullptr;
}

}  // namespace hamel
