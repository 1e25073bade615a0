#include "hamel/record/record.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "record/checksum.hpp"
#include "record/file_driver.hpp"
#include "record/layout.hpp"

namespace hamel {
namespace {

using namespace hdf5;

RowMatrix read_table(const OpenColumn& table, hsize_t first, hsize_t count, hsize_t every) {
  const hsize_t width = table.column.width;
  RowMatrix values(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(width));
  if (values.size() == 0) return values;
  Part part{.start = {first}, .count = {count}, .stride = {every}};
  if (!table.column.scalar) part.start.push_back(0), part.count.push_back(width), part.stride.push_back(1);
  read_part(table.dataset, part, values.data());
  return values;
}

double step_of(const RecordHeader& header) {
  for (const Setting& setting : header.settings)
    if (const auto* step = std::get_if<double>(&setting.value); step != nullptr && setting.name == "step") return *step;
  return 0;
}

void append(RowMatrix& to, const RowMatrix& rows) {
  to.conservativeResize(to.rows() + rows.rows(), rows.cols());
  to.bottomRows(rows.rows()) = rows;
}
void append(VectorXd& to, const VectorXd& rows) {
  to.conservativeResize(to.size() + rows.size());
  to.tail(rows.size()) = rows;
}

void append(Rows& to, const Rows& rows) {
  append(to.time, rows.time);
  append(to.q, rows.q), append(to.v, rows.v);
  append(to.kinetic, rows.kinetic), append(to.potential, rows.potential), append(to.total, rows.total);
  append(to.manifold_error, rows.manifold_error), append(to.constraint_error, rows.constraint_error);
  append(to.momenta, rows.momenta);
  for (std::size_t k = 0; k < to.outputs.size(); ++k) append(to.outputs[k], rows.outputs[k]);
}

// The sizes of terms are not recorded: of constraints 1, of momenta what is left of them. Nor are claims.
Sample sample_of(const Rows& rows, Eigen::Index i, const RecordHeader& header) {
  const auto constraints = static_cast<Eigen::Index>(header.constraints.size());
  Sample sample;
  sample.state = {rows.time(i), rows.q.row(i), rows.v.row(i)};
  if (rows.total.size() > 0) sample.energy = {rows.kinetic(i), rows.potential(i), rows.total(i)};
  sample.energy_of_motion = sample.energy.kinetic;
  sample.energy_at_rest = sample.energy.total - sample.energy.kinetic;
  sample.manifold_error = rows.manifold_error(i);
  if (constraints > 0) sample.constraint_error = rows.constraint_error(i);
  sample.constraints = VectorXd::Constant(constraints, sample.constraint_error);
  sample.constraint_terms = sample.constraint_sizes = VectorXd::Ones(constraints);
  sample.momenta = rows.momenta.row(i);
  sample.momentum_terms = sample.momenta.cwiseAbs();
  sample.conserved = sample.conserved_sizes = VectorXd::Zero(static_cast<Eigen::Index>(header.conserved.size()));
  return sample;
}

// Savepoints of format 1 had other statistics.
void add_rows(Statistics& statistics, const RecordReader& reader) {
  constexpr std::size_t block = 1024;
  for (std::size_t first = 0; first < reader.rows(); first += block) {
    const Rows rows = reader.read(first, block);
    for (Eigen::Index i = 0; i < rows.time.size(); ++i) statistics.add(sample_of(rows, i, reader.header()));
  }
}

}  // namespace

struct RecordReader::Open {
  explicit Open(Handle opened) : file(std::move(opened)), header(read_header(file)) {
    // First the savepoint, then the rows: those that a writer adds in between do no harm.
    auto [newest, damaged] = read_savepoints(open_savepoints(file), header.format);
    if (!newest) throw std::runtime_error("none of its two savepoints can be read");
    savepoint = std::move(newest->savepoint);
    savepoint_is_damaged = damaged;
    savepoint.checkpoint.method = header.integrator;
    for (const Column& column : columns(header)) tables.push_back(open_column(file, column));
    find_rows();
    find_damage();
  }

  // Of each column; checksums are none.
  std::vector<RowMatrix> read(std::size_t first, std::size_t count, std::size_t every) const {
    std::vector<RowMatrix> all;
    for (const OpenColumn& table : tables)
      all.push_back(table.column.is_checksum ? RowMatrix(count, 0) : read_table(table, first, count, every));
    return all;
  }

