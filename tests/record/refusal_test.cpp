// What cannot be written or read is an error that says why, and loses nothing.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "hamel/record/writer.hpp"
#include "program/temporary.hpp"
#include "record/examples.hpp"

namespace hamel::test {
namespace {

namespace fs = std::filesystem;

// As if the disk were full: files cannot become longer than this.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    ::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SmallDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, SIG_DFL);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

 private:
  rlimit before_{};
};

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Refusal : public testing::Test {
 protected:
  RunSummary run() { return recorded_run(example.system, example.start, Variational{0.01}, wanted, example.header); }
  std::string message() {
    return message_of([&] { run(); });
  }

  const Folder folder;
  const Recorded example = double_pendulum_with_outputs();
  RunSettings wanted{.until = {2}, .outputs = example.outputs, .path = folder / "run.h5", .flush_seconds = 0};
};

TEST_F(Refusal, FullDisk) {
  wanted.until.t = 0.1;  // a file of small pieces
  run();
  wanted.until.t = 2;
  wanted.resume = true;
  run();
  const Record all = read_record(wanted.path);
  const auto whole = fs::file_size(wanted.path);
  wanted.path = folder / "full.h5";
  int begun = 0;
  for (rlim_t size = 1000; size < whole; size += 5000) {
    fs::remove(wanted.path);
    wanted.resume = false;
    std::string error;
    {
      const SmallDisk disk(size);
      wanted.until.t = 0.1;
      error = message();
      wanted.until.t = 2;
      wanted.resume = true;
      if (error.empty()) error = message();
    }
    ASSERT_NE(error.find("cannot write " + wanted.path + ": File too large; "), std::string::npos) << error;
    if (!fs::exists(wanted.path)) {
      EXPECT_NE(error.find("nothing was written"), std::string::npos) << error;
      continue;
    }
    ++begun;
    const Record kept = read_record(wanted.path);
    EXPECT_NE(error.find("rows, up to t = "), std::string::npos) << error;
    EXPECT_NE(error.find("; when there is room, resume the run from there"), std::string::npos) << error;
    expect_same(kept.rows, RecordReader(folder / "run.h5").read(0, kept.rows.size()));
    wanted.resume = true;
    run();
    expect_same(read_record(wanted.path).rows, all.rows);
  }
  EXPECT_GT(begun, 5);
}

TEST_F(Refusal, ExistingFile) {
  std::ofstream(wanted.path) << "precious";
  EXPECT_EQ(
      message(),
      wanted.path + " exists and was not touched: give another path, or ask for it to be overwritten (--overwrite)");
  EXPECT_EQ(contents(wanted.path), "precious");
  wanted.overwrite = true;
  {
    const SmallDisk disk(1000);
    EXPECT_NE(message().find("File too large; nothing was written"), std::string::npos);
  }
  EXPECT_EQ(contents(wanted.path), "precious");
  run();
  EXPECT_EQ(read_record(wanted.path).rows.size(), 201U);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / ""), {}), 1);
}

// A link where the file is made, or where the record to be resumed should be, leads nowhere.
TEST_F(Refusal, Links) {
  std::ofstream(folder / "precious") << "precious";
  fs::create_symlink(folder / "precious", wanted.path + ".unfinished");
  run();
  EXPECT_EQ(contents(folder / "precious"), "precious");
  fs::create_symlink(wanted.path, folder / "link.h5");
  wanted.path = folder / "link.h5";
  wanted.resume = true;
  EXPECT_EQ(message(),
            wanted.path + " is a link and was not touched: only regular files are written to; give another path");
}

TEST_F(Refusal, FolderThatCannotBeWrittenTo) {
  wanted.path = folder / "none/run.h5";
  EXPECT_EQ(message(), "cannot write " + wanted.path + ": the folder " + (folder / "none") +
                           ": No such file or directory; give another path");
  fs::create_directory(folder / "locked");
  ::chmod((folder / "locked").c_str(), 0555);
  ::chmod((folder / "").c_str(), 0755);
  wanted.path = folder / "locked/run.h5";
  const bool root = ::geteuid() == 0;
  if (root) {
    ASSERT_EQ(::setresuid(65534, 65534, 0), 0);
  }
  const std::string error = message();
  if (root) {
    ASSERT_EQ(::setresuid(0, 0, 0), 0);
  }
  EXPECT_EQ(error, "cannot write " + wanted.path + ": the folder " + (folder / "locked") +
                       ": Permission denied; give another path");
}

