#include "studio/live_run.hpp"

#include <algorithm>
#include <chrono>

#include "hamel/record/file_run.hpp"

namespace hamel::studio {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// Some 16 MB, and never more than a picture can show.
std::size_t rows_that_fit(const System& system, const RecordHeader& header) {
  constexpr std::size_t most_bytes = std::size_t{16} << 20, most_shown = 4000, fewest = 200;
  std::size_t numbers = 8 + 2 * static_cast<std::size_t>(system.ambient()) + header.momenta.size();
  for (const RecordHeader::Named& output : header.outputs) numbers += static_cast<std::size_t>(output.size());
  return std::clamp(most_bytes / (numbers * sizeof(double)), fewest, most_shown);
}

}  // namespace

LiveRun::LiveRun(const ModelFile& file, const System& system, const NoetherReport& symmetries, const State& start,
                 const Method& method, const Until& until)
    : system_(system),
      method_(method),
      until_(until),
      invariants_(system, symmetries),
      monitor_(system, symmetries.momenta, recorded_outputs(file), file.conserved),
      header_(header_of_run(header_of(file), system, method_, invariants_, monitor_, recorded_outputs(file), start.t,
                            until)),
      begin_(start.t) {
  until_.keep = false;
  most_rows_ = rows_that_fit(system, header_);
  run_.emplace(
      system_, start, method_, until_, [this](const State& state) { return watch(state); },
      measured({}, system_, method_, monitor_));
}

bool LiveRun::watch(const State& state) {
  keep(monitor_(state));
  return true;
}

void LiveRun::keep(const Sample& sample) {
  Row row{sample.state, sample.energy, sample.manifold_error, sample.constraint_error, sample.momenta, sample.outputs};
  if (seen_++ % stride_ != 0) {
    last_ = std::move(row);
    return;
  }
  last_.reset();
  if (rows_.size() == most_rows_) {
    for (std::size_t k = 1; 2 * k < rows_.size(); ++k) rows_[k] = std::move(rows_[2 * k]);
    rows_.resize((rows_.size() + 1) / 2);
    stride_ *= 2;
    if ((seen_ - 1) % stride_ != 0) {
      last_ = std::move(row);
      return;
    }
  }
  rows_.push_back(std::move(row));
}

bool LiveRun::advance(double milliseconds) {
  const Clock::time_point began = Clock::now();
  bool goes_on = failure_.empty();
  try {
    while (goes_on && (goes_on = run_->advance()) && seconds_since(began) * 1000 < milliseconds) {
    }
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    failure_ = error.what();
    goes_on = false;
  }
  wall_seconds_ += seconds_since(began);
  return goes_on;
}

double LiveRun::fraction() const {
  return until_.t > begin_ ? std::clamp((run_->time() - begin_) / (until_.t - begin_), 0.0, 1.0) : 1;
}

RunSummary LiveRun::summary() const {
  RunSummary summary = summary_of(monitor_, invariants_, method_, *run_, until_.t);
  summary.wall_seconds = wall_seconds_;
  // A page that is made on the way says nothing of an early end.
  summary.finished = failure_.empty();
  summary.failure = failure_;
  return summary;
}

Record LiveRun::record() const {
  std::vector<const Row*> rows;
  for (const Row& row : rows_) rows.push_back(&row);
  if (last_) rows.push_back(&*last_);
  const auto count = static_cast<Eigen::Index>(rows.size());
  Rows all;
  for (VectorXd* column : {&all.time, &all.kinetic, &all.potential, &all.total, &all.manifold_error})
    column->resize(count);
  if (system_.constraints() > 0) all.constraint_error.resize(count);
  all.q.resize(count, system_.ambient());
  all.v.resize(count, system_.ambient());
  all.momenta.resize(count, static_cast<Eigen::Index>(header_.momenta.size()));
  for (const RecordHeader::Named& output : header_.outputs) all.outputs.emplace_back(count, output.size());
  for (Eigen::Index i = 0; i < count; ++i) {
    const Row& row = *rows[static_cast<std::size_t>(i)];
    all.time(i) = row.state.t;
    all.q.row(i) = row.state.q;
    all.v.row(i) = row.state.v;
    all.kinetic(i) = row.energy.kinetic;
    all.potential(i) = row.energy.potential;
    all.total(i) = row.energy.total;
    all.manifold_error(i) = row.manifold_error;
    if (all.constraint_error.size() > 0) all.constraint_error(i) = row.constraint_error;
    if (all.momenta.cols() > 0) all.momenta.row(i) = row.momenta;
    Eigen::Index first = 0;
    for (RowMatrix& output : all.outputs) {
      output.row(i) = row.outputs.segment(first, output.cols());
      first += output.cols();
    }
  }
  return {header_, summary(), std::move(all)};
}

}  // namespace hamel::studio
