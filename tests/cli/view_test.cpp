// What is wrong in [view] is said before anything is computed.
#include "cli/command.hpp"

namespace hamel::test {
namespace {

constexpr const char* pendulum =
    "name = \"p\"\n[coordinates]\nq = \"S2\"\n[points]\nbob = \"2*q\"\n[energy]\nkinetic = \"norm2(bob')/2\"\n"
    "potential = \"9.81*bob.z\"\n[start]\nq = [1, 0, 0]\n[run]\nintegrator = \"variational\"\nstep = 0.01\nuntil = 1\n"
    "[view]\n";

TEST_F(Command, ChecksTheView) {
  const std::pair<const char*, const char*> cases[] = {
      {"hide = [\"bop\"]", "error: [view] hide: nothing that is drawn is called bop; did you mean bob?\n"},
      {"trails = [\"tip\"]", "error: [view] trails: nothing that is drawn is called tip; there is bob\n"},
      {"colors.tip = \"red\"", "error: [view] colors: nothing that is drawn is called tip; there is bob\n"},
      {"colors.bob = \"rde\"",
       "error: [view] colors: rde is no colour; use blue, orange, green, red, purple, sky, yellow, grey or #rrggbb\n"},
      {"colors.bob = \"#12345\"",
       "error: [view] colors: #12345 is no colour; use blue, orange, green, red, purple, sky, yellow, grey or "
       "#rrggbb\n"},
      {"radii.tip = 1", "error: [view] radii: nothing that is drawn is called tip; there is bob\n"},
      {"sizes.bob = [1, 0, 1]", "error: [view] sizes: that of bob is not positive\n"},
      {"links = [[\"origin\", \"tip\"]]", "error: [view] links: no point is called tip; there is bob\n"},
      {"springs = [[\"origin\", \"bop\"]]", "error: [view] springs: no point is called bop; did you mean bob?\n"},
      {"follow = \"tip\"", "error: [view] follow: nothing that is drawn is called tip; there is bob\n"},
      {"follow = \"bob\"\nhide = [\"bob\"]",
       "error: [view] follow: the camera can follow points, bodies and carts that are drawn; bob is none\n"},
      {"up = [0, 0, 0]", "error: [view] up: [0, 0, 0] is no direction\n"},
      {"camera = [0, 0, 0]", "error: [view] camera: [0, 0, 0] is no direction\n"}};
  for (const auto& [line, message] : cases) {
    write("p.toml", std::string(pendulum) + line + "\n");
    EXPECT_EQ(hamel("check p.toml").err, message) << line;
    const Result run = hamel("run p.toml --report p.html");
    EXPECT_EQ(run.err, message) << line;
    EXPECT_FALSE(fs::exists(path("p.html")));
  }
}

TEST_F(Command, ChecksTheViewOfALongChain) {
  const Result wrong = hamel("check chain-pendulum --set n=301");  // its trail is that of x[10]
  EXPECT_EQ(wrong.code, 0) << wrong.err;
  EXPECT_EQ(hamel("new mine --from chain-pendulum").code, 0);
  std::string text = slurp(path("mine.toml"));
  text.replace(text.find("x[10]"), 5, "y[10]");
  write("mine.toml", text);
  EXPECT_EQ(
      hamel("check mine.toml --set n=301").err.rfind("error: [view] trails: nothing that is drawn is called y[10]", 0),
      0U);
}

TEST_F(Command, KnowsWhatAViewMayAskFor) {
  write("p.toml", std::string(pendulum) +
                      "up = [0, 0, 1]\ncamera = [1, 0, 0]\nfollow = \"bob\"\ntrails = [\"bob\"]\nradii.bob = 0.2\n"
                      "colors.bob = \"#12ab34\"\nstrings = [[\"origin\", \"bob\"]]\nground = false\n");
  const Result checked = hamel("check p.toml");
  EXPECT_EQ(checked.err, "");
  EXPECT_EQ(checked.code, 0);
}

}  // namespace
}  // namespace hamel::test
