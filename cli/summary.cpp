#include "summary.hpp"

#include <fmt/format.h>

#include <cmath>

#include "console.hpp"
#include "describe.hpp"

namespace hamel::cli {

namespace {

// The size that the error of a momentum is to be compared with; a momentum of zero has none.
double size_of(const RunSummary::MomentumErrors& momentum) {
  return momentum.max_relative_error ? std::abs(momentum.initial) : 0;
}

std::string step_text(const RunSummary& summary) {
  return summary.step > 0 ? fmt::format("{}, step {}", summary.integrator, brief(summary.step))
                          : fmt::format("{}, steps of its own choice", summary.integrator);
}

}  // namespace

std::string digits_kept(double error, double size) {
  if (error == 0) return "all digits";
  if (!(size > 0)) return "-";
  const int digits = static_cast<int>(std::floor(-std::log10(error / size)));
  return digits <= 0 ? "none" : fmt::format("{} digit{}", digits, digits == 1 ? "" : "s");
}

Json summary_json(const Model& model, const RunSummary& summary) {
  Json momenta = Json::array();
  for (const RunSummary::MomentumErrors& momentum : summary.momenta)
    momenta.push_back({{"name", momentum.name}, {"initial", momentum.initial}, {"max_error", momentum.max_error}});
  Json result = {{"model", summary.model},
                 {"integrator", summary.integrator},
                 {"step", summary.step},
                 {"steps", summary.steps},
                 {"time", summary.time},
                 {"wall_seconds", summary.wall_seconds},
                 {"finished", summary.finished},
                 {"manifold", {{"mean_error", summary.manifold.mean_error}, {"max_error", summary.manifold.max_error}}},
                 {"momenta", momenta},
                 {"constraints", {{"max_error", summary.constraints.max_error}}},
                 {"final", state_json(model, summary.final)}};
  if (summary.energy.exists)
    result["energy"] = {{"initial", summary.energy.initial},
                        {"mean_error", summary.energy.mean_error},
                        {"max_error", summary.energy.max_error},
                        {"slope", summary.energy.slope},
                        {"conserved", summary.energy.conserved}};
  return result;
}

void print_summary(const Model& model, const RunSummary& summary) {
  print_facts({{"model", fmt::format("{} on {}", summary.model, space_of(model))},
               {"integrator", step_text(summary)},
               {"time", fmt::format("{} in {} steps, {} outputs", brief(summary.time), summary.steps, summary.outputs)},
               {"took", fmt::format("{} s", brief(summary.wall_seconds, 3))}});
  std::vector<std::vector<std::string>> rows = {{"", "at the start", "largest error", "kept"}};
  const auto& energy = summary.energy;
  if (energy.exists)
    rows.push_back({energy.conserved ? "energy" : "energy (not conserved)", brief(energy.initial, 10),
                    brief(energy.max_error, 3), energy.conserved ? digits_kept(energy.max_error, energy.scale) : "-"});
  for (const RunSummary::MomentumErrors& momentum : summary.momenta)
    rows.push_back({momentum.name, brief(momentum.initial, 10), brief(momentum.max_error, 3),
                    digits_kept(momentum.max_error, size_of(momentum))});
  rows.push_back({"manifold", "0", brief(summary.manifold.max_error, 3), digits_kept(summary.manifold.max_error, 1)});
  if (!model.constraints().empty())
    rows.push_back(
        {"constraints", "0", brief(summary.constraints.max_error, 3), digits_kept(summary.constraints.max_error, 1)});
  fmt::print("\n");
  print_table(rows);
}

}  // namespace hamel::cli
