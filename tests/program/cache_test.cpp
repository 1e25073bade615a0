// Whatever happens to the cache and the compiler: the numbers are right, and the user hears of it once.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "hamel/program/native.hpp"
#include "program/compiler.hpp"
#include "program/sha256.hpp"
#include "program/temporary.hpp"

namespace hamel {
namespace {

namespace fs = std::filesystem;

class Cache : public testing::Test {
 protected:
  Cache() {
    std::ofstream(compiler_) << "#!/bin/sh\necho run >> '" << folder / "runs"
                             << "'\nexec cc \"$@\"\n";
    fs::permissions(compiler_, fs::perms::owner_all);
    set_notice_handler([this](const std::string& text) { notices.push_back(text); });
  }
  ~Cache() override { set_notice_handler({}); }

  // A new program each time, as in a new process. It computes 3 * 3 + salt.
  bool compiles(double salt = 1) {
    Graph graph;
    const Graph::Scope scope(graph);
    const Expr x = graph.variable("x");
    const Program program("cached", {{x}}, {{x * x + salt}});
    const bool compiled = program.compile();
    EXPECT_EQ(program.is_native(), compiled);
    const double in = 3, *const in_groups[] = {&in};
    double out = 0, *const out_groups[] = {&out};
    std::vector<double> scratch(program.scratch_size());
    program.run(in_groups, out_groups, scratch.data());
    EXPECT_EQ(out, 9 + salt);
    return compiled;
  }

  int compiler_runs() const {
    std::ifstream log(folder / "runs");
    return static_cast<int>(std::count(std::istreambuf_iterator<char>(log), {}, '\n'));
  }

  std::string library() const {
    for (const auto& entry : fs::directory_iterator(cache_path))
      if (entry.path().extension() == ".so") return entry.path().string();
    return "";
  }

  // Replaced, not overwritten: other programs of this process may have the old one loaded.
  static void replace(const std::string& path, const std::string& content) {
    std::ofstream(path + ".new", std::ios::binary) << content;
    fs::rename(path + ".new", path);
  }

  static std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  void expect_interpreted_with_one_notice(const std::string& about) {
    EXPECT_FALSE(compiles());
    EXPECT_FALSE(compiles(2));
    ASSERT_EQ(notices.size(), 1u);
    EXPECT_NE(notices.front().find(about), std::string::npos) << notices.front();
    EXPECT_NE(notices.front().find("interpreter"), std::string::npos) << notices.front();
  }

  void expect_recompiled_once() {
    EXPECT_TRUE(compiles());
    EXPECT_EQ(compiler_runs(), 2);
    EXPECT_TRUE(compiles());
    EXPECT_EQ(compiler_runs(), 2);
    EXPECT_TRUE(notices.empty());
  }

