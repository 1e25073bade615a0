// The starts of members: [start] with other numbers in it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hamel/language/varied_model.hpp"
#include "language/start_state.hpp"

namespace hamel {

namespace {

using StartKindOf = StartName::Kind;
using GivenNumbers = std::optional<StartValues::Given>;

struct VariedStart {
  StartName name;
  std::size_t column;
  int size;
};

GivenNumbers& numbers_of(StartValues::Coordinate& start, StartKindOf kind) {
  switch (kind) {
    case StartKindOf::rate:
      return start.rate;
    case StartKindOf::omega:
      return start.omega;
    case StartKindOf::xi:
      return start.xi;
    case StartKindOf::velocity:
      return start.velocity;
    case StartKindOf::momentum:
      return start.momentum;
    default:
      return start.point;
  }
}

Eigen::Index length_of(const Manifold& space, StartKindOf kind) {
  switch (kind) {
    case StartKindOf::omega:
      return space.angular_rates();
    case StartKindOf::xi:
      return space.rates();
    case StartKindOf::velocity:
      return 3;
    default:
      return space.ambient();
  }
}

// What says how fast it moves takes the place of all that did; the two velocities of a pose stand side by side.
void forget_other_rates(StartValues::Coordinate& start, StartKindOf kind) {
  if (kind == StartKindOf::point) return;
  const bool is_pose = kind == StartKindOf::omega || kind == StartKindOf::velocity;
  if (kind != StartKindOf::rate) start.rate.reset();
  if (kind != StartKindOf::xi) start.xi.reset();
  if (kind != StartKindOf::momentum) start.momentum.reset();
  if (!is_pose) start.omega.reset(), start.velocity.reset();
}

void set_entry(StartValues& values, const VariedStart& varied, const System& member, std::span<const double> row) {
  StartName name = varied.name;
  const Model& model = member.model();
  const Manifold& space = model.coordinates()[name.coordinate].space;
  const bool is_angle = name.is_angle(model) && varied.size == 1;
  if (is_angle && name.kind == StartKindOf::rate) name.kind = StartKindOf::omega;
  StartValues::Coordinate& start = values.coordinates[name.coordinate];
  forget_other_rates(start, name.kind);
  GivenNumbers& given = numbers_of(start, name.kind);
  if (!given) given = StartValues::Given{VectorXd::Zero(length_of(space, name.kind)), values.place};
  if (given->formula) given->value = value_of(*given->formula, model).reshaped();
  given->formula.reset();
  const double x = row[varied.column];
  if (varied.size > 1)
    given->value = Eigen::Map<const VectorXd>(row.data() + varied.column, varied.size);
  else if (is_angle && name.kind == StartKindOf::point)
    given->value = Eigen::Vector2d(std::cos(x), std::sin(x));
  else
    given->value(std::max(name.entry, 0)) = x;
}

}  // namespace

StartOf varied_starts(const ModelFile& file, const Vary& vary) {
  std::vector<VariedStart> all;
  std::size_t column = 0;
  for (const Varied& varied : vary.quantities()) {
    if (is_start_name(varied.name)) {
      const StartName name = start_name(file.model, varied.name);
      need_size(file.model, name, varied);
      if (file.model.has_field() && name.kind != StartKindOf::point && name.kind != StartKindOf::time)
        throw std::invalid_argument(
            fmt::format("{}: every rate comes from [field]; vary points, or parameters", varied.name));
      all.push_back({name, column, varied.size});
    }
    column += static_cast<std::size_t>(varied.size);
  }
  return [&file, all](const System& member, std::span<const double> row) {
    StartValues values = file.start;
    for (const VariedStart& varied : all) {
      if (varied.name.kind == StartKindOf::time) {
        values.t = row[varied.column];
        values.t_formula.reset();
      } else {
        set_entry(values, varied, member, row);
      }
    }
    std::vector<std::string> remarks;
    try {
      return state_at(file, values, "the start", member, remarks);
    } catch (const SourceError& error) {  // its lines of the file say nothing of this member
      throw std::runtime_error(error.message());
    }
  };
}

}  // namespace hamel
