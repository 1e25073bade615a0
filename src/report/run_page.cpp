#include "hamel/report/run_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hamel/record/claims.hpp"
#include "hamel/report/energies.hpp"
#include "hamel/report/view_options.hpp"
#include "hamel/report/words.hpp"
#include "hamel/textbook/textbook.hpp"
#include "report/coordinate_charts.hpp"

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

std::string error_title(const RunSummary::EnergyErrors& energy) {
  if (!energy.conserved) return "Change of the " + energy.name;
  return energy.name == "energy" ? "Energy error" : "Error of the " + energy.name;
}

void add_energies(std::vector<Chart>& charts, const Record& record, const Model& model) {
  const Rows& rows = record.rows;
  const std::string& name = record.summary.energy.name;
  const std::string total = name == "energy" ? "total" : name;
  const std::string unit = unit_of(record.header, "energy");
  Chart energies{.title = "Energy", .unit = unit, .axis = "energy"};
  if (model.lagrangian_terms().empty() && model.hamiltonian_terms().empty())
    energies.series = {{"kinetic", column(rows.kinetic, 0)}, {"potential", column(rows.potential, 0)}};
  energies.series.push_back({total, column(rows.total, 0)});
  charts.push_back(energies);
  charts.push_back({.title = error_title(record.summary.energy),
                    .unit = unit,
                    .series = {{"E(t) - E(0)", differences(rows.total, 0)}},
                    .axis = "E(t) \u2212 E(0)"});
}

// Claims are not recorded: they follow from the states.
void add_claims(std::vector<Chart>& charts, const Record& record, const ModelFile& file) {
  Claims claims(file.model, file.conserved);
  if (claims.names().empty()) return;
  Chart chart{.title = "Errors of the claims", .axis = "change"};
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

// A logarithmic chart shows nothing of what is exactly zero, as the error of R^n is.
void add_distances(std::vector<Chart>& charts, const Rows& rows) {
  Chart chart{.title = "Distance from the manifold", .log = true, .axis = "distance"};
  const auto add = [&](const char* name, const VectorXd& values) {
    if (values.size() > 0 && values.maxCoeff() > 0) chart.series.push_back({name, column(values, 0)});
  };
  add("manifold", rows.manifold_error);
  add("constraints", rows.constraint_error);
  if (!chart.series.empty()) charts.push_back(chart);
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
  if (record.header.has_energy) add_energies(charts, record, file.model);
  if (!record.header.momenta.empty()) {
    Chart chart{.title = "Errors of the momenta", .axis = "change"};
    for (std::size_t k = 0; k < record.header.momenta.size(); ++k)
      chart.series.push_back({record.header.momenta[k].name, differences(rows.momenta, static_cast<Eigen::Index>(k))});
    charts.push_back(chart);
  }
  add_claims(charts, record, file);
  add_distances(charts, rows);
  return charts;
}

std::size_t length_of(const std::vector<std::string>& formulas) {
  std::size_t length = 0;
  for (const std::string& formula : formulas) length += formula.size();
  return length;
}

// Characters of LaTeX that someone might read.
constexpr std::size_t longest_energies = 3'000, longest_equations = 20'000;

EquationGroup motion_of(const Model& model) {
  constexpr std::size_t most_coordinates = 12;
  const Form form = forms(model).front();
  EquationGroup group{.title = form == Form::mu ? "Hamilton's equations" : "Equations of motion", .latex = {}};
  const auto left_out = [&](const char* why) {
    return EquationGroup{
        .title = group.title, .latex = {}, .note = fmt::format("They are {}: hamel equations prints them.", why)};
  };
  if (model.coordinates().size() > most_coordinates) return left_out("too long for a page");
  const TextbookEquations equations = textbook_equations(model, form);
  if (equations.components) return left_out("written entry by entry");
  group.latex = lines(equations, Notation::latex);
  for (std::size_t k = 0; k < model.inputs().size(); ++k)
    if (const std::optional<Formula>& law = model.inputs()[k].law)
      group.latex.push_back(latex(model.input_symbol(k)) + " = " + latex(*law));
  return length_of(group.latex) > longest_equations ? left_out("too long for a page") : group;
}

std::vector<EquationGroup> energies_in(const Model& model) {
  constexpr std::size_t most_summands = 100;
  std::size_t terms = 0;
  for (const auto* energies : {&model.kinetic_terms(), &model.potential_terms(), &model.lagrangian_terms(),
                               &model.hamiltonian_terms(), &model.dissipation_terms()})
    terms += summands(*energies).size();
  if (terms == 0) return {};
  EquationGroup group{.title = "Energies", .latex = {}};
  if (terms <= most_summands)
    for (const NamedFormula& energy : energies_of(model)) group.latex.push_back(energy.latex);
  if (terms > most_summands || length_of(group.latex) > longest_energies)
    return {{.title = group.title, .latex = {}, .note = "They are too long for a page: the model file has them."}};
  return {group};
}

std::vector<EquationGroup> equations_of(const Model& model) {
  std::vector<EquationGroup> groups = energies_in(model);
  groups.push_back(motion_of(model));
  return groups;
}

// [1, 2, 3], with the first and the last of many.
std::string value_text(const MatrixXd& value) {
  constexpr Eigen::Index most = 6;
  if (value.size() == 1) return brief(value(0));
  std::vector<std::string> entries;
  for (Eigen::Index i = 0; i < value.rows(); ++i) {
    const bool left_out = value.rows() > most && i >= 3 && i + 1 < value.rows();
    if (left_out && i > 3) continue;
    entries.push_back(left_out ? "..." : value.cols() > 1 ? value_text(value.row(i).transpose()) : brief(value(i)));
  }
  return fmt::format("[{}]", fmt::join(entries, ", "));
}

std::vector<Table> parameters_of(const Model& model, const RecordHeader& header) {
  Table table{.title = "Parameters", .columns = {"name", "value"}, .rows = {}};
  const bool has_units = std::any_of(model.parameters().begin(), model.parameters().end(),
                                     [&](const Parameter& each) { return !unit_of(header, each.name).empty(); });
  if (has_units) table.columns.emplace_back("unit");
  for (const Parameter& parameter : model.parameters()) {
    table.rows.push_back({parameter.name, value_text(parameter.value)});
    if (has_units) table.rows.back().push_back(unit_of(header, parameter.name));
  }
  return table.rows.empty() ? std::vector<Table>{} : std::vector<Table>{table};
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

Page motion_page(const Record& record, const ModelFile& file) {
  const std::string end = early_end(record.summary);
  const CoordinateCharts coordinates = coordinate_charts(file.model, record);
  return {.title = file.model.name(),
          .description = file.description,
          .warning = end.empty() ? "" : fmt::format("The run ended early, {}.", end),
          .model_text = file.text,
          .facts = facts_of(file, record),
          .tables = parameters_of(file.model, record.header),
          .conserved = record.summary.followed(),
          .time = column(record.rows.time, 0),
          .time_unit = unit_of(record.header, "time"),
          .charts = charts_of(record, file),
          .coordinates = coordinates.charts,
          .coordinates_note = coordinates.note,
          .scene = scene_of(file.model, states_of(record.rows), view_options(file.view))};
}

Page page_of(const Record& record, const ModelFile& file) {
  Page page = motion_page(record, file);
  page.equations = equations_of(file.model);
  return page;
}

}  // namespace hamel
