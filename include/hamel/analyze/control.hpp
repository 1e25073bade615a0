// What inputs can do near an equilibrium, and what measurements tell of it.
//
//   const LinearModel model = linearize(system, state);
//   const Reach reach = controllability(model);                // reach.hidden: what no input moves
//   const Regulator regulator = lqr(model, {.states = {{"x", 8.0}, {"x'", 8.0}}, .inputs = {{"u", 2.0}}});
//   regulator.gains                                            // u = u0 - sum (K e + K' e') over the coordinates
//
// The error e of a coordinate lives on its space: x - x0, q0 x q on spheres, the rotation vector of R0^T R; its rate e'
// is x', omega, Omega. Weights and gains belong to these, never to the coordinates of a chart.
//
// Ranks are decided in units of the system's own: M_ii = 1, the fastest eigenvalue 1, each input's largest effect 1.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "hamel/analyze/linear_model.hpp"

namespace hamel {

using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::VectorXcd;

// At a point that constant inputs hold in balance: the smallest ones that do. Refuses one where none do.
LinearModel trimmed(const Linearization& linearization, const State& state, const Generator& moving = {});

// Directions x (columns) of the linear model that belong to one eigenvalue, or to it and its conjugate.
struct HiddenDirection {
  Complex eigenvalue;
  int states = 0;                  // dimensions of the state space, (x, x') together
  MatrixXd along;                  // in coordinates of the linear model
  std::vector<std::string> words;  // of each column: "q[1].x - q[2].x"
};

struct Reach {
  int states = 0, reached = 0;
  // The smallest singular value of [lambda^2 M + lambda (D + G) + K, B] over the eigenvalues, and where it is: zero to
  // rounding where something is hidden.
  double margin = 0;
  Complex weakest = 0;
  std::vector<HiddenDirection> hidden;
  bool complete() const { return reached == states; }
  bool stabilizable = true;  // what is hidden comes to rest by itself; of measurements: detectable
};
Reach controllability(const LinearModel& model);

// What is measured, y = value + C (x, x').
struct Measurements {
  std::vector<std::string> names;  // of the components
  VectorXd value;
  MatrixXd C;
};
Measurements measurements(const LinearModel& model, const std::vector<Model::Named>& outputs);
Reach observability(const LinearModel& model, const Measurements& measured);

// The error of a coordinate, e = slope x.
struct ErrorCoordinate {
  std::string name;         // "q[2]"
  std::string error, rate;  // in words: "q[2]0 x q[2]", "omega(q[2])"
  MatrixXd slope;
};
std::vector<ErrorCoordinate> errors(const LinearModel& model);

// Of all entries that follow no law: u, or u[1], u[2].
std::vector<std::string> input_names(const Model& model);

// Of a coordinate ("x", "q[2]"; "q" is all of q[1], q[2], ...), of its rate ("x'", "q'[2]"), of an input or a
// measurement: a number, or one for each component. What has no weight of its own has 1.
struct Weight {
  Weight(std::string of, double number) : name(std::move(of)), value(VectorXd::Constant(1, number)) {}
  Weight(std::string of, VectorXd numbers) : name(std::move(of)), value(std::move(numbers)) {}
  std::string name;
  VectorXd value;
};
struct Weights {
  std::vector<Weight> states = {}, inputs = {};
};

struct Gain {
  std::string name;
  MatrixXd point, rate;  // of e and of e': inputs x components
};

struct Regulator {
  MatrixXd gain;  // u = u0 - gain (x, x')
  std::vector<Gain> gains;
  VectorXcd closed_loop;  // eigenvalues; of a sampled one those of a step
  double residual = 0;    // of Riccati's equation, relative
  double sample = 0;      // how long an input is held; 0: it changes continuously
  std::vector<HiddenDirection> left_out;
};
struct RegulatorOptions {
  double sample = 0;
  bool leave_out = false;  // what neither grows nor decays, and cannot be moved or has no weight: a yaw, a place
};
// The least integral of e.Q e + e'.Q' e' + u.R u, for inputs that change continuously, or are held for `sample`.
// Refuses weights of unknown names or wrong sizes, and a mode that stands in the way.
Regulator lqr(const LinearModel& model, const Weights& weights = {}, const RegulatorOptions& options = {});

// That regulator as a law, for Model::law: all inputs of the linear model, one after another, as a formula of the model
// that it was made from. Errors are those on the manifold, wherever the state is.
Formula feedback(const Model& model, const LinearModel& linear, const Regulator& regulator);

// The best guess z of (x, x'): z' = A z + B (u - u0) + gain (y - y0 - C z), for unit white noise of the forces along
// every rate (`states`: "x'", "q'" scale it) and of the measurements (`inputs`), whose intensities the weights are.
struct Filter {
  MatrixXd gain;
  VectorXcd spectrum;  // of A - gain C: how errors of the guess decay
  double residual = 0;
};
Filter kalman(const LinearModel& model, const Measurements& measured, const Weights& noise = {});

}  // namespace hamel
