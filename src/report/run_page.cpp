#include "hamel/report/run_page.hpp"

#include <fmt/format.h>

#include "hamel/record/claims.hpp"
#include "hamel/report/view_options.hpp"
#include "hamel/report/words.hpp"
#include "hamel/textbook/textbook.hpp"

namespace hamel {

namespace {

std::vector<double> column(const auto& matrix, Eigen::Index j) {
  std::vector<double> values;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) values.push_back(matrix(i, j));
  return values;
}

std::vector<double> differences(const auto& matrix, Eigen::Index j) {
  std::vector<double> values = column(matrix, j);
  const double first = values.front();
  for (double& value : values) value -= first;
  return values;
}

std::vector<State> states_of(const Rows& rows) {
  std::vector<State> states;
  for (Eigen::Index i = 0; i < rows.time.size(); ++i) states.push_back({rows.time(i), rows.q.row(i), rows.v.row(i)});
  return states;
}

std::string unit_of(const RecordHeader& header, const std::string& name) {
  const auto found = header.units.find(name);
  return found == header.units.end() ? std::string() : found->second;
}

std::string error_title(const RunSummary::EnergyErrors& energy) {
  if (!energy.conserved) return "Change of the " + energy.name;
  return energy.name == "energy" ? "Energy error" : "Error of the " + energy.name;
}

void add_energies(std::vector<Chart>& charts, const Record& record) {
  const Rows& rows = record.rows;
  const std::string& name = record.summary.energy.name;
  const std::string total = name == "energy" ? "total" : name;
  charts.push_back({.title = "Energy",
                    .series = {{"kinetic", column(rows.kinetic, 0)},
                               {"potential", column(rows.potential, 0)},
                               {total, column(rows.total, 0)}}});
  charts.push_back(
      {.title = error_title(record.summary.energy), .series = {{"E(t) - E(0)", differences(rows.total, 0)}}});
}

// Claims are not recorded: they follow from the states.
void add_claims(std::vector<Chart>& charts, const Record& record, const ModelFile& file) {
  Claims claims(file.model, file.conserved);
  if (claims.names().empty()) return;
  Chart chart{.title = "Errors of the claims"};
  for (const std::string& name : claims.names()) chart.series.push_back({name, {}});
  VectorXd values, sizes, first;
  for (const State& state : states_of(record.rows)) {
    claims(state, values, sizes);
    if (first.size() == 0) first = values;
    for (std::size_t k = 0; k < chart.series.size(); ++k)
      chart.series[k].values.push_back(values(static_cast<Eigen::Index>(k)) - first(static_cast<Eigen::Index>(k)));
  }
  charts.push_back(chart);
}

std::vector<Chart> charts_of(const Record& record, const ModelFile& file) {
  const Rows& rows = record.rows;
  std::vector<Chart> charts;
  for (std::size_t k = 0; k < record.header.outputs.size(); ++k) {
    const RecordHeader::Named& output = record.header.outputs[k];
    Chart chart{.title = output.name, .unit = unit_of(record.header, output.name)};
    const std::vector<std::string> names = component_names(output.name, output.rows, output.cols);
    for (std::size_t j = 0; j < names.size(); ++j)
      chart.series.push_back({names[j], column(rows.outputs[k], static_cast<Eigen::Index>(j))});
    charts.push_back(chart);
  }
  if (record.header.has_energy) add_energies(charts, record);
  if (!record.header.momenta.empty()) {
    Chart chart{.title = "Errors of the momenta"};
    for (std::size_t k = 0; k < record.header.momenta.size(); ++k)
      chart.series.push_back({record.header.momenta[k].name, differences(rows.momenta, static_cast<Eigen::Index>(k))});
    charts.push_back(chart);
  }
  add_claims(charts, record, file);
  Chart manifold{
      .title = "Distance from the manifold", .log = true, .series = {{"manifold", column(rows.manifold_error, 0)}}};
  if (rows.constraint_error.size() > 0) manifold.series.push_back({"constraints", column(rows.constraint_error, 0)});
  charts.push_back(manifold);
  return charts;
}

std::vector<EquationGroup> equations_of(const Model& model) {
  constexpr std::size_t most_coordinates = 12, longest = 20'000;
  if (model.coordinates().size() > most_coordinates) return {};
  const Form form = model.hamiltonian_terms().empty() ? Form::omega : Form::mu;
  const TextbookEquations equations = textbook_equations(model, form);
  if (equations.components) return {};
  EquationGroup group{.title = form == Form::omega ? "Equations of motion" : "Hamilton's equations",
                      .latex = lines(equations, Notation::latex)};
  for (std::size_t k = 0; k < model.inputs().size(); ++k)
    if (const std::optional<Formula>& law = model.inputs()[k].law)
      group.latex.push_back(latex(model.input_symbol(k)) + " = " + latex(*law));
  std::size_t size = 0;
  for (const std::string& line : group.latex) size += line.size();
  return size > longest ? std::vector<EquationGroup>{} : std::vector<EquationGroup>{group};
}

std::vector<Fact> facts_of(const ModelFile& file, const Record& record) {
  const RunSummary& summary = record.summary;
  std::vector<Fact> facts = {
      {"configuration space", space_of(file.model)},
      {"degrees of freedom", std::to_string(record.header.degrees_of_freedom)},
      {"integrator",
       summary.step > 0 ? fmt::format("{}, step {}", summary.integrator, brief(summary.step)) : summary.integrator},
      {"time", fmt::format("{} in {} steps", brief(summary.time), summary.steps)},
      {"computed in", fmt::format("{} s", brief(summary.wall_seconds, 3))}};
  for (const std::string& doubt : summary.undecided) facts.push_back({"undecided", doubt});
  if (!file.source.empty()) facts.push_back({"source", file.source});
  return facts;
}

}  // namespace

Page page_of(const Record& record, const ModelFile& file) {
  const std::string end = early_end(record.summary);
  return {.title = file.model.name(),
          .description = file.description,
          .warning = end.empty() ? "" : fmt::format("The run ended early, {}.", end),
          .model_text = file.text,
          .facts = facts_of(file, record),
          .equations = equations_of(file.model),
          .conserved = record.summary.followed(),
          .time = column(record.rows.time, 0),
          .time_unit = unit_of(record.header, "time").empty() ? "s" : unit_of(record.header, "time"),
          .charts = charts_of(record, file),
          .scene = scene_of(file.model, states_of(record.rows), view_options(file.view))};
}

void write_report(const std::string& path, const std::string& record_path, const ModelFile& file, bool overwrite) {
  const Record record = read_record(RecordReader(record_path), {.at_most = PageLimits().frames});
  write_report(path, page_of(record, file), overwrite);
}

}  // namespace hamel
