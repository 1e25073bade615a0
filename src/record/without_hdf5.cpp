// Records where there is no HDF5: refused. CMake takes this file, or those that it stands for.
#include <stdexcept>

#include "hamel/record/at_exit.hpp"
#include "hamel/record/record.hpp"
#include "hamel/record/sweep_file.hpp"
#include "hamel/record/writer.hpp"

namespace hamel {

namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw std::runtime_error(path +
                           ": this hamel was built without HDF5, so it has no records and no reports; build it where "
                           "HDF5 is installed (on Debian: libhdf5-dev)");
}

}  // namespace

struct RecordReader::Open {};
RecordReader::RecordReader(const std::string& path) { refuse(path); }
RecordReader::RecordReader(RecordReader&&) noexcept = default;
RecordReader& RecordReader::operator=(RecordReader&&) noexcept = default;
RecordReader::~RecordReader() = default;

class RecordWriter::File {};
RecordWriter::RecordWriter(const std::string& path, const RecordHeader& /*header*/, bool /*overwrite*/) {
  refuse(path);
}
RecordWriter::RecordWriter(RecordWriter&&) noexcept = default;
RecordWriter& RecordWriter::operator=(RecordWriter&&) noexcept = default;
RecordWriter::~RecordWriter() = default;

RecordWriter RecordWriter::resume(const std::string& path, const RecordHeader& /*header*/, const State& /*start*/,
                                  bool /*on_another_machine*/) {
  refuse(path);
}

Record read_record(const std::string& path, Thinning /*thinning*/) { refuse(path); }

void end_without_hdf5() {}

// There is no reader or writer to call these of.
const RecordHeader& RecordReader::header() const { refuse(""); }
std::size_t RecordReader::rows() const { refuse(""); }
const std::string& RecordReader::damage() const { refuse(""); }
void RecordReader::need_whole() const { refuse(""); }
void RecordReader::need_resumable() const { refuse(""); }
const Savepoint& RecordReader::savepoint() const { refuse(""); }
RunSummary RecordReader::summary() const { refuse(""); }
Rows RecordReader::read(std::size_t /*first*/, std::size_t /*count*/, std::size_t /*every*/) const { refuse(""); }
Record read_record(const RecordReader& /*reader*/, Thinning /*thinning*/) { refuse(""); }
const Savepoint& RecordWriter::savepoint() const { refuse(""); }
void RecordWriter::set_tier(const std::string& /*tier*/) { refuse(""); }
void RecordWriter::append(const Sample& /*sample*/) { refuse(""); }
void RecordWriter::commit(const Savepoint& /*savepoint*/) { refuse(""); }
void RecordWriter::fail(const Savepoint::Failure& /*failure*/) { refuse(""); }
std::size_t RecordWriter::rows() const { refuse(""); }
std::size_t RecordWriter::bytes_waiting() const { refuse(""); }
std::string RecordWriter::kept() const { refuse(""); }

std::size_t SweepHeader::kept_width() const {
  std::size_t width = 0;
  for (const KeptColumn& column : kept) width += column.size;
  return width;
}
bool is_sweep_file(const std::string& path) { refuse(path); }

struct SweepReader::Open {};
SweepReader::SweepReader(const std::string& path) { refuse(path); }
SweepReader::SweepReader(SweepReader&&) noexcept = default;
SweepReader& SweepReader::operator=(SweepReader&&) noexcept = default;
SweepReader::~SweepReader() = default;
const SweepHeader& SweepReader::header() const { refuse(""); }
std::uint64_t SweepReader::rows() const { refuse(""); }
bool SweepReader::finished() const { refuse(""); }
double SweepReader::wall_seconds() const { refuse(""); }
const std::string& SweepReader::damage() const { refuse(""); }
SweepRows SweepReader::read(std::uint64_t /*first*/, std::uint64_t /*count*/) const { refuse(""); }
std::uint64_t SweepReader::rows_at_once() const { refuse(""); }
std::vector<MemberFailure> SweepReader::failures(std::uint64_t /*most*/) const { refuse(""); }

class SweepWriter::File {};
SweepWriter::SweepWriter(const std::string& path, const SweepHeader& /*header*/, bool /*overwrite*/) { refuse(path); }
SweepWriter::SweepWriter(SweepWriter&&) noexcept = default;
SweepWriter& SweepWriter::operator=(SweepWriter&&) noexcept = default;
SweepWriter::~SweepWriter() = default;
SweepWriter SweepWriter::resume(const std::string& path, const SweepHeader& /*header*/, bool /*on_another_machine*/) {
  refuse(path);
}
std::uint64_t SweepWriter::rows() const { refuse(""); }
double SweepWriter::wall_seconds() const { refuse(""); }
std::size_t SweepWriter::bytes_waiting() const { refuse(""); }
void SweepWriter::append(const EnsembleChunk& /*chunk*/) { refuse(""); }
void SweepWriter::commit(double /*wall_seconds*/, bool /*finished*/) { refuse(""); }
std::string SweepWriter::kept() const { refuse(""); }

}  // namespace hamel
