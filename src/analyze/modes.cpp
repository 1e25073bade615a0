#include "hamel/analyze/modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "analyze/echelon.hpp"
#include "analyze/family.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/linear/eigen.hpp"
#include "hamel/linear/product.hpp"

namespace hamel {

namespace {

using Eigen::Index;
using Eigen::VectorXcd;

constexpr double smallest_part = 1e-9;  // of an eigenvalue, beside the largest of all

Course course_of(const Eigenvalue& one, double rate) {
  const double small = smallest_part * rate;
  if (std::abs(one.value) <= small) return Course::drifts;
  if (one.value.real() > small) return Course::grows;
  return one.value.real() < -small ? Course::decays : Course::oscillates;
}

Eigenvalue with_clean_parts(Eigenvalue one, double rate) {
  const double small = smallest_part * rate;
  const double re = one.value.real(), im = one.value.imag();
  one.value = {std::abs(re) <= small ? 0 : re, std::abs(im) <= small ? 0 : im};
  return one;
}

struct SymmetryDirection {
  const ConservedMomentum* momentum;
  VectorXd along;
};

// Those of the symmetries that lie in the null space of K, independent ones.
std::vector<SymmetryDirection> causes(const LinearModel& model, const MatrixXd& kernel,
                                      const std::vector<ConservedMomentum>& symmetries) {
  const MatrixXd basis = linear::orthonormal_columns(kernel);
  std::vector<SymmetryDirection> result;
  MatrixXd taken(kernel.rows(), 0);
  for (const ConservedMomentum& momentum : symmetries) {
    const VectorXd field = generator(momentum, static_cast<int>(kernel.rows())).velocity(model.at.q);
    if (field.norm() == 0) continue;
    const VectorXd direction = field / field.cwiseAbs().maxCoeff();
    if ((direction - basis * (basis.transpose() * direction)).norm() > 1e-6 * direction.norm()) continue;
    VectorXd fresh = direction - taken * (taken.transpose() * direction);
    if (fresh.norm() <= 1e-6 * direction.norm()) continue;
    taken.conservativeResize(Eigen::NoChange, taken.cols() + 1);
    taken.rightCols(1) = fresh.normalized();
    result.push_back({&momentum, direction});
  }
  return result;
}

// First along the symmetries, then what is left of the null space across them.
std::vector<Mode> drifts(const LinearModel& model, const Eigenvalue& zero, const MatrixXd& kernel,
                         const std::vector<ConservedMomentum>& symmetries) {
  std::vector<Mode> result;
  MatrixXd rest = kernel;
  for (const auto& [momentum, direction] : causes(model, kernel, symmetries)) {
    result.push_back({.eigenvalue = zero,
                      .shape = direction.cast<std::complex<double>>(),
                      .course = Course::drifts,
                      .symmetry = momentum->generator});
    const VectorXd coefficients = linear::least_squares(rest, direction);
    Index pivot = 0;
    coefficients.cwiseAbs().maxCoeff(&pivot);
    MatrixXd fewer(rest.rows(), rest.cols() - 1);
    fewer << rest.leftCols(pivot), rest.rightCols(rest.cols() - pivot - 1);
    rest = fewer;
  }
  rest = echelon(rest);
  for (const auto& column : rest.colwise())
    result.push_back(
        {.eigenvalue = zero, .shape = column.cast<std::complex<double>>(), .course = Course::drifts, .symmetry = {}});
  return result;
}

int rank_of_course(Course course) {
  return course == Course::oscillates ? static_cast<int>(Course::decays) : static_cast<int>(course);
}

struct Upper {
  Eigenvalue eigenvalue, exact;  // without rounding errors beside the largest, and with them
  Course course;
};

bool comes_first(const Upper& a, const Upper& b) {
  const int first = rank_of_course(a.course), second = rank_of_course(b.course);
  if (first != second) return first < second;
  if (a.course == Course::grows) return a.eigenvalue.value.real() > b.eigenvalue.value.real();
  return a.eigenvalue.frequency() < b.eigenvalue.frequency();
}

std::vector<Upper> upper_half(const Spectrum& spectrum) {
  std::vector<Upper> result;
  for (const Eigenvalue& each : spectrum.values) {
    const Eigenvalue one = with_clean_parts(each, spectrum.rate);
    if (one.value.imag() >= 0) result.push_back({one, each, course_of(one, spectrum.rate)});
  }
  std::stable_sort(result.begin(), result.end(), comes_first);
  return result;
}

// Without rates in the equations, lambda^2 = -k: all shapes are eigenvectors of one symmetric matrix.
class Shapes {
 public:
  explicit Shapes(const LinearModel& model) : model_(model), scaled_(scaled(model)) {
    if (!model.is_field && scaled_.is_symmetric && !scaled_.is_damped && !scaled_.is_gyroscopic)
      stiffness_ = linear::symmetric_eigen(scaled_.K);
  }

