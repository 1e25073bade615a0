// The table of methods and what is written about it.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "hamel/integrate/method.hpp"
#include "message.hpp"

namespace hamel::test::methods_test {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(std::string(HAMEL_SOURCE_DIR) + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(MethodTable, IsInTheReferenceOfModelFiles) {
  const std::string reference = text_of("docs/model-files.md");
  for (const std::string& name : method_names())
    EXPECT_NE(reference.find("`" + name + "`"), std::string::npos) << name << " is missing in docs/model-files.md";
}

TEST(MethodTable, HasEachNameOnce) {
  const std::set<std::string> different(method_names().begin(), method_names().end());
  EXPECT_EQ(different.size(), method_names().size());
}

// Name, settings and back.
TEST(MethodTable, EveryNameIsAMethodThatHasIt) {
  for (const MethodInfo& info : methods()) {
    const Method method = method_named(info.name, info.takes_step ? 0.1 : 0, info.takes_step ? 0 : 1e-7);
    EXPECT_EQ(describe(method).name, info.name);
    EXPECT_EQ(describe(method).order, info.order) << info.name;
    const std::vector<Setting> settings = settings_of(method);
    EXPECT_EQ(settings.front(), (Setting{"method", info.name}));
    EXPECT_EQ(settings_of(method_of(settings)), settings) << info.name;
  }
}

TEST(MethodTable, Dop853HasAFixedStepWhereOneIsGiven) {
  EXPECT_FALSE(describe(method_named("dop853", 0.1, 0)).adaptive);
  EXPECT_TRUE(describe(method_named("dop853", 0, 0)).adaptive);
  EXPECT_TRUE(describe(method_named("dop853", 0.1, 1e-7)).adaptive);
  const Method fixed = method_named("dop853", 0.1, 0);
  EXPECT_EQ(std::get<Dop853>(method_of(settings_of(fixed))).step, 0.1);
  std::vector<Setting> older = settings_of(Dop853{});
  std::erase_if(older, [](const Setting& setting) { return setting.name == "step"; });
  EXPECT_EQ(settings_of(method_of(older)), settings_of(Dop853{}));
  EXPECT_EQ(message_of([] { method_named("dop853", -1, 0); }), "the step of dop853 must be a positive number, not -1");
}

TEST(MethodTable, SaysWhatIsMissing) {
  const auto attempt = [](const char* name, double step, double tolerance) {
    return message_of([&] { method_named(name, step, tolerance); });
  };
  EXPECT_EQ(attempt("rk4", 0, 0), "rk4 needs a step");
  EXPECT_EQ(attempt("gauss8", 0, 0), "gauss8 needs a step or a tolerance");
  EXPECT_EQ(attempt("rk4", 0.1, 1e-6),
            "rk4 has a fixed step and takes no tolerance; gauss2, gauss4, gauss6, gauss8, gauss10, gauss12, gauss14, "
            "gauss16, rk45, ode45 and dop853 do");
  EXPECT_TRUE(attempt("euler", 0.1, 0).starts_with("unknown integrator euler; there are variational, variational4, "));
  EXPECT_EQ(attempt("dop853", 0, 1e-20),
            "the relative tolerance of dop853 must be at least 1e-16, which is rounding; it is 1e-20");
}

}  // namespace
}  // namespace hamel::test::methods_test
