// The table of methods, read in every direction: by method, by name, by settings.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "integrate/method_row.hpp"

namespace hamel {

void need_positive(const std::string& method, const char* what, double value) {
  if (!(std::isfinite(value) && value > 0))
    throw std::invalid_argument(fmt::format("the {} of {} must be a positive number, not {}", what, method, value));
}

void need_tolerance(const std::string& method, const char* what, double value) {
  constexpr double smallest = 1e-16;
  need_positive(method, what, value);
  if (value < smallest)
    throw std::invalid_argument(fmt::format("the {} of {} must be at least {:.0e}, which is rounding; it is {}", what,
                                            method, smallest, value));
}

void refuse_setting(const std::string& name, const std::string& expected, const Setting& found) {
  throw std::invalid_argument(
      fmt::format("`{}` of an integrator is {}; this is not: {}", name, expected, to_string({found})));
}

namespace {

template <class M>
MethodInfo info_of(const M& method) {
  MethodInfo info = M::row().info(method);
  info.name = M::row().name(method);
  info.chooses_without_step = requires {
    method.step;
    method.relative;
  };
  info.takes_step = requires { method.step; }
  &&!info.chooses_without_step;
  info.takes_tolerance = requires { method.tolerance; }
  || requires { method.relative; };
  return info;
}

template <class Use, std::size_t k = 0>
void for_each_variant(const Use& use) {
  if constexpr (k < std::variant_size_v<Method>) {
    for (const auto& variant : std::variant_alternative_t<k, Method>::row().variants) use(variant);
    for_each_variant<Use, k + 1>(use);
  }
}

std::optional<Method> variant_named(const std::string& name) {
  std::optional<Method> found;
  for_each_variant([&](const auto& variant) {
    if (!found && variant.row().name(variant) == name) found = variant;
  });
  return found;
}

template <class M>
void set_sizes(M& method, double step, double tolerance) {
  if constexpr (requires { method.step; }) method.step = step;
  if constexpr (requires { method.tolerance; }) {
    method.tolerance = tolerance;
    if (tolerance > 0) method.step = 0;
  }
  if constexpr (requires { method.relative; })
    if (tolerance > 0) {
      method.relative = tolerance;
      method.absolute = tolerance / 1000;
      if constexpr (requires { method.step; }) method.step = 0;
    }
}

// Names of methods that have some property, without those that are reprojected: "a, b and c".
template <class Property>
std::string names_with(const Property& property, const char* last) {
  std::vector<std::string> names;
  for (const MethodInfo& method : methods())
    if (property(method) && !method.name.ends_with("-reprojected")) names.push_back(method.name);
  const std::string end = names.back();
  names.pop_back();
  return fmt::format("{} {} {}", fmt::join(names, ", "), last, end);
}

}  // namespace

MethodInfo describe(const Method& method) {
  return std::visit([](const auto& m) { return info_of(m); }, method);
}

void check(const Method& method) {
  std::visit([](const auto& m) { m.row().check(m, m.row().name(m)); }, method);
}

const std::vector<MethodInfo>& methods() {
  static const std::vector<MethodInfo> table = [] {
    std::vector<MethodInfo> all;
    for_each_variant([&](const auto& variant) { all.push_back(info_of(variant)); });
    return all;
  }();
  return table;
}

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const MethodInfo& method : methods()) all.push_back(method.name);
    return all;
  }();
  return names;
}

const MethodInfo* find_method(const std::string& name) {
  const auto found = std::find_if(methods().begin(), methods().end(), [&](const auto& m) { return m.name == name; });
  return found == methods().end() ? nullptr : &*found;
}

Method method_named(const std::string& name, double step, double tolerance) {
  const MethodInfo* info = find_method(name);
  if (info == nullptr)
    throw std::invalid_argument(
        fmt::format("unknown integrator {}; there are {}", name, fmt::join(method_names(), ", ")));
  if (tolerance > 0 && !info->takes_tolerance)
    throw std::invalid_argument(fmt::format("{} has a fixed step and takes no tolerance; {} do", name,
                                            names_with([](const MethodInfo& m) { return m.takes_tolerance; }, "and")));
  if (step == 0 && tolerance == 0 && info->takes_step)
    throw std::invalid_argument(fmt::format("{} needs a step{}", name, info->takes_tolerance ? " or a tolerance" : ""));
  Method method = variant_named(name).value();
  std::visit([&](auto& m) { set_sizes(m, step, tolerance); }, method);
  check(method);
  return method;
}

std::unique_ptr<Stepper> make_stepper(const System& system, const Method& method) {
  if (const MethodInfo info = describe(method); info.needs_energies && !system.has_energies())
    throw std::invalid_argument(fmt::format("{} needs energies, and {} is given by a field; use {}", info.name,
                                            system.name(),
                                            names_with([](const MethodInfo& m) { return !m.needs_energies; }, "or")));
  return std::visit([&](const auto& m) { return m.row().stepper(system, m); }, method);
}

std::vector<Setting> settings_of(const Method& method) {
  return std::visit(
      [](const auto& m) {
        std::vector<Setting> settings{{"method", m.row().name(m)}};
        for (const auto& part : m.row().parts) settings.push_back({part.name, part.get(m)});
        return settings;
      },
      method);
}

Method method_of(const std::vector<Setting>& settings) {
  const auto value = [&](const std::string& name) {
    const auto found = std::find_if(settings.begin(), settings.end(), [&](const Setting& s) { return s.name == name; });
    if (found == settings.end())
      throw std::invalid_argument(
          fmt::format("the settings of an integrator lack `{}`: {}", name, to_string(settings)));
    return found->value;
  };
  const auto is_given = [&](const std::string& name) {
    return std::any_of(settings.begin(), settings.end(), [&](const Setting& s) { return s.name == name; });
  };
  const auto given = value("method");
  const auto* name = std::get_if<std::string>(&given);
  std::optional<Method> method = name == nullptr ? std::nullopt : variant_named(*name);
  if (!method)
    throw std::invalid_argument(fmt::format("there is no integrator with {}; there are {}",
                                            to_string({{"method", given}}), fmt::join(method_names(), ", ")));
  std::visit(
      [&](auto& m) {
        for (const auto& part : m.row().parts)
          if (!part.is_new || is_given(part.name)) part.set(m, value(part.name));
      },
      *method);
  return *method;
}

std::string to_string(const std::vector<Setting>& settings) {
  std::string text;
  for (const Setting& setting : settings)
    text += std::visit(
        [&](const auto& value) { return fmt::format("{}{} = {}", text.empty() ? "" : ", ", setting.name, value); },
        setting.value);
  return text;
}

}  // namespace hamel
