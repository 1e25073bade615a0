// The process behind one page of `hamel studio`: what cannot be stopped is ended with it, and its memory is bounded.
//
// It reads questions from standard input, a line each, and writes replies to standard output as server-sent events.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace hamel::cli {

// This process, until standard input ends. Model files and records are those of the folder.
[[noreturn]] void be_engine(const std::string& folder);

// Such a process, from outside.
class Engine {
 public:
  explicit Engine(const std::string& folder);
  ~Engine();  // asks it to end; what does not end soon is ended
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  bool send(std::string_view line);  // false: it does not take it
  int replies() const { return from_; }

 private:
  pid_t id_ = -1;
  int to_ = -1, from_ = -1;
};

}  // namespace hamel::cli
