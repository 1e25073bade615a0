#include "hamel/ensemble/distribution.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace hamel {

namespace {

void need_numbers(const char* what, double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b))
    throw std::invalid_argument(fmt::format("{} needs two finite numbers, got {} and {}", what, a, b));
}

void need_deviation(const char* what, double deviation) {
  if (!(deviation > 0))
    throw std::invalid_argument(
        fmt::format("the deviation of {} must be a positive number, not {:.9g}", what, deviation));
}

Distribution scalar(std::string text, std::function<double(double)> quantile) {
  Distribution result{.text = std::move(text), .map = {}};
  result.map = [quantile = std::move(quantile)](std::span<const double> u, std::span<double> x) {
    x[0] = quantile(u[0]);
  };
  return result;
}

// The angle of a rotation that is even within the ball: P(angle < x) = (x - sin x) / (a - sin a).
double ball_angle(double p, double a) {
  const auto volume = [](double x) { return x < 1e-3 ? x * x * x / 6 * (1 - x * x / 20) : x - std::sin(x); };
  const double wanted = p * volume(a);
  double low = 0, high = a;
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (volume(middle) < wanted ? low : high) = middle;
  }
  return (low + high) / 2;
}

// Even on the unit sphere.
Eigen::Vector3d direction(double u, double v) {
  const double z = 2 * u - 1, r = std::sqrt(std::max(0.0, 1 - z * z)), phi = 2 * std::numbers::pi * v;
  return {r * std::cos(phi), r * std::sin(phi), z};
}

Distribution arc(const Manifold& space, const VectorXd& centre, double angle) {
  Distribution result{.text = {}, .uniforms = 1, .size = space.ambient(), .map = {}};
  MatrixXd tangent(space.ambient(), 1);
  space.tangent_basis(centre, tangent);
  result.map = [=](std::span<const double> u, std::span<double> x) {
    const double turned = (2 * u[0] - 1) * angle;
    Eigen::Map<VectorXd>(x.data(), centre.size()) = std::cos(turned) * centre + std::sin(turned) * tangent.col(0);
  };
  return result;
}

// Even in area: the height above the centre is even (Archimedes).
Distribution disc(const Manifold& space, const VectorXd& centre, double angle) {
  Distribution result{.text = {}, .uniforms = 2, .size = space.ambient(), .map = {}};
  MatrixXd tangent(space.ambient(), 2);
  space.tangent_basis(centre, tangent);
  const double deepest = 2 * std::pow(std::sin(angle / 2), 2);  // 1 - cos(angle)
  result.map = [=](std::span<const double> u, std::span<double> x) {
    const double depth = deepest * u[0], r = std::sqrt(depth * (2 - depth)), phi = 2 * std::numbers::pi * u[1];
    Eigen::Map<VectorXd>(x.data(), centre.size()) =
        (1 - depth) * centre + r * (std::cos(phi) * tangent.col(0) + std::sin(phi) * tangent.col(1));
  };
  return result;
}

Distribution ball(const Manifold& space, const VectorXd& centre, double angle) {
  Distribution result{.text = {}, .uniforms = 3, .size = space.ambient(), .map = {}};
  result.map = [=](std::span<const double> u, std::span<double> x) {
    const VectorXd turn = ball_angle(u[0], angle) * direction(u[1], u[2]);
    VectorXd tangent(centre.size()), turned(centre.size());
    space.velocity(centre, turn, tangent);
    space.exponential(centre, tangent, turned);
    std::copy(turned.begin(), turned.end(), x.begin());
  };
  return result;
}

}  // namespace

double number_between(double low, double high, double part) {
  return std::isfinite(high - low) ? low + part * (high - low) : std::lerp(low, high, part);
}

double normal_quantile(double p) {
  if (!(p > 0 && p < 1)) throw std::invalid_argument(fmt::format("a probability is between 0 and 1, not {}", p));
  if (p > 0.5) return -normal_quantile(1 - p);
  // Abramowitz and Stegun 26.2.23, then Halley's method.
  const double s = std::sqrt(-2 * std::log(p));
  double x = (2.515517 + s * (0.802853 + s * 0.010328)) / (1 + s * (1.432788 + s * (0.189269 + s * 0.001308))) - s;
  for (int k = 0; k < 3; ++k) {
    const double off = std::erfc(-x / std::numbers::sqrt2) / 2 - p;
    const double newton = off * std::sqrt(2 * std::numbers::pi) * std::exp(x * x / 2);
    x -= newton / (1 + x * newton / 2);
  }
  return x;
}

Distribution uniform(double low, double high) {
  need_numbers("uniform(low, high)", low, high);
  if (!(low < high))
    throw std::invalid_argument(fmt::format("uniform({:.9g}, {:.9g}): the first must be below the second", low, high));
  return scalar(fmt::format("uniform({}, {})", low, high), [=](double u) { return number_between(low, high, u); });
}

Distribution normal(double mean, double deviation) {
  need_numbers("normal(mean, deviation)", mean, deviation);
  need_deviation("normal", deviation);
  return scalar(fmt::format("normal({}, {})", mean, deviation),
                [=](double u) { return mean + deviation * normal_quantile(u); });
}

Distribution lognormal(double mean, double deviation) {
  need_numbers("lognormal(mean, deviation)", mean, deviation);
  need_deviation("lognormal", deviation);
  return scalar(fmt::format("lognormal({}, {})", mean, deviation),
                [=](double u) { return std::exp(mean + deviation * normal_quantile(u)); });
}

Distribution cap(const Manifold& space, In centre, double angle) {
  if (!(angle > 0 && angle <= std::numbers::pi * (1 + 1e-12)))
    throw std::invalid_argument(
        fmt::format("the angle of a cap is between 0 and 180 deg, not {:.9g} deg", angle * 180 / std::numbers::pi));
  if (space.turning() == Turning::none || space.is_pose())
    throw std::invalid_argument(
        fmt::format("a cap is for directions and attitudes, on circles, spheres and rotations, and not for {}: use "
                    "uniform or normal",
                    space.name()));
  space.check(centre, "the centre of a cap");
  const VectorXd at = centre;
  Distribution result = space.turning() == Turning::plane       ? arc(space, at, angle)
                        : space.turning() == Turning::direction ? disc(space, at, angle)
                                                                : ball(space, at, angle);
  result.text = fmt::format("cap({:.9g} deg)", angle * 180 / std::numbers::pi);
  return result;
}

}  // namespace hamel
