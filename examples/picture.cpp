// Draws the picture of the README: the double spherical pendulum of the demo, and what two integrators make of its
// energy. Usage: picture docs/images/demo.svg
#include <fmt/core.h>
#include <fmt/os.h>

#include <cmath>
#include <hamel/integrate/integrate.hpp>
#include <hamel/manifold/factors.hpp>
#include <vector>

using namespace hamel;

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

struct Point {
  double x, y;
};
using Curve = std::vector<Point>;

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

std::string polyline(const Curve& curve, const char* colour, double width, double opacity) {
  std::string points;
  for (const auto& [x, y] : curve) points += fmt::format("{:.1f},{:.1f} ", x, y);
  return fmt::format(
      "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-opacity=\"{}\"/>\n", points,
      colour, width, opacity);
}

Curve placed(const Curve& curve, Point origin, Point scale) {
  Curve result;
  for (const auto& [x, y] : curve) result.push_back({origin.x + scale.x * x, origin.y + scale.y * y});
  return result;
}

std::string text(Point at, const std::string& words, const char* anchor = "start", const char* colour = "#333",
                 int size = 15) {
  return fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"{}\" fill=\"{}\" font-size=\"{}\">{}</text>\n",
                     at.x, at.y, anchor, colour, size, words);
}

std::string line(Point a, Point b, const char* colour) {
  return fmt::format("<line x1=\"{:.0f}\" y1=\"{:.0f}\" x2=\"{:.0f}\" y2=\"{:.0f}\" stroke=\"{}\"/>\n", a.x, a.y, b.x,
                     b.y, colour);
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
  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 380\" font-family=\"sans-serif\">\n"
      "<rect width=\"960\" height=\"380\" fill=\"white\"/>\n";
  // The motion.
  const Point pivot{225, 95}, scale{118, 118};
  svg += text({225, 30}, "double spherical pendulum: the path of its end", "middle");
  svg += polyline(placed(variational.lower_bob, pivot, scale), red, 0.8, 0.55);
  const State& s = start;
  const Curve links = {{0, 0}, seen(s.q.head<3>()), seen(s.q.head<3>() + s.q.tail<3>())};
  const Curve drawn = placed(links, pivot, scale);
  svg += polyline(drawn, "#222", 2.5, 1);
  for (const auto& [x, y] : drawn)
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"#222\"/>\n", x, y);

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
  svg += text({(left + right) / 2, 30}, "energy error (J)", "middle");
  svg += line({left, bottom}, {right, bottom}, grey) + line({left, top}, {left, bottom}, grey);
  svg += line({left, origin.y}, {right, origin.y}, "#ddd");
  for (int t = 0; t <= 100; t += 25)
    svg += text({left + zoom.x * t, bottom + 22}, fmt::format("{}", t), "middle", "#555", 13);
  svg += text({(left + right) / 2, bottom + 42}, "time (s)", "middle", "#555", 13);
  for (const double value : {lowest, 0.0, highest})
    svg += text({left - 8, origin.y + zoom.y * value + 5}, fmt::format("{:.2g}", value), "end", "#555", 13);
  svg += polyline(placed(runge_kutta.energy_error, origin, zoom), blue, 1.6, 1);
  svg += polyline(placed(variational.energy_error, origin, zoom), red, 1.6, 1);
  svg += text({left + 20, top + 15}, "variational, step 0.01", "start", red);
  svg += text({left + 20, top + 37}, "Runge-Kutta 4(5), tolerance 1e-4", "start", blue);
  svg += "</svg>\n";
  fmt::output_file(argv[1]).print("{}", svg);
  return 0;
}
