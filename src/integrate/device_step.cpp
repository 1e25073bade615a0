#include "hamel/integrate/device_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "hamel/mechanics/parts.hpp"
#include "hamel/program/device_text.hpp"
#include "integrate/device_methods.hpp"

namespace hamel {

int DeviceNumbers::add(const Kernel& kernel) {
  return add(static_cast<int>(kernel.constants().size()), [own = Kernel(kernel)](In parameters, Out numbers) mutable {
    own.set_parameters(parameters);
    numbers = own.constants();
  });
}

int DeviceNumbers::add(int size, std::function<void(In, Out)> fill) {
  parts_.push_back({rows_, size, std::move(fill)});
  rows_ += size;
  return parts_.back().row;
}

void DeviceNumbers::read(In parameters, In u, Out numbers) {
  numbers.head(u.size()) = u;
  for (const Part& part : parts_) part.fill(parameters, numbers.segment(part.row, part.size));
}

const char* to_string(StepFailure failure) {
  switch (failure) {
    case StepFailure::none:
      return "no failure";
    case StepFailure::not_finite:
      return "it leaves the finite numbers";
    case StepFailure::no_solution:
      return "it has no solution: a coordinate would turn by a quarter turn or more";
    case StepFailure::not_converged:
      return "its iteration did not converge";
    case StepFailure::fold:
      break;
  }
  return "it turns a coordinate too far, to or beyond a fold of the discrete Legendre transform";
}

std::string unrolled(std::string_view text, bool is_short) {
  constexpr std::string_view mark = "UNROLL\n";
  std::string result(text);
  for (std::size_t at = result.find(mark); at != std::string::npos; at = result.find(mark))
    result.replace(at, mark.size(), is_short ? "#pragma unroll\n" : "#pragma unroll 1\n");
  return result;
}

constexpr char function_mark = '\1';

void DeviceStep::add_function(const std::string& name, const Kernel& kernel, int groups, int inputs) {
  std::vector<int> rows(static_cast<std::size_t>(groups) + 1, as_argument);
  if (inputs >= 0) rows[static_cast<std::size_t>(inputs)] = DeviceNumbers::inputs_row;
  rows.back() = numbers_.add(kernel);
  functions_.push_back({name, kernel.program(), rows});
  text_ += function_mark;
}

std::string DeviceStep::text(const std::vector<bool>& zeros) const {
  std::string result;
  std::size_t begin = 0;
  for (const Function& function : functions_) {
    const std::size_t mark = text_.find(function_mark, begin);
    result +=
        text_.substr(begin, mark - begin) + device_function(function.program, function.name, function.rows, zeros);
    begin = mark + 1;
  }
  return result + text_.substr(begin);
}

std::vector<const Program*> DeviceStep::programs() const {
  std::vector<const Program*> all;
  for (const Function& function : functions_) all.push_back(&function.program);
  return all;
}

namespace {

[[noreturn]] void refuse(const System& system, const std::string& why) {
  throw std::invalid_argument(fmt::format("{} does not run on a GPU: {}; run it on the CPU", system.name(), why));
}

// Straight code of more operations than this takes minutes to compile, and its values no longer fit near a thread.
constexpr std::size_t most_device_operations = 8000;

void check_size(const System& system, const DeviceStep& step) {
  std::size_t operations = 0;
  for (const Program* program : step.programs()) operations += program->operations();
  if (operations > most_device_operations)
    refuse(system, fmt::format("a step of it has {} operations in one piece, and at most {} are put into a thread",
                               operations, most_device_operations));
}

std::unique_ptr<DeviceStep> gauss_or_refuse(const System& system, const Gauss& method) {
  std::unique_ptr<DeviceStep> step;
  if (!system.has_energies() || system.has_hamiltonian())
    refuse(system, fmt::format("its equations come from no Lagrangian ({})", system.path_reason()));
  try {
    step = device_gauss(system, method);
  } catch (const std::invalid_argument& error) {  // no canonical equations
    refuse(system, error.what());
  }
  if (step == nullptr && !canonical(system).is_explicit() && canonical(system).is_quadratic())
    refuse(system, fmt::format("no single program computes its canonical equations ({})", system.path_reason()));
  if (step == nullptr)
    refuse(system,
           "it has constraints that are not quadratic, or a space without formulas, onto which Gauss methods "
           "project");
  return step;
}

}  // namespace

std::unique_ptr<DeviceStep> device_step(const System& system, const Method& method) {
  const std::string name = describe(method).name;
  if (system.model().sample() != 0) refuse(system, "its inputs follow a law that is sampled along the way");
  std::unique_ptr<DeviceStep> step;
  const auto need_motion = [&] {
    if (!system.has_energies() || motion(system).empty())
      refuse(system,
             fmt::format("no single program computes the rates of its quasi-velocities ({})", system.path_reason()));
  };
  const auto* rk4 = std::get_if<Rk4>(&method);
  const auto* dop853 = std::get_if<Dop853>(&method);
  if (rk4 != nullptr && rk4->form == Form::omega && !rk4->reproject) {
    need_motion();
    step = device_rk4(system);
  } else if (dop853 != nullptr && dop853->step != 0 && dop853->form == Form::omega && !dop853->reproject) {
    need_motion();
    step = device_dop853(system);
  } else if (const auto* lie = std::get_if<LieRk>(&method)) {
    need_motion();
    step = device_lie_group(system, *lie);
    if (step == nullptr)
      refuse(system, "a factor of its space is none of R^n, S1, S2, SO3 and SE3, whose groups move points there");
  } else if (const auto* gauss = std::get_if<Gauss>(&method);
             gauss != nullptr && gauss->step != 0 && gauss->order >= 4 && gauss->order <= 8) {
    step = gauss_or_refuse(system, *gauss);
  } else if (const auto* variational = std::get_if<Variational>(&method)) {
    if (system.path() != Path::constant_mass)
      refuse(system, fmt::format("no single program computes a step of {} ({})", name, system.path_reason()));
    step = device_variational(system, *variational);
  }
  if (step == nullptr)
    refuse(system, fmt::format("the method {} has no step there as it is set; those that have one are {}", name,
                               device_methods));
  check_size(system, *step);
  return step;
}

}  // namespace hamel
