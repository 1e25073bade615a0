#include "hamel/integrate/laws.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "hamel/derive/expressions.hpp"
#include "hamel/derive/formulation.hpp"
#include "hamel/integrate/request.hpp"

namespace hamel {
namespace {

Kernel law_kernel(const Model& model) {
  Sheet sheet(model);
  LoweredModel& lowered = sheet.lowered;
  Exprs values;
  for (std::size_t k = 0; k < model.inputs().size(); ++k) {
    if (model.follows_law(k)) continue;
    const Input& input = model.inputs()[k];
    if (!input.law) {
      values.insert(values.end(), static_cast<std::size_t>(input.size), Expr());
      continue;
    }
    const MatrixXe value = lower(*input.law, model, lowered);
    values.insert(values.end(), value.data(), value.data() + value.size());
  }
  return {"laws", {lowered.q, lowered.v, {lowered.t}}, {values}, {lowered.parameters, parameter_values(model)}};
}

void check_interval_of_laws(const System& system, const Method& method, double interval) {
  const double step = fixed_step(method);
  if (step == 0) return;
  const double steps = interval / step;
  if (steps < 0.5 || std::abs(steps - std::round(steps)) > 1e-9 * steps)
    throw std::invalid_argument(
        fmt::format("the law of {} is sampled every {:.9g}, which is no multiple of the step {:.9g}: take {:.9g}",
                    system.name(), interval, step, interval / std::max(1.0, std::ceil(steps - 1e-9))));
}

}  // namespace

Control sampled_laws(const System& system, const Method& method) {
  const Model& model = system.model();
  const double interval = model.sample();
  if (interval == 0) return {};
  check_interval_of_laws(system, method, interval);
  const auto laws = std::make_shared<const Kernel>(law_kernel(model));
  const auto scratch = std::make_shared<VectorXd>(static_cast<Eigen::Index>(laws->program().scratch_size()));
  return {[laws, scratch](double t, const State& state, VectorXd& u) {
            laws->run<3, 1>({state.q.data(), state.v.data(), &t}, {u.data()}, scratch->data());
          },
          interval};
}

}  // namespace hamel
