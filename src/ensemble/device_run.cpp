#include "hamel/ensemble/device_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "ensemble/device_batch.hpp"
#include "ensemble/gather_text.hpp"
#include "ensemble/run_text.hpp"
#include "hamel/derive/energies.hpp"
#include "hamel/derive/formulation.hpp"
#include "hamel/integrate/request.hpp"
#include "hamel/program/device_text.hpp"

namespace hamel {
namespace {

// The steps of fixed_step.hpp from t to `until`.
struct StepCount {
  int steps = 0;
  double last = 0;  // the size of the last one
};

StepCount count_steps(double t, double h, double until) {
  if (until == t) return {};
  const double about = (until - t) / h;
  if (!(about > 0))
    throw std::invalid_argument(fmt::format("steps of {:.6g} from t = {:.9g} do not lead to {:.9g}", h, t, until));
  if (about > std::numeric_limits<int>::max() - 1)
    throw std::invalid_argument(
        fmt::format("a run on a GPU has at most {} steps; from {:.9g} to {:.9g} with step "
                    "{:.6g} there are {:.3g}",
                    std::numeric_limits<int>::max() - 1, t, until, h, about));
  for (int n = std::max(0, static_cast<int>(about) - 2);; ++n) {
    const double next = t + static_cast<double>(n + 1) * h, begin = n == 0 ? t : t + static_cast<double>(n) * h;
    const double rounding =
        1e-12 * std::abs(h) + 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(next), std::abs(t));
    const double beyond = h > 0 ? next - until : until - next;
    if (beyond >= -rounding) return {n + 1, beyond > rounding ? until - begin : h};
  }
}

Kernel formulas_kernel(const System& system, const std::vector<Formula>& formulas) {
  Sheet sheet(system.model());
  std::vector<Expr> values;
  for (const Formula& formula : formulas) {
    const MatrixXe value = lower(formula, system.model(), sheet.lowered);
    values.insert(values.end(), value.data(), value.data() + value.size());
  }
  const LoweredModel& lowered = sheet.lowered;
  return {"scalars",
          {lowered.q, lowered.v, lowered.u, {lowered.t}},
          {values},
          {lowered.parameters, parameter_values(system.model())}};
}

Kernel energy_kernel(const System& system) {
  const Sheet sheet(system.model());
  return energy_kernels(sheet.lowered, sheet.parameters).energy;
}

void check_members(const System& system, const DeviceMembers& members, int scalars) {
  const auto count = members.q.rows();
  const auto need = [&](const char* what, const MatrixXd& numbers, Eigen::Index columns, bool may_be_one) {
    if ((numbers.rows() == count || (may_be_one && numbers.rows() <= 1)) &&
        (numbers.cols() == columns || numbers.rows() == 0))
      return;
    throw std::invalid_argument(fmt::format("{} members of {} need {} rows of {} {}, not {} of {}", count,
                                            system.name(), count, columns, what, numbers.rows(), numbers.cols()));
  };
  need("coordinates", members.q, system.ambient(), false);
  need("rates", members.v, system.ambient(), false);
  need("inputs", members.u, system.inputs(), true);
  if (scalars > 0) need("scalars", members.scalars, scalars, false);
  if (!members.varied.empty())
    need("parameters", members.parameters, static_cast<Eigen::Index>(members.varied.size()), false);
  else
    need("parameters", members.parameters, parameter_values(system.model()).size(), true);
}

void take_kept(DeviceChunk& chunk, const Eigen::Ref<const MatrixXd>& kept, bool gathered) {
  if (gathered) {
    chunk.gathered = kept;
    return;
  }
  chunk.least = chunk.largest = chunk.mean = MatrixXd(kept.rows(), kept.cols() / 3);
  for (Eigen::Index i = 0; i < chunk.mean.cols(); ++i) {
    chunk.least.col(i) = kept.col(3 * i);
    chunk.largest.col(i) = kept.col(3 * i + 1);
    chunk.mean.col(i) = kept.col(3 * i + 2);
  }
}

// The table of numbers of all members: one per row; a single row where they have the same.
class NumberRows {
 public:
  // Those that differed before are taken to differ again.
  NumberRows(const System& system, DeviceNumbers& numbers, const DeviceMembers& members, std::vector<bool>& before)
      : differs(before),
        differ_(members.parameters.rows() <= 1 && members.u.rows() <= 1 ? 1 : members.q.rows(), numbers.rows()) {
    VectorXd row(numbers.rows()), u = VectorXd::Zero(system.inputs());
    for (Eigen::Index k = 0; k < differ_.rows(); ++k) {
      if (members.u.rows() > 0) u = members.u.row(members.u.rows() == 1 ? 0 : k);
      numbers.read(parameters(system, members, k), u, row);
      differ_.row(k) = row;
    }
    differs.resize(static_cast<std::size_t>(differ_.cols()), false);
    for (Eigen::Index i = 0; i < differ_.cols(); ++i)
      if ((differ_.col(i).array() != differ_(0, i)).any()) differs[static_cast<std::size_t>(i)] = true;
    before = differs;
  }

