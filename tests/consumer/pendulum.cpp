// A user's first program: a spherical pendulum from its energies, swung for a while.
#include <cmath>
#include <cstdlib>
#include <hamel/hamel.hpp>
#include <iostream>

int main() {
  using namespace hamel;
  Model model("spherical pendulum");
  const auto m = model.parameter("m", 1.0), l = model.parameter("l", 0.9), g = model.parameter("g", 9.81);
  const auto q = model.coordinate<S2>("q");
  const Vec3 x = l * q;
  model.kinetic(m / 2 * squared_norm(rate(x)));
  model.potential(m * g * x.z());

  const System system = derive(model);
  const State start = system.state(0, Eigen::Vector3d(0.6, 0, -0.8), Eigen::Vector3d(0.8, 0, 0.6));
  const State end = integrate(system, start, Variational{.step = 0.01}, Until{.t = 10}).back();

  Workspace work(system);
  const double before = system.energy(work, start.t, start.q, start.v).total;
  const double after = system.energy(work, end.t, end.q, end.v).total;
  std::cout << "after " << end.t << " s: q = " << end.q.transpose() << ", |q| - 1 = " << end.q.norm() - 1
            << ", energy error " << after - before << '\n';
  return std::abs(end.q.norm() - 1) < 1e-14 && std::abs(after - before) < 1e-2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
