#include "integrate/parts.hpp"

namespace hamel {
namespace {

// By number: which of them some rate moves together, directly or through others; and the rates that do.
struct Moved {
  std::vector<int> numbers;
  int rates;
};

std::vector<Moved> moved_together(const Manifold& space) {
  Random random(3);
  const VectorXd q = space.random_point(random);
  std::vector<Moved> all;
  VectorXd v(space.ambient());
  for (int j = 0; j < space.rates(); ++j) {
    space.velocity(q, VectorXd::Unit(space.rates(), j), v);
    Moved joined{{}, 1};
    for (int i = 0; i < v.size(); ++i)
      if (v(i) != 0) joined.numbers.push_back(i);
    std::erase_if(all, [&](const Moved& other) {
      const bool meets = std::any_of(other.numbers.begin(), other.numbers.end(), [&](int i) { return v(i) != 0; });
      if (!meets) return false;
      joined.rates += other.rates;
      for (const int i : other.numbers)
        if (v(i) == 0) joined.numbers.push_back(i);
      return true;
    });
    all.push_back(joined);
  }
  Moved never{{}, 0};
  for (int i = 0; i < space.ambient(); ++i)
    if (std::none_of(all.begin(), all.end(), [&](const Moved& group) {
          return std::find(group.numbers.begin(), group.numbers.end(), i) != group.numbers.end();
        }))
      never.numbers.push_back(i);
  if (!never.numbers.empty()) all.push_back(never);
  return all;
}

}  // namespace

Parts::Parts(const Geometry& geometry) : part_of_(static_cast<std::size_t>(geometry.ambient()), 0) {
  for (int f = 0; f < geometry.factors(); ++f) {
    const Manifold& space = geometry.space(f);
    std::vector<Moved> groups = {{{}, space.dimension()}};
    if (geometry.is_given_by_basis(f))
      groups = moved_together(space);
    else
      for (int i = 0; i < space.ambient(); ++i) groups[0].numbers.push_back(i);
    for (Moved& group : groups) {
      for (int& i : group.numbers) {
        i += geometry.offset(f);
        part_of_[static_cast<std::size_t>(i)] = static_cast<int>(parts_.size());
      }
      const bool is_curved = group.rates < static_cast<int>(group.numbers.size());
      parts_.push_back({std::move(group.numbers), is_curved});
    }
  }
}

}  // namespace hamel
