#include "hamel/ensemble/starts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "hamel/model/name_list.hpp"

namespace hamel {

namespace {

using Of = StartName::Kind;
constexpr std::string_view start_prefix = "start.";

const std::map<std::string, Of>& kinds() {
  static const std::map<std::string, Of> all{{"omega", Of::omega},       {"Omega", Of::omega},
                                             {"rate", Of::rate},         {"xi", Of::xi},
                                             {"velocity", Of::velocity}, {"momentum", Of::momentum}};
  return all;
}

std::vector<std::string> known_names(const Model& model) {
  std::vector<std::string> known;
  for (const auto& [name, space] : model.coordinates()) {
    known.push_back(fmt::format("start.{}", name));
    known.push_back(fmt::format("start.{}'", name));
  }
  known.emplace_back("start.t");
  return known;
}

[[noreturn]] void refuse_start(const Model& model, const std::string& name) {
  const std::vector<std::string> known = known_names(model);
  const auto member =
      std::find_if(known.begin(), known.end(), [&](const std::string& it) { return it.starts_with(name + "["); });
  std::string near = member == known.end() ? suggestion(name, known) : fmt::format("; did you mean {}?", *member);
  if (near.empty()) near = fmt::format("; there are {}, and entries like start.x.y", name_list(known));
  throw std::invalid_argument(fmt::format("{} is nothing of the start{}", name, near));
}

std::optional<std::size_t> coordinate_named(const Model& model, const std::string& name) {
  for (std::size_t k = 0; k < model.coordinates().size(); ++k)
    if (model.coordinates()[k].name == name) return k;
  return std::nullopt;
}

// "x" to "z", or a number from 1.
std::optional<int> entry_named(const std::string& text) {
  if (text.size() == 1 && text[0] >= 'x' && text[0] <= 'z') return text[0] - 'x';
  if (text.empty() || text.size() > 6 || text.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  const int number = std::stoi(text);
  return number > 0 ? std::optional(number - 1) : std::nullopt;
}

int entries_of(const Manifold& space, Of kind) {
  switch (kind) {
    case Of::time:
      return 1;
    case Of::omega:
      return space.angular_rates();
    case Of::xi:
      return space.rates();
    case Of::velocity:
      return space.is_pose() ? 3 : 0;
    default:
      return space.ambient();
  }
}

}  // namespace

bool is_start_name(const std::string& name) { return name.starts_with(start_prefix); }

bool StartName::is_angle(const Model& model) const {
  if (kind == Of::time) return false;
  const bool turns = model.coordinates()[coordinate].space.turning() == Turning::plane;
  return turns && entry < 0 && (kind == Of::point || kind == Of::rate || kind == Of::omega);
}

StartName start_name(const Model& model, const std::string& name) {
  StartName result;
  std::string rest = name.substr(start_prefix.size());
  if (rest == "t") return {.kind = Of::time};
  if (const std::size_t dot = rest.find('.'); dot != std::string::npos && !coordinate_named(model, rest))
    if (const auto kind = kinds().find(rest.substr(0, dot)); kind != kinds().end()) {
      result.kind = kind->second;
      rest = rest.substr(dot + 1);
    }
  if (const std::size_t prime = rest.find('\''); prime != std::string::npos && result.kind == Of::point) {
    result.kind = Of::rate;  // q', q'[2], q.x'
    rest.erase(prime, 1);
  }
  auto found = coordinate_named(model, rest);
  if (const std::size_t dot = rest.rfind('.'); !found && dot != std::string::npos) {
    const auto entry = entry_named(rest.substr(dot + 1));
    found = coordinate_named(model, rest.substr(0, dot));
    if (!entry || !found) refuse_start(model, name);
    result.entry = *entry;
  }
  if (!found) refuse_start(model, name);
  result.coordinate = *found;
  const Manifold& space = model.coordinates()[*found].space;
  const int entries = entries_of(space, result.kind);
  if (result.entry >= entries)
    throw std::invalid_argument(
        fmt::format("{}: {} on {} has {} such numbers", name, model.coordinates()[*found].name, space.name(), entries));
  return result;
}

void need_size(const Model& model, const StartName& start, const Varied& varied) {
  if (start.kind == Of::time) {
    if (varied.size != 1) throw std::invalid_argument("start.t is one number");
    return;
  }
  const auto& [name, space] = model.coordinates()[start.coordinate];
  const int entries = entries_of(space, start.kind);
  const bool is_point = start.kind == Of::point;
  if (varied.size == entries && entries > 1 && start.entry < 0) return;  // all of it
  if (varied.size != 1)
    throw std::invalid_argument(fmt::format("{} is one number; this gives {}", varied.name, varied.size));
  if (start.is_angle(model)) return;
  if (is_point && !space.is_flat())
    throw std::invalid_argument(
        fmt::format("{} is on {}, and one number at a time would leave it: use {}, or let the start in the model file "
                    "be an expression of a parameter, and vary that",
                    name, space.name(),
                    space.turning() == Turning::none || space.is_pose()
                        ? "the model's own start"
                        : fmt::format("a cap around a point, start.{} ~ cap(20 deg)", name)));
  if (start.entry < 0 && entries != 1)
    throw std::invalid_argument(fmt::format("{0} has {1} numbers: vary one of them, as in {0}.{2}", varied.name,
                                            entries, entries <= 3 ? "x" : "1"));
}

namespace {

// On S^1 the rate, as one number, is the angular velocity.
Of kind_of_numbers(const Model& model, const StartName& name) {
  return name.kind == Of::rate && name.is_angle(model) ? Of::omega : name.kind;
}

bool is_of_one_coordinate(const StartName& a, const StartName& b) {
  if (a.kind == Of::time || b.kind == Of::time) return a.kind == b.kind;
  return a.coordinate == b.coordinate && (a.kind == Of::point) == (b.kind == Of::point);
}

void need_different_numbers(const Model& model, const Varied& a, const Varied& b) {
  const StartName first = start_name(model, a.name), second = start_name(model, b.name);
  if (!is_of_one_coordinate(first, second)) return;
  const Of kind = kind_of_numbers(model, first), other = kind_of_numbers(model, second);
  const bool are_side_by_side = first.entry >= 0 && second.entry >= 0 && first.entry != second.entry;
  if (kind == other && !are_side_by_side)
    throw std::invalid_argument(fmt::format("{} varies twice, as {} and as {}; say once how", a.name, a.name, b.name));
  const bool are_of_a_pose = std::minmax(kind, other) == std::minmax(Of::omega, Of::velocity);
  if (kind != other && !are_of_a_pose)
    throw std::invalid_argument(fmt::format("{} and {} both say how fast {} moves; vary one of them", a.name, b.name,
                                            model.coordinates()[first.coordinate].name));
}

}  // namespace

void need_different_starts(const Model& model, const Vary& vary) {
  const std::vector<Varied>& all = vary.quantities();
  for (auto a = all.begin(); a != all.end(); ++a)
    for (auto b = a + 1; b != all.end(); ++b)
      if (is_start_name(a->name) && is_start_name(b->name)) need_different_numbers(model, *a, *b);
}

StartOf starts_from(const State& state, const Model& model, const Vary& vary) {
  struct Target {
    StartName name;
    std::size_t column;
    int size;
  };
  std::vector<Target> targets;
  std::set<std::size_t> moved;  // coordinates
  std::vector<int> offsets{0};
  for (const Coordinate& coordinate : model.coordinates())
    offsets.push_back(offsets.back() + coordinate.space.ambient());
  std::size_t column = 0;
  need_different_starts(model, vary);
  for (const Varied& varied : vary.quantities()) {
    if (is_start_name(varied.name)) {
      const StartName name = start_name(model, varied.name);
      need_size(model, name, varied);
      if (name.kind != Of::point && name.kind != Of::rate && name.kind != Of::time)
        throw std::invalid_argument(
            fmt::format("{}: of a state, points, rates and the time vary; more does of a model file", varied.name));
      targets.push_back({name, column, varied.size});
      if (name.kind != Of::time) moved.insert(name.coordinate);
    }
    column += static_cast<std::size_t>(varied.size);
  }
  return [state, targets, offsets, moved](const System& member, std::span<const double> row) {
    State start = state;
    const Model& its = member.model();
    for (const bool rates : {false, true})  // which are at the points
      for (const auto& [name, at, size] : targets) {
        if ((name.kind == Of::rate) != rates) continue;
        const int offset = offsets[name.coordinate], ambient = offsets[name.coordinate + 1] - offset;
        auto q = start.q.segment(offset, ambient), v = start.v.segment(offset, ambient);
        if (name.kind == Of::time)
          start.t = row[at];
        else if (size > 1)
          (rates ? v : q) = Eigen::Map<const VectorXd>(row.data() + at, size);
        else if (name.is_angle(its) && !rates)
          q << std::cos(row[at]), std::sin(row[at]);
        else if (name.is_angle(its))
          its.coordinates()[name.coordinate].space.velocity(VectorXd(q), VectorXd::Constant(1, row[at]), v);
        else
          (rates ? v : q)(std::max(name.entry, 0)) = row[at];
      }
    for (const std::size_t coordinate : moved) {  // what does not vary has the bits that it was given
      const int offset = offsets[coordinate], ambient = offsets[coordinate + 1] - offset;
      const auto q = start.q.segment(offset, ambient);
      auto v = start.v.segment(offset, ambient);
      VectorXd on(ambient);
      its.coordinates()[coordinate].space.tangent_project(q, v, on);
      if ((on - v).norm() <= 1e-9 * v.norm()) v = on;
    }
    return start;
  };
}

}  // namespace hamel
