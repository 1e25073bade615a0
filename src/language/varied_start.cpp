// The starts of members: [start] with other numbers in it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hamel/language/varied_model.hpp"
#include "hamel/mechanics/geometry.hpp"
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

// How a coordinate moves at the start of the file, said in this way.
void move_as_at_start(StartValues::Coordinate& start, StartKindOf kind, std::size_t coordinate, const State& state,
                      const System& member, const Place& place) {
  const Geometry& geometry = member.geometry();
  const int k = static_cast<int>(coordinate);
  const auto at = Eigen::seq(geometry.offset(k), geometry.offset(k + 1) - 1);
  const Manifold& space = member.model().coordinates()[coordinate].space;
  const VectorXd q = state.q(at), v = state.v(at);
  if (kind == StartKindOf::rate) start.rate = {v, place};
  if (kind == StartKindOf::momentum) start.momentum = {VectorXd(momentum(member, state)(at)), place};
  if (kind == StartKindOf::rate || kind == StartKindOf::momentum) return;
  VectorXd xi(space.rates());
  space.rates(q, v, xi);
  if (kind == StartKindOf::xi) return void(start.xi = {xi, place});
  start.omega = {VectorXd(xi.head(space.angular_rates())), place};
  if (space.is_pose()) start.velocity = {VectorXd(v.tail(3)), place};
}

bool says_a_rate(const StartValues::Coordinate& start) {
  return start.rate || start.omega || start.velocity || start.xi || start.momentum;
}

// Of which all other numbers are those of the start.
bool is_part_of_rate(const StartName& name, const Manifold& space) {
  const bool is_of_pose = name.kind == StartKindOf::omega || name.kind == StartKindOf::velocity;
  return name.kind != StartKindOf::point && (name.entry >= 0 || (is_of_pose && space.is_pose()));
}

void set_entry(StartValues& values, const VariedStart& varied, const System& member, std::span<const double> row,
               const std::function<State()>& state_of_file) {
  StartName name = varied.name;
  const Model& model = member.model();
  const Manifold& space = model.coordinates()[name.coordinate].space;
  const bool is_angle = name.is_angle(model) && varied.size == 1;
  if (is_angle && name.kind == StartKindOf::rate) name.kind = StartKindOf::omega;
  StartValues::Coordinate& start = values.coordinates[name.coordinate];
  GivenNumbers& given = numbers_of(start, name.kind);
  if (!given && is_part_of_rate(name, space) && says_a_rate(start))
    move_as_at_start(start, name.kind, name.coordinate, state_of_file(), member, values.place);
  forget_other_rates(start, name.kind);
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
  need_different_starts(file.model, vary);
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
    std::vector<std::string> remarks;
    const auto state_of_file = [&] { return state_at(file, file.start, "the start", member, remarks); };
    try {
      for (const VariedStart& varied : all) {
        if (varied.name.kind == StartKindOf::time) {
          values.t = row[varied.column];
          values.t_formula.reset();
        } else {
          set_entry(values, varied, member, row, state_of_file);
        }
      }
      return state_at(file, values, "the start", member, remarks);
    } catch (const SourceError& error) {  // its lines of the file say nothing of this member
      throw std::runtime_error(error.message());
    }
  };
}

}  // namespace hamel
