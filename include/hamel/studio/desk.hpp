// The studio of one page, with time and a folder: questions come from any thread and are answered one after another,
// runs go on in slices between them. What a Worker is in a browser, this is behind `hamel studio`.
//
//   Desk desk("models", [](const std::string& reply) { ... });
//   desk.hear(R"({"id": 1, "call": "run", "ask": {"run": 1}})");    // from any thread
//   desk.hear(R"({"stop": 1})");
//   desk.work();                                                    // until desk.close()
//
// Questions and replies are those of web/client/types.ts. Model files and records are those of the folder.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace hamel {

class Desk {
 public:
  using Say = std::function<void(const std::string&)>;  // one reply; called from one thread at a time

  Desk(const std::string& folder, Say say);  // an empty folder: none
  ~Desk();

  void hear(const std::string& question);
  void close();  // nothing follows, and what is going on is not wanted any more
  void work();

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace hamel
