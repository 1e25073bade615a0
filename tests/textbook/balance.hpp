// Printed equations against the engine: every symbol of an equation gets its number from a state of the system, then
// left and right must agree.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <random>

#include "hamel/mechanics/field.hpp"
#include "hamel/mechanics/geometry.hpp"
#include "hamel/textbook/evaluate.hpp"
#include "hamel/textbook/textbook.hpp"

namespace hamel::test {

class Balance {
 public:
  Balance(const System& system, Form form) : system_(system), form_(form), work_(system) {
    Random random(7);
    std::normal_distribution<double> normal;
    for (double& u : work_.u) u = normal(random);
  }

  FormulaValues values(const TextbookEquations& set, const State& state) {
    FormulaValues values;
    const Model& model = system_.model();
    values["t"] = MatrixXd::Constant(1, 1, state.t);
    for (const Parameter& parameter : model.parameters()) values[parameter.name] = parameter.value;
    Eigen::Index next = 0;
    for (const Input& input : model.inputs()) {
      values[input.name] = work_.u.segment(next, input.size);
      next += input.size;
    }
    compute(state);
    const Geometry& geometry = system_.geometry();
    for (int k = 0; k < geometry.factors(); ++k) {
      const std::string& name = model.coordinates()[static_cast<std::size_t>(k)].name;
      const MatrixXd q = point(k, state.q), v = point(k, state.v);
      values[name] = q;
      const std::size_t index = std::min(name.find('['), name.size());
      values[name.substr(0, index) + "'" + name.substr(index)] = v;
    }
    for (const auto& [name, formula] : set.constants) values[name.to_string()] = evaluate(formula, values);
    for (const Quantity& quantity : set.quantities)
      values[quantity.name] = is_derived(quantity) ? derived_value(quantity, state, values) : value(quantity, state);
    return values;
  }

  void expect(const TextbookEquations& set, const State& state, double tolerance = 1e-10) {
    const FormulaValues numbers = values(set, state);
    for (const auto& [left, right] : set.all()) {
      const MatrixXd one = evaluate(left, numbers), other = evaluate(right, numbers);
      const double size = std::max({1.0, one.cwiseAbs().maxCoeff(), other.cwiseAbs().maxCoeff()});
      ASSERT_EQ(one.size(), other.size());
      EXPECT_LE((one - other).cwiseAbs().maxCoeff(), tolerance * size)
          << set.model << ", form " << static_cast<int>(form_) << ": " << left.brief() << " = " << right.brief();
    }
  }

 private:
  using Meaning = Quantity::Meaning;

  void compute(const State& state) {
    const Manifold& space = system_.space();
    a_.resize(system_.ambient());
    xi_.resize(system_.rates());
    xi_rate_.resize(system_.rates());
    system_.acceleration(work_, state.t, state.q, state.v, a_);
    space.rates(state.q, state.v, xi_);
    space.rates_of_acceleration(state.q, state.v, a_, xi_rate_);
    Field field(system_, form_);
    const VectorXd y = field.pack(work_, state);
    VectorXd rate(field.size());
    field(work_, state.t, y, rate);
    partner_ = y.tail(field.partners());
    partner_rate_ = rate.tail(field.partners());
  }

  MatrixXd point(int k, const VectorXd& ambient) const {
    const Manifold& space = system_.geometry().space(k);
    const auto [rows, cols] = space.shape();
    return ambient.segment(system_.geometry().offset(k), space.ambient()).reshaped(rows, cols);
  }
  VectorXd rates(int k, const VectorXd& xi) const {
    return xi.segment(system_.geometry().rates_offset(k), system_.geometry().space(k).rates());
  }

  // The part of an ambient vector, or of quasi-velocities, that turns, and the part that moves.
  MatrixXd turning(int k, const VectorXd& x) const {
    return form_ == Form::mu ? MatrixXd(point(k, x).leftCols(3)) : MatrixXd(rates(k, x).head(3));
  }
  MatrixXd moving(int k, const VectorXd& x) const {
    const bool pose = system_.geometry().space(k).name() == "SE3";
    if (form_ == Form::mu) return pose ? MatrixXd(point(k, x).rightCols(1)) : point(k, x);
    return pose ? MatrixXd(rates(k, x).tail(3)) : MatrixXd(rates(k, x));
  }

  MatrixXd multiplier(int constraint) const {
    const auto& constraints = system_.model().constraints();
    Eigen::Index begin = 0;
    for (int k = 0; k < constraint; ++k) begin += constraints[static_cast<std::size_t>(k)].formula.rows();
    return work_.multipliers.segment(begin, constraints[static_cast<std::size_t>(constraint)].formula.rows());
  }

  static bool is_derived(const Quantity& quantity) { return quantity.meaning >= Meaning::point; }

