#include "analyze/scales.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hamel/mechanics/geometry.hpp"

namespace hamel {

namespace {

constexpr double per_decade = 2;
constexpr int first_power = -15, last_power = 15;
constexpr double same_length = 3;  // lengths that differ by less are one

// Powers of s by which each size grows, from one s to the next; 0 where it is not known.
std::vector<VectorXd> growth_of(const std::vector<VectorXd>& sizes) {
  std::vector<VectorXd> result;
  for (std::size_t k = 1; k < sizes.size(); ++k) {
    VectorXd powers = VectorXd::Constant(sizes[k].size(), std::nan(""));
    for (Eigen::Index i = 0; i < powers.size(); ++i) {
      const double a = sizes[k - 1](i), b = sizes[k](i);
      if (a > 0 && b > 0 && std::isfinite(a) && std::isfinite(b)) powers(i) = per_decade * std::log10(b / a);
    }
    result.push_back(powers);
  }
  return result;
}

double length_at(double k) { return std::pow(10, first_power + k / per_decade); }

using SizesAt = std::function<VectorXd(double length)>;

// How a smooth law does not change: by third differences of its logarithm, in the decade about the k-th length. 1 -
// exp(-s) is made of rounding errors at s = 1e-15.
double roughness(const SizesAt& sizes_at, std::size_t k, Eigen::Index i) {
  constexpr int samples = 17;
  std::vector<double> logs, rough;
  for (int j = 0; j < samples; ++j)
    logs.push_back(std::log10(sizes_at(length_at(static_cast<double>(k) + 2.0 * j / (samples - 1) - 1))(i)));
  for (std::size_t j = 3; j < logs.size(); ++j)
    if (const double by = std::abs(logs[j] - 3 * logs[j - 1] + 3 * logs[j - 2] - logs[j - 3]); std::isfinite(by))
      rough.push_back(by);
  if (rough.empty()) return 0;
  const auto middle = rough.begin() + static_cast<std::ptrdiff_t>(rough.size() / 2);
  std::nth_element(rough.begin(), middle, rough.end());  // a corner of the law is in few of them
  return *middle;
}

// Where the law of some size changes most. What goes on changing for ever, as a wave does, has the length where that
// begins.
std::vector<double> changes_of(const SizesAt& sizes_at) {
  constexpr double least = 0.15, rounding_errors = 20;  // times the roughness
  std::vector<VectorXd> sizes;
  for (int k = 0; k <= (last_power - first_power) * static_cast<int>(per_decade); ++k)
    sizes.push_back(sizes_at(length_at(k)));
  const std::vector<VectorXd> growth = growth_of(sizes);
  std::vector<double> result;
  for (Eigen::Index i = 0; i < sizes[0].size(); ++i) {
    const auto change = [&](std::size_t k) {
      const double by = k == 0 || k >= growth.size() ? 0 : std::abs(growth[k](i) - growth[k - 1](i));
      return by > least ? by : 0;  // NaN is none
    };
    std::size_t end = growth.size();
    while (change(end - 1) > 0) --end;
    if (end < growth.size()) result.push_back(length_at(static_cast<double>(end)));
    for (std::size_t k = 1; k < end; ++k)
      if (change(k) > 0 && change(k) >= change(k - 1) && change(k) > change(k + 1) &&
          change(k) > rounding_errors * roughness(sizes_at, k, i))
        result.push_back(length_at(static_cast<double>(k)));
  }
  return result;
}

void merge(std::vector<double>& lengths, const std::vector<double>& more) {
  lengths.insert(lengths.end(), more.begin(), more.end());
  std::sort(lengths.begin(), lengths.end());
  std::vector<double> result;
  for (const double length : lengths)
    if (result.empty() || length > same_length * result.back()) result.push_back(length);
  lengths = std::move(result);
}

std::vector<Scales::Place> places_of(const Geometry& geometry, const std::vector<Eigen::Index>& parts) {
  std::vector<Scales::Place> result;
  Eigen::Index begin = 0, natural = 0;
  auto size = parts.begin();
  for (int f = 0; f < geometry.factors(); ++f)
    for (const Manifold& part : geometry.space(f).parts()) {
      if (part.is_flat()) result.push_back({begin, natural, part.ambient()});
      begin += part.ambient();
      natural += *size++;
    }
  return result;
}

}  // namespace

std::vector<Eigen::Index> natural_parts(const System& system) {
  std::vector<Eigen::Index> result;
  const Geometry& geometry = system.geometry();
  for (int f = 0; f < geometry.factors(); ++f)
    for (const Manifold& part : geometry.space(f).parts())
      result.push_back(geometry.is_given_by_basis(f) ? part.rates() : part.ambient());
  return result;
}

Scales::Units Scales::units_at(In q) const {
  Units result{VectorXd::Ones(q.size()), VectorXd::Ones(natural)};
  for (const Place& place : places) {
    const double size = std::max(unit(place), q.segment(place.begin, place.size).norm());
    result.ambient.segment(place.begin, place.size).setConstant(size);
    result.natural.segment(place.natural, place.size).setConstant(size);
  }
  return result;
}

VectorXd Scales::stretched(In q, int k, double factor) const {
  VectorXd result = q;
  for (const Place& place : places) {
    const double length =
        place.lengths.empty() ? smallest : place.lengths[static_cast<std::size_t>(k) % place.lengths.size()];
    result.segment(place.begin, place.size) *= factor * length;
  }
  return result;
}

Scales scales(const System& system, const std::function<VectorXd(In q)>& acting) {
  constexpr std::size_t most_places = 16;  // that are looked at one by one
  const std::vector<Eigen::Index> parts = natural_parts(system);
  Scales result;
  result.places = places_of(system.geometry(), parts);
  result.natural = std::accumulate(parts.begin(), parts.end(), Eigen::Index{0});
  Random random(5);
  VectorXd direction = system.space().random_point(random);
  std::uniform_real_distribution<double> about_one(0.6, 1.5);
  for (const Scales::Place& place : result.places)
    for (double& entry : direction.segment(place.begin, place.size)) entry = std::copysign(about_one(random), entry);
  // Which places grow: one of them, or all together.
  const auto changes = [&](const auto& is_growing) {
    return changes_of([&](double length) {
      VectorXd q = direction;
      for (const Scales::Place& place : result.places)
        q.segment(place.begin, place.size) *= is_growing(place) ? length : 0;
      return acting(q);
    });
  };
  std::vector<double> all;
  if (!result.places.empty()) all = changes([](const Scales::Place&) { return true; });
  const std::vector<double> together = all;
  for (Scales::Place& place : result.places) {
    merge(place.lengths, together);
    if (result.places.size() > 1 && result.places.size() <= most_places)
      merge(place.lengths, changes([&](const Scales::Place& other) { return other.begin == place.begin; }));
    merge(all, place.lengths);
  }
  if (!all.empty()) result.smallest = all.front();
  return result;
}

}  // namespace hamel
