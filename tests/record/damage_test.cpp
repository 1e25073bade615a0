// Bytes that changed on the disk are noticed, wherever they are; what was written before them can still be had.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "hamel/record/csv.hpp"
#include "hamel/record/writer.hpp"
#include "program/temporary.hpp"
#include "record/examples.hpp"
#include "record/hdf5.hpp"

namespace hamel::test {
namespace {

namespace fs = std::filesystem;
using hdf5::Handle;

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string csv_of(const RecordReader& reader) {
  std::ostringstream text;
  write_csv(reader, text);
  return text.str();
}

class Damage : public testing::Test {
 protected:
  Damage() { run(); }
  void run() { recorded_run(example.system, example.start, Variational{0.01}, wanted, example.header); }

  // The next number after the one in this place of a dataset.
  void nudge(const std::string& dataset, const std::vector<hsize_t>& at) const {
    const Handle file(H5Fopen(wanted.path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open");
    const Handle numbers(H5Dopen2(file, dataset.c_str(), H5P_DEFAULT), H5Dclose, "open");
    const Handle space(H5Dget_space(numbers), H5Sclose, "find"), one(H5Screate(H5S_SCALAR), H5Sclose, "find");
    const std::vector<hsize_t> count(at.size(), 1);
    if (!at.empty()) H5Sselect_hyperslab(space, H5S_SELECT_SET, at.data(), nullptr, count.data(), nullptr);
    double value = 0;
    hdf5::checked(H5Dread(numbers, H5T_NATIVE_DOUBLE, one, space, H5P_DEFAULT, &value), "read");
    value = std::nextafter(value, 1e300);
    hdf5::checked(H5Dwrite(numbers, H5T_NATIVE_DOUBLE, one, space, H5P_DEFAULT, &value), "write");
  }

  const Folder folder;
  const Recorded example = double_pendulum_with_outputs();
  RunSettings wanted{.until = {0.2}, .outputs = example.outputs, .path = folder / "run.h5"};
};

TEST_F(Damage, OfOneBitInAnyColumnIsNamed) {
  const std::string whole = csv_of(RecordReader(wanted.path)), saved = bytes_of(wanted.path);
  for (const std::string dataset :
       {"time", "q", "v", "energy/kinetic", "energy/potential", "energy/total", "manifold_error", "momenta",
        "outputs/height", "outputs/tip velocity", "outputs/K q"}) {
    SCOPED_TRACE(dataset);
    const bool table =
        dataset == "q" || dataset == "v" || dataset == "momenta" || dataset.find(' ') != std::string::npos;
    std::ofstream(wanted.path, std::ios::binary) << saved;
    nudge(dataset, table ? std::vector<hsize_t>{7, 0} : std::vector<hsize_t>{7});
    const RecordReader reader(wanted.path);
    EXPECT_EQ(reader.rows(), 7U);
    EXPECT_EQ(reader.damage(),
              wanted.path +
                  " is damaged: /checksum is not that of the numbers in row 7, the one after t = 0.06; "
                  "the 7 rows before are whole");
    const std::string before = csv_of(reader);
    EXPECT_EQ(whole.substr(0, before.size()), before);
    EXPECT_EQ(message_of([&] { read_record(wanted.path); }), reader.damage());
    RunSettings more = wanted;
    more.resume = true;
    EXPECT_EQ(message_of([&] { recorded_run(example.system, example.start, Variational{0.01}, more, example.header); }),
              reader.damage());
  }
}

TEST_F(Damage, OfWhatDescribesTheRunIsRefused) {
  const std::string saved = bytes_of(wanted.path);
  const std::string damaged = wanted.path +
                              ": what it says about its run (model, columns, parameters, settings) is damaged: it does "
                              "not have its checksum";
  nudge("model/parameters/g", {});
  EXPECT_EQ(message_of([&] { RecordReader reader(wanted.path); }), damaged);
  for (const std::string word : {"name = \"double", "tip velocity", "q'[2].x"}) {
    SCOPED_TRACE(word);
    std::string bytes = saved;
    const std::size_t at = bytes.find(word);
    ASSERT_NE(at, std::string::npos);
    bytes[at] ^= 1;
    std::ofstream(wanted.path, std::ios::binary) << bytes;
    EXPECT_NE(message_of([&] { RecordReader reader(wanted.path); }), "");
  }
}

// Whatever is changed, nothing but the truth is read: all of it, or what comes before the damage with a statement.
TEST_F(Damage, AnywhereGivesNoWrongNumbers) {
  const std::string saved = bytes_of(wanted.path);
  const RecordReader undamaged(wanted.path);
  const std::string whole = csv_of(undamaged);
  const std::uint64_t header = checksum_of(undamaged.header());
  const RunSummary summary = undamaged.summary();
  const std::string path = folder / "damaged.h5";
  Random random(7);
  int refused = 0, cut = 0, unharmed = 0;
  for (int trial = 0; trial < 600; ++trial) {
    std::string bytes = saved;
    const std::size_t at = std::uniform_int_distribution<std::size_t>(0, bytes.size() - 1)(random);
    const int kind = trial % 3;  // a bit, a byte, a block
    if (kind == 0) bytes[at] = static_cast<char>(bytes[at] ^ (1 << trial % 8));
    if (kind == 1) bytes[at] = static_cast<char>(std::uniform_int_distribution<>(0, 255)(random));
    if (kind == 2) bytes.replace(at, std::min<std::size_t>(512, bytes.size() - at), 512, '\0');
    std::ofstream(path, std::ios::binary) << bytes;
    const std::string damage = message_of([&] {
      const RecordReader reader(path);
      const std::string csv = csv_of(reader);
      EXPECT_EQ(whole.substr(0, csv.size()), csv) << "byte " << at;
      EXPECT_EQ(checksum_of(reader.header()), header) << "byte " << at;
      if (reader.damage().empty()) {
        EXPECT_EQ(csv, whole) << "byte " << at;
        expect_same(reader.summary(), summary);
        ++unharmed;
      } else {
        EXPECT_EQ(reader.damage().rfind(path, 0), 0U) << reader.damage();
        ++cut;
      }
    });
    if (damage.empty()) continue;
    EXPECT_NE(damage.find(path), std::string::npos) << damage;
    ++refused;
  }
  EXPECT_GT(refused, 50);
  EXPECT_GT(cut, 20);
  EXPECT_GT(unharmed, 50);  // room that is not used
}

TEST(Format1, CanStillBeRead) {
  const std::string path = HAMEL_SOURCE_DIR "/tests/record/format1.h5";
  const Record record = read_record(path);
  EXPECT_EQ(record.header.format, 1);
  EXPECT_EQ(record.header.model_name, "Spherical pendulum");
  EXPECT_EQ(record.header.parameters[1].name, "l");
  ASSERT_EQ(record.rows.size(), 11U);
  EXPECT_EQ(record.rows.time(1), 0.01);
  EXPECT_EQ(record.rows.q(1, 0), 0.79969832295774423);
  EXPECT_EQ(record.rows.v(1, 2), -0.063725995602865515);
  EXPECT_EQ(record.rows.total(0), -4.8924000000000003);
  EXPECT_EQ(record.rows.momenta(1, 0), 0.64800000000000024);
  EXPECT_EQ(record.rows.outputs[0](1, 0), -0.54028686799647729);
  EXPECT_EQ(record.summary.steps, 10U);
  EXPECT_EQ(record.summary.outputs, 11U);
  EXPECT_TRUE(record.summary.finished);
  EXPECT_NEAR(record.summary.energy.max_error, (record.rows.total.array() - record.rows.total(0)).abs().maxCoeff(), 0);
  const State start{0, record.rows.q.row(0), record.rows.v.row(0)};
  RecordHeader header = record.header;
  header.format = record_format;
  EXPECT_NE(message_of([&] {
              RecordWriter::resume(path, header, start);
            }).find("holds another run (format of the record: 1 in the record, 2 now)"),
            std::string::npos);
}

}  // namespace
}  // namespace hamel::test
