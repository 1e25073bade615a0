#include "hamel/record/output_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "program/temporary.hpp"
#include "record/examples.hpp"

namespace hamel::test {
namespace {

namespace fs = std::filesystem;

class Output : public testing::Test {
 protected:
  static std::string contents(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void put(const std::string& text, bool overwrite = false) const {
    OutputFile file(path, overwrite);
    file.write(text);
    file.publish();
  }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder / ""), {}); }

  const Folder folder;
  const std::string path = folder / "out.txt";
};

TEST_F(Output, IsCompleteOrNotThere) {
  {
    OutputFile file(path, false);
    file.write("half");
    EXPECT_FALSE(fs::exists(path));
  }
  EXPECT_EQ(files(), 0);
  put("whole");
  EXPECT_EQ(contents(path), "whole");
  EXPECT_EQ(files(), 1);
}

TEST_F(Output, ReplacesAFileOnlyWhenAsked) {
  put("precious");
  EXPECT_EQ(message_of([&] { put("new"); }),
            path + " exists and was not touched: give another path, or ask for it to be overwritten (--overwrite)");
  EXPECT_EQ(contents(path), "precious");
  put("new", true);
  EXPECT_EQ(contents(path), "new");
}

TEST_F(Output, IsNeverPutInThePlaceOfSomethingElse) {
  std::ofstream(folder / "target") << "precious";
  const auto refusal = [&](const char* kind) {
    EXPECT_EQ(message_of([&] { put("new", true); }),
              path + " is " + kind + " and was not touched: only regular files are written to; give another path");
    fs::remove(path);
  };
  fs::create_symlink(folder / "target", path);
  refusal("a link");
  fs::create_symlink(folder / "nowhere", path);
  refusal("a link");
  EXPECT_FALSE(fs::exists(folder / "nowhere"));
  fs::create_directory(path);
  refusal("a folder");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  refusal("a fifo");
  if (::mknod(path.c_str(), S_IFCHR | 0600, ::makedev(1, 3)) == 0) refusal("a device");  // root may
  EXPECT_EQ(contents(folder / "target"), "precious");
  EXPECT_EQ(files(), 1);
}

TEST_F(Output, WhatAppearsInTheMeantimeIsNotTouched) {
  OutputFile file(path, false), replacing(folder / "other", true);
  file.write("new");
  replacing.write("new");
  std::ofstream(path) << "precious";
  fs::create_symlink(path, folder / "other");
  EXPECT_THROW(file.publish(), std::runtime_error);
  EXPECT_THROW(replacing.publish(), std::runtime_error);
  EXPECT_EQ(contents(path), "precious");
  EXPECT_TRUE(fs::is_symlink(folder / "other"));
}

// By any name: another spelling, a hard link, a link to the folder; and before the files exist.
TEST_F(Output, IsNoOtherFileOfTheSameCommand) {
  std::ofstream(folder / "model.toml") << "model";
  fs::create_hard_link(folder / "model.toml", path);
  fs::create_directory_symlink(folder / "", folder / "here");
  const std::string model = folder / "model.toml", already = " is read or written by the same command already";
  EXPECT_EQ(message_of([&] { need_output(model, true, {model}); }), model + already + "; give another path");
  for (const std::string& same : {path, folder / "./model.toml", folder / "here/model.toml"})
    EXPECT_EQ(message_of([&] { need_output(same, true, {model}); }),
              same + already + ", as " + model + "; give another path");
  EXPECT_NE(message_of([&] { need_output(folder / "a.h5", false, {folder / "here/a.h5"}); }), "");
  need_output(folder / "a.h5", false, {"", folder / "b.h5"});
}

TEST_F(Output, TemporaryNamesCannotBeGuessed) {
  EXPECT_NE(temporary_path(path), temporary_path(path));
  EXPECT_EQ(fs::path(temporary_path(path)).parent_path(), fs::path(path).parent_path());
  EXPECT_EQ(fs::path(temporary_path("out")).parent_path(), ".");
  OutputFile file(path, false);
  fs::create_symlink(folder / "target", file.temporary());
  EXPECT_EQ(message_of([&] { file.write("new"); }), "cannot write " + path + ": File exists; nothing was written");
  EXPECT_FALSE(fs::exists(folder / "target"));
}

TEST_F(Output, HasTheRightsOfOrdinaryFiles) {
  const mode_t before = ::umask(022);
  put("text");
  ::umask(before);
  EXPECT_EQ(fs::status(path).permissions(), fs::perms(0644));
}

}  // namespace
}  // namespace hamel::test
