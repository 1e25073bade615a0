#include "state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "convert.hpp"
#include "hamel/language/model_file.hpp"

namespace hamel::python {

namespace {

using Given = StartValues::Given;
using Slot = std::optional<Given> StartValues::Coordinate::*;

// The numbers as text, so that a message can point at them.
class Written {
 public:
  Place add(const std::string& key, const std::vector<double>& values) {
    const std::size_t begin = source_->text.size();
    source_->text += key + " = ";
    source_->text += values.size() == 1 ? fmt::format("{}", values[0]) : fmt::format("[{}]", fmt::join(values, ", "));
    const std::size_t length = source_->text.size() - begin;
    source_->text += '\n';
    return {source_, begin, length};
  }

 private:
  std::shared_ptr<Source> source_ = std::make_shared<Source>(Source{"start", ""});
};

// q of q[3]; otherwise empty.
std::string family_of(const std::string& name) {
  return name.substr(0, name.find('[') == std::string::npos ? 0 : name.find('['));
}

bool is_member(const std::string& name, const std::string& family) {
  return !family.empty() && name.starts_with(family) && name.substr(family.size()).starts_with('[');
}

class Reader {
 public:
  explicit Reader(const System& system) : model_(system.model()) {
    values_.coordinates.resize(model_.coordinates().size());
  }

  void read(const nb::dict& entries, Slot slot, const char* kind) {
    for (const auto& [key, value] : entries) {
      const auto name = nb::cast<std::string>(key);
      const std::vector<std::size_t> members = named(name);
      const std::string what = *kind == '\0' ? name : fmt::format("{}({})", kind, name);
      const Numbers numbers = numbers_of(value, what);
      const bool family = members.size() > 1 || name != model_.coordinates()[members[0]].name;
      const std::vector<std::size_t> shape = shape_of(members[0], slot, what);
      need_shape(numbers, family ? std::optional(members.size()) : std::nullopt, shape, what);
      const std::size_t size = numbers.values.size() / members.size();
      for (std::size_t k = 0; k < members.size(); ++k) {
        Numbers one{shape,
                    {numbers.values.begin() + static_cast<std::ptrdiff_t>(k * size),
                     numbers.values.begin() + static_cast<std::ptrdiff_t>((k + 1) * size)}};
        const std::string& coordinate = model_.coordinates()[members[k]].name;
        const Place place =
            written_.add(*kind == '\0' ? coordinate : fmt::format("{}({})", kind, coordinate), one.values);
        values_.coordinates[members[k]].*slot = Given{one.matrix().reshaped(), place};
      }
    }
  }

  StartValues finish(double t, bool project) {
    values_.t = t;
    values_.project = project;
    values_.place = written_.add("t", {t});
    return std::move(values_);
  }

 private:
  std::vector<std::size_t> named(const std::string& name) const {
    std::vector<std::size_t> found;
    std::vector<std::string> names;
    for (std::size_t k = 0; k < model_.coordinates().size(); ++k) {
      const std::string& one = model_.coordinates()[k].name;
      if (one == name || is_member(one, name)) found.push_back(k);
      names.push_back(family_of(one).empty() ? one : family_of(one));
    }
    if (found.empty())
      throw nb::key_error(
          fmt::format("{} has no coordinate {}{}", model_.name(), name, suggestion(name, names)).c_str());
    return found;
  }

  std::vector<std::size_t> shape_of(std::size_t k, Slot slot, const std::string& what) const {
    const Manifold& space = model_.coordinates()[k].space;
    const auto vector = [](int n) {
      return n == 1 ? std::vector<std::size_t>{} : std::vector<std::size_t>{static_cast<std::size_t>(n)};
    };
    using C = StartValues::Coordinate;
    const bool turns = space.angular_rates() > 0;
    if ((slot == &C::omega && !turns) || (slot == &C::velocity && !space.is_pose()))
      throw std::invalid_argument(fmt::format("{}: {} has none; give its rate", what, space.name()));
    if (slot == &C::omega) return vector(space.angular_rates());
    if (slot == &C::velocity) return vector(3);
    if (slot == &C::xi) return vector(space.rates());
    const auto [rows, cols] = space.shape();
    if (cols == 1) return vector(rows);
    return {static_cast<std::size_t>(rows), static_cast<std::size_t>(cols)};
  }

  static void need_shape(const Numbers& numbers, std::optional<std::size_t> count, std::vector<std::size_t> shape,
                         const std::string& what) {
    if (count) shape.insert(shape.begin(), *count);
    const bool single = shape.empty() && numbers.values.size() == 1 && numbers.shape.size() <= 1;
    if (numbers.shape != shape && !single)
      throw std::invalid_argument(
          fmt::format("{} must have the shape {}, and has {}", what, shape_text(shape), shape_text(numbers.shape)));
  }

