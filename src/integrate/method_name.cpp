#include "hamel/integrate/method_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <stdexcept>

namespace hamel {

namespace {

using Maker = std::function<Method(double step, double tolerance)>;

struct NamedMethod {
  std::string name;
  Maker make;
};

constexpr std::string_view reprojected = "-reprojected";

Rk45 rk45(double tolerance, Rk45Code code, bool reproject) {
  Rk45 method{.reproject = reproject, .code = code};
  if (tolerance > 0) {
    method.relative = tolerance;
    method.absolute = tolerance / 1000;
  }
  return method;
}

std::vector<NamedMethod> make_entries() {
  std::vector<NamedMethod> all;
  for (const int order : {2, 4, 6, 8})
    all.push_back({order == 2 ? "variational" : fmt::format("variational{}", order),
                   [order](double h, double) { return Variational{.step = h, .order = order}; }});
  for (const Quadrature& rule : quadratures)
    if (rule != Quadrature::trapezoidal)
      all.push_back({fmt::format("variational-{}", rule.name),
                     [rule](double h, double) { return Variational{.step = h, .rule = rule}; }});
  for (int order = 2; order <= 16; order += 2)
    all.push_back({fmt::format("gauss{}", order), [order](double h, double tolerance) {
                     return Gauss{.step = tolerance > 0 ? 0 : h, .order = order, .tolerance = tolerance};
                   }});
  all.push_back({"rkmk4", [](double h, double) { return LieRk{.step = h}; }});
  all.push_back({"commutator_free4", [](double h, double) { return LieRk{h, LieScheme::commutator_free4}; }});
  for (const bool reproject : {false, true}) {
    const std::string suffix(reproject ? reprojected : "");
    all.push_back({"rk2" + suffix, [=](double h, double) { return Rk2{.step = h, .reproject = reproject}; }});
    all.push_back({"heun" + suffix,
                   [=](double h, double) { return Rk2{.step = h, .rule = Rk2Rule::heun, .reproject = reproject}; }});
    all.push_back({"rk4" + suffix, [=](double h, double) { return Rk4{.step = h, .reproject = reproject}; }});
    all.push_back({"rk45" + suffix, [=](double, double tol) { return rk45(tol, Rk45Code::dopri5, reproject); }});
    all.push_back({"ode45" + suffix, [=](double, double tol) { return rk45(tol, Rk45Code::ode45, reproject); }});
  }
  return all;
}

const std::vector<NamedMethod>& entries() {
  static const std::vector<NamedMethod> all = make_entries();
  return all;
}

bool is_adaptive_only(const std::string& name) { return name.starts_with("rk45") || name.starts_with("ode45"); }

}  // namespace

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const NamedMethod& entry : entries()) list.push_back(entry.name);
    return list;
  }();
  return names;
}

bool takes_tolerance(const std::string& name) { return is_adaptive_only(name) || name.starts_with("gauss"); }

Method method_named(const std::string& name, double step, double tolerance) {
  const auto found =
      std::find_if(entries().begin(), entries().end(), [&](const NamedMethod& entry) { return entry.name == name; });
  if (found == entries().end())
    throw std::invalid_argument(
        fmt::format("unknown integrator {}; there are {}", name, fmt::join(method_names(), ", ")));
  if (tolerance > 0 && !takes_tolerance(name))
    throw std::invalid_argument(
        fmt::format("{} has a fixed step and takes no tolerance; rk45, ode45 and the Gauss methods do", name));
  if (step == 0 && tolerance == 0 && !is_adaptive_only(name))
    throw std::invalid_argument(fmt::format("{} needs a step{}", name, takes_tolerance(name) ? " or a tolerance" : ""));
  const Method method = found->make(step, tolerance);
  check(method);
  return method;
}

}  // namespace hamel