  test::Folder folder;
  std::string cache_path = folder / "cache";
  std::string compiler_ = folder / "compiler";
  test::Environment cache_variable{"HAMEL_CACHE", cache_path}, compiler_variable{"HAMEL_CC", compiler_};
  std::vector<std::string> notices;
};

TEST_F(Cache, WarmNeedsNoCompiler) {
  EXPECT_TRUE(compiles());
  EXPECT_EQ(compiler_runs(), 1);
  EXPECT_TRUE(compiles());
  EXPECT_EQ(compiler_runs(), 1);
  EXPECT_TRUE(compiles(2));
  EXPECT_EQ(compiler_runs(), 2);
  EXPECT_TRUE(notices.empty());
}

TEST_F(Cache, IsPrivate) {
  ASSERT_TRUE(compiles());
  struct stat status {};
  ASSERT_EQ(::stat(cache_path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777u, 0700u);
}

TEST_F(Cache, WorksWithAnOpenUmask) {
  const mode_t before = ::umask(0);
  EXPECT_TRUE(compiles());
  ::umask(before);
  struct stat status {};
  ASSERT_EQ(::stat(library().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777u, 0700u);
}

TEST_F(Cache, TruncatedLibraryIsCompiledAgain) {
  ASSERT_TRUE(compiles());
  const std::string bytes = read(library());
  replace(library(), bytes.substr(0, bytes.size() / 2));
  expect_recompiled_once();
}

TEST_F(Cache, GarbageIsCompiledAgain) {
  ASSERT_TRUE(compiles());
  replace(library(), "not a library");
  expect_recompiled_once();
}

TEST_F(Cache, OneFlippedBitIsNoticed) {
  ASSERT_TRUE(compiles());
  std::string bytes = read(library());
  bytes[bytes.size() / 3] ^= 1;
  replace(library(), bytes);
  expect_recompiled_once();
}

TEST_F(Cache, LibraryOfAnotherProgramIsNotRun) {
  ASSERT_TRUE(compiles(2));
  const std::string other = read(library());
  fs::remove(library());
  ASSERT_TRUE(compiles(1));
  replace(library(), other);
  EXPECT_TRUE(compiles(1));
  EXPECT_EQ(compiler_runs(), 3);
}

TEST_F(Cache, WritableByOthersIsRefused) {
  fs::create_directory(cache_path);
  fs::permissions(cache_path, fs::perms::owner_all | fs::perms::group_all);
  expect_interpreted_with_one_notice("chmod go-w");
  EXPECT_EQ(compiler_runs(), 0);
}

TEST_F(Cache, ReadOnlyFolder) {
  // Also root cannot write to the first; everyone else would be stopped by the mode of the second.
  const bool is_root = ::geteuid() == 0;
  if (!is_root) {
    fs::create_directory(cache_path);
    fs::permissions(cache_path, fs::perms::owner_read | fs::perms::owner_exec);
  }
  const test::Environment read_only("HAMEL_CACHE", is_root ? "/proc/self/task" : cache_path);
  expect_interpreted_with_one_notice("cannot be written");
}

TEST_F(Cache, FolderThatCannotBeMade) {
  std::ofstream(folder / "file") << "in the way";
  const test::Environment impossible("HAMEL_CACHE", folder / "file/cache");
  expect_interpreted_with_one_notice("cannot be made");
}

TEST_F(Cache, MissingCompiler) {
  const test::Environment missing("HAMEL_CC", folder / "no-such-compiler");
  expect_interpreted_with_one_notice("no-such-compiler");
}

TEST_F(Cache, NoCompilerInPath) {
  const test::Environment no_choice("HAMEL_CC", ""), empty_path("PATH", folder / "empty");
  expect_interpreted_with_one_notice("none of cc, gcc, clang");
}

TEST_F(Cache, FailingCompiler) {
  std::ofstream(compiler_) << "#!/bin/sh\necho something is wrong >&2\nexit 3\n";
  expect_interpreted_with_one_notice("failed with exit status 3");
  EXPECT_NE(notices.front().find("something is wrong"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(cache_path)) << "left behind";
}

TEST_F(Cache, CompilerThatMakesNothing) {
  const test::Environment lazy("HAMEL_CC", "true");
  expect_interpreted_with_one_notice("left nothing");
  EXPECT_TRUE(fs::is_empty(cache_path)) << "left behind";
}

// It is neither called broken nor tried again.
TEST_F(Cache, SlowCompiler) {
  std::ofstream(compiler_) << "#!/bin/sh\necho run >> '" << folder / "runs"
                           << "'\nexec sleep 1000\n";
  set_compile_limit(std::chrono::milliseconds(300));
  expect_interpreted_with_one_notice("did not finish within 0.3 s and was stopped");
  EXPECT_EQ(notices.front().find("HAMEL_CC"), std::string::npos) << notices.front();
  EXPECT_EQ(compiler_runs(), 1);
  EXPECT_TRUE(fs::is_empty(cache_path)) << "left behind";
  set_compile_limit(std::chrono::seconds(120));
}

TEST_F(Cache, InterruptedCompiler) {
  std::ofstream(compiler_) << "#!/bin/sh\nexec sleep 1000\n";
  const std::atomic<bool> flag = true;
  set_interruption(&flag);
  EXPECT_THROW(compiles(), Interrupted);
  set_interruption(nullptr);
  EXPECT_TRUE(fs::is_empty(cache_path)) << "left behind";
}

TEST_F(Cache, TwoProcessesAtOnce) {
  std::vector<pid_t> children;
  for (int i = 0; i < 2; ++i) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) ::_exit(compiles() && !HasFailure() ? 0 : 1);
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  const int runs = compiler_runs();
  EXPECT_TRUE(compiles());
  EXPECT_EQ(compiler_runs(), runs) << "what they left is whole";
}

TEST(Sha256, KnownAnswers) {  // FIPS 180-4, examples
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

}  // namespace
}  // namespace hamel
