// [coordinates]: the spaces that a model lives on.
#include "hamel/manifold/factors.hpp"
#include "hamel/model/lower.hpp"
#include "language/reader.hpp"
#include "language/reading.hpp"

namespace hamel {

void Reader::coordinates() {
  const TomlValue* table = section("coordinates");
  if (table == nullptr) throw SourceError(Place{source_, 0, 0}, "the model has no section [coordinates]");
  if (table->entries.empty()) throw SourceError(table->place, "the model has no coordinates");
  for (const TomlEntry& entry : table->entries) {
    if (entry.value.kind != TomlValue::Kind::text)
      throw SourceError(entry.value.place,
                        fmt::format("the space of {} must be a text, such as \"S2\"", entry.key.text));
    const SpaceSyntax syntax = parse_space(entry.value.text);
    const Manifold space = space_of(syntax);
    Definition& definition = define(entry.key.text, Owner::coordinate, entry.place());
    if (syntax.count.empty()) {
      definition.value = at_place(entry.place(), [&] { return model_->coordinate(entry.key.text, space); });
      continue;
    }
    const int count = evaluator_->integer(syntax.count.front(), "the number of coordinates");
    if (count < 1 || count > most_coordinates)
      throw SourceError(syntax.count.front().place,
                        fmt::format("the number of coordinates must be 1 to {}, got {}", most_coordinates, count));
    auto family = std::make_shared<Family>();
    family->name = entry.key.text;
    at_place(entry.place(), [&] {
      for (const Formula& q : model_->coordinates(entry.key.text, space, count)) family->members.emplace_back(q);
    });
    definition.value = Value(family);
  }
}

Manifold Reader::space_of(const SpaceSyntax& syntax) {
  if (!syntax.zeros.empty()) return embedded(syntax);
  constexpr int largest_dimension = 1000;
  if (syntax.dimension > largest_dimension)
    throw SourceError(syntax.place,
                      fmt::format("the dimension must be at most {}, got {}", largest_dimension, syntax.dimension));
  if (syntax.name == "SO") return SO3{};
  if (syntax.name == "SE") return SE3{};
  if (syntax.name == "R") return Rn(syntax.dimension);
  if (syntax.dimension == 1) return S1{};
  if (syntax.dimension == 2) return S2{};
  return Sphere(syntax.dimension);
}

// Parameters enter the equations of a set as numbers.
Manifold Reader::embedded(const SpaceSyntax& syntax) {
  const int n = syntax.dimension;
  const auto inner = std::make_shared<Model>("set", 1);
  const Formula x = inner->coordinate(syntax.variable, Rn(n));
  std::vector<Formula> zeros;
  const Structure structure(*this, "a set of points");
  for (const Syntax& zero : syntax.zeros) {
    const Formula formula = evaluator_->outside(true, [&] {
      evaluator_->bind(syntax.variable, x);
      Formula result = evaluator_->formula(zero);
      evaluator_->unbind();
      return result;
    });
    if (!formula.is_vector())
      throw SourceError(zero.place, "an equation must be of scalars or vectors, not of matrices");
    for (int i = 0; i < formula.rows(); ++i) zeros.push_back(formula[i]);
  }
  const auto c = [inner, zeros, n](const VectorXe& point) {
    LoweredModel lowered;
    lowered.q.assign(point.data(), point.data() + point.size());
    lowered.offsets = {0, n};
    VectorXe values(static_cast<Eigen::Index>(zeros.size()));
    for (std::size_t k = 0; k < zeros.size(); ++k)
      values(static_cast<Eigen::Index>(k)) = lower(zeros[k], *inner, lowered)(0);
    return values;
  };
  const std::string text = source_->text.substr(syntax.place.begin, syntax.place.length);
  return at_place(syntax.place, [&]() -> Manifold { return Embedded(n, c, text); });
}

}  // namespace hamel
