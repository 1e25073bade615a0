#include "hamel/record/sweep_file.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <limits>

#include "record/file_driver.hpp"

namespace hamel {
namespace {

namespace fs = std::filesystem;

struct SweepFolder {
  fs::path at = fs::temp_directory_path() / ("hamel-sweep-" + std::to_string(getpid()));
  SweepFolder() { fs::create_directory(at); }
  ~SweepFolder() { fs::remove_all(at); }
  std::string file(const std::string& name) const { return (at / name).string(); }
};

SweepHeader small_header() {
  SweepHeader header;
  header.model_text = "name = \"x\"\n";
  header.model_name = "x";
  header.settings = {{"integrator", "rk4"}};
  header.varied = header.quantities = {"m"};
  header.vary_texts = {"0:1:1000"};
  header.kept = {{"t"}, {"height series", 5}};
  header.members = 1000;
  header.sides = {1000};
  return header;
}

EnsembleChunk chunk_at(std::uint64_t first, Eigen::Index count) {
  EnsembleChunk chunk;
  chunk.first = first;
  chunk.varied = MemberRows::Constant(count, 1, 0.5 + static_cast<double>(first));
  chunk.kept = MemberRows::Constant(count, 6, static_cast<double>(first));
  chunk.kept(0, 0) = std::numeric_limits<double>::infinity();
  chunk.failures = {{first + 1, "it broke"}};
  return chunk;
}

void write_some(const std::string& path) {
  SweepWriter writer(path, small_header());
  writer.commit(0, false);
  for (std::uint64_t first = 0; first < 100; first += 10) {
    writer.append(chunk_at(first, 10));
    writer.commit(1, first == 90);
  }
}

TEST(SweepFile, ReadsWhatWasWritten) {
  const SweepFolder folder;
  write_some(folder.file("a.h5"));
  EXPECT_TRUE(is_sweep_file(folder.file("a.h5")));
  const SweepReader reader(folder.file("a.h5"));
  EXPECT_EQ(reader.rows(), 100U);
  EXPECT_TRUE(reader.finished());
  EXPECT_EQ(reader.header().kept, small_header().kept);
  EXPECT_EQ(reader.header().sides, small_header().sides);
  const SweepRows rows = reader.read(20, 10);
  EXPECT_EQ(rows.kept(5, 3), 20);
  EXPECT_EQ(rows.kept(0, 0), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(rows.failed[1]);
  EXPECT_FALSE(rows.failed[2]);
  const auto failures = reader.failures();
  ASSERT_EQ(failures.size(), 10U);
  EXPECT_EQ(failures[2].member, 21U);
  EXPECT_EQ(failures[2].why, "it broke");
}

// Killed at any write, the file is not there or can be read, and has only rows that were committed.
TEST(SweepFile, IsReadableWheneverItsWriterDies) {
  const SweepFolder folder;
  int readable = 0;
  for (long n = 1; n <= 120; n += 3) {
    const std::string path = folder.file("killed.h5");
    fs::remove(path);
    const pid_t child = fork();
    if (child == 0) {
      hdf5::die_at_write(n);
      write_some(path);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!fs::exists(path)) continue;
    const SweepReader reader(path);
    ++readable;
    EXPECT_TRUE(reader.damage().empty()) << n << ": " << reader.damage();
    EXPECT_EQ(reader.rows() % 10, 0U) << n;
    EXPECT_EQ(reader.failures().size(), reader.rows() / 10);
    SweepWriter again = SweepWriter::resume(path, small_header());
    EXPECT_EQ(again.rows(), reader.rows());
  }
  EXPECT_GT(readable, 5);
}

TEST(SweepFile, RefusesToGoOnWithAnother) {
  const SweepFolder folder;
  write_some(folder.file("a.h5"));
  SweepHeader other = small_header();
  other.settings[0].second = "rk45";
  try {
    SweepWriter::resume(folder.file("a.h5"), other);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("integrator: rk4 in the file, rk45 now"), std::string::npos);
  }
  other = small_header();
  other.machine["processor"] = "another";
  EXPECT_THROW(SweepWriter::resume(folder.file("a.h5"), other), std::invalid_argument);
  EXPECT_NO_THROW(SweepWriter::resume(folder.file("a.h5"), other, true));
}

}  // namespace
}  // namespace hamel
