// Methods as names and values.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "hamel/record/header.hpp"

namespace hamel {
namespace {

// Each method lists its parts once, for writing and for reading. Choices are
// written as words.
template <class M, class F>
void parts(M& m, F& part) requires std::same_as<std::remove_const_t<M>, Variational> {
  part("step", m.step), part("order", m.order), part("rule", m.rule);
}
template <class M, class F>
void parts(M& m, F& part) requires std::same_as<std::remove_const_t<M>, Gauss> {
  part("step", m.step), part("order", m.order), part("tolerance", m.tolerance);
}
template <class M, class F>
void parts(M& m, F& part) requires std::same_as<std::remove_const_t<M>, Rk2> {
  part("step", m.step), part("rule", m.rule, "midpoint", "heun");
  part("form", m.form, "velocity", "omega", "mu", "pi"), part("reproject", m.reproject, "no", "yes");
}
template <class M, class F>
void parts(M& m, F& part) requires std::same_as<std::remove_const_t<M>, Rk4> {
  part("step", m.step), part("form", m.form, "velocity", "omega", "mu", "pi");
  part("reproject", m.reproject, "no", "yes");
}
template <class M, class F>
void parts(M& m, F& part) requires std::same_as<std::remove_const_t<M>, Rk45> {
  part("relative", m.relative), part("absolute", m.absolute), part("form", m.form, "velocity", "omega", "mu", "pi");
  part("first_step", m.first_step), part("largest_step", m.largest_step);
  part("reproject", m.reproject, "no", "yes"), part("code", m.code, "dopri5", "ode45");
}
template <class M, class F>
void parts(M& m, F& part) requires std::same_as<std::remove_const_t<M>, LieRk> {
  part("step", m.step), part("scheme", m.scheme, "rkmk4", "commutator_free4");
}

constexpr std::array<const char*, 6> method_names{"variational", "gauss", "rk2", "rk4", "rk45", "lie_rk"};
static_assert(std::variant_size_v<Method> == method_names.size());

struct Writer {
  std::vector<Setting>& settings;

  void operator()(const char* name, const Quadrature& rule) { settings.push_back({name, std::string(rule.name)}); }
  template <class Number>
  void operator()(const char* name, const Number& value) {
    settings.push_back({name, static_cast<double>(value)});
  }
  template <class Choice, class... Words>
  void operator()(const char* name, const Choice& value, Words... words) {
    const std::array<const char*, sizeof...(Words)> all{words...};
    settings.push_back({name, std::string(all[static_cast<std::size_t>(value)])});
  }
};

struct Reader {
  const std::vector<Setting>& settings;

  template <class Value>
  const Value& get(const std::string& name) const {
    const auto found = std::find_if(settings.begin(), settings.end(), [&](const Setting& s) { return s.name == name; });
    if (found == settings.end() || !std::holds_alternative<Value>(found->value))
      throw std::invalid_argument(
          fmt::format("the settings of an integrator lack `{}`: {}", name, to_string(settings)));
    return std::get<Value>(found->value);
  }
  void operator()(const char* name, Quadrature& rule) const {
    const auto& word = get<std::string>(name);
    const auto found = std::find_if(quadratures.begin(), quadratures.end(),
                                    [&](const Quadrature& known) { return known.name == word; });
    if (found == quadratures.end()) throw std::invalid_argument(fmt::format("there is no quadrature `{}`", word));
    rule = *found;
  }
  template <class Number>
  void operator()(const char* name, Number& value) const {
    value = static_cast<Number>(get<double>(name));
  }
  template <class Choice, class... Words>
  void operator()(const char* name, Choice& value, Words... words) const {
    const std::array<const char*, sizeof...(Words)> all{words...};
    const auto& word = get<std::string>(name);
    const auto found = std::find(all.begin(), all.end(), word);
    if (found == all.end())
      throw std::invalid_argument(
          fmt::format("`{}` of an integrator is one of {}, not `{}`", name, fmt::join(all, ", "), word));
    value = static_cast<Choice>(found - all.begin());
  }
};

template <std::size_t k = 0>
Method method_named(const std::string& name) {
  if constexpr (k == method_names.size())
    throw std::invalid_argument(
        fmt::format("there is no integrator `{}`; there are {}", name, fmt::join(method_names, ", ")));
  else
    return name == method_names[k] ? Method(std::in_place_index<k>) : method_named<k + 1>(name);
}

}  // namespace

std::vector<Setting> settings_of(const Method& method) {
  std::vector<Setting> settings{{"method", std::string(method_names[method.index()])}};
  Writer writer{settings};
  std::visit([&](const auto& m) { parts(m, writer); }, method);
  return settings;
}

Method method_of(const std::vector<Setting>& settings) {
  const Reader reader{settings};
  Method method = method_named(reader.get<std::string>("method"));
  std::visit([&](auto& m) { parts(m, reader); }, method);
  return method;
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
