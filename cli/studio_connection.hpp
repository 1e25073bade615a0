// One connection to the studio: so many bytes, within so many seconds, however slowly they come.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>

namespace hamel::cli {

class Connection {
 public:
  Connection(int socket, const std::atomic<bool>& stop) : socket_(socket), stop_(stop) {}

  ssize_t read(char* to, std::size_t size);
  ssize_t write(const char* from, std::size_t size);
  int socket() const { return socket_; }
  void allow_body() { limit_ = most_bytes; }  // once its head is known
  // What was refused unread has to be read, or its sender never sees why.
  void close();

 private:
  static constexpr std::size_t most_head = std::size_t{32} << 10, most_bytes = std::size_t{9} << 20;
  bool waits_for(short event, std::chrono::steady_clock::time_point until) const;

  int socket_;
  const std::atomic<bool>& stop_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::size_t received_ = 0, limit_ = most_head;
  std::array<char, 4096> buffer_{};
  std::size_t next_ = 0, end_ = 0;  // of the buffer
};

}  // namespace hamel::cli
