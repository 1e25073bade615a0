// A lowered model with numbers for all of its variables.
#pragma once

#include <gtest/gtest.h>

#include "hamel/manifold/rn.hpp"
#include "hamel/manifold/s1.hpp"
#include "hamel/manifold/s2.hpp"
#include "hamel/manifold/se3.hpp"
#include "hamel/manifold/so3.hpp"
#include "hamel/model/lower.hpp"
#include "message.hpp"

namespace hamel {

inline Eigen::Map<const MatrixXd> shaped(const VectorXd& entries, Eigen::Index rows, Eigen::Index cols) {
  return {entries.data(), rows, cols};
}

class Numbers {
 public:
  explicit Numbers(const Model& model, unsigned seed = 1)
      : scope_(graph_), model_(model), lowered(lower(model)), parameters(parameter_values(model)) {
    Random random(seed);
    const auto size = static_cast<Eigen::Index>(lowered.q.size());
    q.resize(size);
    v.resize(size);
    for (std::size_t k = 0; k < model.coordinates().size(); ++k) {
      const Manifold& space = model.coordinates()[k].space;
      q.segment(lowered.offsets[k], space.ambient()) = space.random_point(random);
      v.segment(lowered.offsets[k], space.ambient()) = space.random_tangent(part(q, k), random);
    }
    mu = VectorXd::Random(static_cast<Eigen::Index>(lowered.mu.size()));
    u = VectorXd::Random(static_cast<Eigen::Index>(lowered.u.size()));
  }

  VectorXd part(const VectorXd& all, std::size_t coordinate) const {
    const int begin = lowered.offsets[coordinate];
    return all.segment(begin, lowered.offsets[coordinate + 1] - begin);
  }
  VectorXd q_of(std::size_t coordinate) const { return part(q, coordinate); }
  VectorXd v_of(std::size_t coordinate) const { return part(v, coordinate); }

  std::vector<double> values(std::span<const Expr> f) const {
    std::vector<Expr> x;
    std::vector<double> numbers;
    const auto add = [&](const std::vector<Expr>& variables, const VectorXd& entries) {
      x.insert(x.end(), variables.begin(), variables.end());
      numbers.insert(numbers.end(), entries.begin(), entries.end());
    };
    add(lowered.q, q);
    add(lowered.v, v);
    add(lowered.mu, mu);
    add(lowered.u, u);
    add(lowered.parameters, parameters);
    add({lowered.t}, VectorXd::Constant(1, t));
    return evaluate(f, x, numbers);
  }
  double value(Expr f) const { return values(std::span(&f, 1)).front(); }
  double sum(const std::vector<Expr>& terms) const {
    double total = 0;
    for (const double term : values(terms)) total += term;
    return total;
  }
  MatrixXd value(const Formula& formula) {
    const MatrixXe entries = lower(formula, model_, lowered);
    const std::vector<double> numbers = values(std::span(entries.data(), static_cast<std::size_t>(entries.size())));
    return Eigen::Map<const MatrixXd>(numbers.data(), entries.rows(), entries.cols());
  }

 private:
  Graph graph_;
  Graph::Scope scope_;
  const Model& model_;

 public:
  LoweredModel lowered;
  VectorXd q, v, mu, u, parameters;
  double t = 0.7;
};

inline testing::AssertionResult near(const MatrixXd& actual, const MatrixXd& expected, double tolerance) {
  if (actual.rows() == expected.rows() && actual.cols() == expected.cols() &&
      (actual - expected).cwiseAbs().maxCoeff() < tolerance)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << actual << "\n is not\n" << expected;
}
#define EXPECT_MATRIX_NEAR(actual, expected, tolerance) EXPECT_TRUE(near(actual, expected, tolerance))

using test::message_of;

}  // namespace hamel
