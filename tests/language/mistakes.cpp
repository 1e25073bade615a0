#include "language/mistakes.hpp"

#include "cases.hpp"
#include "hamel/language/model_file.hpp"
#include "hamel/mechanics/system.hpp"
#include "message.hpp"

namespace hamel {

namespace {

// Lines of the model (-), those in their place (+), and the message.
Mistake mistake_of(const test::Case& one, const std::string& model) {
  std::string right, wrong, message;
  for (const auto& [line, where] : one.lines) {
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
    test::refuse(one.where, one.name + " needs lines of its model, and a message");
  return {one.name, one.where, text.replace(place, right.size(), wrong), message};
}

}  // namespace

MistakeTable read_mistakes(const std::string& file) {
  const test::Cases cases = test::read_cases("tests/language/" + file);
  MistakeTable table;
  for (const test::Line& line : cases.shared) table.model += line.text + '\n';
  for (const test::Case& one : cases.all) table.mistakes.push_back(mistake_of(one, table.model));
  return table;
}

TEST_P(Mistakes, AreExplained) {
  EXPECT_EQ(test::message_of<SourceError>([] {
              const ModelFile file = parse_model(GetParam().text, "model.toml");
              std::vector<std::string> remarks;
              start_state(file, derive(file.model), remarks);
            }),
            GetParam().message)
      << "see " << GetParam().where;
}

}  // namespace hamel
