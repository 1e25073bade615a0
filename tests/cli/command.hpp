// Runs the command in a folder of its own, as people and programs do.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace hamel::test {

namespace fs = std::filesystem;
using Json = nlohmann::json;

inline std::string slurp(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

struct Result {
  int code;  // -1: ended by a signal
  std::string out, err;
  Json json() const { return Json::parse(out); }
};

class Command : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("hamel-cli-" + std::to_string(getpid()));
    fs::create_directory(folder_);
  }
  void TearDown() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }

  // What a shell makes of the line, in which $hamel is the command.
  Result shell(const std::string& line) const {
    const std::string out = path("stdout"), err = path("stderr");
    const int status = std::system(("(" + preamble() + line + ") > " + out + " 2> " + err + " < /dev/null").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp(out), slurp(err)};
  }
  Result hamel(const std::string& arguments) const { return shell("$hamel " + arguments); }

  // In the background, with the signals of a program in the foreground. Its messages go to the file "err".
  pid_t start(const std::string& arguments, const std::string& before = "") const {
    const std::string line = preamble() + before + "exec $hamel " + arguments + " > /dev/null 2> err < /dev/null";
    const pid_t child = fork();
    if (child != 0) return child;
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_DFL);
    execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
    _exit(127);
  }
  static int exit_code(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }

  fs::path folder_;

 private:
  std::string preamble() const {
    return "cd " + folder_.string() +
           " && hamel=" HAMEL_COMMAND " && export HAMEL_MODELS=" HAMEL_SOURCE_DIR "/models && ";
  }
};

}  // namespace hamel::test
