// What every mechanical system must satisfy, and equations written by hand to compare it with.
//
//   Samples samples = random_samples(system);
//   expect_equations(system, by_hand, samples);     // the four forms, each against its own equations
//   expect_forms_agree(system, samples);            // the four forms against one another, and both tiers
//   expect_paths_agree(model, samples);             // constant mass and reduced
//   expect_tiers_agree(model, samples);             // interpreter and native code
//   expect_derivatives(system, lagrangian, samples) // in derivatives.hpp: dL/dq' and dL/dq
//   expect_conserved(system, start, 5.0, momenta);  // energy and momenta along a tight Runge-Kutta run
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <hamel/mechanics/field.hpp>
#include <string>
#include <vector>

#include "vectors.hpp"

namespace hamel::test {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using vectors::flat;
using vectors::hat;
using vectors::projector;
using vectors::quarter_turn;
using vectors::stack;
using vectors::vee;

// States at which a system is examined, and the values of its inputs there.
struct Samples {
  std::vector<State> states;
  VectorXd inputs;
};
Samples random_samples(const System& system, int count = 100, unsigned seed = 1);

// q' and the rate of the partner of q: mu' or pi'.
struct Rates {
  VectorXd q, partner;
};

// The equations of motion in the four forms. Empty ones are not compared.
struct ByHand {
  using Acceleration = std::function<VectorXd(const VectorXd& q, const VectorXd& rate)>;
  using Hamilton = std::function<Rates(const VectorXd& q, const VectorXd& momentum)>;
  Acceleration velocity;  // q'' of (q, q')
  Acceleration omega;     // omega' of (q, omega)
  Hamilton mu, pi;
};

// |value - expected| relative to max(|expected|, 1), in the maximum norm.
double distance(const VectorXd& value, const VectorXd& expected);

void expect_equations(const System& system, const ByHand& equations, const Samples& samples, double tolerance = 1e-11);
void expect_forms_agree(const System& system, const Samples& samples, double tolerance = 1e-11);
void expect_paths_agree(const Model& model, const Samples& samples, double tolerance = 1e-11);
void expect_tiers_agree(const Model& model, const Samples& samples);  // to the bit

// What `momenta` computes from a state and its pi, and the energy (of a conservative system, or if there are no
// momenta), along a tight Runge-Kutta run without inputs.
using Momenta = std::function<VectorXd(const State& state, const VectorXd& pi)>;
void expect_conserved(const System& system, const State& start, double duration, const Momenta& momenta = {},
                      double tolerance = 1e-9);
State state_after(const System& system, const State& start, double duration, double relative = 1e-12);

VectorXd quasi_acceleration(const System& system, const State& state, const VectorXd& inputs = {});  // xi'

}  // namespace hamel::test
