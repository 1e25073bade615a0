#include "hamel/record/writer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>

#include "hamel/record/output_file.hpp"
#include "hamel/record/record.hpp"
#include "record/checksum.hpp"
#include "record/file_driver.hpp"
#include "record/layout.hpp"
#include "record/row_table.hpp"

namespace hamel {
namespace {

using namespace hdf5;
namespace fs = std::filesystem;

// Large enough for few chunks in a long run, not larger than a short run needs.
hsize_t chunk_rows(const RecordHeader& header, std::size_t width) {
  constexpr double most_bytes = 1 << 20, most_rows = 8192, fewest_rows = 16;
  double interval = header.every;
  for (const Setting& setting : header.settings)
    if (interval == 0 && setting.name == "step") interval = std::get<double>(setting.value);
  const double expected = interval > 0 ? std::ceil((header.until - header.start) / interval) + 1 : most_rows;
  const double fitting = std::floor(most_bytes / (sizeof(double) * static_cast<double>(width)));
  return static_cast<hsize_t>(std::clamp(std::min(expected, fitting), fewest_rows, most_rows));
}

void need_same_start(const Rows& first, const State& start, const std::string& path) {
  if (first.time(0) != start.t || first.q.row(0).transpose() != start.q || first.v.row(0).transpose() != start.v)
    throw std::invalid_argument(fmt::format(
        "{} cannot be resumed, for its run had another start state; give the same, or ask for a new file", path));
}

}  // namespace

class RecordWriter::File {
 public:
  File(std::string path, RecordHeader header, bool overwrite)
      : path_(std::move(path)), header_(std::move(header)), overwrite_(overwrite) {
    for (const Column& column : columns(header_)) {
      row_bytes_ += column.width * sizeof(double);
      tables_.push_back({{column, {}, 0}, {}});
    }
  }
  ~File() { tables_.clear(); }

  void open() {
    file_ = open_file(path_);
    for (RowTable& table : tables_) table = {open_column(file_, table.column), {}};
    savepoints_ = open_savepoints(file_);
    auto newest = read_savepoints(savepoints_, header_.format).newest;
    if (!newest) throw std::runtime_error(fmt::format("{} holds no savepoint to resume from; start a new run", path_));
    for (RowTable& table : tables_)
      if (table.column.width > 0 && table.rows < newest->savepoint.rows)
        throw std::runtime_error(fmt::format("{} is damaged: /{} has fewer rows than its savepoint says ({})", path_,
                                             table.column.path, newest->savepoint.rows));
    savepoint_ = std::move(newest->savepoint);
    savepoint_.checkpoint.method = header_.integrator;
    number_ = newest->number;
    on_disk_ = rows_ = savepoint_.rows;
    time_ = savepoint_.checkpoint.t;
    start_appending(file_);
  }

  void append(const Sample& sample) {
    Checksum sum;
    sum.add(std::uint64_t{rows_});
    const auto add = [&](std::size_t k, const double* values) {
      RowTable& table = tables_[k];
      for (std::size_t j = 0; j < table.column.width; ++j) {
        table.waiting.push_back(std::bit_cast<std::uint64_t>(values[j]));
        sum.add(values[j]);
      }
    };
    add(time_column, &sample.state.t);
    add(q_column, sample.state.q.data());
    add(v_column, sample.state.v.data());
    add(kinetic_column, &sample.energy.kinetic);
    add(potential_column, &sample.energy.potential);
    add(total_column, &sample.energy.total);
    add(manifold_column, &sample.manifold_error);
    add(constraint_column, &sample.constraint_error);
    add(momenta_column, sample.momenta.data());
    const double* output = sample.outputs.data();
    for (std::size_t k = first_output_column; k < tables_.size(); output += tables_[k++].column.width) add(k, output);
    tables_[checksum_column].waiting.push_back(sum.value());
    ++rows_;
    last_time_ = sample.state.t;
  }

  void commit(const Savepoint& savepoint) {
    if (savepoint.rows != rows_)
      throw std::invalid_argument(
          fmt::format("a savepoint of {} rows does not belong to a record of {}", savepoint.rows, rows_));
    if (!file_.is_open()) return create(savepoint);
    write(savepoint);
    savepoint_ = savepoint;
  }

  void fail(const Savepoint::Failure& failure) {
    if (!file_.is_open()) return;
    Savepoint savepoint = savepoint_;
    savepoint.failure = failure;
    write(savepoint);
  }

  std::string kept() const {
    if (!file_.is_open()) return fmt::format("nothing was written to {}", path_);
    return fmt::format("the first {} rows, up to t = {:.9g}, are in {}", on_disk_, time_, path_);
  }

