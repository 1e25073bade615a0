#include "hamel/record/sweep_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>

#include "hamel/record/output_file.hpp"
#include "hamel/record/writer.hpp"
#include "record/file_driver.hpp"
#include "record/row_table.hpp"
#include "record/sweep_layout.hpp"

namespace hamel {
namespace {

using namespace hdf5;

hsize_t sweep_chunk(std::size_t width) {
  constexpr std::size_t most_bytes = 1 << 20, most_rows = 8192;
  return std::clamp<std::size_t>(most_bytes / (sizeof(double) * std::max<std::size_t>(width, 1)), 1, most_rows);
}

std::vector<RowTable> sweep_tables(const SweepHeader& header) {
  std::vector<RowTable> tables;
  for (const Column& column : sweep_columns(header)) tables.push_back({{column, {}, 0}, {}});
  return tables;
}

std::uint64_t failures_in(const Savepoint& savepoint) {
  const std::vector<double>& numbers = savepoint.checkpoint.numbers;
  const double count = numbers.size() == 1 ? numbers[0] : -1;
  if (!(count >= 0 && count <= static_cast<double>(savepoint.rows)) || count != std::floor(count))
    throw std::runtime_error("/savepoints does not belong to a sweep");
  return static_cast<std::uint64_t>(count);
}

// What one of them does not say at all is a difference as well: files of earlier hamels do not say all.
std::string difference_of_settings(const SweepHeader& a, const SweepHeader& b) {
  const auto said = [](const SweepHeader& header, const std::string& name) -> std::string {
    for (const auto& [known, value] : header.settings)
      if (known == name) return value.empty() ? "nothing" : value;
    return "not said";
  };
  for (const auto* header : {&a, &b})
    for (const auto& [name, value] : header->settings)
      if (said(a, name) != said(b, name))
        return fmt::format("{}: {} in the file, {} now", name, said(a, name), said(b, name));
  return "";
}

std::string difference_of(const SweepHeader& a, const SweepHeader& b) {
  if (a.model_name != b.model_name) return fmt::format("model: {} in the file, {} now", a.model_name, b.model_name);
  if (a.model_text != b.model_text) return "the model file has changed";
  if (a.members != b.members) return fmt::format("{} members in the file, {} now", a.members, b.members);
  if (a.quantities != b.quantities || a.varied != b.varied) return "other quantities vary";
  for (std::size_t k = 0; k < a.vary_texts.size(); ++k)
    if (a.vary_texts[k] != b.vary_texts[k])
      return fmt::format("{}: {} in the file, {} now", a.quantities[k], a.vary_texts[k], b.vary_texts[k]);
  if (a.kept != b.kept) return "other columns are kept";
  if (const std::string settings = difference_of_settings(a, b); !settings.empty()) return settings;
  if (a.hamel_version != b.hamel_version)
    return fmt::format("version of hamel: {} in the file, {} now", a.hamel_version, b.hamel_version);
  return "";
}

}  // namespace

bool is_sweep_file(const std::string& path) {
  const Handle file = open_to_read(path);
  try {
    return has_format(file, sweep_format_name);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("{}: {}", path, error.what()));
  }
}

struct SweepReader::Open {
  explicit Open(Handle opened) : file(std::move(opened)), header(read_sweep_header(file)) {
    for (const Column& column : sweep_columns(header)) tables.push_back(open_column(file, column));
    const Savepoints found = read_savepoints(open_savepoints(file), record_format);
    if (!found.newest) throw std::runtime_error("it has no savepoint that is whole");
    savepoint = found.newest->savepoint;
    failures = failures_in(savepoint);
    rows = savepoint.rows;
    if (rows > header.members) throw std::runtime_error("it has more rows than members");
    for (const auto& [column, dataset, count] : tables) {
      const std::uint64_t wanted = &column == &tables[failures_place].column ? failures : rows;
      if (column.width > 0 && count < wanted)
        throw std::runtime_error(
            fmt::format("/{} has {} rows, where the savepoint says {}", column.path, count, wanted));
    }
    find_damage();
  }

