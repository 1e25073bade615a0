#include "program/notice.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <mutex>
#include <set>
#include <utility>

#include "hamel/program/native.hpp"

namespace hamel {
namespace {

struct Notices {
  std::mutex lock;
  std::function<void(const std::string&)> handler;
  std::set<std::string> causes;
};

Notices& notices() {
  static Notices instance;
  return instance;
}

}  // namespace

void set_notice_handler(std::function<void(const std::string&)> handler) {
  const std::scoped_lock guard(notices().lock);
  notices().handler = std::move(handler);
}

void notice(const std::string& cause, const std::string& message) {
  std::function<void(const std::string&)> handler;
  {
    const std::scoped_lock guard(notices().lock);
    if (!notices().causes.insert(cause).second) return;
    handler = notices().handler;
  }
  if (handler)
    handler(message);
  else
    fmt::print(stderr, "hamel: {}\n", message);
}

}  // namespace hamel