  std::vector<bool> differs;

  std::vector<bool> zeros() const {
    std::vector<bool> result;
    for (std::size_t i = 0; i < differs.size(); ++i)
      result.push_back(!differs[i] && differ_(0, static_cast<Eigen::Index>(i)) == 0);
    return result;
  }
  std::vector<double> uniform() const {
    std::vector<double> result;
    for (std::size_t i = 0; i < differs.size(); ++i)
      if (!differs[i]) result.push_back(differ_(0, static_cast<Eigen::Index>(i)));
    return result;
  }
  int own() const { return static_cast<int>(std::count(differs.begin(), differs.end(), true)); }
  void read_own(Eigen::Index member, double* to, Eigen::Index stride) const {
    for (std::size_t i = 0; i < differs.size(); ++i) {
      if (!differs[i]) continue;
      *to = differ_(std::min(member, differ_.rows() - 1), static_cast<Eigen::Index>(i));
      to += stride;
    }
  }

 private:
  static VectorXd parameters(const System& system, const DeviceMembers& members, Eigen::Index member) {
    if (members.parameters.rows() == 0) return parameter_values(system.model());
    if (members.varied.empty()) return members.parameters.row(std::min(member, members.parameters.rows() - 1));
    ParameterValues values;
    for (std::size_t i = 0; i < members.varied.size(); ++i)
      values.emplace_back(members.varied[i], members.parameters(member, static_cast<Eigen::Index>(i)));
    return parameter_values(system.with(values).model());
  }

  MatrixXd differ_;
};

}  // namespace

bool can_gather(const System& system, const Method& method) { return !state_text(system, method).empty(); }

DeviceRun::DeviceRun(const System& system, const Method& method, DeviceKeep keep)
    : system_(system), method_(method), keep_(std::move(keep)), step_(device_step(system, method)) {
  if (keep_.every < 0) throw std::invalid_argument("states are kept after a number of steps, which is not negative");
  if (!keep_.gathered.empty() && (keep_.every == 0 || !can_gather(system, method)))
    throw std::invalid_argument(fmt::format("nothing can be gathered of {} at outputs there", system.name()));
  keep_text_ =
      "static __device__ __forceinline__ void look(const double* own, const double* q, const double* v, "
      "const double* t, double* x) {\n";
  if (!keep_.scalars.empty()) {
    step_->add_function("look_formulas", formulas_kernel(system, keep_.scalars), 4, 2);
    for (const Formula& formula : keep_.scalars) scalars_ += formula.rows() * formula.cols();
    keep_text_ += "  look_formulas(own, q, v, t, x);\n";
  }
  if (keep_.energy) {
    step_->add_function("look_energy", energy_kernel(system), 4, 2);
    keep_text_ += fmt::format("  double e[4];\n  look_energy(own, q, v, t, e);\n  x[{}] = e[2];\n", scalars_++);
  }
  keep_text_ += "}\n" + arguments_text();
  if (!keep_.gathered.empty()) keep_text_ += gather_text(system, method, keep_);
}

int DeviceRun::steps(double t, double until) const { return count_steps(t, fixed_step(method_), until).steps; }

std::string DeviceRun::text(const std::vector<bool>& differs, const std::vector<bool>& zeros) const {
  return device_preamble(step_->programs()) + number_macros(differs) +
         fmt::format(
             "#define SIZE {}\n#define SCALARS {}\n#define SUMMARY {:d}\n#define GATHERED {}\n#define PATH {:d}\n",
             step_->size(), scalars_, scalars_ > 0 && !gathers(), keep_.gathered.size(), has_path()) +
         step_->text(zeros) + keep_text_ + run_text();
}