  SweepRows read(std::uint64_t first, std::uint64_t count) const {
    count = first < rows ? std::min(count, rows - first) : 0;
    SweepRows result;
    const auto fill = [&](MemberRows& to, SweepColumn place) {
      const OpenColumn& table = tables[place];
      to.resize(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(table.column.width));
      if (to.size() > 0)
        read_part(table.dataset, {.start = {first, 0}, .count = {count, table.column.width}, .stride = {}}, to.data());
    };
    fill(result.varied, varied_place);
    fill(result.kept, kept_place);
    for (const std::uint64_t word : words(failed_place, first, count)) result.failed.push_back(word != 0);
    return result;
  }

  std::vector<std::uint64_t> words(SweepColumn place, std::uint64_t first, std::uint64_t count) const {
    std::vector<std::uint64_t> all(count);
    if (count > 0) read_part(tables[place].dataset, {.start = {first}, .count = {count}, .stride = {}}, all.data());
    return all;
  }

  std::uint64_t rows_at_once() const { return sweep_chunk(header.kept_width() + header.varied.size()); }

  // The first members that /failed has.
  std::vector<std::uint64_t> failed_members(std::uint64_t most) const {
    constexpr std::uint64_t block = 1 << 16;
    std::vector<std::uint64_t> all;
    for (std::uint64_t first = 0; first < rows && all.size() < most; first += block) {
      const std::vector<std::uint64_t> some = words(failed_place, first, std::min(block, rows - first));
      for (std::size_t k = 0; k < some.size() && all.size() < most; ++k)
        if (some[k] != 0) all.push_back(first + k);
    }
    return all;
  }

  std::vector<MemberFailure> read_failures(std::uint64_t most) const {
    const std::vector<std::uint64_t> members = failed_members(most);
    if (members.size() > failures)
      throw std::runtime_error(
          fmt::format("/failures is damaged: it has {} members, and /failed more of them", failures));
    std::vector<std::uint64_t> read(members.size() * failure_words);
    if (!members.empty())
      read_part(tables[failures_place].dataset,
                {.start = {0, 0}, .count = {members.size(), failure_words}, .stride = {}}, read.data());
    std::vector<MemberFailure> all;
    for (std::size_t k = 0; k < members.size(); ++k) {
      all.push_back(failure_of(&read[k * failure_words]));
      if (all[k].member != members[k])
        throw std::runtime_error(
            fmt::format("/failures is damaged: its row {} is of member {}, and that of /failed is {}", k, all[k].member,
                        members[k]));
    }
    return all;
  }

  Handle file;
  SweepHeader header;
  std::vector<OpenColumn> tables;
  Savepoint savepoint;
  std::uint64_t rows = 0, failures = 0;
  std::string damage, path;

 private:
  void find_damage() {
    const std::uint64_t block = rows_at_once();
    for (std::uint64_t first = 0; first < rows; first += block) {
      const SweepRows some = read(first, block);
      const auto sums = words(sweep_checksum_place, first, some.failed.size());
      for (std::size_t k = 0; k < sums.size(); ++k) {
        const auto i = static_cast<Eigen::Index>(k);
        const bool is_number = !some.kept.row(i).hasNaN() && some.varied.row(i).allFinite();
        if (is_number && sums[k] == sweep_checksum(first + k, some.varied.row(i).data(), header.varied.size(),
                                                   some.kept.row(i).data(), header.kept_width(), some.failed[k]))
          continue;
        rows = first + k;
        damage = fmt::format("member {} is damaged: {}; the {} before it are whole", rows,
                             is_number ? "/checksum is not that of its numbers" : "it has what is no number", rows);
        return;
      }
    }
  }
};

SweepReader::SweepReader(const std::string& path) {
  Handle file = open_to_read(path);
  try {
    open_ = std::make_unique<Open>(std::move(file));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("{}: {}", path, error.what()));
  }
  open_->path = path;
  if (!open_->damage.empty()) open_->damage = fmt::format("{}: {}", path, open_->damage);
}
SweepReader::SweepReader(SweepReader&&) noexcept = default;
SweepReader& SweepReader::operator=(SweepReader&&) noexcept = default;
SweepReader::~SweepReader() = default;

