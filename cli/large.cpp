#include "large.hpp"

#include <fmt/format.h>

#include <cmath>

#include "console.hpp"
#include "hamel/report/words.hpp"

namespace hamel::cli {

namespace {

constexpr int modes_shown = 20;
constexpr double zero_square = 1e-9;  // of the largest that is shown

Json sparse_json(const linear::SparseMatrix& matrix) {
  Json entries = Json::array();
  for (Eigen::Index k = 0; k < matrix.outerSize(); ++k)
    for (linear::SparseMatrix::InnerIterator entry(matrix, k); entry; ++entry)
      if (entry.value() != 0) entries.push_back(Json{entry.row(), entry.col(), entry.value()});
  return {{"rows", matrix.rows()}, {"cols", matrix.cols()}, {"entries", entries}};
}

Json large_json(const Model& model, const std::string& at, const SparseModel& linear, const LowestModes& modes) {
  Json lowest = Json::array();
  for (const double square : modes.squares) lowest.push_back(square);
  return {{"model", model.name()},
          {"at", at},
          {"degrees_of_freedom", linear.degrees_of_freedom()},
          {"lowest_squares", lowest},
          {"M", sparse_json(linear.M)},
          {"K", sparse_json(linear.K)},
          {"C", sparse_json(linear.C)},
          {"to_q", sparse_json(linear.to_ambient)}};
}

std::string verdict_of(const VectorXd& squares) {
  const double small = zero_square * squares.cwiseAbs().maxCoeff();
  if (squares(0) < -small) return "unstable: a mode grows";
  if (squares(0) <= small)
    return "no mode grows; whether those of frequency zero drift is not decided for large systems";
  return "stable: the energy is a strict minimum";
}

void print_large(const SparseModel& linear, const VectorXd& squares) {
  say("M z'' + K z + C^T mu = 0, C z = 0, sparse\n\n");
  std::vector<std::vector<std::string>> rows = {{"eigenvalue", "rad/s", "count"}};
  const double small = zero_square * squares.cwiseAbs().maxCoeff();
  for (Eigen::Index k = 0; k < squares.size();) {
    Eigen::Index end = k + 1;
    while (end < squares.size() && std::abs(squares(end) - squares(k)) <= small + 1e-8 * std::abs(squares(k))) ++end;
    const double rate = std::abs(squares(k)) <= small ? 0 : std::sqrt(std::abs(squares(k)));
    const std::string text = rate == 0 ? "0" : "+-" + brief(rate, 8) + (squares(k) > 0 ? "i" : "");
    rows.push_back({text, squares(k) > small ? brief(rate, 6) : "-", std::to_string(end - k)});
    k = end;
  }
  print_table(rows);
  say("\n");
  say_paragraph(fmt::format("the lowest {} modes of {}, by a sparse method; matrices: --json", squares.size(),
                            linear.degrees_of_freedom()));
  say_paragraph(verdict_of(squares));
}

}  // namespace

void show_large_model(const Model& model, const std::string& at, const SparseModel& linear, bool as_json) {
  const LowestModes modes = lowest_modes(linear, modes_shown);
  if (as_json)
    print_json(large_json(model, at, linear, modes));
  else
    print_large(linear, modes.squares);
}

}  // namespace hamel::cli
