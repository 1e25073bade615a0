// hamel sweep: members are runs, files are resumed to the same bits, mistakes are sentences.
#include <chrono>
#include <thread>

#include "cli/command.hpp"

namespace hamel::test {
namespace {

class Sweep : public Command {
 protected:
  std::string last_line(const std::string& name) const {
    std::string text = slurp(path(name));
    text.pop_back();
    return text.substr(text.rfind('\n') + 1);
  }
  std::vector<std::string> fields(const std::string& line) const {
    std::vector<std::string> all;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');) all.push_back(field);
    return all;
  }
  bool waits_for(const std::string& name) const {
    for (int k = 0; k < 12000 && !fs::exists(path(name)); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return fs::exists(path(name));
  }
};

TEST_F(Sweep, MembersAreRunsToTheBit) {
  write("two.csv", "m[1],start.q[2]\n1.5,0.25\n0.75,-2\n");
  ASSERT_EQ(hamel("sweep double-planar-pendulum --vary-list two.csv --until 3 --csv sweep.csv -q").code, 0);
  ASSERT_EQ(hamel("run double-planar-pendulum --set 'm[1]=0.75' --start 'q[2]=[cos(-2), sin(-2)]' --until 3 --out "
                  "run.h5 -q")
                .code,
            0);
  ASSERT_EQ(hamel("convert run.h5 --csv run.csv").code, 0);
  // member, what varies, t, q, q', failed; and t, q, q', ...
  const auto member = fields(last_line("sweep.csv")), run = fields(last_line("run.csv"));
  ASSERT_EQ(member.size(), 13U);
  for (std::size_t k = 0; k < 9; ++k) EXPECT_EQ(member[3 + k], run[k]) << k;
  EXPECT_EQ(member.back(), "0");
}

TEST_F(Sweep, StartsFollowParameters) {
  write("p.toml",
        "[parameters]\na = 0.5\n[coordinates]\nx = \"R1\"\n[energy]\nkinetic = \"x'^2/2\"\n[start]\nx = \"2*a\"\n"
        "\"x'\" = 0\n[run]\nintegrator = \"rk4\"\nstep = 0.1\nuntil = 1\n");
  const Json rows = hamel("sweep p.toml --vary 'a=1:3:3' --keep final --json").json()["rows"];
  EXPECT_EQ(rows, (Json{{1.0, 1.0, 2.0, 0.0}, {2.0, 1.0, 4.0, 0.0}, {3.0, 1.0, 6.0, 0.0}}));
}

// Entries of matrices, and lists as spreadsheets write them.
TEST_F(Sweep, VariesWhatHasNumbersOfItsOwn) {
  write("k.toml",
        "[parameters]\nK = [[1, 2], [3, 4]]\n[coordinates]\nx = \"R2\"\n[energy]\nkinetic = \"norm2(x')/2\"\n[start]\n"
        "x = [\"K[1, 2]\", \"K[2, 1]\"]\n[run]\nintegrator = \"rk4\"\nstep = 0.1\nuntil = 1\n");
  const Json rows = hamel("sweep k.toml --vary 'K[1, 2]=5:6:2, K[2,1]=7:8:2' --keep x --json").json()["rows"];
  EXPECT_EQ(rows, (Json{{5.0, 7.0, 1.0, 5.0, 7.0}, {6.0, 8.0, 1.0, 6.0, 8.0}}));
  EXPECT_EQ(hamel("run k.toml --set 'K[1, 2]=5' --json").json()["model"], "k.toml");
  EXPECT_NE(hamel("run k.toml --set 'K[1, 3]=5'").err.find("K has no [1, 3]: it goes to [2, 2]"), std::string::npos);
  EXPECT_NE(hamel("sweep k.toml --vary 'K[1 , 2]=5:6:2' --vary 'K[3]=7:8:2'").err.find("K[1 , 2] varies twice, as"),
            std::string::npos);
  write("list.csv", "\xef\xbb\xbf\"K[2, 2]\",start.x.x\r\n1,2\r\n");
  EXPECT_EQ(hamel("sweep k.toml --vary-list list.csv --keep x --json").json()["rows"],
            (Json{{1.0, 2.0, 1.0, 2.0, 3.0}}));
}

TEST_F(Sweep, HasTheSameBitsForAnyNumberOfThreads) {
  const std::string common =
      "sweep spherical-pendulum --sample 'l ~ normal(1, 0.1)' --sample 'start.q ~ cap(20 deg)' --sampling sobol "
      "--members "
      "100 --until 1 --keep final --keep energy -q ";
  ASSERT_EQ(hamel(common + "--threads 1 --csv one.csv").code, 0);
  ASSERT_EQ(hamel(common + "--threads 3 --out three.h5 --csv three.csv").code, 0);
  EXPECT_EQ(slurp(path("one.csv")), slurp(path("three.csv")));
}

TEST_F(Sweep, IsResumedAfterAKillToTheSameBits) {
  const std::string command =
      "sweep double-planar-pendulum --vary 'm[1]=0.5:2:12000' --keep final --keep energy --threads 1 -q ";
  const pid_t child = start(command + "--out sweep.h5");
  ASSERT_TRUE(waits_for("sweep.h5"));
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  kill(child, SIGKILL);
  exit_code(child);
  const Json killed = hamel("report sweep.h5 --json").json();
  EXPECT_EQ(killed["finished"], false);
  EXPECT_LT(killed["members"], 12000);
  ASSERT_EQ(hamel(command + "--out sweep.h5 --resume --csv resumed.csv").code, 0);
  EXPECT_EQ(hamel("report sweep.h5 --json").json()["finished"], true);
  ASSERT_EQ(hamel(command + "--csv whole.csv").code, 0);
  EXPECT_EQ(slurp(path("resumed.csv")), slurp(path("whole.csv")));
}

TEST_F(Sweep, CtrlCLeavesAFileThatCanBeResumed) {
  const std::string command = "sweep spherical-pendulum --vary 'm=1:2:400000' --until 10 --out sweep.h5";
  const pid_t child = start(command);
  ASSERT_TRUE(waits_for("sweep.h5"));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  kill(child, SIGINT);
  EXPECT_EQ(exit_code(child), 130);
  EXPECT_NE(slurp(path("err")).find("the same command with --resume goes on"), std::string::npos) << slurp(path("err"));
  EXPECT_EQ(hamel("report sweep.h5 --json").json()["finished"], false);
}

TEST_F(Sweep, AFullDiskLosesNothing) {
  const std::string command =
      "sweep planar-pendulum --vary 'm=1:2:4000' --until 0.02 --every 0.002 --keep final --keep "
      "'series(tension)' ";
  const Result full = shell("ulimit -f 400; $hamel " + command + "--out sweep.h5");
  EXPECT_EQ(full.code, 1);
  EXPECT_NE(full.err.find("cannot write sweep.h5"), std::string::npos) << full.err;
  EXPECT_NE(full.err.find("--resume goes on from there"), std::string::npos) << full.err;
  ASSERT_EQ(hamel(command + "--out sweep.h5 --resume -q --csv resumed.csv").code, 0);
  ASSERT_EQ(hamel(command + "--out whole.h5 -q --csv whole.csv").code, 0);
  EXPECT_EQ(slurp(path("resumed.csv")), slurp(path("whole.csv")));
}

TEST_F(Sweep, ReportsMembersThatFail) {
  const Result result = hamel("sweep planar-pendulum --vary 'm=-1:1:5' --until 0.1 --keep final");
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("3 of 5 members failed:"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("0 (m = -1):"), std::string::npos) << result.out;
  write("log.toml",
        "[coordinates]\nx = \"R1\"\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"-log(1 - x)\"\n[start]\nx = 0\n");
  const std::string command = "sweep log.toml --until 0.1 --step 0.01 --keep 'log(-x)' ";
  const Result one = hamel(command + "--vary 'start.x=-1:2:2'");
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_NE(one.out.find("-log(1 - x) gives none there"), std::string::npos) << one.out;
  EXPECT_EQ(one.out.find("[start]"), std::string::npos) << "no lines of the model in a list of failures: " << one.out;
  write("far.toml",
        "[parameters]\nk = 1\n[coordinates]\nq = \"S2\"\n[energy]\nkinetic = \"norm2(q')/2\"\n[start]\n"
        "q = [\"k\", 0, 0]\n");
  const Result far = hamel("sweep far.toml --until 0.1 --step 0.01 --vary 'k=1:2:2' --keep final");
  EXPECT_NE(far.out.find("q = [1, 0, 0]"), std::string::npos) << "what is offered is shown whole: " << far.out;
  const Result all = hamel(command + "--vary 'start.x=0.5:0.6:2'");
  EXPECT_EQ(all.code, 1);
  EXPECT_NE(all.err.find("all members failed; 0: "), std::string::npos) << all.err;
}

TEST_F(Sweep, SaysHowManyAndHowLong) {
  const Result result = hamel("sweep planar-pendulum --vary 'm=1:2:1000000' --vary 'l=1:2:1000000' --until 0.1");
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("1,000,000,000,000 members would take about"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("and 80 TB of disk"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("--however-many"), std::string::npos) << result.err;
}

TEST_F(Sweep, WritesPicturesAndPages) {
  ASSERT_EQ(hamel("sweep planar-pendulum --vary 'm=1:2:5' --vary 'l=1:2:4' --until 0.1 --keep 'max(tension)' --picture "
                  "map.svg --report map.html -q")
                .code,
            0);
  EXPECT_NE(slurp(path("map.svg")).find("data:image/png;base64,iVBOR"), std::string::npos);
  EXPECT_NE(slurp(path("map.html")).find("tension max"), std::string::npos);
  ASSERT_EQ(hamel("sweep planar-pendulum --sample 'm ~ uniform(1, 2)' --members 50 --until 0.1 --keep 'max(tension)' "
                  "--picture samples.svg --out samples.h5 -q")
                .code,
            0);
  EXPECT_NE(slurp(path("samples.svg")).find("<circle"), std::string::npos);
  ASSERT_EQ(hamel("report samples.h5 --out samples.html").code, 0);
  EXPECT_NE(slurp(path("samples.html")).find("uniform(1, 2)"), std::string::npos);
}

// A size, or a part of a set of points.
TEST_F(Sweep, RefusesAtOnceWhatNoMemberCanHave) {
  write("ring.toml",
        "name = \"Ring\"\n[parameters]\nr = 2\nm = 1\n[coordinates]\nx = \"{x in R2 : norm2(x) - r^2}\"\n"
        "[energy]\nkinetic = \"m*norm2(x')/2\"\n[start]\nx = [2, 0]\n[run]\nuntil = 0.1\nstep = 0.01\n");
  for (const std::string grid : {"r=2:3:4", "r=1:2:4"}) {
    const Result result = hamel("sweep ring.toml --vary " + grid);
    EXPECT_EQ(result.code, 2) << grid;
    EXPECT_NE(result.err.find("the parameter r cannot change: a set of points was made from its value"),
              std::string::npos)
        << result.err;
  }
  write("same.csv", "m,r\n1,2\n3,2\n");
  EXPECT_EQ(hamel("sweep ring.toml --vary-list same.csv -q").code, 0);
}

TEST_F(Sweep, RefusesMistakesInASentence) {
  write("ragged.csv", "m,l\n1,2\n3\n");
  write("nan.csv", "m,l\n1,nan\n");
  write("word.csv", "m,l\n1,two\n");
  write("bare.csv", "1,2\n3,4\n");
  write("empty.csv", "m,l\n");
  write("unknown.csv", "mass\n1\n");
  struct Case {
    std::string arguments, message;
  };
  for (const auto& [arguments, message] : std::vector<Case>{
           {"--vary 'k=1:2:3'", "Planar pendulum has no parameter k"},
           {"--vary 'm=1:2'", "a grid is NAME=LOW:HIGH:COUNT"},
           {"--vary 'm=1:2:0'", "the count is no positive integer"},
           {"--vary 'm=1:2:1e30'", "the count is more than 1e18"},
           {"--vary 'm=a:2:3'", "`a` in m=a:2:3 is no number"},
           {"--vary 'm=1:2:3' --vary 'm=1:2:3'", "m varies twice"},
           {"--vary 'm=1:2:3, l=1:2:4'", "needs as many members: m has 3, l has 4"},
           {"--vary 'start.p=1:2:3'", "start.p is nothing of the start; did you mean start.q?"},
           {"--vary-list ragged.csv", "ragged.csv, line 3: 1 values, where the first line has 2 names"},
           {"--vary-list nan.csv", "nan.csv, line 2: `nan` is not a finite number"},
           {"--vary-list word.csv", "word.csv, line 2: `two` is not a finite number"},
           {"--vary-list bare.csv", "bare.csv, line 1: the first line has the names"},
           {"--vary-list empty.csv", "empty.csv has no members"},
           {"--vary-list unknown.csv", "has no parameter mass"},
           {"--vary-list none.csv", "cannot read none.csv: No such file or directory"},
           {"--sample 'm ~ normal(1, 0.1)'", "how many samples? --members 1000"},
           {"--members 5", "a number of members is for samples"},
           {"--sample 'm ~ norml(1, 0.1)' --members 5", "did you mean normal?"},
           {"--sample 'm ~ normal(1)' --members 5", "normal needs two numbers"},
           {"--sample 'm ~ normal(1, -1)' --members 5", "must be a positive number"},
           {"--vary 'm=1:2:3,'", "there is no name: a grid is NAME=LOW:HIGH:COUNT"},
           {"--sample 'm' --members 5", "a sample is NAME ~ DISTRIBUTION"},
           {"--sample 'm ~ normal(1, 0.1)' --members 5 --seed -1", "must be a whole number from 0 to 2^64 - 1, not -1"},
           {"--sample 'm ~ cap(20 deg)' --members 5", "a cap is for a point of the start"},
           {"--sample 'start.q ~ cap(200 deg)' --members 5", "between 0 and 180 deg, not 200 deg"},
           {"--vary 'm=1:2:3' --on gpu", "did you mean cpu?"},
           {"--vary 'm=1:2:3' --keep 'max(tensio)'", "tensio"},
           {"--vary 'm=1:2:3' --keep tension --keep tension", "tension end is kept twice"},
           {"--vary 'm=1:2:3' --event 'q.y'", "an event is NAME=FORMULA"},
           {"--vary 'm=1:2:3' --event 'e=q'", "needs a formula that is a number"},
           {"--vary 'm=1:2:3' --resume", "--resume needs --out"},
           {"--vary 'm=1:2:3' --integrator rk45 --tolerance 1e-6 --keep 'series(tension)'", ""},
       }) {
    SCOPED_TRACE(arguments);
    const Result result = hamel("sweep planar-pendulum --until 0.1 " + arguments);
    if (message.empty()) {
      EXPECT_EQ(result.code, 0) << result.err;
      continue;
    }
    EXPECT_NE(result.code, 0);
    EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
    EXPECT_EQ(result.err.find("error"), result.err.rfind("error: ")) << result.err;
  }
  const Result sphere = hamel("sweep spherical-pendulum --sample 'start.q ~ normal(0, 1)' --members 5");
  EXPECT_NE(sphere.err.find("q is on S2, and one number at a time would leave it"), std::string::npos) << sphere.err;
}

// With the GPU that is this machine: host_cuda/host_cuda.cpp.
const std::string with_gpu = "HAMEL_LIBCUDA=" HAMEL_HOST_CUDA " HAMEL_NVRTC=" HAMEL_HOST_CUDA " $hamel ";

TEST_F(Sweep, OnAGpuHasTheBitsOfTheCpu) {
  for (const char* const what : {"--integrator rk4 --step 0.01 --keep 'series(q[1].x)'",
                                 "--integrator variational --step 0.01 --every 0.05 --keep 'mean(q[1].x)'"}) {
    const std::string command = std::string(
                                    "sweep double-planar-pendulum --vary 'm[1]=0.5:2:7' --vary "
                                    "'start.q[2]=-2:2:30' --until 0.5 --overwrite -q --keep final --keep energy "
                                    "--keep 'max(q[2].y)' ") +
                                what;
    ASSERT_EQ(hamel(command + " --csv cpu.csv --out cpu.h5").code, 0);
    const Result gpu = shell(with_gpu + command + " --on cuda --csv gpu.csv --out gpu.h5");
    ASSERT_EQ(gpu.code, 0) << gpu.err;
    EXPECT_EQ(slurp(path("cpu.csv")), slurp(path("gpu.csv")));
    ASSERT_EQ(hamel("report gpu.h5 --json").json()["finished"], true);
    // Its last bits are those of another machine.
    EXPECT_NE(hamel(command + " --out gpu.h5 --resume").err.find("was begun with another processor"),
              std::string::npos);
  }
}

TEST_F(Sweep, GoesOnAfterAGpuWasLost) {
  const std::string command = "sweep planar-pendulum --vary 'm=1:2:3000' --integrator rk4 --step 0.01 --until 0.1 -q ";
  const Result lost = shell("HOST_CUDA_LOST_AFTER=2 " + with_gpu + command + "--on cuda --out gpu.h5");
  EXPECT_EQ(lost.code, 1);
  EXPECT_NE(lost.err.find("this machine was lost or failed while it was started"), std::string::npos) << lost.err;
  EXPECT_NE(lost.err.find("the first 1024 members are in gpu.h5; the same command with --resume goes on"),
            std::string::npos)
      << lost.err;
  const Result nowhere = shell("HOST_CUDA_LOST_AFTER=2 " + with_gpu + command + "--on cuda");
  EXPECT_NE(nowhere.err.find("without --out nothing was written"), std::string::npos) << nowhere.err;
  ASSERT_EQ(shell(with_gpu + command + "--on cuda --out gpu.h5 --resume --csv gpu.csv").code, 0);
  ASSERT_EQ(hamel(command + "--csv cpu.csv").code, 0);
  EXPECT_EQ(slurp(path("cpu.csv")), slurp(path("gpu.csv")));
}

TEST_F(Sweep, WithoutAGpuSaysWhatWasLookedFor) {
  struct Case {
    std::string environment, arguments, message;
    int code;
  };
  const std::string fits = "planar-pendulum --vary 'm=1:2:3' --integrator rk4 --until 0.1";
  for (const auto& [environment, arguments, message, code] : std::vector<Case>{
           {"HAMEL_LIBCUDA=/none/libcuda.so $hamel", fits, "there is no NVIDIA driver (looked for /none/libcuda.so)",
            1},
           {"HAMEL_CUDA=0 $hamel", fits, "HAMEL_CUDA=0 says so; without --on cuda the sweep runs on the CPU", 1},
           {"HAMEL_LIBCUDA=" HAMEL_HOST_CUDA " HAMEL_NVRTC=0 HAMEL_NVCC=none $hamel", fits,
            "neither NVRTC nor nvcc was found", 1},
           {with_gpu, "planar-pendulum --vary 'm=1:2:3' --integrator rk45 --until 0.1",
            "the method rk45 has no step there as it is set; those that have one are rk4", 2},
           {with_gpu, fits + " --event 'up=q.y'", "the event up would be looked for between steps", 2},
           {with_gpu, "particle-on-torus --vary 'start.t=0:0.1:3' --integrator rk4 --step 0.01 --until 1", "on a GPU",
            2},
           {with_gpu, fits + " --step 0.01 --every 0.015 --keep energy", "is no multiple of the step", 2}}) {
    SCOPED_TRACE(environment + arguments);
    const Result result = shell(environment + " sweep " + arguments + " --on cuda --out none.h5");
    EXPECT_EQ(result.code, code);
    EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
    EXPECT_FALSE(fs::exists(path("none.h5")));
  }
}

TEST_F(Sweep, RefusesFilesOfOthers) {
  ASSERT_EQ(hamel("run planar-pendulum --until 0.1 --out run.h5 -q").code, 0);
  const std::string command = "sweep planar-pendulum --vary 'm=1:2:40' --until 0.1 -q ";
  ASSERT_EQ(hamel(command + "--out sweep.h5").code, 0);
  const std::string whole = slurp(path("sweep.h5"));
  write("cut.h5", whole.substr(0, whole.size() / 2));
  write("text.h5", "this is no HDF5\n");
  std::string changed = whole;
  const std::size_t at = changed.find("m = 1");
  ASSERT_NE(at, std::string::npos);
  changed[at + 4] = '7';
  write("changed.h5", changed);
  for (const char* file : {"run.h5", "cut.h5", "text.h5", "changed.h5", "none.h5"}) {
    SCOPED_TRACE(file);
    const Result result = hamel(command + "--resume --out " + file);
    EXPECT_EQ(result.code, 1) << result.err;
    EXPECT_EQ(result.err.substr(0, 7), "error: ");
  }
  for (const char* file : {"cut.h5", "text.h5", "changed.h5", "none.h5"})
    EXPECT_EQ(hamel(std::string("report ") + file).code, 1);
  EXPECT_NE(hamel("convert sweep.h5 --csv -").err.find("this is the file of a sweep"), std::string::npos);
  for (const char* other : {"--set l=2", "--step 0.001", "--keep energy"}) {
    SCOPED_TRACE(other);
    const Result result = hamel(command + "--resume --out sweep.h5 " + other);
    EXPECT_NE(result.code, 0);
    EXPECT_NE(result.err.find("holds another sweep"), std::string::npos) << result.err;
  }
  EXPECT_NE(hamel("sweep spherical-pendulum --vary 'm=1:2:40' --until 0.1 --resume --out sweep.h5").err.find("model:"),
            std::string::npos);
  EXPECT_EQ(slurp(path("sweep.h5")), whole);
}

}  // namespace
}  // namespace hamel::test