  Eigen::MatrixXcd of(const Eigenvalue& one) const {
    if (!stiffness_) return echelon(mode_shapes(model_, one));  // real where all coefficients are
    const double k = -(one.value * one.value).real();
    std::vector<Index> order(static_cast<std::size_t>(stiffness_->values.size()));
    std::iota(order.begin(), order.end(), Index(0));
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
      return std::abs(stiffness_->values(a) - k) < std::abs(stiffness_->values(b) - k);
    });
    MatrixXd y(scaled_.K.rows(), one.geometric);
    for (Index j = 0; j < y.cols(); ++j) y.col(j) = stiffness_->vectors.col(order[static_cast<std::size_t>(j)]);
    const MatrixXd shapes = echelon(MatrixXd(model_.basis * (scaled_.to_basis * y)));
    return shapes.cast<std::complex<double>>();
  }

 private:
  const LinearModel& model_;
  ScaledModel scaled_;
  std::optional<linear::SymmetricEigen> stiffness_;
};

}  // namespace

const char* name(Course course) {
  static constexpr const char* names[] = {"grows", "drifts", "oscillates", "decays"};
  return names[static_cast<int>(course)];
}

double Mode::period() const {
  return turns() ? 2 * std::numbers::pi / eigenvalue.value.imag() : std::numeric_limits<double>::infinity();
}

std::vector<Mode> modes(const LinearModel& model, const Spectrum& spectrum,
                        const std::vector<ConservedMomentum>& symmetries, std::size_t most) {
  std::vector<Mode> result;
  const Shapes all(model);
  for (const auto& [eigenvalue, exact, course] : upper_half(spectrum)) {
    if (result.size() >= most) break;
    const Eigen::MatrixXcd shapes = all.of(exact);
    if (course == Course::drifts) {
      for (Mode& mode : drifts(model, eigenvalue, shapes.real(), symmetries)) result.push_back(std::move(mode));
    } else {
      for (const auto& column : shapes.colwise())
        result.push_back({.eigenvalue = eigenvalue, .shape = column, .course = course, .symmetry = {}});
    }
  }
  return result;
}

std::vector<Mode> modes(const LinearModel& model, const SampledLoop& loop, std::size_t most) {
  std::vector<Mode> result;
  for (const auto& [eigenvalue, exact, course] : upper_half(loop.rates)) {
    if (result.size() >= most) break;
    const Eigen::MatrixXcd shapes = echelon(mode_shapes(model, loop, exact));
    for (const auto& column : shapes.colwise())
      result.push_back({.eigenvalue = eigenvalue, .shape = column, .course = course, .symmetry = {}});
  }
  return result;
}

std::vector<Mode> modes(const LinearModel& model, const Stability& stability,
                        const std::vector<ConservedMomentum>& symmetries, std::size_t most) {
  return stability.sampled ? modes(model, *stability.sampled, most)
                           : modes(model, stability.spectrum, symmetries, most);
}

std::vector<double> participation(const LinearModel& model, const Mode& mode) {
  std::vector<double> result;
  Index begin = 0;
  for (const Coordinate& coordinate : model.at.model->coordinates()) {
    result.push_back(mode.shape.segment(begin, coordinate.space.ambient()).norm());
    begin += coordinate.space.ambient();
  }
  const double largest = *std::max_element(result.begin(), result.end());
  for (double& one : result) one /= largest;
  return result;
}

std::vector<State> along(const System& system, const LinearModel& model, const Mode& mode, const ModeTimes& times) {
  if (times.intervals < 1) throw std::invalid_argument("the times of a mode need at least one interval");
  std::vector<State> states;
  for (int k = 0; k <= times.intervals; ++k) {
    const double t = times.begin + (times.end - times.begin) * k / times.intervals;
    const std::complex<double> factor =
        mode.course == Course::drifts ? std::complex<double>(t) : std::exp(mode.eigenvalue.value * t);
    const VectorXd change = times.amplitude * (factor * mode.shape).real();
    State state = model.at;
    state.t = t;
    state.q = moved_along(system, model.at.q, change);
    state.v.setZero();
    states.push_back(std::move(state));
  }
  return states;
}

LinearModel with_feedback(const LinearModel& model, const MatrixXd& gain) {
  const Index n = model.size();
  if (gain.rows() != model.B.cols() || gain.cols() != n * model.order())
    throw std::invalid_argument("a gain has a row for each input and a column for each state of the linear model");
  LinearModel closed = model;
  closed.K += model.B * gain.leftCols(n);
  closed.has_forces = true;
  if (model.is_field) return closed;
  const MatrixXd of_rates = model.B * gain.rightCols(n);
  closed.D += (of_rates + of_rates.transpose()) / 2;
  closed.G += (of_rates - of_rates.transpose()) / 2;
  return closed;
}

}  // namespace hamel
