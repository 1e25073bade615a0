// Signals, full disks, closed pipes, little memory.
#include <thread>

#include "cli/command.hpp"

namespace hamel::test {
namespace {

class Ends : public Command {
 protected:
  // False if it does not appear within a minute.
  bool appears(const std::string& name) const {
    for (int k = 0; k < 12000 && !fs::exists(path(name)); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return fs::exists(path(name));
  }
};

constexpr const char* endless = "run double-spherical-pendulum --until 1e9 --every 100 --out run.h5";

TEST_F(Ends, SignalsSaveWhatThereIs) {
  for (const auto& [number, code] : {std::pair{SIGINT, 130}, {SIGTERM, 143}, {SIGHUP, 129}}) {
    SCOPED_TRACE(number);
    const pid_t child = start(endless);
    ASSERT_TRUE(appears("run.h5"));
    kill(child, number);
    EXPECT_EQ(exit_code(child), code);
    EXPECT_NE(slurp(path("err")).find("the same command with --resume goes on from there"), std::string::npos);
    EXPECT_EQ(hamel("report run.h5 --json").json()["finished"], false);
    fs::remove(path("run.h5"));
  }
}

TEST_F(Ends, SignalsThatAreIgnoredStayIgnored) {
  const pid_t child = start(endless, "trap '' HUP; ");
  ASSERT_TRUE(appears("run.h5"));
  kill(child, SIGHUP);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(waitpid(child, nullptr, WNOHANG), 0);
  kill(child, SIGTERM);
  EXPECT_EQ(exit_code(child), 143);
}

TEST_F(Ends, CtrlCWorksWhileTheCompilerRuns) {
  write("cc", "#!/bin/sh\necho $$ > compiler.new\nmv compiler.new compiler\nexec sleep 1000\n");
  fs::permissions(path("cc"), fs::perms::owner_all);
  const pid_t child = start(endless, "export HAMEL_CC=$PWD/cc HAMEL_CACHE=$PWD/cache; ");
  ASSERT_TRUE(appears("compiler"));
  kill(child, SIGINT);
  EXPECT_EQ(exit_code(child), 130);
  EXPECT_EQ(slurp(path("err")), "error: stopped while programs were compiled\n");
  EXPECT_FALSE(fs::exists(path("run.h5")));
  EXPECT_TRUE(fs::is_empty(path("cache")));
  EXPECT_EQ(kill(std::stoi(slurp(path("compiler"))), 0), -1) << "the compiler still runs";
}

TEST_F(Ends, OutputThatCannotBeWrittenIsAnError) {
  ASSERT_EQ(hamel("run spherical-pendulum --until 1 --out run.h5 --quiet").code, 0);
  for (const char* command :
       {"run spherical-pendulum --until 0.1", "run spherical-pendulum --until 0.1 --json", "check spherical-pendulum",
        "equations heavy-top", "equations heavy-top --c", "convert run.h5 --csv -", "convert run.h5 --csv",
        "report run.h5", "compare spherical-pendulum --integrators rk4 --until 0.1", "new mine", "completion bash",
        "completion words check", "--help", "run --help", "--version"}) {
    SCOPED_TRACE(command);
    const Result full = shell("$hamel " + std::string(command) + " > /dev/full");
    EXPECT_EQ(full.code, 1);
    EXPECT_NE(full.err.find("cannot write to standard output"), std::string::npos) << full.err;
    EXPECT_EQ(full.err.find("error"), full.err.rfind("error")) << full.err;
  }
  const Result closed = shell("$hamel check spherical-pendulum >&-");
  EXPECT_EQ(closed.code, 1);
  EXPECT_NE(closed.err.find("Bad file descriptor"), std::string::npos) << closed.err;
}

TEST_F(Ends, AClosedPipeEndsQuietly) {
  ASSERT_EQ(hamel("run spherical-pendulum --until 20 --every 0.005 --out run.h5 --quiet").code, 0);
  for (const char* before : {"", "trap '' PIPE; "}) {
    SCOPED_TRACE(before);
    const Result head = shell(std::string(before) + "$hamel convert run.h5 --csv - | head -n 1");
    EXPECT_EQ(head.out.substr(0, 6), "t,q.x,");
    EXPECT_EQ(head.err, "");
  }
}

TEST_F(Ends, LittleMemoryIsAnErrorInWords) {
  write("big.toml",
        "[coordinates]\nq = \"S2[4000]\"\n[points]\n\"x[0]\" = \"[0, 0, 0]\"\n\"x[k in 1..4000]\" = \"x[k-1] + q[k]\"\n"
        "[energy]\nkinetic = \"sum(i in 1..4000, norm2(x'[i])/2)\"\n[start]\n\"q[k in 1..4000]\" = [1, 0, 0]\n");
  const Result result = shell("ulimit -v 100000; $hamel check big.toml");
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.err, "error: there is not enough memory: this process may have 97 MB (ulimit -v)\n");
}

}  // namespace
}  // namespace hamel::test
