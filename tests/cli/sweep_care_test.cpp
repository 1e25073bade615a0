// hamel sweep: nothing is lost, mixed up or left out silently.
#include <unistd.h>

#include <chrono>

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

// Before the first member, which would take a while.
TEST_F(SweepCare, SaysWhatDoesNotFitBeforeTheWorkBegins) {
  const std::string many = "sweep planar-pendulum --vary 'm=1:2:5000' --vary 'l=1:2:5000' --keep tension ";
  for (const char* option : {"--csv table.csv", "--picture map.svg", "--picture map.svg --out sweep.h5"}) {
    expect_refused(many + option, "25000000 members with 4 columns are too many to be drawn at once, or written");
    EXPECT_FALSE(fs::exists(path("sweep.h5")));
  }
  expect_refused(
      "sweep planar-pendulum --vary 'm=1:2:20000' --until 100 --every 0.01 --keep 'series(tension)' --csv a.csv",
      "20000 members with 10003 columns are too many");
}

TEST_F(SweepCare, ShowsSeriesAndFailuresWithoutAFile) {
  const std::string command =
      "sweep planar-pendulum --vary 'm=-1:1:3' --until 0.1 --every 0.05 --keep 'series(tension)' ";
  const Json shown = hamel(command + "--json").json();
  EXPECT_EQ(shown["row_failed"], (Json{true, true, false}));
  EXPECT_EQ(shown["failures_left_out"], 0);
  EXPECT_EQ(shown["rows_left_out"], 0);
  EXPECT_EQ(shown["series"]["tension series"].size(), 3U);
  EXPECT_EQ(shown["series"]["tension series"][2].size(), 3U);
  ASSERT_EQ(hamel(command + "--csv alone.csv -q").code, 0);
  ASSERT_EQ(hamel(command + "--csv file.csv --out sweep.h5 -q").code, 0);
  EXPECT_EQ(slurp(path("alone.csv")), slurp(path("file.csv")));
  EXPECT_EQ(hamel("report sweep.h5 --json").json()["series"], shown["series"]);
  EXPECT_NE(hamel(command).out.find("tension series: 3 numbers of each member, in --json, --csv and --out"),
            std::string::npos);
  const Result printed = hamel(command + "--csv -");
  EXPECT_EQ(printed.out, slurp(path("alone.csv")));
  EXPECT_FALSE(fs::exists(path("-")));
  expect_refused(command + "--csv - --json", "both write to standard output");
}

TEST_F(SweepCare, SaysHowManyFailuresAreLeftOut) {
  const Json shown = hamel(
                         "sweep planar-pendulum --vary 'm=-1:0:1500, l=1:2:1500' --vary 'g=9:10:2' --until 0.002 "
                         "--keep final --json --start 'q=[0, -1]' --set m=1 --out sweep.h5")
                         .json();
  EXPECT_EQ(shown["failed"], 3000);
  EXPECT_EQ(shown["failures_left_out"], 2000);
  EXPECT_EQ(shown["row_failed"][2999], true);
}

TEST_F(SweepCare, WritesTheReportWithoutAPicture) {
  const Result result =
      hamel("sweep planar-pendulum --vary 'm=1:1:3' --until 0.1 --keep tension --picture a.svg --report a.html");
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.err.find("a.svg was not written: no column differs between members"), std::string::npos);
  EXPECT_TRUE(fs::exists(path("a.html")));
  EXPECT_FALSE(fs::exists(path("a.svg")));
}

// A member takes 1e6 steps, which no processor does in a millisecond.
TEST_F(SweepCare, EstimatesTimesFromMembersThatItWaitedFor) {
  const Result result = hamel(
      "sweep planar-pendulum --vary 'm=1:2:20000' --vary 'l=1:2:20000' --integrator rk4 --step 0.0001 --until 100");
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(result.err.find(" days on one core") != std::string::npos ||
              result.err.find(" years on one core") != std::string::npos)
      << result.err;
}

TEST_F(SweepCare, GoesOnWhereTheFirstMembersCannotStart) {
  write("root.toml",
        "[parameters]\nm = 1\nl = 1\n[coordinates]\nx = \"R1\"\n[energy]\nkinetic = \"l*x'^2/2\"\n"
        "potential = \"-log(m)*x\"\n[start]\nx = 0\n[run]\nuntil = 0.1\nstep = 0.01\n");
  const Result result = hamel("sweep root.toml --vary m=0:1:2 --vary l=1:2:1000 --json");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.json()["failed"], 1000);
}

TEST_F(SweepCare, IsStoppedBetweenOutputs) {
  const pid_t child = start(
      "sweep spherical-pendulum --vary m=1:2:10 --integrator rk45-reprojected --keep final --until "
      "1e6 --every 5e5 --out sweep.h5");
  for (int k = 0; k < 2000 && !fs::exists(path("sweep.h5")); ++k) usleep(5000);
  const auto asked = std::chrono::steady_clock::now();
  kill(child, SIGTERM);
  EXPECT_EQ(exit_code(child), 143);
  EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(10));
}

TEST_F(SweepCare, TakesWhatIsMeant) {
  const std::string command = "sweep planar-pendulum --until 0.1 ";
  EXPECT_EQ(hamel(command + "--sample 'm ~ uniform(1, 2)' --members 1e1 --json").json()["members"], 10);
  EXPECT_EQ(hamel(command + "--vary m=1:2:2 --keep 'max (tension)' --json").json()["columns"],
            hamel(command + "--vary m=1:2:2 --keep ' max(tension) ' --json").json()["columns"]);
  expect_refused(command + "--sample 'm ~ uniform(1, 2)' --members 1.5",
                 "must be a whole number from 1 to 1000000000000000, not 1.5");
  expect_refused(command + "--vary m=1:2:2 --keep 'q.x ' --keep q.x", "q.x end is kept twice");
  expect_refused(command + "--vary m=1:2:2 --keep momenta", "has no conserved momenta to keep");
  expect_refused(command + "--vary m=1:2:2 --event q.y", "an event is NAME=FORMULA");
  expect_refused("sweep double-planar-pendulum --until 0.1 --vary start.q=1:2:2",
                 "start.q is nothing of the start; did you mean start.q[1]?");
  write("open.csv", "\"m\n1\n");
  expect_refused(command + "--vary-list open.csv", "open.csv, line 1: a quotation mark is not closed");
}

}  // namespace
}  // namespace hamel::test
