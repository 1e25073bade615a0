#include "describe.hpp"

#include <fmt/format.h>

#include "console.hpp"
#include "hamel/report/words.hpp"

namespace hamel::cli {

int degrees_of_freedom(const Model& model) {
  int sum = 0;
  for (const Coordinate& coordinate : model.coordinates()) sum += coordinate.space.dimension();
  for (const Model::Named& constraint : model.constraints()) sum -= constraint.formula.rows();
  return sum;
}

MatrixXd part_of(const Model& model, const VectorXd& all, std::size_t coordinate) {
  Eigen::Index begin = 0;
  for (std::size_t k = 0; k < coordinate; ++k) begin += model.coordinates()[k].space.ambient();
  const Manifold& space = model.coordinates()[coordinate].space;
  const auto [rows, cols] = space.shape();
  return all.segment(begin, space.ambient()).reshaped(rows, cols);
}

Json matrix_json(const MatrixXd& matrix) {
  if (matrix.size() == 1) return matrix(0);
  Json result = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    Json row = Json::array();
    for (const double entry : matrix.row(i)) row.push_back(entry);
    result.push_back(matrix.cols() == 1 ? row.front() : row);
  }
  return result;
}

std::string matrix_text(const MatrixXd& matrix) {
  if (matrix.size() == 1) return brief(matrix(0));
  std::string text;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    std::string row;
    for (const double entry : matrix.row(i)) row += (row.empty() ? "" : ", ") + brief(entry);
    text += (i == 0 ? "" : ", ") + (matrix.cols() == 1 ? row : "[" + row + "]");
  }
  return "[" + text + "]";
}

Json state_json(const Model& model, const State& state) {
  Json result = Json::object();
  for (std::size_t k = 0; k < model.coordinates().size(); ++k)
    result[model.coordinates()[k].name] = {{"values", matrix_json(part_of(model, state.q, k))},
                                           {"rates", matrix_json(part_of(model, state.v, k))}};
  return result;
}

}  // namespace hamel::cli
