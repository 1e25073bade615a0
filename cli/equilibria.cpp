#include "hamel/analyze/equilibria.hpp"

#include <fmt/format.h>

#include <cmath>

#include "console.hpp"
#include "describe.hpp"
#include "gallery.hpp"
#include "hamel/record/output_file.hpp"
#include "hamel/report/linear_page.hpp"
#include "hamel/report/words.hpp"
#include "modes.hpp"
#include "place.hpp"

namespace hamel::cli {

namespace {

struct EquilibriaRequest : Options {
  std::string model;
  SteadyOptions steady;
  int starts = 0;
  unsigned seed = 1;
  bool reasons = false, open = false;
};

Json found_json(const Model& model, const Equilibria& all) {
  Json list = Json::array();
  for (const Equilibrium& one : all.found) {
    Json point = Json::object();
    for (std::size_t k = 0; k < model.coordinates().size(); ++k)
      point[model.coordinates()[k].name] = matrix_json(part_of(model, one.linear.at.q, k));
    Json entry = {{"name", one.name}, {"signs", one.signs}, {"point", point}, {"energy", one.energy}};
    if (one.linear.inputs.size() > 0)
      entry["inputs"] = std::vector<double>(one.linear.inputs.begin(), one.linear.inputs.end());
    if (one.rate != 0) entry["rate"] = one.rate;
    for (const auto& [symmetry, rate] : one.drift) entry["drift"][symmetry] = rate;
    entry.update(stability_json(one.stability));
    list.push_back(entry);
  }
  return {{"model", model.name()}, {"complete", all.is_complete}, {"remark", all.remark}, {"equilibria", list}};
}

std::string shortened(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

void print_found(const Model& model, const Equilibria& all, bool reasons) {
  constexpr std::size_t line = 80, longest_name = 26, gap = 2;
  double size = 0;
  bool has_families = false;
  for (const Equilibrium& one : all.found) {
    size = std::max(size, std::abs(one.energy));
    has_families = has_families || one.stability.family > 0;
  }
  std::vector<std::vector<std::string>> rows(all.found.size() + 1);
  const auto add_column = [&](const std::string& title, const auto& text) {
    rows[0].push_back(title);
    for (std::size_t k = 0; k < all.found.size(); ++k) rows[k + 1].push_back(text(all.found[k]));
  };
  add_column("equilibrium", [](const Equilibrium& one) { return shortened(one.name, longest_name); });
  if (has_families) add_column("dim", [](const Equilibrium& one) { return std::to_string(one.stability.family); });
  const bool drifts =
      std::any_of(all.found.begin(), all.found.end(), [](const auto& one) { return !one.drift.empty(); });
  if (!model.has_field() && !drifts)
    add_column("energy",
               [&](const Equilibrium& one) { return brief(std::abs(one.energy) <= 1e-14 * size ? 0 : one.energy, 5); });
  if (std::any_of(all.found.begin(), all.found.end(), [](const Equilibrium& one) { return one.rate != 0; }))
    add_column("rate", [](const Equilibrium& one) { return brief(one.rate, 5); });
  add_column("verdict", [](const Equilibrium& one) { return short_verdict(one.stability.verdict); });
  add_column("eigenvalues", [](const Equilibrium&) { return std::string(); });
  std::size_t used = 0;
  for (std::size_t column = 0; column + 1 < rows[0].size(); ++column) {
    std::size_t widest = 0;
    for (const auto& row : rows) widest = std::max(widest, row[column].size());
    used += widest + gap;
  }
  for (std::size_t k = 0; k < all.found.size(); ++k)
    rows[k + 1].back() = short_spectrum(all.found[k].stability.spectrum, line - used);
  if (!all.found.empty()) print_table(rows);
  if (!all.found.empty()) say("\n");
  const bool is_one = all.found.size() == 1;
  const std::string kind = drifts   ? (is_one ? "steady motion" : "steady motions")
                           : is_one ? "equilibrium"
                                    : "equilibria";
  say_paragraph(fmt::format("{} {}{} {}", all.found.empty() ? "no" : std::to_string(all.found.size()), kind,
                            drifts ? "," : ":", all.remark));
  if (!all.found.empty() && all.found.front().linear.inputs.size() > 0 && model.sample() == 0) {
    const VectorXd& inputs = all.found.front().linear.inputs;
    say_paragraph(inputs.isZero(0) ? "its inputs are zero; --input gives others"
                                   : "with the inputs " + inputs_text(*all.found.front().linear.at.model, inputs));
  }
  for (const Equilibrium& one : all.found)
    for (const auto& [symmetry, rate] : one.drift)
      say_paragraph(fmt::format("{} moves at {} along the {}", one.name, brief(rate), symmetry));
  if (!reasons) return;
  for (const Equilibrium& one : all.found) {
    say("\n");
    say_paragraph(fmt::format("{}: {}: {}", one.name, name(one.stability.verdict), one.stability.reason));
  }
}

void show_equilibria(const EquilibriaRequest& request) {
  if (!request.report.empty()) need_output(request.report, request.overwrite, {model_path(request.model)});
  const ModelFile file = load_model(request.model, request);
  refuse_large(file.model, !file.equilibria.empty());
  const System system = derive(request.open ? file.model.open() : file.model);
  const Equilibria all =
      steady_motions_of(file, system, request.steady, {.seed = request.seed, .starts = request.starts});
  if (request.json)
    print_json(found_json(file.model, all));
  else
    print_found(file.model, all, request.reasons);
  if (request.report.empty()) return;
  write_report(request.report, equilibria_page(file, system, all), request.overwrite);
  if (!request.json) say("\nreport  {}\n", request.report);
}

}  // namespace

void add_equilibria(CLI::App& program) {
  const auto request = std::make_shared<EquilibriaRequest>();
  CLI::App* command = add_command(program, "equilibria", "where a model can rest, and whether it stays there",
                                  "  hamel equilibria chain-pendulum-on-cart\n"
                                  "  hamel equilibria rigid-body-circular-orbit --reasons\n"
                                  "  hamel equilibria kepler-restricted-two-body --momentum e3=1",
                                  *request);
  add_model_argument(*command, request->model, *request);
  add_steady_options(*command, request->steady);
  command
      ->add_option("--starts", request->starts, "of the search; default: so many that the last ones find nothing new")
      ->check(CLI::Range(1, 1000000))
      ->type_name("N");
  command->add_option("--seed", request->seed, "of the random starts; default: 1")->type_name("N");
  command->add_flag("--reasons", request->reasons, "the reason for each verdict");
  command->add_flag("--open", request->open, "without the laws of its inputs");
  add_report_option(*command, *request, "write a report with all of them and their modes to this HTML file");
  command->callback([request] { show_equilibria(*request); });
}

}  // namespace hamel::cli