const SweepHeader& SweepReader::header() const { return open_->header; }
std::uint64_t SweepReader::rows() const { return open_->rows; }
bool SweepReader::finished() const { return open_->savepoint.finished && open_->damage.empty(); }
double SweepReader::wall_seconds() const { return open_->savepoint.wall_seconds; }
const std::string& SweepReader::damage() const { return open_->damage; }
SweepRows SweepReader::read(std::uint64_t first, std::uint64_t count) const { return open_->read(first, count); }

std::uint64_t SweepReader::rows_at_once() const { return open_->rows_at_once(); }

std::vector<MemberFailure> SweepReader::failures(std::uint64_t most) const {
  try {
    return open_->read_failures(most);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("{}: {}", open_->path, error.what()));
  }
}

class SweepWriter::File {
 public:
  File(std::string path, SweepHeader header, bool overwrite)
      : path_(std::move(path)), header_(std::move(header)), overwrite_(overwrite), tables_(sweep_tables(header_)) {}
  ~File() { tables_.clear(); }

  void open() {
    file_ = open_file(path_);
    for (RowTable& table : tables_) table = {open_column(file_, table.column), {}};
    savepoints_ = open_savepoints(file_);
    auto newest = read_savepoints(savepoints_, record_format).newest;
    if (!newest) throw std::runtime_error(fmt::format("{} holds no savepoint to resume from; start anew", path_));
    number_ = newest->number;
    wall_seconds_ = newest->savepoint.wall_seconds;
    rows_ = on_disk_ = newest->savepoint.rows;
    failures_ = failures_on_disk_ = failures_in(newest->savepoint);
    start_appending(file_);
  }

  void append(const EnsembleChunk& chunk) {
    const auto put = [&](SweepColumn place, const MemberRows& rows) {
      for (Eigen::Index k = 0; k < rows.size(); ++k)
        tables_[place].waiting.push_back(std::bit_cast<std::uint64_t>(rows.data()[k]));
    };
    put(varied_place, chunk.varied);
    put(kept_place, chunk.kept);
    auto failure = chunk.failures.begin();
    for (std::size_t k = 0; k < chunk.size(); ++k) {
      const bool failed = failure != chunk.failures.end() && failure->member == chunk.first + k;
      if (failed) put_failure(tables_[failures_place].waiting, *failure++);
      tables_[failed_place].waiting.push_back(failed ? 1 : 0);
      const auto i = static_cast<Eigen::Index>(k);
      tables_[sweep_checksum_place].waiting.push_back(sweep_checksum(chunk.first + k, chunk.varied.row(i).data(),
                                                                     header_.varied.size(), chunk.kept.row(i).data(),
                                                                     header_.kept_width(), failed));
    }
    rows_ += chunk.size();
    failures_ += chunk.failures.size();
  }

  void commit(double wall_seconds, bool finished) {
    wall_seconds_ = wall_seconds;
    Savepoint savepoint{
        .rows = rows_, .finished = finished, .wall_seconds = wall_seconds, .monitor = {}, .checkpoint = {}};
    savepoint.checkpoint.numbers = {static_cast<double>(failures_)};
    if (!file_.is_open()) return create(savepoint);
    guarded([&] { write(savepoint); });
  }

  std::string kept() const {
    if (!has_savepoint_) return fmt::format("nothing was written to {}", path_);
    if (on_disk_ == 0) return fmt::format("{} has none of the members yet", path_);
    return fmt::format("the first {} members are in {}", on_disk_, path_);
  }

  std::uint64_t rows() const { return rows_; }
  double wall_seconds() const { return wall_seconds_; }
  std::size_t bytes_waiting() const {
    std::size_t bytes = 0;
    for (const RowTable& table : tables_) bytes += table.waiting.size() * sizeof(std::uint64_t);
    return bytes;
  }

