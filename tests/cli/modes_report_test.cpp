// Reports of equilibria, linear models and regulators.
#include <gtest/gtest.h>

#include "cli/command.hpp"

namespace hamel::test {
namespace {

class ModesReport : public Command {
 protected:
  Json page(const std::string& name) const {
    const std::string html = slurp(path(name)), begin = "id=\"hamel-data\">";
    const std::size_t first = html.find(begin) + begin.size();
    return Json::parse(html.substr(first, html.find("</script>", first) - first));
  }
};

TEST_F(ModesReport, OfALinearModelHasWhatItsJsonHas) {
  const Result result = hamel("linearize furuta-pendulum --at inverted --json --report modes.html");
  ASSERT_EQ(result.code, 0) << result.err;
  const Json said = result.json()["stability"], shown = page("modes.html")["modes"]["places"][0];
  ASSERT_EQ(said["eigenvalues"].size(), shown["open"].size());
  for (std::size_t k = 0; k < shown["open"].size(); ++k) {
    EXPECT_EQ(said["eigenvalues"][k]["re"], shown["open"][k]["re"]);
    EXPECT_EQ(said["eigenvalues"][k]["im"], shown["open"][k]["im"]);
  }
  EXPECT_EQ(shown["verdict"], said["verdict"]);
  EXPECT_EQ(shown["reason"], said["reason"]);
}

TEST_F(ModesReport, IsSaidAndNeverReplacedUnasked) {
  Result result = hamel("linearize furuta-pendulum --at hanging --report modes.html");
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("report  modes.html"), std::string::npos);
  for (const std::string command : {"linearize furuta-pendulum --at hanging", "equilibria furuta-pendulum",
                                    "control chain-pendulum-on-cart-controlled"}) {
    result = hamel(command + " --report modes.html");
    EXPECT_EQ(result.code, 1) << command;
    EXPECT_NE(result.err.find("modes.html"), std::string::npos) << result.err;
    EXPECT_EQ(result.out, "") << "nothing is computed first";
    EXPECT_EQ(hamel(command + " --report modes.html --overwrite -q").code, 0) << command;
  }
  EXPECT_FALSE(page("modes.html")["modes"]["places"][0]["closed"].empty());
}

TEST_F(ModesReport, OfEquilibriaHasThemAll) {
  ASSERT_EQ(hamel("equilibria chain-pendulum-on-cart --report all.html -q").code, 0);
  EXPECT_EQ(page("all.html")["modes"]["places"].size(), 32u);
  const Result none = hamel("equilibria particle-uniform-gravity --report none.html");
  EXPECT_EQ(none.code, 1);
  EXPECT_NE(none.err.find("there is no equilibrium to report"), std::string::npos) << none.err;
}

}  // namespace
}  // namespace hamel::test
