#include "language/mistakes.hpp"

#include <fstream>
#include <stdexcept>

#include "hamel/language/model_file.hpp"
#include "hamel/mechanics/system.hpp"
#include "message.hpp"

namespace hamel {

namespace {

// Its name, lines of the model (-), those in their place (+), and the message, up to an empty line.
Mistake read_mistake(const std::string& name, std::istream& in, const std::string& model) {
  std::string right, wrong, message;
  for (std::string line; std::getline(in, line) && !line.empty();) {
    if (line.starts_with('-'))
      right += line.substr(1) + '\n';
    else if (line.starts_with('+'))
      wrong += line.substr(1) + '\n';
    else
      message += (message.empty() ? "" : "\n") + line;
  }
  std::string text = model;
  const std::size_t place = text.find(right);
  if (right.empty() || message.empty() || place == std::string::npos)
    throw std::runtime_error("the mistake " + name + " needs lines of its model, and a message");
  return {name, text.replace(place, right.size(), wrong), message};
}

}  // namespace

MistakeTable read_mistakes(const std::string& file) {
  const std::string path = HAMEL_SOURCE_DIR "/tests/language/" + file;
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  MistakeTable table;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("== "))
      table.mistakes.push_back(read_mistake(line.substr(3), in, table.model));
    else if (!line.starts_with('#'))
      table.model += line + '\n';
  }
  return table;
}

TEST_P(Mistakes, AreExplained) {
  EXPECT_EQ(test::message_of<SourceError>([] {
              const ModelFile file = parse_model(GetParam().text, "model.toml");
              std::vector<std::string> remarks;
              start_state(file, derive(file.model), remarks);
            }),
            GetParam().message);
}

}  // namespace hamel