  Handle file;
  RecordHeader header;
  std::vector<OpenColumn> tables;
  std::size_t rows = std::numeric_limits<std::size_t>::max();  // that all of them have, and that are whole
  Savepoint savepoint;
  bool savepoint_is_damaged = false;
  std::string damage;  // of rows

 private:
  std::vector<std::uint64_t> read_checksums(std::size_t first, std::size_t count) const {
    std::vector<std::uint64_t> sums;
    if (header.format == 1) return sums;
    sums.resize(count);
    read_part(tables[checksum_column].dataset, {.start = {first}, .count = {count}, .stride = {}}, sums.data());
    return sums;
  }

  // After a kill some datasets may have more rows than others, and than the savepoint; never after the end of a run.
  void find_rows() {
    for (const auto& [column, dataset, count] : tables) {
      if (column.width == 0) continue;
      const std::size_t known = savepoint.rows_at_the_end();
      if (count < known || (savepoint.finished && count > known))
        damage = fmt::format("/{} has {} rows, where the savepoint says {}", column.path, count, known);
      rows = std::min<std::size_t>(rows, count);
    }
    need_room();
  }

  // One dataset may stand under many names. Twice the size, for a writer may be adding rows right now.
  void need_room() const {
    hsize_t width = 0;
    for (const OpenColumn& table : tables) width += table.column.width;
    const hsize_t size = file_size(file);
    if (rows > 2 * size / (width * sizeof(double)))
      throw std::runtime_error(
          fmt::format("it claims {} rows of {} numbers, more than a file of {} bytes holds", rows, width, size));
  }

  void find_damage() {
    constexpr std::size_t block = 1024;
    double before = -std::numeric_limits<double>::infinity();
    for (std::size_t first = 0; first < rows; first += block) {
      const std::size_t count = std::min(block, rows - first);
      const std::vector<RowMatrix> values = read(first, count, 1);
      const std::vector<std::uint64_t> sums = read_checksums(first, count);
      for (Eigen::Index i = 0; i < values[time_column].rows(); ++i) {
        const double t = values[time_column](i, 0);
        std::string flaw = flaw_of(values, i, before);
        if (flaw.empty() && !sums.empty() && sums[static_cast<std::size_t>(i)] != checksum_of(values, i, first))
          flaw = "/checksum is not that of the numbers";
        if (!flaw.empty()) {
          rows = first + static_cast<std::size_t>(i);
          damage = rows == 0 ? flaw : fmt::format("{} in row {}, the one after t = {:.9g}", flaw, rows, before);
          return;
        }
        before = t;
      }
    }
  }

  std::string flaw_of(const std::vector<RowMatrix>& values, Eigen::Index i, double before) const {
    for (std::size_t k = 0; k < tables.size(); ++k)
      if (!values[k].row(i).allFinite()) return fmt::format("/{} is not finite", tables[k].column.path);
    return values[time_column](i, 0) > before ? "" : "/time does not go on";
  }

  static std::uint64_t checksum_of(const std::vector<RowMatrix>& values, Eigen::Index i, std::size_t first) {
    Checksum sum;
    sum.add(std::uint64_t{first} + static_cast<std::uint64_t>(i));
    for (const RowMatrix& table : values)
      sum.add(std::span<const double>(table.data() + i * table.cols(), static_cast<std::size_t>(table.cols())));
    return sum.value();
  }
};

RecordReader::RecordReader(const std::string& path) {
  Handle file = open_to_read(path);
  try {
    open_ = std::make_unique<Open>(std::move(file));
    if (open_->rows == 0) throw std::runtime_error(open_->damage.empty() ? "it has no rows" : open_->damage);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("{}: {}", path, error.what()));
  }
  if (!open_->damage.empty())
    open_->damage = fmt::format("{} is damaged: {}; the {} rows before are whole", path, open_->damage, open_->rows);
  damage_ = open_->damage;
  if (open_->savepoint_is_damaged)
    damage_ += fmt::format(
        "{}{}: one of its savepoints is damaged, or was being written when the run was killed; its statistics are "
        "those "
        "of the first {} rows",
        damage_.empty() ? "" : "; ", path, open_->savepoint.rows_at_the_end());
}

