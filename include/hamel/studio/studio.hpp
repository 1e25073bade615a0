// What a page asks of hamel: one model at a time, its text, its parameters, its runs. The same in a browser
// (WebAssembly, web/module) and behind `hamel studio`.
//
//   Studio studio;
//   studio.answer(R"({"do": "read", "text": "..."})");
//
// JSON in, JSON out; web/client/types.ts lists all questions and answers. What is refused is an answer, too:
// {"refused": {"message": ..., "line": ..., "column": ...}}.
#pragma once

#include <memory>
#include <string>

namespace hamel {

namespace studio {
class Session;
}

class Studio {
 public:
  Studio();
  ~Studio();

  std::string answer(const std::string& request);

 private:
  std::unique_ptr<studio::Session> session_;
};

}  // namespace hamel
