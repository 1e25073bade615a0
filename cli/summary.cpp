#include "summary.hpp"

#include <fmt/format.h>

#include <cmath>

#include "console.hpp"
#include "describe.hpp"
#include "hamel/report/words.hpp"

namespace hamel::cli {

namespace {

std::string step_text(const RunSummary& summary) {
  return summary.step > 0 ? fmt::format("{}, step {}", summary.integrator, brief(summary.step))
                          : fmt::format("{}, steps of its own choice", summary.integrator);
}

std::string digits_text(const Followed& quantity) {
  if (quantity.max_error == 0) return "all";
  return quantity.digits() == 0 ? "none" : std::to_string(quantity.digits());
}

std::string kept_text(const Followed& quantity) {
  const Kept kept = quantity.kept();
  return kept == Kept::drifting ? fmt::format("drifting, {} per time", brief(quantity.slope, 2)) : to_string(kept);
}

Json followed_json(const Followed& quantity) {
  Json json = {{"name", quantity.name},
               {"initial", quantity.initial},
               {"mean_error", quantity.mean_error},
               {"max_error", quantity.max_error},
               {"relative_error", quantity.relative_error()},
               {"slope", quantity.slope}};
  if (std::isfinite(quantity.slope_error)) json["slope_error"] = quantity.slope_error;  // it is not of two outputs
  json["kept"] = to_string(quantity.kept());
  return json;
}

}  // namespace

Json summary_json(const Model& model, const RunSummary& summary) {
  Json result = {{"model", summary.model},
                 {"integrator", summary.integrator},
                 {"step", summary.step},
                 {"steps", summary.steps},
                 {"time", summary.time},
                 {"until", summary.until},
                 {"wall_seconds", summary.wall_seconds},
                 {"finished", summary.finished},
                 {"manifold", followed_json(summary.manifold)},
                 {"momenta", Json::array()},
                 {"conserved", Json::array()},
                 {"undecided", summary.undecided},
                 {"constraints", followed_json(summary.constraints)},
                 {"final", state_json(model, summary.final)}};
  for (const Followed& momentum : summary.momenta) result["momenta"].push_back(followed_json(momentum));
  for (const Followed& claim : summary.conserved) result["conserved"].push_back(followed_json(claim));
  if (!summary.failure.empty()) result["failure"] = summary.failure;
  if (summary.energy.exists) {
    result["energy"] = followed_json(summary.energy);
    result["energy"]["conserved"] = summary.energy.conserved;
    if (!summary.energy.conserved) result["energy"].erase("kept");
  }
  return result;
}

void print_summary(const Model& model, const RunSummary& summary) {
  std::vector<std::pair<std::string, std::string>> facts = {
      {"model", fmt::format("{} on {}", summary.model, space_of(model))},
      {"integrator", step_text(summary)},
      {"time", fmt::format("{} in {} steps, {} outputs", brief(summary.time), summary.steps, summary.outputs)},
      {"took", fmt::format("{} s", brief(summary.wall_seconds, 3))}};
  if (!summary.finished) facts.emplace_back("ended early", early_end(summary));
  print_facts(facts);
  std::vector<std::vector<std::string>> rows = {{"", "at the start", "largest error", "digits", "kept"}};
  const auto& energy = summary.energy;
  if (energy.exists && !energy.conserved)
    rows.push_back({energy.name + (energy_is_undecided(summary.undecided) ? " (undecided)" : " (not conserved)"),
                    brief(energy.initial, 10), brief(energy.max_error, 3), "-", "-"});
  for (const Followed& quantity : summary.followed())
    rows.push_back({quantity.name, brief(quantity.initial, 10), brief(quantity.max_error, 3), digits_text(quantity),
                    kept_text(quantity)});
  say("\n");
  print_table(rows);
  for (const std::string& doubt : summary.undecided) say("undecided: {}\n", doubt);
}

}  // namespace hamel::cli