  // What a formula of positions is a while later, and its first two rates.
  MatrixXd later(const Formula& formula, const State& state, FormulaValues values, double s) const {
    const VectorXd q = state.q + s * state.v + s * s / 2 * a_;
    values["t"] = MatrixXd::Constant(1, 1, state.t + s);
    for (int k = 0; k < system_.geometry().factors(); ++k)
      values[system_.model().coordinates()[static_cast<std::size_t>(k)].name] = point(k, q);
    return evaluate(formula, values);
  }
  // Of the steps the one where rounding and truncation are least: its neighbour says almost the same.
  MatrixXd difference(const Formula& formula, const State& state, const FormulaValues& values, int order) const {
    MatrixXd best = difference(formula, state, values, order, 2.5e-3), before = best;
    double least = std::numeric_limits<double>::infinity();
    for (const double h : {5e-3, 1e-2, 2e-2, 4e-2}) {
      const MatrixXd now = difference(formula, state, values, order, h);
      const double change = (now - before).cwiseAbs().maxCoeff();
      if (change < least) {
        least = change;
        best = now;
      }
      before = now;
    }
    return best;
  }
  MatrixXd difference(const Formula& formula, const State& state, const FormulaValues& values, int order,
                      double h) const {
    constexpr std::array first{4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    constexpr std::array second{8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
    MatrixXd sum = order == 2 ? MatrixXd(-205.0 / 72 * later(formula, state, values, 0))
                              : MatrixXd::Zero(formula.rows(), formula.cols());
    for (int k = 1; k <= 4; ++k) {
      const MatrixXd ahead = later(formula, state, values, k * h), behind = later(formula, state, values, -k * h);
      const auto at = static_cast<std::size_t>(k - 1);
      sum += order == 2 ? MatrixXd(second[at] * (ahead + behind)) : MatrixXd(first[at] * (ahead - behind));
    }
    return sum / std::pow(h, order);
  }

  Formula named_formula(int index) const {
    const auto& points = system_.model().points();
    const auto at = static_cast<std::size_t>(index);
    return at < points.size() ? points[at].formula : system_.model().definitions()[at - points.size()].formula;
  }

  // Without any of the rates that the equations are derived from.
  MatrixXd derived_value(const Quantity& quantity, const State& state, const FormulaValues& values) const {
    const Meaning meaning = quantity.meaning;
    if (meaning == Meaning::body_turning || meaning == Meaning::body_turning_rate) {
      const Formula& A = system_.model().bodies()[static_cast<std::size_t>(quantity.index)].body.attitude;
      const MatrixXd W =
          evaluate(A, values).transpose() * difference(A, state, values, meaning == Meaning::body_turning ? 1 : 2);
      return Eigen::Vector3d(W(2, 1) - W(1, 2), W(0, 2) - W(2, 0), W(1, 0) - W(0, 1)) / 2;
    }
    const Formula formula = named_formula(quantity.index);
    if (meaning == Meaning::point || meaning == Meaning::rotation) return evaluate(formula, values);
    return difference(formula, state, values, meaning == Meaning::point_rate ? 1 : 2);
  }

  MatrixXd value(const Quantity& quantity, const State& state) const {
    const int k = quantity.index;
    const bool pose = quantity.meaning != Meaning::multiplier && system_.geometry().space(k).name() == "SE3";
    switch (quantity.meaning) {
      case Meaning::acceleration:
        return pose ? MatrixXd(point(k, a_).rightCols(1)) : point(k, a_);
      case Meaning::rotation_acceleration:
        return point(k, a_).leftCols(3);
      case Meaning::angular_velocity:
        return pose ? MatrixXd(rates(k, xi_).head(3)) : MatrixXd(rates(k, xi_));
      case Meaning::angular_acceleration:
        return pose ? MatrixXd(rates(k, xi_rate_).head(3)) : MatrixXd(rates(k, xi_rate_));
      case Meaning::body_velocity:
        return rates(k, xi_).tail(3);
      case Meaning::body_acceleration:
        return rates(k, xi_rate_).tail(3);
      case Meaning::momentum:
        return moving(k, partner_);
      case Meaning::momentum_rate:
        return moving(k, partner_rate_);
      case Meaning::turning_momentum:
        return turning(k, partner_);
      case Meaning::turning_momentum_rate:
        return turning(k, partner_rate_);
      case Meaning::multiplier:
        return multiplier(k);
      case Meaning::pose_position:
        return point(k, state.q).rightCols(1);
      case Meaning::pose_position_rate:
        return point(k, state.v).rightCols(1);
      case Meaning::pose_rotation:
        return point(k, state.q).leftCols(3);
      case Meaning::pose_rotation_rate:
        return point(k, state.v).leftCols(3);
      default:
        break;
    }
    return {};
  }

  const System& system_;
  Form form_;
  Workspace work_;
  VectorXd a_, xi_, xi_rate_, partner_, partner_rate_;
};

inline constexpr std::array all_forms = {Form::velocity, Form::omega, Form::mu, Form::pi};

// All equations of a form, at random states. Constraints must hold at all of them.
inline void expect_balance(const Model& model, Form form, int count = 3, double tolerance = 1e-10) {
  const System system = derive(model);
  const TextbookEquations set = textbook_equations(model, form);
  ASSERT_FALSE(set.components.has_value()) << set.reason;
  ASSERT_FALSE(set.dynamics.empty());
  Balance balance(system, form);
  Random random(3);
  for (int k = 0; k < count; ++k) {
    const VectorXd q = system.space().random_point(random);
    balance.expect(set, {0.3 * k, q, system.space().random_tangent(q, random)}, tolerance);
  }
}

inline void expect_balance(const Model& model) {
  for (const Form form : all_forms) expect_balance(model, form);
}

}  // namespace hamel::test
