#include "symmetry/candidates.hpp"

#include <cmath>
#include <map>

#include "hamel/manifold/symmetry.hpp"

namespace hamel {
namespace {

constexpr std::size_t most_generators = 400;

std::vector<AffineField> standard_fields(int n) {
  std::vector<AffineField> fields = rotation_fields(n), translations = translation_fields(n);
  fields.insert(fields.end(), translations.begin(), translations.end());
  return fields;
}

// Fields that were found by linear algebra have no names: give rotations and translations theirs.
void recognise(AffineField& field) {
  const auto n = static_cast<int>(field.b.size());
  if (n < 2 || n > 3) return;
  for (const AffineField& standard : standard_fields(n))
    for (const double sign : {1.0, -1.0})
      if ((field.A - sign * standard.A).isZero(1e-12) && (field.b - sign * standard.b).isZero(1e-12)) {
        field = standard;
        return;
      }
}

std::vector<Candidates::Generator> one_by_one(const Model& model) {
  std::vector<Candidates::Generator> generators;
  for (std::size_t c = 0; c < model.coordinates().size(); ++c)
    for (AffineField& field : model.coordinates()[c].space.symmetries()) {
      recognise(field);
      generators.push_back({{static_cast<int>(c), std::move(field)}});
    }
  return generators;
}

std::vector<Candidates::Generator> together(const std::vector<Candidates::Generator>& generators) {
  std::vector<Candidates::Generator> merged;
  std::map<std::string, std::size_t> position;
  for (const Candidates::Generator& generator : generators) {
    const auto [found, is_new] = position.try_emplace(spatial_name(generator.front().field.name), merged.size());
    if (is_new) merged.emplace_back();
    merged[found->second].push_back(generator.front());
  }
  return merged;
}

// X = A q + b moves q/length by (A q + b)/length. Returns the unit of its coefficient: such that the field is as large
// as before.
double bring_to_units(Candidates::Generator& generator, const std::vector<int>& offsets, const Units& units) {
  double before = 0, after = 0;
  const auto size = [](const AffineField& field) {
    return std::max(field.A.lpNorm<Eigen::Infinity>(), field.b.lpNorm<Eigen::Infinity>());
  };
  for (auto& [coordinate, field] : generator) {
    before = std::max(before, size(field));
    const auto length = units.length.segment(offsets[at(coordinate)], field.b.size());
    field.A = length.cwiseInverse().asDiagonal() * field.A * length.asDiagonal();
    field.b = field.b.cwiseQuotient(length);
    after = std::max(after, size(field));
  }
  const double unit = std::ldexp(1, std::ilogb(before / after));
  for (auto& part : generator) {
    part.field.A *= unit;
    part.field.b *= unit;
  }
  return unit;
}

}  // namespace

std::string spatial_name(const std::string& field_name) {
  return field_name.starts_with("left rotation") || field_name.starts_with("left translation") ? field_name.substr(5)
                                                                                               : field_name;
}

VectorXd Candidates::unit_of_unknowns(const std::vector<int>& offsets) const {
  VectorXd result = VectorXd::Ones(columns());
  for (std::size_t g = 0; g < generators.size(); ++g) result(generator(g)) = generator_units[g];
  result(time()) = units.time;
  for (std::size_t k = 0; k < gauge.size(); ++k) {
    const auto [coordinate, i, j] = gauge[k];
    const int begin = offsets[at(coordinate)];
    result(first_gauge() + static_cast<Eigen::Index>(k)) =
        units.energy * units.time / (units.length(begin + i) * (j < 0 ? 1 : units.length(begin + j)));
  }
  return result;
}

Candidates find_candidates(const Model& model, const std::vector<bool>& has_gauge, const std::vector<int>& offsets,
                           const Units& units) {
  Candidates candidates;
  candidates.units = units;
  candidates.generators = one_by_one(model);
  candidates.merged = candidates.generators.size() > most_generators;
  if (candidates.merged) candidates.generators = together(candidates.generators);
  for (Candidates::Generator& generator : candidates.generators)
    candidates.generator_units.push_back(bring_to_units(generator, offsets, units));
  for (std::size_t c = 0; c < model.coordinates().size(); ++c) {
    if (!has_gauge[c]) continue;
    const int coordinate = static_cast<int>(c), n = model.coordinates()[c].space.ambient();
    for (int i = 0; i < n; ++i) candidates.gauge.push_back({coordinate, i, -1});
    for (int i = 0; i < n; ++i)
      for (int j = i; j < n; ++j) candidates.gauge.push_back({coordinate, i, j});
  }
  return candidates;
}

}  // namespace hamel
