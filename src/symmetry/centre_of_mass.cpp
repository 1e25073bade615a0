#include "symmetry/centre_of_mass.hpp"

#include <fmt/core.h>

#include <array>

#include "symmetry/conditions.hpp"

namespace hamel {
namespace {

// Lengths and angles, coordinates of one component, are no places.
VectorXd translation_of_all(const Candidates& candidates, const std::vector<int>& offsets, int axis) {
  const std::string name = fmt::format("translation along e{}", axis + 1);
  VectorXd direction = VectorXd::Zero(offsets.back());
  for (std::size_t g = 0; g < candidates.generators.size(); ++g)
    for (const auto& [coordinate, field] : candidates.generators[g])
      if (field.b.size() > 1 && field.A.isZero(0) && spatial_name(field.name) == name)
        direction.segment(offsets[at(coordinate)], field.b.size()) += field.b / candidates.generator_units[g];
  return direction;
}

// w = L_vv u, if it is the same at all states; empty otherwise.
VectorXd constant_inertia(const VectorXd& direction, const std::vector<SymmetrySample>& states,
                          const MomentumAt& momentum) {
  const auto inertia_at = [&](In q, In v, double t) {
    const std::vector<Rounded> with = momentum(q, v + direction, t), without = momentum(q, v, t);
    std::vector<Rounded> result;
    for (std::size_t i = 0; i < with.size(); ++i) result.push_back(with[i] - without[i]);
    return result;
  };
  const std::vector<Rounded> inertia = inertia_at(states.front().state.q, VectorXd::Zero(direction.size()), 0);
  for (const SymmetrySample& sample : states) {
    const std::vector<Rounded> here = inertia_at(sample.state.q, sample.state.fibre, 1);
    for (std::size_t i = 0; i < here.size(); ++i)
      if (!agree(here[i], inertia[i])) return {};
  }
  return VectorXd::NullaryExpr(direction.size(), [&](Eigen::Index i) {
    const Rounded& w = inertia[static_cast<std::size_t>(i)];
    return agree(w, Rounded(0, 0)) ? 0.0 : w.value;
  });
}

struct Axis {
  VectorXd direction, weight;  // the centre of mass has the component weight . q
  bool exists() const { return weight.size() > 0; }
};

Axis axis_of(const VectorXd& direction, const std::vector<SymmetrySample>& states, const MomentumAt& momentum) {
  if (direction.isZero(0)) return {};
  const VectorXd inertia = constant_inertia(direction, states, momentum);
  if (inertia.size() == 0) return {};
  const double mass = direction.dot(inertia);
  return mass > 0 ? Axis{direction, inertia / mass} : Axis{};
}

// The one coordinate that has all places and their inertia, or -1.
int only_coordinate(const Axis& first, const Axis& second, const std::vector<int>& offsets) {
  const auto touched = (first.direction.array() != 0 || second.direction.array() != 0 || first.weight.array() != 0 ||
                        second.weight.array() != 0)
                           .eval();
  for (std::size_t c = 0; c + 1 < offsets.size(); ++c)
    if (touched.segment(offsets[c], offsets[c + 1] - offsets[c]).count() == touched.count()) return static_cast<int>(c);
  return -1;
}

// A pose has its attitude turned alone by its own rotation and a turn of its centre of mass.
void drop_turn_of_attitude(Candidates& candidates, int coordinate, int axis) {
  const std::string name = fmt::format("left rotation of the attitude about e{}", axis + 1);
  for (std::size_t g = 0; g < candidates.generators.size(); ++g) {
    const Candidates::Generator& generator = candidates.generators[g];
    if (generator.size() != 1 || generator[0].coordinate != coordinate || generator[0].field.name != name) continue;
    candidates.generators.erase(candidates.generators.begin() + static_cast<std::ptrdiff_t>(g));
    candidates.generator_units.erase(candidates.generator_units.begin() + static_cast<std::ptrdiff_t>(g));
    return;
  }
}

}  // namespace

void add_centre_turns(Candidates& candidates, const std::vector<int>& offsets,
                      const std::vector<SymmetrySample>& states, const MomentumAt& momentum) {
  std::array<Axis, 3> axes;
  for (int k = 0; k < 3; ++k) axes[at(k)] = axis_of(translation_of_all(candidates, offsets, k), states, momentum);
  const bool in_space = !translation_of_all(candidates, offsets, 2).isZero(0);
  for (int k = 0; k < 3; ++k) {
    const Axis &first = axes[at((k + 1) % 3)], &second = axes[at((k + 2) % 3)];
    if (!first.exists() || !second.exists()) continue;
    const int only = only_coordinate(first, second, offsets);
    if (only >= 0 && offsets[at(only + 1)] - offsets[at(only)] <= 3) continue;
    if (only >= 0) drop_turn_of_attitude(candidates, only, k);
    candidates.turns.push_back({in_space ? fmt::format("rotation about e{}", k + 1) : "rotation",
                                {{first.direction, second.weight}, {-second.direction, first.weight}}});
  }
}

}  // namespace hamel
