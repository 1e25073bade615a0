#include "inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <stdexcept>

#include "hamel/integrate/laws.hpp"
#include "hamel/mechanics/values.hpp"

namespace hamel::python {

namespace {

struct FreeInput {
  std::string name;
  Eigen::Index first, size;
};

// Those that follow no law at all times, in the order of System::inputs.
std::vector<FreeInput> free_inputs(const Model& model) {
  std::vector<FreeInput> all;
  Eigen::Index next = 0;
  for (std::size_t k = 0; k < model.inputs().size(); ++k) {
    if (model.follows_law(k)) continue;
    all.push_back({model.inputs()[k].name, next, model.inputs()[k].size});
    next += model.inputs()[k].size;
  }
  return all;
}

Eigen::Index size_of(const std::vector<FreeInput>& inputs) {
  return inputs.empty() ? 0 : inputs.back().first + inputs.back().size;
}

const FreeInput& input_named(const std::vector<FreeInput>& inputs, const Model& model, const std::string& name) {
  const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const FreeInput& one) { return one.name == name; });
  if (found != inputs.end()) return *found;
  std::vector<std::string> known;
  for (const FreeInput& input : inputs) known.push_back(input.name);
  throw std::invalid_argument(
      fmt::format("{} has no input {} to be set{}", model.name(), name,
                  known.empty() ? ", nor any other" : fmt::format("; there are {}", fmt::join(known, ", "))));
}

VectorXd named_values(const Model& model, const nb::dict& given) {
  const std::vector<FreeInput> inputs = free_inputs(model);
  VectorXd values = VectorXd::Zero(size_of(inputs));
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    const FreeInput& input = input_named(inputs, model, name);
    const Numbers numbers = numbers_of(value, name);
    if (numbers.values.size() != static_cast<std::size_t>(input.size))
      throw std::invalid_argument(
          fmt::format("the input {} has {} numbers, and {} were given", name, input.size, numbers.values.size()));
    std::copy(numbers.values.begin(), numbers.values.end(), values.begin() + input.first);
  }
  return values;
}

bool has_formulas_in(const nb::dict& given) {
  for (const auto& [key, value] : given)
    if (const auto formula = formula_or_none(value); formula && !formula->is_number()) return true;
  return false;
}

bool is_function(nb::handle value) { return nb::isinstance<nb::callable>(value) && !nb::isinstance<Formula>(value); }

// Compiled, and needs no Python.
Control formula_control(const System& system, const nb::dict& given, double sample) {
  const std::vector<FreeInput> inputs = free_inputs(system.model());
  std::vector<Formula> formulas;
  std::vector<FreeInput> set;
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    const FreeInput& input = input_named(inputs, system.model(), name);
    const Formula formula = formula_of(value, name);
    if (formula.cols() != 1 || formula.rows() != input.size)
      throw std::invalid_argument(
          fmt::format("the input {} has {} numbers, and its law is {}", name, input.size, formula.quoted()));
    if (formula.depends_on(Role::input))
      throw std::invalid_argument(fmt::format("the law of {} depends on inputs: {}", name, formula.brief()));
    formulas.push_back(formula);
    set.push_back(input);
  }
  const auto values = std::make_shared<Values>(system, formulas);
  VectorXd result(values->size()), zero = VectorXd::Zero(system.inputs());
  return {[values, set, result, zero](double t, const State& state, VectorXd& u) mutable {
            (*values)(t, state.q, state.v, zero, result);
            u = zero;
            Eigen::Index next = 0;
            for (const FreeInput& input : set) {
              u.segment(input.first, input.size) = result.segment(next, input.size);
              next += input.size;
            }
          },
          sample};
}

Control function_control(const System& system, nb::handle call, double sample) {
  return {
      [function = function_of(call), system](double, const State& state, VectorXd& u) {
        const nb::gil_scoped_acquire acquire;
        u = input_values_of(system.model(), (*function)(state));
        if (u.size() != system.inputs())
          throw std::invalid_argument(fmt::format(
              "the function of the inputs gave none at t = {}: it must return {} numbers", state.t, system.inputs()));
      },
      sample};
}

}  // namespace

VectorXd input_values_of(const Model& model, nb::handle u) {
  if (u.is_none()) return {};
  if (nb::isinstance<nb::dict>(u)) return named_values(model, nb::borrow<nb::dict>(u));
  const Numbers numbers = numbers_of(u, "u");
  const Eigen::Index size = size_of(free_inputs(model));
  if (numbers.values.size() != static_cast<std::size_t>(size))
    throw std::invalid_argument(
        fmt::format("{} has {} inputs, and u has {}", model.name(), size, numbers.values.size()));
  return Eigen::Map<const VectorXd>(numbers.values.data(), size);
}

nb::typed<nb::list, nb::typed<nb::tuple, std::string, int, int>> input_layout_of(const Model& model) {
  nb::typed<nb::list, nb::typed<nb::tuple, std::string, int, int>> layout;
  for (const FreeInput& input : free_inputs(model)) layout.append(nb::make_tuple(input.name, input.first, input.size));
  return layout;
}

Function function_of(nb::handle callable) {
  return {new nb::object(nb::borrow(callable)), [](const nb::object* object) {
            const nb::gil_scoped_acquire acquire;
            delete object;
          }};
}

Control control_of(const System& system, const Method& method, nb::handle inputs, double sample, bool continuous,
                   double duration) {
  if (inputs.is_none()) {
    if (sample != 0 || continuous)
      throw std::invalid_argument(
          fmt::format("{} belongs to inputs, and none are given", continuous ? "continuous" : "sample"));
    return sampled_laws(system, method);
  }
  if (continuous && sample != 0)
    throw std::invalid_argument("inputs are held for a sample, or continuous: say one of them");
  const bool varies =
      nb::isinstance<nb::dict>(inputs) ? has_formulas_in(nb::borrow<nb::dict>(inputs)) : is_function(inputs);
  const bool adaptive = describe(method).adaptive;
  if (varies && adaptive && sample == 0 && !continuous)
    throw std::invalid_argument(
        fmt::format("{} chooses its steps, so inputs need sample=..., for how long a value is held, or continuous=True",
                    describe(method).name));
  if (varies) {
    Control control = nb::isinstance<nb::dict>(inputs) ? formula_control(system, nb::borrow<nb::dict>(inputs), sample)
                                                       : function_control(system, inputs, sample);
    control.continuous = continuous;
    return control;
  }
  const VectorXd values = input_values_of(system.model(), inputs);
  return {[values](double, const State&, VectorXd& u) { u = values; }, adaptive && sample == 0 ? duration : sample};
}

}  // namespace hamel::python
