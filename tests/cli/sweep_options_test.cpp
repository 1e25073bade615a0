// Second names of options of hamel sweep, and members that an event ends.
#include "cli/command.hpp"

namespace hamel::test {
namespace {

TEST_F(Command, SweepsKnowSecondNamesOfOptions) {
  const std::string line = "sweep planar-pendulum --vary m=1:2:2 --until 1 --step 0.01 --keep final -q ";
  ASSERT_EQ(hamel(line + "--method rk4 --csv one.csv --output one.h5").code, 0);
  ASSERT_EQ(hamel(line + "--integrator rk4 --csv same.csv --out same.h5").code, 0);
  ASSERT_EQ(hamel(line + "--csv other.csv").code, 0);
  EXPECT_EQ(slurp(path("one.csv")), slurp(path("same.csv")));
  EXPECT_NE(slurp(path("one.csv")), slurp(path("other.csv")));
  EXPECT_EQ(fs::file_size(path("one.h5")), fs::file_size(path("same.h5")));
}

TEST_F(Command, SweepsEndMembersAtAnEvent) {
  const std::string line = "sweep planar-pendulum --vary m=1:2:2 --until 5 --keep final -q --csv ";
  const auto end = [&](const std::string& name) {  // of the last member: "1,2,t,..."
    const std::string table = slurp(path(name)), last = table.substr(table.rfind("\n1,2,") + 5);
    return std::stod(last);
  };
  ASSERT_EQ(hamel(line + "followed.csv --event side=q.x").code, 0);
  ASSERT_EQ(hamel(line + "stopped.csv --stop side=q.x").code, 0);
  EXPECT_EQ(end("followed.csv"), 5);
  EXPECT_NEAR(end("stopped.csv"), 1.4, 0.01);  // when it hangs for the first time
}

}  // namespace
}  // namespace hamel::test
