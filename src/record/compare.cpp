#include "hamel/record/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "hamel/integrate/method.hpp"
#include "hamel/record/recorded_run.hpp"
#include "hamel/symmetry/noether.hpp"

namespace hamel {

namespace {

// Several runs where one is short, so that the time can be measured.
Compared measured_run(const System& system, const State& start, const ComparedMethod& what, double until,
                      const std::atomic<bool>& stop) {
  Compared result{.method = what};
  constexpr double shortest = 0.05;
  try {
    const Method method = method_named(what.integrator, what.step, what.tolerance);
    RunSettings settings{.until = {until}};
    settings.stop = &stop;
    double total = 0, best = 0;
    do {
      result.summary = recorded_run(system, start, method, settings);
      const double seconds = result.summary->wall_seconds;
      best = best == 0 ? seconds : std::min(best, seconds);
      total += seconds;
    } while (total < shortest && !stop);
    result.summary->wall_seconds = best;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    result.failure = error.what();
  }
  return result;
}

std::optional<Reference> reference_of(const System& system, const State& start, double until,
                                      const std::atomic<bool>& stop) {
  if (system.is_conservative() || conserved_momenta(system.model()).energy_conserved) return {};
  try {
    return Reference(system, start, until, stop);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format(
        "the energy of this model is not conserved, and a solution to compare with cannot be had: {}; try a "
        "shorter run",
        error.what()));
  }
}

}  // namespace

std::vector<ComparedMethod> compared_methods(const std::vector<std::string>& integrators, std::vector<double> steps,
                                             std::vector<double> tolerances, double usual_step) {
  if (steps.empty() && usual_step > 0) steps = {usual_step, usual_step / 2, usual_step / 4};
  if (tolerances.empty()) tolerances = {1e-6, 1e-9, 1e-12};
  std::vector<ComparedMethod> methods;
  for (const std::string& integrator : integrators) {
    const MethodInfo* info = find_method(integrator);
    if (info == nullptr) method_named(integrator, 0, 0);  // says that there is none
    if (!info->takes_step)
      for (const double tolerance : tolerances) methods.push_back({integrator, 0, tolerance});
    else
      for (const double step : steps) methods.push_back({integrator, step, 0});
    if (info->takes_step && steps.empty()) throw std::invalid_argument(fmt::format("{} needs steps", integrator));
  }
  return methods;
}

Comparison compare(const System& system, const State& start, const std::vector<ComparedMethod>& methods, double until,
                   const std::atomic<bool>& stop) {
  Comparison all{.rows = {}, .reference = reference_of(system, start, until, stop)};
  for (const ComparedMethod& method : methods) {
    if (stop) break;
    all.rows.push_back(measured_run(system, start, method, until, stop));
    Compared& row = all.rows.back();
    if (all.reference && row.summary) row.state_error = all.reference->distance(row.summary->final);
  }
  return all;
}

}  // namespace hamel
