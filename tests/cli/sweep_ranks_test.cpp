// hamel sweep --on mpi: the same rows for any number of ranks, whatever happens to them.
#include <chrono>
#include <thread>

#include "cli/command.hpp"

namespace hamel::test {
namespace {

class SweepOnRanks : public Command {
 protected:
  void SetUp() override {
    Command::SetUp();
    if (std::string(HAMEL_MPIRUN).empty()) GTEST_SKIP() << "built without MPI";
  }
  static std::string mpirun(int ranks) {
    return HAMEL_MPIRUN " --allow-run-as-root --oversubscribe -n " + std::to_string(ranks) + " ";
  }
  Result on_ranks(int ranks, const std::string& arguments) const {
    return shell(mpirun(ranks) + "$hamel " + arguments + " --on mpi");
  }
  // In the background, once its file has rows.
  pid_t start_ranks(int ranks, const std::string& arguments) const {
    const pid_t child = start(arguments + " --on mpi", "hamel=\"" + mpirun(ranks) + "$hamel\" && ");
    for (int k = 0; k < 6000 && !fs::exists(path("sweep.h5")); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    for (int k = 0; k < 600 && rows() == 0; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return child;
  }
  std::uint64_t rows() const {
    const Result result = hamel("report sweep.h5 --json");
    return result.code == 0 ? result.json()["members"].get<std::uint64_t>() : 0;
  }
  static std::vector<pid_t> children_of(pid_t parent) {
    std::vector<pid_t> all;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const std::string stat = slurp(entry.path() / "stat");
      const std::size_t name_end = stat.rfind(')');
      if (name_end == std::string::npos) continue;
      std::istringstream rest(stat.substr(name_end + 1));
      char state = 0;
      pid_t its_parent = 0;
      rest >> state >> its_parent;
      if (its_parent == parent) all.push_back(std::stoi(entry.path().filename()));
    }
    std::sort(all.begin(), all.end());
    return all;
  }
};

TEST_F(SweepOnRanks, HasTheSameBitsForAnyNumberOfThem) {
  // Some members cannot be started.
  const std::string command =
      "sweep spherical-pendulum --vary 'm=-0.1:2:40' --sample 'start.q ~ cap(20 deg)' --members 20 --until 1 --keep "
      "final --keep energy -q --overwrite ";
  ASSERT_EQ(hamel(command + "--csv cpu.csv --out cpu.h5").code, 0);
  for (const int ranks : {1, 2, 4}) {
    SCOPED_TRACE(ranks);
    const Result result = on_ranks(ranks, command + "--csv ranks.csv --out ranks.h5");
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(slurp(path("cpu.csv")), slurp(path("ranks.csv")));
    const Json cpu = hamel("report cpu.h5 --json").json(), mpi = hamel("report ranks.h5 --json").json();
    EXPECT_EQ(mpi["finished"], true);
    EXPECT_EQ(cpu["failures"], mpi["failures"]);
  }
  EXPECT_EQ(hamel("report ranks.h5 --out page.html").code, 0);
}

const std::string long_sweep =
    "sweep double-planar-pendulum --vary 'm[1]=0.5:2:12000' --keep final --keep energy -q --out sweep.h5";

TEST_F(SweepOnRanks, GoesOnAfterOneWasKilled) {
  const pid_t child = start_ranks(4, long_sweep);
  const std::vector<pid_t> ranks = children_of(child);
  ASSERT_EQ(ranks.size(), 4U);
  kill(ranks.back(), SIGKILL);
  EXPECT_NE(exit_code(child), 0);
  const std::uint64_t before = rows();
  EXPECT_GT(before, 0U);
  EXPECT_LT(before, 12000U);
  // By another number of ranks, which are stopped, and by none.
  const pid_t again = start_ranks(2, long_sweep + " --resume");
  kill(again, SIGTERM);
  EXPECT_NE(exit_code(again), 0);
  EXPECT_GE(rows(), before);
  ASSERT_EQ(hamel(long_sweep + " --resume --csv resumed.csv").code, 0);
  ASSERT_EQ(
      hamel("sweep double-planar-pendulum --vary 'm[1]=0.5:2:12000' --keep final --keep energy -q --csv whole.csv")
          .code,
      0);
  EXPECT_EQ(slurp(path("resumed.csv")), slurp(path("whole.csv")));
}

TEST_F(SweepOnRanks, SayOnceWhatIsWrong) {
  const auto times = [](const std::string& text, const std::string& part) {
    int count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
  };
  const Result parameter = on_ranks(3, "sweep planar-pendulum --vary 'k=1:2:3'");
  EXPECT_NE(parameter.code, 0);
  EXPECT_EQ(times(parameter.err, "Planar pendulum has no parameter k"), 1) << parameter.err;
  const Result input = on_ranks(2, "sweep - --vary 'm=1:2:3'");
  EXPECT_EQ(times(input.err, "standard input reaches the first rank alone"), 1) << input.err;
  // Ranks that are given other models.
  const Result other = shell(mpirun(1) +
                             "$hamel sweep planar-pendulum --vary 'm=1:2:300' --on mpi -q : -n 1 $hamel sweep "
                             "planar-pendulum --vary 'm=1:3:300' --on mpi -q");
  EXPECT_EQ(times(other.err, "rank 1 has another sweep than rank 0"), 1) << other.err;
}

TEST_F(SweepOnRanks, LoseNothingOnAFullDisk) {
  const std::string command =
      "sweep planar-pendulum --vary 'm=1:2:4000' --until 0.02 --every 0.002 --keep final --keep 'series(tension)' ";
  write("full", "trap '' XFSZ; ulimit -f 400; exec $hamel " + command + "--out sweep.h5 --on mpi\n");
  const Result full =
      shell("export hamel && " HAMEL_MPIRUN " --allow-run-as-root --oversubscribe --mca btl self,tcp -n 2 sh full");
  EXPECT_NE(full.code, 0);
  EXPECT_NE(full.err.find("cannot write sweep.h5"), std::string::npos) << full.err;
  EXPECT_NE(full.err.find("--resume goes on from there"), std::string::npos) << full.err;
  ASSERT_EQ(on_ranks(2, command + "--out sweep.h5 --resume -q --csv resumed.csv").code, 0);
  ASSERT_EQ(hamel(command + "--out whole.h5 -q --csv whole.csv").code, 0);
  EXPECT_EQ(slurp(path("resumed.csv")), slurp(path("whole.csv")));
}

TEST_F(Command, SweepsWithoutMpiSaySo) {
  if (!std::string(HAMEL_MPIRUN).empty()) GTEST_SKIP() << "built with MPI";
  const Result result = hamel("sweep planar-pendulum --vary 'm=1:2:3' --on mpi");
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("this hamel was built without MPI"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace hamel::test
