#include "hamel/record/sweep_file.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <limits>
#include <sstream>

#include "hamel/record/sweep_table.hpp"
#include "record/file_driver.hpp"
#include "record/hdf5.hpp"

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

// One word of /failures, which has no checksum of its own.
void put_failure_word(const std::string& path, hsize_t row, hsize_t word, std::uint64_t value) {
  using hdf5::Handle;
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open");
  const Handle dataset(H5Dopen2(file, "failures", H5P_DEFAULT), H5Dclose, "open");
  const Handle space(H5Dget_space(dataset), H5Sclose, "find"), one(H5Screate(H5S_SCALAR), H5Sclose, "find");
  const hsize_t at[] = {row, word}, count[] = {1, 1};
  H5Sselect_hyperslab(space, H5S_SELECT_SET, at, nullptr, count, nullptr);
  hdf5::checked(H5Dwrite(dataset, H5T_NATIVE_UINT64, one, space, H5P_DEFAULT, &value), "write");
}

TEST(SweepFile, RefusesFailuresOfOthers) {
  const SweepFolder folder;
  const std::string path = folder.file("a.h5");
  write_some(path);
  EXPECT_EQ(SweepReader(path).failures(3).size(), 3U);
  put_failure_word(path, 2, 1, 0x41'07'5b'1b'41);  // A, escape, [, bell, A
  EXPECT_EQ(SweepReader(path).failures()[2].why.find('\x1b'), std::string::npos);
  EXPECT_EQ(SweepReader(path).failures()[2].why.find('\a'), std::string::npos);
  for (const std::uint64_t member : {std::uint64_t{22}, ~std::uint64_t{0}}) {
    put_failure_word(path, 2, 0, member);
    EXPECT_EQ(SweepReader(path).failures(2).size(), 2U);
    try {
      SweepTable{SweepReader(path)};
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find("a.h5: /failures is damaged: its row 2 is of member"),
                std::string::npos);
    }
  }
}

TEST(SweepFile, IsReadAFewMegabytesAtOnce) {
  const SweepFolder folder;
  SweepHeader header = small_header();
  header.kept = {{"t"}, {"height series", 300'000}};
  header.members = 3;
  header.sides = {3};
  {
    SweepWriter writer(folder.file("wide.h5"), header);
    writer.append({0, MemberRows::Zero(3, 1), MemberRows::Ones(3, 300'001), {}});
    writer.commit(1, true);
  }
  const SweepReader reader(folder.file("wide.h5"));
  EXPECT_EQ(reader.rows_at_once(), 1U);
  EXPECT_EQ(SweepTable(reader).members(), 3U);
}

// And knows before the first member whether it can.
TEST(SweepTable, HoldsSeriesWhereThatIsAsked) {
  SweepTable table(small_header(), 7000, true);
  EXPECT_NO_THROW(table.need_room_for_all());
  EXPECT_THROW(SweepTable(small_header(), 6999, true).need_room_for_all(), std::runtime_error);
  EXPECT_NO_THROW(SweepTable(small_header(), 2000).need_room_for_all());
  EnsembleChunk chunk{0, MemberRows::Constant(2, 1, 0.5), MemberRows::Zero(2, 6), {{1, "it broke"}}};
  chunk.kept.row(1) << 1, 2, 3, 4, 5, 6;
  table.add(chunk);
  EXPECT_EQ(table.at(1, 0), 0.5);
  EXPECT_EQ(table.at(1, 1), 1);
  std::ostringstream csv;
  write_csv(table, csv);
  EXPECT_EQ(csv.str(),
            "member,m,t,height series 0,height series 1,height series 2,height series 3,height series 4,failed\n"
            "0,0.5,0,0,0,0,0,0,0\n1,0.5,1,2,3,4,5,6,1\n");
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
