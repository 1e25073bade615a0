#include "hamel/report/page.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "report/page_check.hpp"
#include "report/page_json.hpp"
#include "report/template.hpp"

namespace hamel {

namespace {

constexpr std::string_view place_of_data = "/*hamel-data*/";

// How many frames fit, given what the page has besides: its size with no more than two frames.
std::size_t frames_that_fit(const Page& page, std::size_t size_without, const PageLimits& limits) {
  const std::size_t room = limits.bytes > size_without ? limits.bytes - size_without : 0;
  return std::max<std::size_t>(2, std::min(limits.frames, room / bytes_per_frame(page)));
}

class TemporaryFile {
 public:
  explicit TemporaryFile(std::filesystem::path target)
      : target_(std::move(target)), path_(fmt::format("{}.{}.part", target_.string(), ::getpid())) {
    file_.reset(std::fopen(path_.c_str(), "wb"));
    if (file_ == nullptr) fail();
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    if (!done_) std::filesystem::remove(path_, ignored);
  }

  void write(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) fail();
    if (std::fflush(file_.get()) != 0) fail();
  }

  void become_target() {
    if (std::fclose(file_.release()) != 0) fail();
    if (std::rename(path_.c_str(), target_.c_str()) != 0) fail();
    done_ = true;
  }

 private:
  [[noreturn]] void fail() const {
    const int reason = errno;
    throw std::runtime_error(
        fmt::format("cannot write the report {}: {}{}", target_.string(), std::strerror(reason), advice(reason)));
  }

  static const char* advice(int reason) {
    switch (reason) {
      case ENOSPC:
      case EDQUOT:
        return "; nothing was changed there: make room, or write it to another disk";
      case EACCES:
      case EROFS:
        return "; choose a folder that you may write to";
      case ENOENT:
        return "; make its folder first";
      case EISDIR:
        return "; give the name of a file";
      default:
        return "";
    }
  }

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::filesystem::path target_;
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  bool done_ = false;
};

}  // namespace

std::vector<std::size_t> chosen_frames(std::size_t count, std::size_t limit) {
  const std::size_t shown = std::min(count, std::max<std::size_t>(limit, 2));
  std::vector<std::size_t> frames(shown);
  for (std::size_t i = 0; i < shown; ++i) frames[i] = shown == 1 ? 0 : i * (count - 1) / (shown - 1);
  return frames;
}

std::string to_html(const Page& page, const PageLimits& limits) {
  check(page);
  const std::string_view html = page_template();
  const std::size_t place = html.find(place_of_data);
  const std::size_t count = page.time.size();
  const std::size_t size_without = html.size() + to_json(page, chosen_frames(count, 2)).size();
  const auto frames = chosen_frames(count, frames_that_fit(page, size_without, limits));
  std::string text(html.substr(0, place));
  text += to_json(page, frames);
  text += html.substr(place + place_of_data.size());
  return text;
}

void write_report(const std::filesystem::path& path, const Page& page, const PageLimits& limits) {
  const std::string html = to_html(page, limits);
  TemporaryFile file(path);
  file.write(html);
  file.become_target();
}

}  // namespace hamel
