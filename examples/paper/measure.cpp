#include "measure.hpp"

#include <chrono>
#include <cmath>
#include <hamel/integrate/dormand_prince.hpp>
#include <vector>

namespace hamel::two_spheres {
namespace {

class Clock {
 public:
  double microseconds_each(std::size_t steps) const {
    const std::chrono::duration<double, std::micro> passed = std::chrono::steady_clock::now() - begin_;
    return passed.count() / static_cast<double>(steps);
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

double mean_length_error(In q) {
  double sum = 0;
  for (Eigen::Index i = 0; i < q.size(); i += 3) sum += std::abs(1 - q.segment<3>(i).squaredNorm());
  return sum / (static_cast<double>(q.size()) / 3);
}

void add_means(const Example& example, const std::vector<State>& states, Errors& errors) {
  Workspace work(example.system);
  const auto energy = [&](const State& state) { return example.system.energy(work, state.t, state.q, state.v).total; };
  const double initial = energy(states.front()), count = static_cast<double>(states.size());
  for (const State& state : states) {
    errors.energy += std::abs(energy(state) - initial) / example.unit_of_energy / count;
    errors.length += mean_length_error(state.q) / count;
  }
}

}  // namespace

Errors measure(const Example& example, const Method& method, double every) {
  {  // native code is made before the clock starts
    const auto stepper = make_stepper(example.system, method);
    stepper->start(example.start);
    stepper->prepare(example.end);
  }
  const Clock clock;
  const Trajectory run = integrate(example.system, example.start, method, {.t = example.end, .every = every});
  Errors errors{.microseconds = clock.microseconds_each(run.steps), .steps = run.steps};
  add_means(example, run.states, errors);
  return errors;
}

Errors measure_double_pendulum_as_printed() {
  const Example example = double_pendulum();
  const double every = 0.01;
  DormandPrince solver(example.name, 12, double_pendulum_as_printed,
                       {.relative = 1e-4, .absolute = 1e-6, .largest_step = example.end / 10, .code = Rk45Code::ode45});
  VectorXd y(12), omega(6);
  example.system.space().rates(example.start.q, example.start.v, omega);
  y << example.start.q, omega;

  const Clock clock;
  std::vector<State> states = {example.start};
  Errors errors;
  for (solver.start(0, y); solver.time() < example.end; ++errors.steps) {
    solver.step(example.end);
    for (double t = 0; (t = static_cast<double>(states.size()) * every) <= solver.time() + every / 1e6;) {
      solver.interpolate(t, y);
      states.push_back(example.system.state(t, y.head<6>(), y.tail<6>()));
    }
  }
  errors.microseconds = clock.microseconds_each(errors.steps);
  add_means(example, states, errors);
  return errors;
}

}  // namespace hamel::two_spheres
