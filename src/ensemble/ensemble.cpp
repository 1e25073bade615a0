#include "hamel/ensemble/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "ensemble/device_ensemble.hpp"
#include "ensemble/member_group.hpp"
#include "ensemble/pool.hpp"
#include "hamel/integrate/request.hpp"
#include "hamel/model/name_list.hpp"
#include "hamel/program/native.hpp"

namespace hamel {

namespace {

constexpr double most_waiting_bytes = 64U << 20;  // of rows

// Also where nobody looks at outputs.
const Members& with_possible_outputs(const Members& members) {
  if (!(std::isfinite(members.until.every) && members.until.every >= 0))
    throw std::invalid_argument(fmt::format(
        "the output interval of members must be positive, or 0 for every step; it is {}", members.until.every));
  return members;
}

// What all members need to be known for, wherever they run.
struct Plan {
  Plan(const Members& members, const Vary& vary, const Keep& keep)
      : make(with_possible_outputs(members), vary),
        first(first_member(members, vary, make)),
        watch(members, keep, first.start.t) {
    need_series_of_one_length(vary);
  }

  MemberMaker make;
  EnsembleMember first;
  WatchPlan watch;

 private:
  // What is seen at the ends of a grid is said before the first member, the rest where it happens.
  void need_series_of_one_length(const Vary& vary) const {
    std::size_t column = 0;
    for (const Varied& varied : vary.quantities()) {
      if (varied.name == "start.t") break;
      column += static_cast<std::size_t>(varied.size);
    }
    std::vector<double> row(vary.width());
    for (const std::uint64_t member : {std::uint64_t{0}, vary.members() - 1}) {
      if (column == row.size()) return;
      vary.row(member, row);
      watch.need_outputs_of_series(row[column]);
    }
  }
};

unsigned threads_of(const Where& where) {
  return where.threads > 0 ? where.threads : std::max(1U, std::thread::hardware_concurrency());
}

// Of outputs that nobody looks at, some are enough.
Until until_of(const Members& members, const Keep& keep, double start) {
  constexpr double enough = 64;
  Until until = members.until;
  const double interval = until.every > 0 ? until.every : fixed_step(members.method);
  const double outputs = (until.t - start) / interval;
  if (!looks_on_the_way(keep) && interval > 0 && std::isfinite(outputs) && outputs > enough)
    until.every = std::floor(outputs / enough) * interval;
  return until;
}

// Lanes give the end alone where there are so few steps; what fails there is run again with all outputs.
Until lane_until_of(const Members& members, const Keep& keep, Until until, double start) {
  constexpr double few = 64;
  const double step = fixed_step(members.method), duration = until.t - start;
  if (!looks_on_the_way(keep) && step > 0 && duration > 0 && duration <= few * step) until.every = duration;
  return until;
}

void refuse_mpi(const Where& where) {
  if (where.on == Device::mpi)
    throw std::invalid_argument("the members of an ensemble are handed to ranks of MPI by hamel sweep --on mpi alone");
}

}  // namespace

const std::vector<std::string>& device_names() {
  static const std::vector<std::string> names{"cpu", "cuda", "mpi"};
  return names;
}

Device device_named(const std::string& name) {
  const auto& names = device_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw std::invalid_argument(
        fmt::format("an ensemble runs on {}; there is no {}{}", fmt::join(names, ", "), name, suggestion(name, names)));
  return static_cast<Device>(found - names.begin());
}

std::vector<KeptColumn> kept_columns(const Members& members, const Vary& vary, const Keep& keep) {
  return Plan(members, vary, keep).watch.columns();
}

void check_where(const Members& members, const Vary& vary, const Keep& keep, const Where& where) {
  refuse_mpi(where);
  if (where.on == Device::cpu) return;
  const Plan plan(members, vary, keep);
  const DeviceEnsemble fits({members, vary, keep, plan.watch, plan.make, plan.first});
}

bool ensemble(const Members& members, const Vary& vary, const Keep& keep, const Where& where, const ChunkSink& sink) {
  refuse_mpi(where);
  const Plan plan(members, vary, keep);
  const std::uint64_t last = std::min(vary.members(), where.last);
  if (where.first >= last) return true;
  const auto left = static_cast<double>(last - where.first);
  const Until until = until_of(members, keep, plan.first.start.t);
  const Until lane_until = lane_until_of(members, keep, until, plan.first.start.t);
  const auto runs = [&] { return MemberRuns(members.system, members.method, until, lane_until, plan.watch.events()); };
  const double bytes_of_row = sizeof(double) * static_cast<double>(plan.watch.width() + vary.width());
  const std::uint64_t size = GroupSize::of(members.system, plan.make.varies_parameters(), last - where.first,
                                           threads_of(where), most_waiting_bytes / bytes_of_row);
  const std::uint64_t groups = (last + size - 1) / size;
  const auto threads = static_cast<unsigned>(std::min<std::uint64_t>(threads_of(where), groups - where.first / size));
  std::vector<MemberGroup> workers;
  const auto is_over = [&] { return where.stop != nullptr && *where.stop; };
  try {
    plan.watch.prepare(left);
    if (where.on == Device::cpu) runs().prepare(plan.first, left);
    for (unsigned k = 0; k < threads; ++k)
      workers.emplace_back(members, vary, plan.watch, plan.make, runs(), size, where.stop);
    if (where.on == Device::cuda) {
      const auto found = where.gpu == nullptr ? find_device() : nullptr;
      DeviceEnsemble on_device({members, vary, keep, plan.watch, plan.make, plan.first});
      on_device.run(found ? *found : *where.gpu, where.first, last, workers, is_over, sink);
      return true;
    }
    const double groups_waiting = most_waiting_bytes / (bytes_of_row * static_cast<double>(size));
    const auto ahead = static_cast<std::uint64_t>(std::clamp(groups_waiting, 1.0 * threads, 64.0 * threads));
    return in_order<EnsembleChunk>(
        threads, where.first / size, groups, ahead,
        [&](unsigned thread, std::uint64_t group) {
          const std::uint64_t begin = std::max(group * size, where.first);
          const std::uint64_t end = std::min((group + 1) * size, last);
          return workers[thread](begin, static_cast<std::size_t>(end - begin));
        },
        sink, is_over);
  } catch (const Stopped&) {
    return false;
  } catch (const Interrupted&) {
    return false;
  }
}

EnsembleTable ensemble(const Members& members, const Vary& vary, const Keep& keep, const Where& where) {
  EnsembleTable table;
  table.first = where.first;
  table.varied_columns = vary.columns();
  table.kept_columns = kept_columns(members, vary, keep);
  Eigen::Index width = 0, rows = 0;
  for (const KeptColumn& column : table.kept_columns) width += static_cast<Eigen::Index>(column.size);
  const std::uint64_t last = std::min(where.last, vary.members());
  const auto count = static_cast<Eigen::Index>(last - std::min(where.first, last));
  table.varied.resize(count, static_cast<Eigen::Index>(vary.width()));
  table.kept.resize(count, width);
  ensemble(members, vary, keep, where, [&](const EnsembleChunk& chunk) {
    table.varied.middleRows(rows, chunk.varied.rows()) = chunk.varied;
    table.kept.middleRows(rows, chunk.kept.rows()) = chunk.kept;
    rows += chunk.kept.rows();
    table.failures.insert(table.failures.end(), chunk.failures.begin(), chunk.failures.end());
  });
  table.varied.conservativeResize(rows, Eigen::NoChange);
  table.kept.conservativeResize(rows, Eigen::NoChange);
  return table;
}

}  // namespace hamel
