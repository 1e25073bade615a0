// hamel sweep: nothing is lost, mixed up or left out silently.
#include "cli/command.hpp"

namespace hamel::test {
namespace {

class SweepCare : public Command {
 protected:
  void expect_refused(const std::string& arguments, const std::string& message, int code = 2) const {
    SCOPED_TRACE(arguments);
    const Result result = hamel(arguments);
    EXPECT_EQ(result.code, code) << result.err;
    EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
  }
};

TEST_F(SweepCare, ResumesOnlyTheSameStart) {
  const std::string command = "sweep planar-pendulum --vary 'm=1:2:40' --until 0.1 -q --out sweep.h5 ";
  ASSERT_EQ(hamel(command + "--start 'q=[0, 1]'").code, 0);
  const std::string whole = slurp(path("sweep.h5"));
  expect_refused(command + "--resume", "(start: q = [0, 1] in the file, nothing now)", 1);
  expect_refused(command + "--resume --start 'q=[1, 0]'", "(start: q = [0, 1] in the file, q = [1, 0] now)", 1);
  EXPECT_EQ(hamel(command + "--resume --start 'q=[0, 1]'").code, 0);
  EXPECT_EQ(slurp(path("sweep.h5")).size(), whole.size());
  // The same number, of which one follows what varies.
  const std::string one = "sweep planar-pendulum --vary 'm=1:2:4' --until 0.1 -q --out one.h5 ";
  ASSERT_EQ(hamel(one + "--set l=1").code, 0);
  expect_refused(one + "--resume --set l=m", "(set: l = 1 in the file, l = m now)", 1);
}

TEST_F(SweepCare, ResumesOnlyTheSameList) {
  const std::string command = "sweep planar-pendulum --vary-list list.csv --until 0.1 -q --out sweep.h5 ";
  write("list.csv", "m,l\n1,2\n3,4\n");
  ASSERT_EQ(hamel(command).code, 0);
  write("list.csv", "m,l\n1,2\n3,5\n");
  expect_refused(command + "--resume", "(lists: 2 members, checksum ", 1);
  write("list.csv", "m,l\n1,2\n\n3,4.0\n");
  EXPECT_EQ(hamel(command + "--resume").code, 0);
}

TEST_F(SweepCare, WritesOnNothingThatItReads) {
  const std::string list = "m,l\n1,2\n3,4\n";
  write("list.csv", list);
  for (const char* option : {"--csv list.csv", "--out list.csv", "--report list.csv", "--csv ./list.csv"})
    expect_refused(std::string("sweep planar-pendulum --vary-list list.csv --until 0.1 -q --overwrite ") + option,
                   "list.csv is read or written by the same command already", 1);
  EXPECT_EQ(slurp(path("list.csv")), list);
}

}  // namespace
}  // namespace hamel::test
