// Draws the picture of the README: the double spherical pendulum of the demo, and what two integrators make of its
// energy. Usage: picture docs/images/demo.svg
#include <fmt/core.h>
#include <fmt/os.h>

#include <cmath>
#include <hamel/integrate/integrate.hpp>
#include <hamel/manifold/factors.hpp>

#include "hamel/report/svg.hpp"

using namespace hamel;
using namespace hamel::svg;

namespace {

constexpr double end_time = 100, interval = 0.05;

Model double_spherical_pendulum() {
  Model model("double spherical pendulum");
  auto m = model.parameter("m", {1.0, 1.0}), l = model.parameter("l", {9.81, 9.81});
  auto g = model.parameter("g", 9.81);
  auto q = model.coordinates<S2>("q", 2);
  Vec3 x1 = l[0] * q[0], x2 = x1 + l[1] * q[1];
  model.kinetic(m[0] / 2 * squared_norm(rate(x1)));
  model.kinetic(m[1] / 2 * squared_norm(rate(x2)));
  model.potential(-m[0] * g * x1.z());  // e3 points down
  model.potential(-m[1] * g * x2.z());
  return model;
}

struct Plot {
  Curve lower_bob, energy_error;
};

// A look from the side, slightly from above.
Point seen(const Eigen::Vector3d& x) {
  const double turn = 0.6, tilt = 0.35;
  const double right = std::cos(turn) * x.x() - std::sin(turn) * x.y();
  const double away = std::sin(turn) * x.x() + std::cos(turn) * x.y();
  return {right, std::cos(tilt) * x.z() + std::sin(tilt) * away};
}

Plot run(const System& system, const State& start, const Method& method) {
  Workspace work(system);
  const double initial = system.energy(work, start.t, start.q, start.v).total;
  Plot plot;
  integrate(system, start, method, Until{.t = end_time, .every = interval, .keep = false}, [&](const State& s) {
    plot.lower_bob.push_back(seen(s.q.head<3>() + s.q.tail<3>()));
    plot.energy_error.push_back({s.t, system.energy(work, s.t, s.q, s.v).total - initial});
    return true;
  });
  return plot;
}

Curve placed(const Curve& curve, Point origin, Point scale) {
  Curve result;
  for (const auto& [x, y] : curve) result.push_back({origin.x + scale.x * x, origin.y + scale.y * y});
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: picture FILE.svg\n");
    return 2;
  }
  const System system = derive(double_spherical_pendulum());
  const double a = std::sqrt(3.0);
  const State start = system.state(0, Eigen::Vector<double, 6>(a / 2, 0, 0.5, 0, 0, 1),
                                   Eigen::Vector<double, 6>(-a / 4, 0, 0.75, 0, 1, 0));
  const Plot variational = run(system, start, Variational{.step = 0.01});
  const Plot runge_kutta = run(system, start, Rk45{.relative = 1e-4, .absolute = 1e-6});

  const char *red = "#c8402f", *blue = "#2f6fc8", *grey = "#999";
  std::string drawing;
  // The motion.
  const Point pivot{225, 95}, scale{118, 118};
  drawing += text({225, 30}, "double spherical pendulum: the path of its end", "middle");
  drawing += polyline(placed(variational.lower_bob, pivot, scale), red, 0.8, 0.55);
  const State& s = start;
  const Curve links = {{0, 0}, seen(s.q.head<3>()), seen(s.q.head<3>() + s.q.tail<3>())};
  const Curve drawn = placed(links, pivot, scale);
  drawing += polyline(drawn, "#222", 2.5, 1);
  for (const Point& joint : drawn) drawing += disc(joint, 5, "#222");

  // The energy.
  const double left = 500, right = 930, top = 60, bottom = 330;
  double lowest = 0, highest = 0;
  for (const Curve* curve : {&variational.energy_error, &runge_kutta.energy_error})
    for (const auto& [t, error] : *curve) {
      lowest = std::min(lowest, error);
      highest = std::max(highest, error);
    }
  const double margin = 0.08 * (highest - lowest), low = lowest - margin, high = highest + margin;
  const Point origin{left, bottom + low * (bottom - top) / (high - low)};
  const Point zoom{(right - left) / end_time, -(bottom - top) / (high - low)};
  drawing += text({(left + right) / 2, 30}, "energy error (J)", "middle");
  drawing += line({left, bottom}, {right, bottom}, grey) + line({left, top}, {left, bottom}, grey);
  drawing += line({left, origin.y}, {right, origin.y}, "#ddd");
  for (int t = 0; t <= 100; t += 25)
    drawing += text({left + zoom.x * t, bottom + 22}, fmt::format("{}", t), "middle", "#555", 13);
  drawing += text({(left + right) / 2, bottom + 42}, "time (s)", "middle", "#555", 13);
  for (const double value : {lowest, 0.0, highest})
    drawing += text({left - 8, origin.y + zoom.y * value + 5}, fmt::format("{:.2g}", value), "end", "#555", 13);
  drawing += polyline(placed(runge_kutta.energy_error, origin, zoom), blue, 1.6, 1);
  drawing += polyline(placed(variational.energy_error, origin, zoom), red, 1.6, 1);
  drawing += text({left + 20, top + 15}, "variational, step 0.01", "start", red);
  drawing += text({left + 20, top + 37}, "Runge-Kutta 4(5), tolerance 1e-4", "start", blue);
  fmt::output_file(argv[1]).print("{}", page(960, 380, drawing));
  return 0;
}
