// [coordinates]: the spaces that a model lives on.
#include <cmath>

#include "hamel/manifold/spaces.hpp"
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
  if (!syntax.map.empty()) return projected(syntax);
  return named_space(syntax);
}

Manifold Reader::named_space(const SpaceSyntax& syntax) {
  if (find_space(syntax.name)->is_of_matrices()) return space_of_matrices(syntax);
  std::vector<int> numbers;
  for (const Syntax& argument : syntax.arguments)
    numbers.push_back(evaluator_->integer(argument, "the dimension of a space"));
  return at_place(syntax.place, [&] { return space_by_name(syntax.name, numbers); });
}

Manifold Reader::space_of_matrices(const SpaceSyntax& syntax) {
  const Structure structure(*this, "a space");
  std::vector<MatrixXd> matrices;
  for (const Syntax& argument : syntax.arguments) matrices.push_back(evaluator_->constant(argument));
  const std::string text = source_->text.substr(syntax.place.begin, syntax.place.length);
  return at_place(syntax.place, [&] { return space_by_name(syntax.name, matrices, text); });
}

// Parameters enter the formulas of a set as numbers.
SmoothMap::Formula Reader::map_of(const SpaceSyntax& syntax, int n, const std::vector<Syntax>& parts) {
  const auto inner = std::make_shared<Model>("set", 1);
  const Formula x = inner->coordinate(syntax.variable, Rn(n));
  const Structure structure(*this, "a set of points");
  std::vector<Formula> components;
  for (const Syntax& part : parts) {
    const Formula formula = evaluator_->outside(true, [&] {
      evaluator_->bind(syntax.variable, x);
      Formula result = evaluator_->formula(part);
      evaluator_->unbind();
      return result;
    });
    if (!formula.is_vector())
      throw SourceError(part.place, "an equation must be of scalars or vectors, not of matrices");
    for (int i = 0; i < formula.rows(); ++i) components.push_back(formula[i]);
  }
  return [inner, components, n](const VectorXe& point) {
    LoweredModel lowered;
    lowered.q.assign(point.data(), point.data() + point.size());
    lowered.offsets = {0, n};
    VectorXe values(static_cast<Eigen::Index>(components.size()));
    for (std::size_t k = 0; k < components.size(); ++k)
      values(static_cast<Eigen::Index>(k)) = lower(components[k], *inner, lowered)(0);
    return values;
  };
}

int Reader::ambient_of(const SpaceSyntax& syntax) {
  const Manifold space = named_space(syntax);
  if (!space.is_flat()) throw SourceError(syntax.within, "a set {x in ... : ...} is a subset of some R^n");
  return space.ambient();
}

Manifold Reader::embedded(const SpaceSyntax& syntax) {
  const int n = ambient_of(syntax);
  const SmoothMap::Formula c = map_of(syntax, n, syntax.zeros);
  const std::string text = source_->text.substr(syntax.place.begin, syntax.place.length);
  return at_place(syntax.place, [&]() -> Manifold { return Embedded(n, c, text); });
}

// The derivative of a projection at a point of its image is a projection too: its trace is the dimension.
Manifold Reader::projected(const SpaceSyntax& syntax) {
  const int n = ambient_of(syntax);
  const SmoothMap::Formula p = map_of(syntax, n, syntax.map);
  const std::string text = source_->text.substr(syntax.place.begin, syntax.place.length);
  return at_place(syntax.place, [&]() -> Manifold {
    const SmoothMap map(n, p, text);
    if (map.outputs() != n)
      throw std::invalid_argument(
          fmt::format("a projection of R{} must have {} components, not {}", n, n, map.outputs()));
    const VectorXd x = VectorXd::LinSpaced(n, 0.7, 1.3);
    const double dimension = std::round(map.jacobian(map.value(map.value(x))).trace());
    if (!(dimension >= 1 && dimension <= n))
      throw std::invalid_argument("this is no projection: its derivative has no rank");
    return Projected(n, static_cast<int>(dimension), p, text);
  });
}

}  // namespace hamel
