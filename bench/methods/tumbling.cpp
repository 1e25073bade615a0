// A body that turns about its intermediate axis flips over and over again. Prints what four methods of comparable cost
// make of 10,000 flips, as the table of docs/choosing-an-integrator.md.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

#include "hamel/integrate/integrate.hpp"
#include "measure.hpp"

namespace hamel::bench {
namespace {

constexpr int flips = 10000;

// Omega in the direction of the intermediate axis: the entry (1, 3) of R^T R'.
double spin(const State& state) { return state.q.head<3>().dot(state.v.tail<3>()); }

// Two flips are a period.
double time_of_flip(const Subject& body) {
  const Event flip{.name = "flip", .value = spin};
  const Trajectory run = integrate(body.system, body.start, Gauss{.step = 0.1, .order = 16},
                                   {.t = 10 * body.duration, .keep = false, .events = {flip}});
  const auto& found = run.occurrences;
  const std::size_t last = (found.size() - 1) / 2 * 2;
  return (found.at(last).state.t - found.front().state.t) / static_cast<double>(last);
}

Eigen::Vector3d angular_momentum(const System& system, Workspace& work, const State& state) {
  VectorXd p(system.ambient());
  system.momentum(work, state.t, state.q, state.v, p);
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (int column = 0; column < 3; ++column)
    sum += Eigen::Vector3d(state.q.segment<3>(3 * column)).cross(Eigen::Vector3d(p.segment<3>(3 * column)));
  return sum;
}

struct Row {
  double energy = 0, momentum = 0, manifold = 0;  // the largest errors, the first two relative
  int flips = 0;
};

Row errors_of(const Subject& body, Stepper& stepper, double end) {
  const System& system = body.system;
  Workspace work(system);
  State state = body.start;
  const double energy = system.energy(work, state.t, state.q, state.v).total;
  const Eigen::Vector3d momentum = angular_momentum(system, work, state);
  Row row;
  double side = spin(state);
  stepper.start(state);
  while (state.t < end) {
    stepper.step(end);
    stepper.current(state);
    row.energy = std::max(row.energy, std::abs(system.energy(work, state.t, state.q, state.v).total / energy - 1));
    row.momentum = std::max(row.momentum, (angular_momentum(system, work, state) - momentum).norm() / momentum.norm());
    row.manifold = std::max(row.manifold, system.space().defect(state.q));
    if (spin(state) * side < 0) ++row.flips;
    side = spin(state);
  }
  return row;
}

void print_row(const Subject& body, const std::string& name, const Method& method, double end) {
  const auto stepper = make_stepper(body.system, method);
  stepper->start(body.start);
  stepper->prepare(1e15);
  stepper->start(body.start);
  const double seconds = seconds_until(*stepper, end);
  const Row row = errors_of(body, *stepper, end);
  fmt::print("| {} | {:.1f} | {:.0e} | {:.0e} | {:.0e} | {} |\n", name, 1e6 * seconds / end, row.energy, row.momentum,
             row.manifold, row.flips);
}

void run() {
  const Subject body = tumbling_body();
  const double flip = time_of_flip(body), end = flips * flip;
  fmt::print("{} flips of {:.6f} s, {:.0f} s in all\n\n", flips, flip, end);
  fmt::print(
      "| method | microseconds per second | energy | momentum | R^T R = I | flips |\n|---|---|---|---|---|---|\n");
  print_row(body, "`variational`, h = 0.025", Variational{.step = 0.025}, end);
  print_row(body, "`gauss8`, h = 0.1", Gauss{.step = 0.1}, end);
  print_row(body, "`rkmk4`, h = 0.125", LieRk{.step = 0.125}, end);
  print_row(body, "`rk4`, h = 0.1", Rk4{.step = 0.1}, end);
  print_row(body, "`rk45`, tolerance 1e-6", Rk45{.relative = 1e-6, .absolute = 1e-8}, end);
}

}  // namespace
}  // namespace hamel::bench

int main() {
  try {
    hamel::bench::run();
  } catch (const std::exception& error) {
    fmt::print(stderr, "hamel_tumbling: {}\n", error.what());
    return 1;
  }
}
