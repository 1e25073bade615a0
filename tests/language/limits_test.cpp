// Numbers, keys and files at the limits of what can be read: none of them crashes, hangs or is read as something else.
#include <gtest/gtest.h>

#include <string>

#include "hamel/language/model_file.hpp"
#include "message.hpp"

namespace hamel::limits_test {
namespace {

std::string oscillator(const std::string& potential) {
  return "[parameters]\nm = 1\n[coordinates]\nx = \"R1\"\n[energy]\nkinetic = \"m/2*x'^2\"\npotential = \"" +
         potential + "\"\n";
}

std::string refusal(const std::string& text, const Overrides& overrides = {}) {
  return test::message_of<SourceError>([&] { parse_model(text, "model.toml", overrides); });
}

TEST(Numbers, ThatNoDoubleHoldsAreRefusedWhereTheyStand) {
  EXPECT_EQ(refusal(oscillator("x^2 + 1e309*x")),
            "model.toml:7:20: the number 1e309 cannot be held: numbers are 0, or of size 5e-324 to 1.8e308\n"
            "       7 | potential = \"x^2 + 1e309*x\"\n"
            "         |                    ^~~~~");
  EXPECT_EQ(refusal(oscillator("1e-400*x")),
            "model.toml:7:14: the number 1e-400 cannot be held: numbers are 0, or of size 5e-324 to 1.8e308\n"
            "       7 | potential = \"1e-400*x\"\n"
            "         |              ^~~~~~");
  EXPECT_EQ(refusal(oscillator("x^2"), {{"m", "2*1e400"}}),
            "--set:1:5: the number 1e400 cannot be held: numbers are 0, or of size 5e-324 to 1.8e308\n"
            "       1 | m=2*1e400\n"
            "         |     ^~~~~");
  EXPECT_EQ(refusal("[parameters]\nm = 1e400\n"),
            "model.toml:2:5: the number 1e400 cannot be held: numbers are 0, or of size 5e-324 to 1.8e308\n"
            "       2 | m = 1e400\n"
            "         |     ^~~~~");
  EXPECT_NE(refusal("[parameters]\nm = 1e-400\n").find("the number 1e-400 cannot be held"), std::string::npos);
}

TEST(Numbers, AtTheLimitsAreRead) {
  for (const char* number : {"1.7976931348623157e308", "5e-324", "0e-400", "0.0"})
    EXPECT_EQ(parse_model(oscillator("x^2"), "model.toml", {{"m", number}}).model.parameters().front().value(0),
              std::strtod(number, nullptr));
}

// Tables within each other, made by dots: toml++ destroys them recursively.
TEST(Keys, OfManyPartsAreRefused) {
  std::string key = "a";
  for (int i = 0; i < 20'000; ++i) key += i % 2 == 0 ? ".\"=\"" : " . 'b\"'";
  const std::string longest = "a key or the name of a table has more than 32 parts";
  const auto message = [](const std::string& text) {
    const std::string whole = refusal(text);
    return whole.substr(0, whole.find('\n'));
  };
  EXPECT_EQ(message("[" + key + "]\n"), "model.toml:1:2: " + longest);
  EXPECT_EQ(message("[[" + key + "]]\n"), "model.toml:1:3: " + longest);
  EXPECT_EQ(message("a = 1 # ' \"\"\"\n" + key + " = 1\n?"), "model.toml:2:1: " + longest);
  EXPECT_EQ(message("a = { b = \"\"\"\\\"\"\"\"\", " + key + " = 1 }\n"), "model.toml:1:21: " + longest);
  EXPECT_EQ(message("a = { b = '''\n'''', " + key + " = 1 }\n"), "model.toml:2:6: " + longest);
  EXPECT_EQ(message("a = \"\\\\\"\n" + key + " = 1\n"), "model.toml:2:1: " + longest);
  EXPECT_EQ(message("a = \"open\n" + key + " = 1\n"), "model.toml:2:1: " + longest);
}

TEST(Keys, WithinTablesWithinTablesAreLimitedToo) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "{ a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = ";
  EXPECT_NE(refusal("a = " + text).find("exceeded maximum nested value depth of 32"), std::string::npos);
}

TEST(Keys, HaveDotsInTextsAndNumbers) {
  const std::string dots(1000, '.');
  EXPECT_EQ(parse_model("description = \"" + dots + "\"  # " + dots + "\nsource = '''" + dots + "\n" + dots + "'''\n" +
                            oscillator("0.5*x^2 + 1.5*x + 0.5*x + 0.5*x"),
                        "model.toml")
                .description,
            dots);
}

// With time that grows as the square of the length, this would be half an hour.
TEST(LongLines, AreReadInTimeThatGrowsWithTheirLength) {
  std::string numbers = "1.5";
  for (int i = 1; i < 500'000; ++i) numbers += ",2";
  const ModelFile file = parse_model("description = \"\xC3\xA9\"\n[parameters]\nm = 1\nlist = [" + numbers +
                                         "]\n[coordinates]\nx = \"R1\"\n[energy]\nkinetic = \"m/2*x'^2\"\n",
                                     "model.toml");
  EXPECT_EQ(file.model.parameters()[1].value.size(), 500'000);
}

// Columns are counted in characters, places in bytes.
TEST(LongLines, WithLettersOfSeveralBytesHaveTheirPlaces) {
  EXPECT_EQ(refusal("\xEF\xBB\xBF[parameters]\n\"m\xC3\xA9\" = 1\n\"\xE2\x88\x82\xE2\x88\x82\" = { a = 1 }\n"),
            "model.toml:3:2: expected a number, a list of numbers, or an expression in quotes\n"
            "       3 | \"\xE2\x88\x82\xE2\x88\x82\" = { a = 1 }\n"
            "         |  ^~");
}

}  // namespace
}  // namespace hamel::limits_test