TEST_F(Refusal, TwoWriters) {
  wanted.progress_seconds = 0;
  std::string second, third;
  RunSettings other = wanted;
  wanted.progress = [&](const Progress& progress) {
    if (progress.steps != 10) return;
    other.resume = true;
    second = message_of([&] { recorded_run(example.system, example.start, Variational{0.01}, other, example.header); });
    other.resume = false;
    other.overwrite = true;
    third = message_of([&] { recorded_run(example.system, example.start, Variational{0.01}, other, example.header); });
  };
  run();
  EXPECT_EQ(second, "cannot open " + wanted.path + ": another process is writing to it");
  EXPECT_EQ(third, wanted.path + " is being written by another process; give another path");
  EXPECT_EQ(read_record(wanted.path).rows.size(), 201U);
}

TEST_F(Refusal, OutputsThatAreNotFinite) {
  const Formula t = example.system.model().time();
  wanted.outputs = {{"root", sqrt(1 - t)}};
  EXPECT_EQ(message(),
            "the output `root` is not finite at t = 1.01; nothing like it is recorded: see whether it is "
            "defined there; the first 101 rows, up to t = 1, are in " +
                wanted.path);
  const Record record = read_record(wanted.path);
  EXPECT_EQ(record.rows.size(), 101U);
  EXPECT_TRUE(record.rows.outputs[0].allFinite());
}

TEST_F(Refusal, StepsThatFailKeepTheRowsBefore) {
  wanted.until.t = 200;
  wanted.until.every = 0.25;
  wanted.flush_seconds = 1000;
  const std::string error =
      message_of([&] { recorded_run(example.system, example.start, Variational{0.25}, wanted, example.header); });
  EXPECT_NE(error.find("rows, up to t = "), std::string::npos) << error;
  // The last savepoint is that of the start; what is told of the run is told of all of it.
  const Record record = read_record(wanted.path);
  EXPECT_GT(record.rows.size(), 1U);
  const RunSummary& summary = record.summary;
  EXPECT_FALSE(summary.finished);
  EXPECT_EQ(error.rfind(summary.failure + "; ", 0), 0U) << summary.failure;
  EXPECT_NE(summary.failure, "");
  EXPECT_EQ(summary.outputs, record.rows.size());
  EXPECT_EQ(summary.steps, record.rows.size() - 1);
  const auto last = static_cast<Eigen::Index>(record.rows.size()) - 1;
  EXPECT_EQ(summary.time, record.rows.time(last));
  EXPECT_TRUE(summary.final.q == record.rows.q.row(last).transpose());
  EXPECT_EQ(summary.energy.max_error, (record.rows.total.array() - record.rows.total(0)).abs().maxCoeff());
  EXPECT_GT(summary.wall_seconds, 0);
  // It goes on from its savepoint, to the same end.
  wanted.resume = true;
  EXPECT_EQ(message_of([&] { recorded_run(example.system, example.start, Variational{0.25}, wanted, example.header); }),
            error);
  expect_same(read_record(wanted.path).rows, record.rows);
  expect_same(read_record(wanted.path).summary, summary);
}

TEST_F(Refusal, OutputNames) {
  const Formula t = example.system.model().time();
  wanted.outputs = {{"a/b", t}};
  EXPECT_EQ(message(), "an output cannot be called `a/b`: give it a name without /");
  wanted.outputs = {{"a", t}, {"a", t}};
  EXPECT_EQ(message(), "there are two outputs called `a`; rename one of them");
}

TEST_F(Refusal, FilesThatAreNoRecords) {
  const auto read = [&](const std::string& path) { return message_of([&] { read_record(path); }); };
  EXPECT_EQ(read(folder / "none.h5"), "cannot open " + (folder / "none.h5") + ": No such file or directory");
  std::ofstream(folder / "text.h5") << "this is not HDF5";
  EXPECT_EQ(read(folder / "text.h5").rfind("cannot open " + (folder / "text.h5") + ": ", 0), 0U)
      << read(folder / "text.h5");
  run();
  const std::string whole = contents(wanted.path);
  for (const std::size_t size : {std::size_t{0}, whole.size() / 3, whole.size() / 2}) {
    std::ofstream(folder / "cut.h5", std::ios::binary) << whole.substr(0, size);
    EXPECT_NE(read(folder / "cut.h5"), "") << size;
  }
}

}  // namespace
}  // namespace hamel::test
