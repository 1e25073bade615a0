#include "report/linear_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hamel/report/words.hpp"

namespace hamel {

namespace {

using Eigen::Index;

// Numbers that are rounding errors beside the largest are zero.
std::string latex_matrix(const MatrixXd& matrix) {
  const double small = matrix.size() == 0 ? 0 : 1e-11 * matrix.cwiseAbs().maxCoeff();
  std::vector<std::string> rows;
  for (const auto& row : matrix.rowwise()) {
    std::vector<std::string> entries;
    for (const double entry : row) {
      const std::string text = brief(std::abs(entry) <= small ? 0 : entry, 4);
      const std::size_t e = text.find('e');
      entries.push_back(e == std::string::npos
                            ? text
                            : fmt::format(R"({} \cdot 10^{{{}}})", text.substr(0, e), std::stoi(text.substr(e + 1))));
    }
    rows.push_back(fmt::format("{}", fmt::join(entries, " & ")));
  }
  return fmt::format(R"(\begin{{pmatrix}} {} \end{{pmatrix}})", fmt::join(rows, R"( \\ )"));
}

std::string inputs_text(const LinearModel& model) { return inputs_text(*model.at.model, model.inputs); }

std::string states_text(const Reach& reach) {
  return fmt::format("{} of {} states; margin {}", reach.reached, reach.states, brief(reach.margin, 3));
}

}  // namespace

std::string what_moves(const LinearModel& model, const Mode& mode) {
  constexpr std::size_t most = 3;
  const std::vector<double> parts = participation(model, mode);
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return parts[a] > parts[b] + 1e-6; });
  std::vector<std::string> words;
  for (const std::size_t k : order) {
    const double percent = 100 * parts[k];
    if (percent < 0.5) break;
    const std::string& coordinate = model.at.model->coordinates()[k].name;
    words.push_back(percent >= 99.5 ? coordinate : fmt::format("{} {:.0f} %", coordinate, percent));
  }
  if (words.size() <= most + 1) return fmt::format("{}", fmt::join(words, ", "));
  return fmt::format("{} and {} more", fmt::join(words.begin(), words.begin() + most, ", "), words.size() - most);
}

std::vector<Fact> linear_facts(const System& system, const ExaminedPlace& place) {
  const LinearModel& linear = place.linear;
  std::vector<Fact> facts = {{"equilibrium", place.name}};
  if (system.has_energies()) facts.push_back({"energy", brief(energy(system, linear.at).total)});
  facts.push_back({"verdict", name(place.stability.verdict)});
  facts.push_back({"because", place.stability.reason});
  facts.push_back({"configuration space", space_of(system.model())});
  facts.push_back({"degrees of freedom", std::to_string(linear.size())});
  if (!linear.moving.is_rest()) facts.push_back({"frame", "moves along with the steady motion"});
  if (linear.inputs.size() > 0) facts.push_back({"inputs", inputs_text(linear)});
  if (place.stability.family > 0)
    facts.push_back(
        {"family", fmt::format("of dimension {}, {} by symmetry", place.stability.family, place.stability.orbit)});
  for (const std::string& cause : place.stability.zero_modes) facts.push_back({"zero by", cause});
  if (!linear.has_forces)
    facts.push_back({"pairs", fmt::format("eigenvalues come as +-, to {} of the largest",
                                          brief(place.stability.spectrum.pairing_error, 2))});
  return facts;
}

std::vector<Fact> control_facts(const ExaminedPlace& place, const Reach& reach, const Regulator& regulator) {
  std::vector<Fact> facts = {
      {"equilibrium", place.name},
      {"without it", fmt::format("{}: {}", name(place.stability.verdict), place.stability.reason)},
      {"controllable", states_text(reach)}};
  if (place.linear.inputs.norm() > 0) facts.push_back({"held by", inputs_text(place.linear)});
  double slowest = 0;
  for (Index k = 0; k < regulator.closed_loop.size(); ++k) {
    const Complex z = regulator.closed_loop(k);
    const double rate = regulator.sample > 0 ? std::log(std::abs(z)) / regulator.sample : z.real();
    slowest = k == 0 ? rate : std::max(slowest, rate);
  }
  facts.push_back({"with it", fmt::format("errors decay as exp({} t)", brief(slowest))});
  if (regulator.sample > 0)
    facts.push_back({"sampled", fmt::format("inputs are held for {}", brief(regulator.sample))});
  for (const HiddenDirection& out : regulator.left_out)
    facts.push_back({"left out", fmt::format("{}", fmt::join(out.words, "; "))});
  facts.push_back({"residual of Riccati's equation", brief(regulator.residual, 2)});
  return facts;
}

Table gain_table(const LinearModel& model, const Regulator& regulator) {
  Table table{.title = "Gains, u = u0 - K e", .columns = {"of"}, .rows = {}};
  for (const std::string& input : input_names(*model.at.model)) table.columns.push_back(input);
  const std::vector<ErrorCoordinate> all = errors(model);
  double largest = 0;
  for (const Gain& gain : regulator.gains)
    for (const MatrixXd* K : {&gain.point, &gain.rate})
      if (K->size() > 0) largest = std::max(largest, K->cwiseAbs().maxCoeff());
  const auto add = [&](const std::string& what, const MatrixXd& K) {
    for (Index k = 0; k < K.cols(); ++k) {
      if (K.col(k).cwiseAbs().maxCoeff() <= 1e-12 * largest) continue;
      std::vector<std::string> row = {K.cols() == 1   ? what
                                      : K.cols() <= 3 ? fmt::format("({}).{}", what, "xyz"[k])
                                                      : fmt::format("({})[{}]", what, k + 1)};
      for (const double entry : K.col(k)) row.push_back(brief(std::abs(entry) <= 1e-12 * largest ? 0 : entry));
      table.rows.push_back(std::move(row));
    }
  };
  for (std::size_t k = 0; k < all.size(); ++k) add(all[k].error, regulator.gains[k].point);
  for (std::size_t k = 0; k < all.size(); ++k) add(all[k].rate, regulator.gains[k].rate);
  return table;
}

std::vector<EquationGroup> linear_equations(const LinearModel& model) {
  constexpr int largest = 8;
  if (model.size() == 0 || model.size() > largest) return {};
  EquationGroup group{.title = "Linear equations", .latex = {}};
  const std::string input = model.B.cols() > 0 ? "B u" : "0";
  if (model.is_field) {
    group.latex = {R"(\dot x = A x)" + std::string(model.B.cols() > 0 ? " + B u" : ""),
                   "A = " + latex_matrix(model.first_order().A)};
  } else {
    const double size = (model.D + model.G).norm();
    const bool damped = model.D.norm() > 1e-12 * size, gyroscopic = model.G.norm() > 1e-12 * size;
    std::string rates;
    if (damped && gyroscopic)
      rates = R"( + (D + G)\, \dot x)";
    else if (damped || gyroscopic)
      rates = fmt::format(R"( + {}\, \dot x)", damped ? "D" : "G");
    group.latex = {fmt::format(R"(M \ddot x{} + K x = {})", rates, input), "M = " + latex_matrix(model.M)};
    if (damped) group.latex.push_back("D = " + latex_matrix(model.D));
    if (gyroscopic) group.latex.push_back("G = " + latex_matrix(model.G));
    group.latex.push_back("K = " + latex_matrix(model.K));
  }
  if (model.B.cols() > 0) group.latex.push_back("B = " + latex_matrix(model.B));
  return {group};
}

}  // namespace hamel