void DeviceRun::operator()(Accelerator& device, const DeviceMembers& members, double until, const Take& take,
                           Eigen::Index most_members) {
  check_members(system_, members, gathers() ? scalars_ : 0);
  const double h = fixed_step(method_);
  const StepCount steps = count_steps(members.t, h, until);
  const NumberRows rows(system_, step_->numbers(), members, differs_);
  const auto module = device.load(text(rows.differs, rows.zeros()));
  module->set("hamel_uniform", rows.uniform());
  resources_ = module->resources("hamel_run");

  const BatchSizes sizes{.start = step_->size(),
                         .own = rows.own(),
                         .scalars = gathers() ? scalars_ : 0,
                         .kept = gathers() ? static_cast<int>(keep_.gathered.size()) : 3 * scalars_,
                         .ambient = system_.ambient(),
                         .outputs = has_path() ? steps.steps / keep_.every : 0};
  const Eigen::Index all = members.q.rows(), chunk = chunk_size(device, sizes, all, most_members);
  std::array<std::optional<DeviceBatch>, Accelerator::streams> batches;
  const DeviceArguments arguments{
      .members = 0,
      .t = members.t,
      .h = h,
      .last = steps.last,
      .end = until,
      .interval = keep_.interval > 0 ? keep_.interval : keep_.every * h,
      .late = keep_.interval > 0 ? until - 1e-9 * keep_.interval : std::numeric_limits<double>::infinity(),
      .steps = steps.steps,
      .every = keep_.every,
      .start = nullptr,
      .own = nullptr,
      .scalars = nullptr,
      .finish = nullptr,
      .kept = nullptr,
      .path = nullptr,
      .outcome = nullptr};

  State state{members.t, VectorXd::Zero(system_.ambient()), VectorXd::Zero(system_.ambient())};
  VectorXd numbers(step_->size());
  const auto fill = [&](DeviceBatch& batch, Eigen::Index first, Eigen::Index count) {
    for (Eigen::Index k = 0; k < count; ++k) {
      state.q = members.q.row(first + k);
      state.v = members.v.row(first + k);
      step_->pack(state, numbers);
      for (Eigen::Index i = 0; i < numbers.size(); ++i) batch.start()[i * count + k] = numbers(i);
      rows.read_own(first + k, batch.own() + k, count);
      for (int i = 0; i < sizes.scalars; ++i) batch.scalars()[i * count + k] = members.scalars(first + k, i);
    }
  };
  const auto hand_over = [&](DeviceBatch& batch) {
    DeviceChunk result = batch.collect();
    take_kept(result, batch.kept(), gathers());
    for (Eigen::Index k = 0; k < result.count; ++k) {
      for (Eigen::Index i = 0; i < numbers.size(); ++i) numbers(i) = batch.finish()[i * result.count + k];
      step_->unpack(until, numbers, state);
      result.q.row(k) = state.q;
      result.v.row(k) = state.v;
      const State end = state;
      // A path that ended is continued by where it ended.
      const int taken = has_path() ? result.steps[static_cast<std::size_t>(k)] / keep_.every : 0;
      for (int output = 0; output < sizes.outputs; ++output) {
        if (output < taken) {
          for (Eigen::Index i = 0; i < numbers.size(); ++i) numbers(i) = batch.path(output)[i * result.count + k];
          step_->unpack(members.t, numbers, state);
        }
        const State& now = output < taken ? state : end;
        result.path_q[static_cast<std::size_t>(output)].row(k) = now.q;
        result.path_v[static_cast<std::size_t>(output)].row(k) = now.v;
      }
    }
    for (int output = 1; output <= sizes.outputs; ++output) {
      const int step = output * keep_.every;
      result.times.push_back(step == steps.steps ? until : members.t + step * h);
    }
    take(result);
  };

  const auto begin = std::chrono::steady_clock::now();
  const bool is_one = chunk >= all;
  seconds_ = 0;
  for (Eigen::Index first = 0, turn = 0; first < all; first += chunk, ++turn) {
    const int stream = static_cast<int>(turn % Accelerator::streams);
    auto& batch = batches[static_cast<std::size_t>(stream)];
    if (batch)
      hand_over(*batch);
    else
      batch.emplace(device, sizes, chunk, stream);
    const Eigen::Index count = std::min(chunk, all - first);
    batch->begin(first, count);
    fill(*batch, first, count);
    seconds_ += batch->run(*module, step_->has_long_steps(), arguments, is_one);
  }
  // The older one first, so that chunks come in order.
  const Eigen::Index turns = chunk > 0 ? (all + chunk - 1) / chunk : 0;
  for (Eigen::Index turn = std::max<Eigen::Index>(0, turns - Accelerator::streams); turn < turns; ++turn)
    hand_over(*batches[static_cast<std::size_t>(turn % Accelerator::streams)]);
  if (!is_one) seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace hamel
