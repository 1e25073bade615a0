// Every file that a command writes follows one rule: nothing is lost.
#include <sys/stat.h>

#include "cli/command.hpp"

namespace hamel::test {
namespace {

const std::string short_run = "run spherical-pendulum --until 0.1 --quiet ";

// Commands that write "out.x", once there is a record run.h5 and a model model.toml.
class Files : public Command {
 protected:
  void SetUp() override {
    Command::SetUp();
    fs::copy(fs::path(HAMEL_SOURCE_DIR) / "models" / "spherical-pendulum.toml", path("model.toml"));
    ASSERT_EQ(hamel(short_run + "--out run.h5").code, 0);
  }
  static std::vector<std::string> writers(const std::string& out) {
    return {"run model.toml --until 0.1 --quiet --out " + out,
            "run model.toml --until 0.1 --quiet --report " + out,
            "run model.toml --until 0.1 --quiet --out rest.h5 --overwrite --report " + out,
            "report run.h5 --quiet --out " + out,
            "convert run.h5 --quiet --csv " + out,
            "compare model.toml --quiet --integrators rk4,gauss4 --until 0.1 --plot " + out};
  }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_), {}); }
};

TEST_F(Files, AreReplacedOnlyWhenAsked) {
  write("out.x", "precious");
  for (const std::string& command : writers("out.x")) {
    SCOPED_TRACE(command);
    if (command.find("--overwrite") != std::string::npos) continue;
    const Result refused = hamel(command);
    EXPECT_EQ(refused.code, 1);
    EXPECT_EQ(refused.err,
              "error: out.x exists and was not touched: give another path, or ask for it to be overwritten "
              "(--overwrite)\n");
    EXPECT_EQ(slurp(path("out.x")), "precious");
    EXPECT_EQ(hamel(command + " --overwrite").code, 0);
    EXPECT_NE(slurp(path("out.x")), "precious");
    write("out.x", "precious");
  }
  write("mine.toml", "precious");
  EXPECT_EQ(hamel("new mine").code, 1);
  EXPECT_EQ(slurp(path("mine.toml")), "precious");
  EXPECT_EQ(hamel("new mine --overwrite").code, 0);
  EXPECT_EQ(hamel("check mine.toml").code, 0);
}

TEST_F(Files, ReplaceNothingThatIsNoFile) {
  write("target", "precious");
  fs::create_symlink("target", path("link"));
  fs::create_symlink("/dev/null", path("null"));
  fs::create_directory(path("folder"));
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  for (const char* out : {"link", "null", "folder", "fifo"})
    for (const std::string& command : writers(out)) {
      SCOPED_TRACE(command);
      const auto before = files();
      const Result refused = hamel(command + (command.find("--overwrite") == std::string::npos ? " --overwrite" : ""));
      EXPECT_EQ(refused.code, 1);
      EXPECT_NE(refused.err.find("only regular files are written to"), std::string::npos) << refused.err;
      EXPECT_LE(files(), before);  // it was refused before anything began
    }
  EXPECT_EQ(slurp(path("target")), "precious");
  EXPECT_TRUE(fs::is_symlink(path("link")) && fs::is_symlink(path("null")) && fs::is_fifo(path("fifo")));
}

TEST_F(Files, AreNoneThatTheSameCommandReads) {
  fs::create_hard_link(path("model.toml"), path("same.toml"));
  fs::create_hard_link(path("run.h5"), path("same.h5"));
  const std::string model = slurp(path("model.toml")), record = slurp(path("run.h5"));
  for (const char* command :
       {"run model.toml --until 0.1 --report model.toml", "run model.toml --until 0.1 --report ./model.toml",
        "run model.toml --until 0.1 --out same.toml", "run model.toml --until 0.1 --out a.h5 --report a.h5",
        "run model.toml --until 0.1 --out a.h5 --report ./a.h5", "report run.h5 --out run.h5",
        "report run.h5 --out same.h5", "convert run.h5 --csv same.h5",
        "compare model.toml --integrators rk4 --until 0.1 --plot model.toml"}) {
    SCOPED_TRACE(command);
    const Result refused = hamel(std::string(command) + " --overwrite");
    EXPECT_EQ(refused.code, 1);
    EXPECT_NE(refused.err.find("is read or written by the same command already"), std::string::npos) << refused.err;
  }
  EXPECT_EQ(slurp(path("model.toml")), model);
  EXPECT_EQ(slurp(path("run.h5")), record);
  EXPECT_FALSE(fs::exists(path("a.h5")));
}

// Links that wait where temporary files were made once.
TEST_F(Files, AreMadeUnderNamesThatCannotBeGuessed) {
  write("precious", "precious");
  for (const char* name : {"a.h5.unfinished", "a.csv.unfinished"}) fs::create_symlink("precious", path(name));
  EXPECT_EQ(hamel(short_run + "--out a.h5 --report a.html").code, 0);
  EXPECT_EQ(hamel("convert a.h5 --csv").code, 0);
  EXPECT_EQ(slurp(path("precious")), "precious");
  for (const auto& entry : fs::directory_iterator(folder_))
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

}  // namespace
}  // namespace hamel::test
