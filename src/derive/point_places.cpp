#include "hamel/derive/point_places.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>

#include "hamel/model/index.hpp"

namespace hamel {
namespace {

// A point may take the place of a coordinate that has an inertia of its own, if that is not much larger: it becomes the
// difference of two points then, and what the light one does would be lost in the rounding of the heavy one.
constexpr double most_burden = 16;

// The inertia of each point and of all that builds on it.
std::vector<double> loads(const std::vector<std::vector<int>>& rates_of, const std::vector<std::vector<double>>& slopes,
                          std::span<const double> inertia, int ambient) {
  std::vector<double> load(inertia.begin() + ambient, inertia.end());
  for (std::size_t k = rates_of.size(); k-- > 0;)
    for (std::size_t i = 0; i < rates_of[k].size(); ++i) {
      const int index = rates_of[k][i] - ambient;
      if (index >= 0 && at(index) < k) load[at(index)] += slopes[k][i] * slopes[k][i] * load[k];
    }
  return load;
}

}  // namespace

std::vector<int> PointPlaces::chosen() const {
  const int ambient = static_cast<int>(by_basis_.size()), points = static_cast<int>(rates_of_.size());
  std::vector<int> replaced_by(at(ambient), -1);
  if (points == 0) return replaced_by;
  std::vector<int> occurrences(at(ambient + points), 0);
  for (const auto& rates : rates_of_)
    for (const int index : rates) ++occurrences[at(index)];
  const std::span<const double> inertia(numbers_.values().data(), at(ambient + points));
  const double* next = inertia.data() + inertia.size();
  std::vector<std::vector<double>> slopes;
  for (const auto& rates : rates_of_) {
    slopes.emplace_back(next, next + rates.size());
    next += rates.size();
  }
  const std::vector<double> load = loads(rates_of_, slopes, inertia, ambient);

  // Points that others build on come first: they must stay, or the others would be long sums. Then heavy ones: what
  // they do must not be a difference of what light ones do.
  std::vector<int> order(at(points));
  std::iota(order.begin(), order.end(), 0);
  const auto rank = [&](int k) {
    const bool shared = occurrences[at(ambient + k)] > 0;
    return std::tuple(!shared, shared ? 0 : -load[at(k)], k);
  };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return rank(a) < rank(b); });

  for (const int k : order) {
    int best = -1;
    bool blocked = false;
    const auto key = [&](int i) { return std::tuple(inertia[at(i)] == 0, -occurrences[at(i)], i); };
    for (std::size_t i = 0; i < rates_of_[at(k)].size(); ++i) {
      const int index = rates_of_[at(k)][i];
      if (index >= ambient) continue;
      if (replaced_by[at(index)] >= 0) blocked = true;
      if (by_basis_[at(index)]) continue;
      const double slope = slopes[at(k)][i];
      if (inertia[at(index)] > most_burden * slope * slope * load[at(k)]) continue;
      if (best < 0 || key(index) > key(best)) best = index;
    }
    if (best >= 0 && !blocked) replaced_by[at(best)] = k;
  }
  return replaced_by;
}

}  // namespace hamel
