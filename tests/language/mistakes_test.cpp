// What people get wrong, and what they are told: mistakes.txt, and those that do not fit into it.
#include "language/mistakes.hpp"

#include <gtest/gtest.h>

#include <string>

#include "hamel/language/model_file.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel::mistakes_test {
namespace {

const std::string good = read_mistakes("mistakes.txt").model;

INSTANTIATE_TEST_SUITE_P(Language, Mistakes, testing::ValuesIn(read_mistakes("mistakes.txt").mistakes), name_of);

// Found by fuzzing.
TEST(Mistakes, OfBytesThatAreNoText) {
  const std::string long_tail(200, '\xB4');
  for (const std::string& text :
       {"\xA5" + long_tail + "[", std::string("[!energy]"), std::string(1, '\0'), std::string()})
    EXPECT_THROW(parse_model(text, "model.toml"), SourceError);
}

std::string message_of(const std::string& potential) {
  std::string text = good;
  const std::string right = "m*9.81*x[1].z";
  text.replace(text.find(right), right.size(), potential);
  try {
    parse_model(text, "model.toml");
  } catch (const SourceError& error) {
    return error.message();
  }
  return "was accepted";
}

// Limits, so that nothing hangs: each with a message of its own.
TEST(Mistakes, OfSizeAreLimited) {
  std::string long_sum = "m";
  for (int i = 0; i < 1000; ++i) long_sum += "+m";
  EXPECT_EQ(message_of(std::string(300, '(') + "m" + std::string(300, ')')),
            "the expression is nested more than 200 deep; use definitions");
  EXPECT_EQ(
      message_of(long_sum),
      "the expression has more than 1000 operations within each other; use sum(...) for long sums, or definitions");
  EXPECT_EQ(message_of("sum(i in 1..99999999, m)"), "the end of a range must be at most 10000000, got 99999999");
  EXPECT_EQ(message_of("sum(i in 1..5000000, m)"), "the range has 5000000 members: too many");
  const std::string large = good + std::string(4'000'000, '#');
  EXPECT_THROW(parse_model(large, "model.toml"), SourceError);
}

TEST(MistakesLong, OfManyOperationsAreLimited) {
  EXPECT_EQ(message_of("sum(i in 1..2100, j in 1..2100, m)"), "the model has more than 4000000 operations: too many");
}

TEST(Mistakes, OfTheGoodModelAreNone) {
  const ModelFile file = parse_model(good, "model.toml");
  std::vector<std::string> remarks;
  EXPECT_EQ(start_state(file, derive(file.model), remarks).q.size(), 6);
  EXPECT_TRUE(remarks.empty());
}

}  // namespace
}  // namespace hamel::mistakes_test
