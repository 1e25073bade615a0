#include "hamel/record/record.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "record/file_driver.hpp"
#include "record/layout.hpp"

namespace hamel {
namespace {

using namespace hdf5;

RowMatrix read_table(hid_t dataset, const Column& column, hsize_t first, hsize_t count, hsize_t every) {
  RowMatrix values(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(column.width));
  if (values.size() == 0) return values;
  const std::string what = "read /" + column.path;
  const int rank = column.scalar ? 1 : 2;
  const std::array<hsize_t, 2> start{first, 0}, stride{every, 1}, block{count, column.width};
  const Handle memory(H5Screate_simple(rank, block.data(), nullptr), H5Sclose, what);
  const Handle space(H5Dget_space(dataset), H5Sclose, what);
  checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), stride.data(), block.data(), nullptr), what);
  checked(H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()), what);
  return values;
}

double step_of(const RecordHeader& header) {
  for (const Setting& setting : header.settings)
    if (setting.name == "step") return std::get<double>(setting.value);
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

}  // namespace

struct RecordReader::Open {
  Handle file;
  RecordHeader header;
  std::vector<Column> column;
  std::vector<Handle> dataset;  // closed where the column has no width
  std::size_t rows = std::numeric_limits<std::size_t>::max();
  Savepoint savepoint;
};

RecordReader::RecordReader(const std::string& path) : open_(std::make_unique<Open>()) {
  open_->file = open_to_read(path);
  open_->header = read_header(open_->file, path);
  // First the savepoint, then the rows: those that a writer adds in between do no harm.
  auto newest = read_savepoint(open_savepoints(open_->file));
  if (!newest) throw std::runtime_error(fmt::format("{} is damaged: none of its two savepoints can be read", path));
  open_->savepoint = std::move(newest->savepoint);
  open_->savepoint.checkpoint.method = open_->header.integrator;
  open_->column = columns(open_->header);
  for (const Column& column : open_->column) {
    open_->dataset.emplace_back();
    if (column.width == 0) continue;
    open_->dataset.back() = open_dataset(open_->file, column.path);
    const auto shape = extents(open_->dataset.back());
    if (shape.size() != (column.scalar ? 1U : 2U) || (!column.scalar && shape[1] != column.width))
      throw std::runtime_error(fmt::format("{} is damaged: /{} has not {} columns", path, column.path, column.width));
    open_->rows = std::min<std::size_t>(open_->rows, shape[0]);
  }
}

RecordReader::RecordReader(RecordReader&&) noexcept = default;
RecordReader& RecordReader::operator=(RecordReader&&) noexcept = default;
RecordReader::~RecordReader() = default;

const RecordHeader& RecordReader::header() const { return open_->header; }
std::size_t RecordReader::rows() const { return open_->rows; }
const Savepoint& RecordReader::savepoint() const { return open_->savepoint; }

RunSummary RecordReader::summary() const {
  const RecordHeader& header = open_->header;
  RunSummary summary;
  summary.model = header.model_name;
  summary.integrator = header.integrator;
  summary.step = step_of(header);
  summary.steps = open_->savepoint.checkpoint.steps;
  summary.wall_seconds = open_->savepoint.wall_seconds;
  summary.finished = open_->savepoint.finished;
  summary.energy.exists = header.has_energy;
  summary.energy.conserved = header.energy_conserved;
  for (const auto& momentum : header.momenta)
    summary.momenta.push_back({.name = momentum.name, .exact_for_variational = momentum.exact_for_variational});
  Statistics statistics(header.momenta.size(), static_cast<Eigen::Index>(header.q_names.size()));
  Memory memory(std::span<const double>(open_->savepoint.monitor));
  statistics.remember(memory);
  statistics.fill(summary);
  return summary;
}

Rows RecordReader::read(std::size_t first, std::size_t count, std::size_t every) const {
  if (every == 0) throw std::invalid_argument("every 0th row cannot be read; 1 reads all of them");
  const std::size_t left = first < rows() ? (rows() - first + every - 1) / every : 0;
  const auto table = [&](std::size_t k) {
    return read_table(open_->dataset[k], open_->column[k], first, std::min(count, left), every);
  };
  const auto vector = [&](std::size_t k) -> VectorXd { return table(k).reshaped(); };
  Rows result;
  result.time = vector(time_column);
  result.q = table(q_column);
  result.v = table(v_column);
  result.kinetic = vector(kinetic_column);
  result.potential = vector(potential_column);
  result.total = vector(total_column);
  result.manifold_error = vector(manifold_column);
  result.constraint_error = vector(constraint_column);
  result.momenta = table(momenta_column);
  for (std::size_t k = first_output_column; k < open_->column.size(); ++k) result.outputs.push_back(table(k));
  return result;
}

Record read_record(const std::string& path, Thinning thinning) {
  const RecordReader reader(path);
  std::size_t every = std::max<std::size_t>(thinning.every, 1);
  const std::size_t last = std::max<std::size_t>(reader.rows(), 1) - 1;
  if (thinning.at_most > 0) every = std::max(every, last / std::max<std::size_t>(thinning.at_most - 1, 1) + 1);
  if (thinning.at_most > 0 && last < thinning.at_most) every = std::max<std::size_t>(thinning.every, 1);
  Rows rows = reader.read(0, reader.rows(), every);
  if (last % every != 0) append(rows, reader.read(last, 1));
  return {reader.header(), reader.summary(), std::move(rows)};
}

}  // namespace hamel
