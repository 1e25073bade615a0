// Attitudes, poses and directions in numbers: what equations of rigid bodies written by hand need.
//
//   ByHand hand;                         // equations in quasi-velocities and in momenta ...
//   hand.omega = ..., hand.pi = ...;
//   complete({Part::attitude}, hand)     // ... and the two ambient forms that follow from them by kinematics alone
#pragma once

#include "message.hpp"
#include "systems/support.hpp"

namespace hamel::test {

Matrix3d attitude(const VectorXd& q, int begin = 0);  // the matrix stored from q(begin) on, column by column
Matrix3d rotation_by(const Vector3d& angle);          // exp(hat(angle)), by Rodrigues' formula
VectorXd pose(const Matrix3d& R, const Vector3d& x);

// A factor of the configuration: SO(3), SE(3) with body rates, S^2, R, R^2, R^3.
enum class Part { attitude, pose, direction, line, plane, space };
ByHand complete(const std::vector<Part>& parts, ByHand hand);

// By hand, against each other and on both paths: all that a system with equations of its own is asked.
void expect_by_hand(const Model& model, const ByHand& hand);

// Two systems on the same space move alike: accelerations, all four forms, energy and power.
void expect_same_flow(const System& one, const System& other, const Samples& samples, double tolerance = 1e-11);

// dE/dt along the motion, by differences of the energy, is the power of forces, inputs and dissipation.
void expect_power_balance(const System& system, const Samples& samples);

}  // namespace hamel::test
