#include "ensemble/device_ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>

#include "ensemble/pool.hpp"
#include "hamel/integrate/request.hpp"
#include "hamel/mechanics/parts.hpp"
#include "hamel/model/lower.hpp"

namespace hamel {

namespace {

constexpr std::uint64_t small_block = 1024;  // of the first members, so that something is there soon

[[noreturn]] void refuse(const System& system, const std::string& why) {
  throw std::invalid_argument(
      fmt::format("this sweep of {} does not run on a GPU: {}; run it on the CPU", system.name(), why));
}

// Steps from one output to the next; 0 where nothing is looked at on the way.
int steps_between(const DeviceEnsemble::What& what) {
  if (!looks_on_the_way(what.keep)) return 0;
  const double every = what.members.until.every, step = fixed_step(what.members.method);
  if (every == 0) return 1;
  const double steps = std::round(every / step);
  if (!(steps >= 1 && steps < std::numeric_limits<int>::max()) ||
      std::abs(steps * step - every) > 4 * std::numeric_limits<double>::epsilon() * every)
    refuse(what.members.system, fmt::format("outputs there are at the ends of steps, and the time between two of them, "
                                            "{:.9g} (--every), is no multiple of the step, {:.9g} (--step)",
                                            every, step));
  return static_cast<int>(steps);
}

// Is what is kept along the way gathered there?
bool is_gathered(const DeviceEnsemble::What& what) {
  const bool has_series = std::any_of(what.keep.formulas.begin(), what.keep.formulas.end(),
                                      [](const KeptFormula& kept) { return kept.statistic == Statistic::series; });
  return looks_on_the_way(what.keep) && !has_series && what.keep.momenta.empty() &&
         what.members.until.t > what.first.start.t && can_gather(what.members.system, what.members.method);
}

DeviceKeep device_keep(const DeviceEnsemble::What& what, int between) {
  DeviceKeep keep{.every = between};
  if (!is_gathered(what)) return keep;
  for (const KeptFormula& kept : what.keep.formulas) keep.scalars.push_back(kept.formula);
  keep.energy = what.keep.energy_drift;
  keep.interval = what.members.until.every;
  for (const auto& [number, column, statistic] : what.plan.watched())
    keep.gathered.push_back({static_cast<int>(number), statistic});
  return keep;
}

const System& checked(const DeviceEnsemble::What& what) {
  const System& system = what.members.system;
  if (!what.keep.events.empty())
    refuse(system, fmt::format("the event {} would be looked for between steps, which is done on the CPU alone",
                               what.keep.events.front().name));
  for (const Varied& varied : what.vary.quantities())
    if (varied.name == "start.t") refuse(system, "its members begin together there, and start.t varies");
  check_request(what.first.system, what.first.start.t, what.members.method, what.members.until, {});
  return system;
}

// Members 0 to count - 1, by all threads.
template <class Work>
void in_parallel(std::size_t threads, Eigen::Index count, const std::function<bool()>& is_over, Work work) {
  constexpr Eigen::Index piece = 64;
  if (count == 0) return;
  const auto pieces = static_cast<std::uint64_t>((count + piece - 1) / piece);
  const bool all = in_order<bool>(
      static_cast<unsigned>(threads), 0, pieces, pieces,
      [&](unsigned thread, std::uint64_t number) {
        const Eigen::Index first = static_cast<Eigen::Index>(number) * piece;
        for (Eigen::Index k = first; k < std::min(first + piece, count); ++k) work(thread, k);
        return true;
      },
      [](bool) {}, is_over);
  if (!all) throw Stopped();
}

}  // namespace

struct DeviceEnsemble::Block {
  EnsembleChunk rows;
  DeviceMembers members;
  std::vector<char> is_unusual;  // not bool: threads write side by side
};

DeviceEnsemble::DeviceEnsemble(const What& what)
    : what_(what),
      steps_between_(steps_between(what)),
      start_(what.first.start.t),
      gathers_(is_gathered(what)),
      run_(checked(what), what.members.method, device_keep(what, steps_between_)),
      steps_(run_.steps(start_, what.members.until.t)) {
  if (steps_between_ > 0 && !gathers_) outputs_ = steps_ / steps_between_;
}

// Enough of them to fill a large GPU, or as many as there is room for.
std::uint64_t DeviceEnsemble::block_size() const {
  constexpr double most_bytes = 512U << 20;
  constexpr std::uint64_t most = 1 << 17;
  const double numbers = 2.0 * what_.members.system.ambient() * (outputs_ + 2) +
                         static_cast<double>(what_.plan.width() + what_.vary.width());
  return std::clamp(static_cast<std::uint64_t>(most_bytes / (sizeof(double) * numbers)), small_block, most);
}

void DeviceEnsemble::begin(Block& block, std::size_t k, Watch& watch) const {
  const std::span<double> row = row_of(block.rows.varied, k);
  what_.vary.row(block.rows.first + k, row);
  const auto i = static_cast<Eigen::Index>(k);
  const System system = what_.make.system(row);
  const State start = what_.members.start(system, row);
  system.check(start);
  if (start.t != start_) throw std::invalid_argument("it does not begin with the others");
  block.members.q.row(i) = start.q;
  block.members.v.row(i) = start.v;
  if (what_.make.varies_parameters()) block.members.parameters.row(i) = parameter_values(system.model());
  if (!gathers_) return;
  watch.begin(system, row_of(block.rows.kept, k));
  watch.output(start, VectorXd::Zero(system.inputs()));
  block.members.scalars.row(i) = watch.numbers();
}

// As Until::every says, and the end.
double DeviceEnsemble::output_time(std::size_t output) const {
  const Until& until = what_.members.until;
  const double interval = until.every > 0 ? until.every : fixed_step(what_.members.method);
  const double t = start_ + static_cast<double>(output + 1) * interval;
  const bool is_end = until.every > 0 ? t >= until.t - 1e-9 * interval : static_cast<int>(output) + 1 == steps_;
  return is_end ? until.t : t;
}

void DeviceEnsemble::finish(Block& block, const DeviceChunk& chunk, Eigen::Index k, Watch& watch) const {
  if (!gathers_) return follow(block, chunk, k, watch);
  const State end{what_.members.until.t, chunk.q.row(k), chunk.v.row(k)};
  what_.plan.put_gathered(row_of(block.rows.kept, static_cast<std::size_t>(chunk.first + k)), start_, end,
                          chunk.gathered.row(k).transpose());
}

void DeviceEnsemble::follow(Block& block, const DeviceChunk& chunk, Eigen::Index k, Watch& watch) const {
  const Eigen::Index i = chunk.first + k;
  const Keep& keep = what_.keep;
  const bool is_measured = keep.energy_drift || !keep.momenta.empty() || !keep.formulas.empty();
  const System system = is_measured ? what_.make.system(row_of(block.rows.varied, static_cast<std::size_t>(i)))
                                    : what_.members.system;  // which takes no time
  const VectorXd inputs = VectorXd::Zero(system.inputs());
  watch.begin(system, row_of(block.rows.kept, static_cast<std::size_t>(i)));
  State state{start_, block.members.q.row(i), block.members.v.row(i), system.parts().model};
  watch.output(state, inputs);
  for (std::size_t output = 0; output < chunk.path_q.size(); ++output) {
    state.t = output_time(output);
    state.q = chunk.path_q[output].row(k);
    state.v = chunk.path_v[output].row(k);
    watch.output(state, inputs);
  }
  if (state.t != what_.members.until.t) {
    state.t = what_.members.until.t;
    state.q = chunk.q.row(k);
    state.v = chunk.v.row(k);
    watch.output(state, inputs);
  }
  watch.end({});
}

// All that can be started; what cannot has the place of one that can.
DeviceEnsemble::Block DeviceEnsemble::block_of(std::uint64_t first, Eigen::Index count) const {
  Block block;
  block.rows = {first,
                MemberRows::Zero(count, static_cast<Eigen::Index>(what_.vary.width())),
                MemberRows::Zero(count, static_cast<Eigen::Index>(what_.plan.width())),
                {}};
  const EnsembleMember& some = what_.first;
  block.members = {.t = start_,
                   .q = some.start.q.transpose().replicate(count, 1),
                   .v = some.start.v.transpose().replicate(count, 1)};
  if (what_.make.varies_parameters())
    block.members.parameters = parameter_values(some.system.model()).transpose().replicate(count, 1);
  if (gathers_) block.members.scalars = MatrixXd::Zero(count, static_cast<Eigen::Index>(what_.plan.numbers()));
  block.is_unusual.assign(static_cast<std::size_t>(count), 0);
  return block;
}

void DeviceEnsemble::run(Accelerator& device, std::uint64_t first, std::uint64_t last, std::vector<MemberGroup>& groups,
                         const std::function<bool()>& is_over, const ChunkSink& sink) {
  std::vector<Watch> watches;
  for (std::size_t k = 0; k < groups.size(); ++k) watches.emplace_back(what_.plan, what_.members.system);
  std::uint64_t size = small_block;
  for (std::uint64_t done = first; done < last; done += size, size = std::min(4 * size, block_size())) {
    size = std::min(size, last - done);
    const auto count = static_cast<Eigen::Index>(size);
    Block block = block_of(done, count);
    const auto each = [&](Eigen::Index members, auto work) { in_parallel(groups.size(), members, is_over, work); };
    // What goes wrong with a member is said where it is run alone.
    const auto attempt = [&](Eigen::Index i, auto work) {
      try {
        work();
      } catch (const std::bad_alloc&) {
        throw;
      } catch (const std::exception&) {
        block.is_unusual[static_cast<std::size_t>(i)] = 1;
      }
    };
    each(count, [&](unsigned thread, Eigen::Index i) {
      attempt(i, [&] { begin(block, static_cast<std::size_t>(i), watches[thread]); });
    });
    run_(
        device, block.members, what_.members.until.t,
        [&](const DeviceChunk& chunk) {
          each(chunk.count, [&](unsigned thread, Eigen::Index k) {
            char& is_unusual = block.is_unusual[static_cast<std::size_t>(chunk.first + k)];
            if (chunk.failure[static_cast<std::size_t>(k)] != StepFailure::none) is_unusual = 1;
            if (is_unusual == 0) attempt(chunk.first + k, [&] { finish(block, chunk, k, watches[thread]); });
          });
        },
        (count + Accelerator::streams - 1) / Accelerator::streams);
    run_alone(block, groups, is_over);
    sink(block.rows);
  }
}

void DeviceEnsemble::run_alone(Block& block, std::vector<MemberGroup>& groups,
                               const std::function<bool()>& is_over) const {
  std::vector<Eigen::Index> alone;
  for (std::size_t i = 0; i < block.is_unusual.size(); ++i)
    if (block.is_unusual[i] != 0) alone.push_back(static_cast<Eigen::Index>(i));
  std::vector<std::vector<MemberFailure>> failures(alone.size());
  in_parallel(groups.size(), static_cast<Eigen::Index>(alone.size()), is_over, [&](unsigned thread, Eigen::Index k) {
    const Eigen::Index i = alone[static_cast<std::size_t>(k)];
    EnsembleChunk one = groups[thread](block.rows.first + static_cast<std::uint64_t>(i), 1);
    block.rows.kept.row(i) = one.kept.row(0);
    failures[static_cast<std::size_t>(k)] = std::move(one.failures);
  });
  for (const auto& some : failures) block.rows.failures.insert(block.rows.failures.end(), some.begin(), some.end());
}

}  // namespace hamel
