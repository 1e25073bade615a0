#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "hamel/manifold/factors.hpp"
#include "models.hpp"

namespace hamel::bench {
namespace {

constexpr double for_ever = 1e15;  // in seconds of motion, so that native code pays

struct Errors {
  double energy, way;
};

Errors errors_of(const Subject& subject, Stepper& stepper) {
  const System& system = subject.system;
  Workspace work(system);
  State state = subject.start;
  const double initial = system.energy(work, state.t, state.q, state.v).total;
  double error = 0, size = 0;
  stepper.start(subject.start);
  while (state.t < subject.duration) {
    stepper.step(subject.duration);
    stepper.current(state);
    const Energy now = system.energy(work, state.t, state.q, state.v);
    error = std::max(error, std::abs(now.total - initial));
    size = std::max(size, now.kinetic + std::abs(now.potential));
  }
  return {error / size, subject.end.size() > 0 ? (state.q - subject.end).lpNorm<Eigen::Infinity>() : 0};
}

}  // namespace

Subject double_pendulum() {
  const double s = std::sqrt(3.0);
  VectorXd q(6), omega(6);
  q << s / 2, 0, 0.5, 0, 0, 1;
  omega << -s / 4, 0, 0.75, 0, 1, 0;
  System system = derive(chain_model({{1, 1}, {9.81, 9.81}, 9.81}));
  const State start = system.state(0, q, omega);
  return {"double spherical pendulum", "double-pendulum", std::move(system), start, 100};
}

Subject chain_of_ten() {
  return {"chain of 10 links", "chain", derive(chain_model(chain_numbers(10))), chain_start(10), 20};
}

Subject tumbling_body() {
  Model model("tumbling body");
  const Formula J = model.parameter("J", MatrixXd(Eigen::Vector3d(1, 2, 2.5).asDiagonal()));
  const Mat3 R = model.coordinate<SO3>("R");
  model.body("body", {.attitude = R, .mass = 1.0, .inertia = J});
  System system = derive(model);
  const State start = system.state(0, MatrixXd::Identity(3, 3).reshaped(), Eigen::Vector3d(0.1, 1, 0.1));
  Subject body{"free rigid body", "body", std::move(system), start, 200};
  State end;
  const auto exact = make_stepper(body.system, Gauss{.step = 0.25, .order = 16});
  exact->start(start);
  seconds_until(*exact, body.duration);
  exact->current(end);
  body.end = end.q;
  return body;
}

double seconds_until(Stepper& stepper, double end) {
  const std::clock_t begin = std::clock();
  while (stepper.step(end) < end) {
  }
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

Measurement measure(const Subject& subject, const Method& method, double step) {
  constexpr double long_enough = 0.05;
  constexpr int often_enough = 3;
  const auto stepper = make_stepper(subject.system, method);
  stepper->start(subject.start);
  stepper->prepare(for_ever);
  const Errors errors = errors_of(subject, *stepper);
  double fastest = std::numeric_limits<double>::infinity();
  double spent = 0;
  for (int runs = 0; runs < often_enough || spent < long_enough; ++runs) {
    stepper->start(subject.start);
    const double seconds = seconds_until(*stepper, subject.duration);
    fastest = std::min(fastest, seconds);
    spent += seconds;
  }
  return {step, errors.energy, fastest / subject.duration, errors.way};
}

}  // namespace hamel::bench