RecordReader::RecordReader(RecordReader&&) noexcept = default;
RecordReader& RecordReader::operator=(RecordReader&&) noexcept = default;
RecordReader::~RecordReader() = default;

const RecordHeader& RecordReader::header() const { return open_->header; }
std::size_t RecordReader::rows() const { return open_->rows; }
const std::string& RecordReader::damage() const { return damage_; }
void RecordReader::need_whole() const {
  if (!open_->damage.empty()) throw std::runtime_error(open_->damage);
}
void RecordReader::need_resumable() const {
  const Savepoint& from = open_->savepoint;
  if (from.finished || open_->rows < from.rows) need_whole();
  if (from.rows == 0 || from.rows != from.checkpoint.outputs || read(from.rows - 1, 1).time(0) > from.checkpoint.t)
    throw std::runtime_error("/savepoints does not belong to these rows");
}
const Savepoint& RecordReader::savepoint() const { return open_->savepoint; }

RunSummary RecordReader::summary() const {
  const RecordHeader& header = open_->header;
  const Savepoint& savepoint = open_->savepoint;
  const Savepoint::Failure end = savepoint.failure.value_or(Savepoint::Failure{.why = "",
                                                                               .rows = savepoint.rows,
                                                                               .steps = savepoint.checkpoint.steps,
                                                                               .wall_seconds = savepoint.wall_seconds,
                                                                               .monitor = savepoint.monitor});
  RunSummary summary;
  summary.model = header.model_name;
  summary.integrator = header.integrator;
  summary.step = step_of(header);
  summary.steps = end.steps;
  summary.wall_seconds = end.wall_seconds;
  summary.finished = savepoint.finished;
  summary.failure = end.why;
  summary.until = header.until;
  summary.energy.name = header.energy_name;
  summary.energy.exists = header.has_energy;
  summary.energy.conserved = header.energy_conserved;
  summary.undecided = header.undecided;
  for (const auto& momentum : header.momenta)
    summary.momenta.push_back({{.name = momentum.name}, momentum.exact_for_variational});
  Statistics statistics(header.momenta.size(), static_cast<Eigen::Index>(header.q_names.size()),
                        header.constraints.size(), header.conserved.size());
  for (const std::string& name : header.conserved) summary.conserved.push_back({.name = name});
  Memory memory(std::span<const double>(end.monitor));
  if (header.format == 1)
    add_rows(statistics, *this);
  else
    statistics.remember(memory);
  statistics.fill(summary);
  return summary;
}

Rows RecordReader::read(std::size_t first, std::size_t count, std::size_t every) const {
  if (every == 0) throw std::invalid_argument("every 0th row cannot be read; 1 reads all of them");
  const std::size_t left = first < rows() ? (rows() - first + every - 1) / every : 0;
  std::vector<RowMatrix> tables = open_->read(first, std::min(count, left), every);
  const auto vector = [&](std::size_t k) -> VectorXd { return tables[k].reshaped(); };
  Rows result;
  result.time = vector(time_column);
  result.q = std::move(tables[q_column]);
  result.v = std::move(tables[v_column]);
  result.kinetic = vector(kinetic_column);
  result.potential = vector(potential_column);
  result.total = vector(total_column);
  result.manifold_error = vector(manifold_column);
  result.constraint_error = vector(constraint_column);
  result.momenta = std::move(tables[momenta_column]);
  for (std::size_t k = first_output_column; k < tables.size(); ++k) result.outputs.push_back(std::move(tables[k]));
  return result;
}

Record read_record(const std::string& path, Thinning thinning) {
  const RecordReader reader(path);
  reader.need_whole();
  return read_record(reader, thinning);
}

Record read_record(const RecordReader& reader, Thinning thinning) {
  std::size_t every = std::max<std::size_t>(thinning.every, 1);
  const std::size_t last = std::max<std::size_t>(reader.rows(), 1) - 1;
  if (thinning.at_most > 0) every = std::max(every, last / std::max<std::size_t>(thinning.at_most - 1, 1) + 1);
  if (thinning.at_most > 0 && last < thinning.at_most) every = std::max<std::size_t>(thinning.every, 1);
  Rows rows = reader.read(0, reader.rows(), every);
  if (last % every != 0) append(rows, reader.read(last, 1));
  return {reader.header(), reader.summary(), std::move(rows)};
}

}  // namespace hamel