 private:
  void write(const Savepoint& savepoint) {
    for (std::size_t k = 0; k < tables_.size(); ++k)
      if (tables_[k].column.width > 0) tables_[k].write(k == failures_place ? failures_on_disk_ : on_disk_);
    checked(H5Fflush(file_, H5F_SCOPE_GLOBAL), "write rows");
    if (!write_error(file_).empty()) return;
    write_savepoint(savepoints_, savepoint, ++number_);
    checked(H5Fflush(file_, H5F_SCOPE_GLOBAL), "write a savepoint");
    if (!write_error(file_).empty()) return;
    for (RowTable& table : tables_) table.waiting.clear();
    on_disk_ = rows_;
    failures_on_disk_ = failures_;
    has_savepoint_ = true;
  }

  void create(const Savepoint& savepoint) {
    has_savepoint_ = false;
    OutputFile unfinished(path_, overwrite_);
    file_ = create_file(unfinished.temporary());
    try {
      guarded([&] {
        write_sweep_header(file_, header_);
        for (RowTable& table : tables_)
          if (table.column.width > 0) table.create(file_, sweep_chunk(table.column.width));
        savepoints_ = create_savepoints(file_);
        start_appending(file_);
        write(savepoint);
      });
      unfinished.publish();
    } catch (...) {
      for (RowTable& table : tables_) table.dataset = {};
      savepoints_ = {};
      file_ = {};
      throw;
    }
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
    const std::string message =
        fmt::format("cannot write {}: {}; {}{}", path_, why, kept(),
                    has_savepoint_ ? "; when there is room, the same command with --resume goes on from there" : "");
    abandon(file_);
    throw RecordError(message);
  }

  const std::string path_;
  SweepHeader header_;
  const bool overwrite_;
  Handle file_;  // before the datasets in it: closed after them
  Handle savepoints_;
  std::vector<RowTable> tables_;
  std::uint64_t number_ = 0, rows_ = 0, on_disk_ = 0, failures_ = 0, failures_on_disk_ = 0;
  double wall_seconds_ = 0;
  bool has_savepoint_ = true;
};

SweepWriter::SweepWriter(const std::string& path, const SweepHeader& header, bool overwrite)
    : file_(std::make_unique<File>(path, header, overwrite)) {
  need_output(path, overwrite);
  if (is_being_written(path))
    throw std::runtime_error(fmt::format("{} is being written by another process; give another path", path));
}

SweepWriter SweepWriter::resume(const std::string& path, const SweepHeader& header, bool on_another_machine) {
  if (std::error_code none; !std::filesystem::exists(path, none))
    throw std::runtime_error(fmt::format("there is no {} to resume; leave out --resume for a new sweep", path));
  need_regular_file(path);
  {
    const SweepReader recorded(path);
    if (const std::string what = difference_of(recorded.header(), header); !what.empty())
      throw std::invalid_argument(fmt::format(
          "{} cannot be resumed, for it holds another sweep ({}); ask for the same, or for a new file", path, what));
    if (!on_another_machine && recorded.header().machine != header.machine)
      throw std::invalid_argument(
          fmt::format("{} was begun with another processor, compiler, flags or libm, and the last bits may differ: "
                      "--on-another-machine goes on all the same",
                      path));
    if (!recorded.damage().empty()) throw std::runtime_error(recorded.damage());
  }
  SweepWriter writer(std::make_unique<File>(path, header, false));
  writer.file_->open();
  return writer;
}

SweepWriter::SweepWriter(std::unique_ptr<File> file) : file_(std::move(file)) {}
SweepWriter::SweepWriter(SweepWriter&&) noexcept = default;
SweepWriter& SweepWriter::operator=(SweepWriter&&) noexcept = default;
SweepWriter::~SweepWriter() = default;

std::uint64_t SweepWriter::rows() const { return file_->rows(); }
double SweepWriter::wall_seconds() const { return file_->wall_seconds(); }
std::size_t SweepWriter::bytes_waiting() const { return file_->bytes_waiting(); }
void SweepWriter::append(const EnsembleChunk& chunk) { file_->append(chunk); }
void SweepWriter::commit(double wall_seconds, bool finished) { file_->commit(wall_seconds, finished); }
std::string SweepWriter::kept() const { return file_->kept(); }

}  // namespace hamel
