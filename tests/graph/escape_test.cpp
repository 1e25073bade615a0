#include "hamel/graph/escape.hpp"

#include <gtest/gtest.h>

namespace hamel::test {
namespace {

constexpr const char* unseen = "\xEF\xBF\xBD";

TEST(Escape, WhatCannotBeSeenIsReplaced) {
  EXPECT_EQ(visible("Pendulum \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"),
            "Pendulum \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
  EXPECT_EQ(visible("a\nb\tc\r"), "a b c ");
  for (const char* hidden : {"\x1b", "\x7f", "\xC2\x9B", "\xE2\x80\xAE", "\xE2\x81\xA6", "\xE2\x80\xA8"})
    EXPECT_EQ(visible(std::string("a") + hidden + "b"), std::string("a") + unseen + "b");
}

TEST(Escape, BytesThatAreNoUtf8AreReplaced) {
  EXPECT_EQ(visible("caf\xE9"), std::string("caf") + unseen);
  EXPECT_EQ(visible("\xC0\xAF"), std::string(unseen) + unseen);               // an overlong slash
  EXPECT_EQ(visible("\xED\xA0\x80"), std::string(unseen) + unseen + unseen);  // half of a pair
  EXPECT_EQ(visible("\xE2\x82"), std::string(unseen) + unseen);               // cut off
  EXPECT_EQ(visible("\xF4\x90\x80\x80").find("\xF4"), std::string::npos);     // beyond the last character
}

TEST(Escape, CommentsOfCStayOpenAndOnOneLine) {
  EXPECT_EQ(c_comment("a pendulum * 2 / 3"), "a pendulum * 2 / 3");
  EXPECT_EQ(c_comment("x */ y /* z */*/"), "x * / y / * z * / * /");
  EXPECT_EQ(c_comment("*\\\n/"), "*\\ /");
  EXPECT_EQ(c_comment("*?\?/\n/"), "*?\?/ /");
}

TEST(Escape, IdentifiersOfC) {
  EXPECT_EQ(c_identifier("Heavy top, 2"), "Heavy_top__2");
  EXPECT_EQ(c_identifier("2 bodies"), "_2_bodies");
  EXPECT_EQ(c_identifier(""), "_");
}

TEST(Escape, WordsOfLatex) {
  EXPECT_EQ(latex_word("cart"), "cart");
  EXPECT_EQ(latex_word("a_b{c}%$#&"), "a\\_b\\{c\\}\\%\\$\\#\\&");
  EXPECT_EQ(latex_word("\\input{x}~^"), "\\backslash{}input\\{x\\}\\sim{}\\wedge{}");
}

TEST(Escape, MarkupIsText) {
  EXPECT_EQ(xml_text("a < b & \"c\" > 'd'"), "a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;");
  EXPECT_EQ(xml_text(std::string("\x01") + "]]>"), std::string(unseen) + "]]&gt;");
  EXPECT_EQ(json_in_html("{\"a\": \"</script><!--\"}"), "{\"a\": \"\\u003c/script>\\u003c!--\"}");
}

TEST(Escape, FieldsOfTables) {
  EXPECT_EQ(csv_field("q'[1].x"), "q'[1].x");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"a\""), "\"say \"\"a\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "two lines");
  for (const char* formula : {"=1+1", "+1", "-1", "@SUM(A1)"})
    EXPECT_EQ(csv_field(formula), std::string("'") + formula);
}

TEST(Escape, WordsThatEveryShellReadsAlike) {
  for (const char* plain : {"heavy-top", "n_body.2", "C++"}) EXPECT_TRUE(is_plain_word(plain)) << plain;
  for (const char* other : {"", "-rf", "a b", "$(x)", "`x`", "a;b", "a\nb", "~", "*"})
    EXPECT_FALSE(is_plain_word(other)) << other;
}

}  // namespace
}  // namespace hamel::test