  const Model& model_;
  StartValues values_;
  Written written_;
};

// Matrices of one shape, row by row, one after another.
Array stack_of(const std::vector<Eigen::MatrixXd>& family) {
  const auto rows = static_cast<std::size_t>(family[0].rows()), cols = static_cast<std::size_t>(family[0].cols());
  auto* numbers = new double[family.size() * rows * cols];
  const nb::capsule owner(numbers, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  double* next = numbers;
  for (const Eigen::MatrixXd& one : family)
    for (const double number : one.reshaped<Eigen::RowMajor>()) *next++ = number;
  const std::size_t shape[] = {family.size(), rows, cols};
  return Array(numbers, cols > 1 ? 3 : rows > 1 ? 2 : 1, shape, owner);
}

// A coordinate or, with ', its rate; a family has one more dimension, as in a run.
Array numbers_in(const State& state, const std::string& name) {
  if (state.model == nullptr) return shaped(state[name]);  // it says why there are no names
  std::string plain = name;
  const std::size_t prime = plain.find('\'');
  if (prime != std::string::npos) plain.erase(prime, 1);
  const Eigen::VectorXd& numbers = prime == std::string::npos ? state.q : state.v;
  std::vector<Eigen::MatrixXd> family;
  Eigen::Index begin = 0;
  for (const auto& [own, space] : state.model->coordinates()) {
    if (begin + space.ambient() > numbers.size()) break;
    const auto [rows, cols] = space.shape();
    const auto here = numbers.segment(begin, space.ambient());
    if (own == plain) return shaped(here.reshaped(rows, cols));
    if (is_member(own, plain)) family.emplace_back(here.reshaped(rows, cols));
    begin += space.ambient();
  }
  if (!family.empty()) return stack_of(family);
  std::vector<std::string> names;
  for (const Coordinate& one : state.model->coordinates()) names.push_back(one.name);
  throw nb::key_error(
      fmt::format("{} has no coordinate {}{}", state.model->name(), plain, suggestion(plain, names)).c_str());
}

}  // namespace

State state_of(const System& system, const StartArguments& start) {
  Reader reader(system);
  using C = StartValues::Coordinate;
  reader.read(start.points, &C::point, "");
  reader.read(start.rate, &C::rate, "rate");
  reader.read(start.omega, &C::omega, "omega");
  reader.read(start.velocity, &C::velocity, "velocity");
  reader.read(start.xi, &C::xi, "xi");
  reader.read(start.momentum, &C::momentum, "momentum");
  const ModelFile file{.path = {}, .text = {}, .model = system.model(), .start = reader.finish(start.t, start.project)};
  std::vector<std::string> remarks;
  State state = start_state(file, system, remarks);
  for (const std::string& remark : remarks)
    if (PyErr_WarnEx(PyExc_UserWarning, remark.c_str(), 2) != 0) throw nb::python_error();
  state.model = std::make_shared<const Model>(system.model());
  return state;
}

nb::list layout_of(const Model& model) {
  nb::list result;
  int offset = 0;
  for (const Coordinate& one : model.coordinates()) {
    const auto [rows, cols] = one.space.shape();
    result.append(nb::make_tuple(one.name, offset, rows, cols));
    offset += one.space.ambient();
  }
  return result;
}

void bind_states(nb::module_& m) {
  m.def(
      "_state",
      [](const System& system, double t, const ArrayLike& q, const ArrayLike& v) {
        State state{.t = t,
                    .q = numbers_of(q, "q").matrix().reshaped(),
                    .v = numbers_of(v, "v").matrix().reshaped(),
                    .model = std::make_shared<const Model>(system.model())};
        if (state.q.size() != system.ambient() || state.v.size() != system.ambient())
          throw std::invalid_argument(fmt::format("q and v of {} have {} numbers", system.name(), system.ambient()));
        return state;
      },
      nb::arg("system"), nb::arg("t"), nb::arg("q"), nb::arg("v"));
  nb::class_<State>(m, "State", "A time, a point q and its rate v; state['q'] and state[\"q'\"] by name.")
      .def_prop_ro(
          "t", [](const State& state) { return state.t; }, "The time.")
      .def_prop_ro(
          "q", [](const State& state) { return array_of(state.q); },
          "All coordinates, one after another; matrices column by column.", nb::rv_policy::automatic)
      .def_prop_ro(
          "v", [](const State& state) { return array_of(state.v); }, "Their rates.", nb::rv_policy::automatic)
      .def_prop_ro(
          "layout", [](const State& state) { return state.model ? layout_of(*state.model) : nb::list(); },
          "Where the coordinates are in q: (name, first number, rows, columns).")
      .def("__getitem__", numbers_in, nb::arg("name"))
      .def("__repr__", [](const State& state) {
        return fmt::format("<hamel.State t = {}, q = [{}]>", state.t, fmt::join(state.q, ", "));
      });
}

}  // namespace hamel::python