  std::size_t bytes_waiting() const { return (rows_ - on_disk_) * row_bytes_; }

  const std::string path_;
  RecordHeader header_;
  Savepoint savepoint_;
  std::size_t rows_ = 0;
  std::vector<RowTable> tables_;

 private:
  void write_rows() {
    for (RowTable& table : tables_)
      if (table.column.width > 0) table.write(on_disk_);
    checked(H5Fflush(file_, H5F_SCOPE_GLOBAL), "write rows");
    if (!write_error(file_).empty()) return;
    for (RowTable& table : tables_) table.waiting.clear();
    on_disk_ = rows_;
    time_ = last_time_;
  }

  void write(const Savepoint& savepoint) {
    guarded([&] {
      write_rows();
      write_savepoint(savepoints_, savepoint, number_ + 1);
      checked(H5Fflush(file_, H5F_SCOPE_GLOBAL), "write a savepoint");
    });
    ++number_;
  }

  void create(const Savepoint& savepoint) {
    OutputFile unfinished(path_, overwrite_);
    file_ = create_file(unfinished.temporary());
    try {
      guarded([&] {
        write_header(file_, header_);
        for (RowTable& table : tables_)
          if (table.column.width > 0) table.create(file_, chunk_rows(header_, table.column.width));
        savepoints_ = create_savepoints(file_);
        start_appending(file_);
        write_rows();
        write_savepoint(savepoints_, savepoint, number_);
        checked(H5Fflush(file_, H5F_SCOPE_GLOBAL), "write a savepoint");
      });
      unfinished.publish();
    } catch (...) {
      close();
      throw;
    }
    savepoint_ = savepoint;
  }

  template <class Work>
  void guarded(Work work) {
    try {
      work();
    } catch (const std::runtime_error& error) {
      stop_writing(error.what());
    }
    if (const std::string why = write_error(file_); !why.empty()) stop_writing(why);
  }

  [[noreturn]] void stop_writing(const std::string& why) {
    const bool has_savepoint = savepoint_.rows > 0;
    const std::string message =
        fmt::format("cannot write {}: {}; {}", path_, why,
                    has_savepoint ? kept() + "; when there is room, resume the run from there" : "nothing was written");
    abandon(file_);
    throw RecordError(message);
  }

  void close() {
    for (RowTable& table : tables_) table.dataset = {};
    savepoints_ = {};
    file_ = {};
  }

  const bool overwrite_;
  Handle file_;  // before the datasets in it: closed after them
  Handle savepoints_;
  std::uint64_t number_ = 0;
  std::size_t on_disk_ = 0, row_bytes_ = 0;
  double time_ = 0, last_time_ = 0;  // of the last row on disk, and of the last row
};

RecordWriter::RecordWriter(const std::string& path, const RecordHeader& header, bool overwrite)
    : file_(std::make_unique<File>(path, header, overwrite)) {
  need_output(path, overwrite);
  if (is_being_written(path))
    throw std::runtime_error(fmt::format("{} is being written by another process; give another path", path));
}

RecordWriter RecordWriter::resume(const std::string& path, const RecordHeader& header, const State& start,
                                  bool on_another_machine) {
  if (std::error_code none; !fs::exists(path, none))
    throw std::runtime_error(fmt::format("there is no record {} to resume; start a new run", path));
  need_regular_file(path);
  {
    const RecordReader recorded(path);
    need_same_run(recorded.header(), header, path);
    if (!on_another_machine) need_same_machine(recorded.header(), header, path);
    recorded.need_resumable();
    need_same_start(recorded.read(0, 1), start, path);
  }
  RecordWriter writer(std::make_unique<File>(path, header, false));
  writer.file_->open();
  return writer;
}

RecordWriter::RecordWriter(std::unique_ptr<File> file) : file_(std::move(file)) {}
RecordWriter::RecordWriter(RecordWriter&&) noexcept = default;
RecordWriter& RecordWriter::operator=(RecordWriter&&) noexcept = default;
RecordWriter::~RecordWriter() = default;

const Savepoint& RecordWriter::savepoint() const { return file_->savepoint_; }
void RecordWriter::set_tier(const std::string& tier) { file_->header_.tier = tier; }
void RecordWriter::append(const Sample& sample) { file_->append(sample); }
void RecordWriter::fail(const Savepoint::Failure& failure) { file_->fail(failure); }
void RecordWriter::commit(const Savepoint& savepoint) { file_->commit(savepoint); }
std::size_t RecordWriter::rows() const { return file_->rows_; }
std::string RecordWriter::kept() const { return file_->kept(); }

std::size_t RecordWriter::bytes_waiting() const { return file_->bytes_waiting(); }

}  // namespace hamel
