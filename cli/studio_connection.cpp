#include "studio_connection.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

namespace hamel::cli {

namespace {

using Time = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds patience{5000}, moment{100}, farewell{300};

}  // namespace

bool Connection::waits_for(short event, Time::time_point until) const {
  while (!stop_ && Time::now() < until) {
    pollfd ready{.fd = socket_, .events = event, .revents = 0};
    if (::poll(&ready, 1, static_cast<int>(moment.count())) > 0) return true;
  }
  return false;
}

ssize_t Connection::read(char* to, std::size_t size) {
  if (next_ == end_) {
    if (received_ >= limit_ || !waits_for(POLLIN, begin_ + patience)) return -1;
    const ssize_t count = ::recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (count <= 0) return count;
    next_ = 0, end_ = static_cast<std::size_t>(count);
    received_ += end_;
  }
  const std::size_t count = std::min(size, end_ - next_);
  std::copy_n(buffer_.data() + next_, count, to);
  next_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t Connection::write(const char* from, std::size_t size) {
  if (!waits_for(POLLOUT, Time::now() + patience)) return -1;
  return ::send(socket_, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void Connection::close() {
  ::shutdown(socket_, SHUT_WR);
  const Time::time_point until = Time::now() + farewell;
  while (waits_for(POLLIN, until) && ::recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT) > 0) {
  }
  ::close(socket_);
}

}  // namespace hamel::cli
