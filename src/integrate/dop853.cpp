// dop853
#include "hamel/integrate/dormand_prince.hpp"
#include "integrate/adaptive_stepper.hpp"
#include "integrate/combine.hpp"
#include "integrate/dop853_control.hpp"
#include "integrate/dop853_lanes.hpp"
#include "integrate/dop853_tableau.hpp"

namespace hamel {

DormandPrince8::DormandPrince8(const std::string& system, int size, Rate rate, const Dop853& method)
    : AdaptiveSolver({.method = Dop853::row().name(method),
                      .system = system,
                      .order = 8,
                      .relative = method.relative,
                      .absolute = method.absolute,
                      .first_step = method.first_step,
                      .largest_step = method.largest_step},
                     size, std::move(rate)) {
  for (VectorXd& k : k_) k = y_;
  for (VectorXd& r : bend_) r = y_;
  sum_ = y_;
}

// The rate at the end of the last step is part of its interpolant, and known there if it was asked for.
void DormandPrince8::remember(Memory& memory) {
  AdaptiveSolver::remember(memory);
  memory(is_dense_);
  for (VectorXd& k : k_) memory(k);
  for (VectorXd& r : bend_) memory(r);
}

double DormandPrince8::attempt(double h) {
  using namespace dop853;
  k_[0] = now_;
  is_dense_ = false;
  take_stages<1, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11>(rate_, c, t_, h, y_, k_, trial_);
  combine<b, steps>(h, y_, k_, trial_);
  combine<e5, steps>(h, k_, error_);
  const double fifth = scaled_size(error_, y_, trial_);
  combine<e3, steps>(h, k_, error_);
  const double third = scaled_size(error_, y_, trial_);
  return dop853::error(fifth, third);
}

void DormandPrince8::make_dense() {
  using namespace dop853;
  if (is_dense_) return;
  const double h = t_ - begin_;
  // From the step as it was taken: its end may have been replaced.
  combine<b, steps>(h, before_, k_, sum_);
  rate_(t_, sum_, k_[steps]);
  take_stages<13, a13, a14, a15>(rate_, c, begin_, h, before_, k_, error_);
  combine<d4, stages>(h, k_, bend_[0]);
  combine<d5, stages>(h, k_, bend_[1]);
  combine<d6, stages>(h, k_, bend_[2]);
  combine<d7, stages>(h, k_, bend_[3]);
  is_dense_ = true;
}

void DormandPrince8::interpolate(double t, Out y) {
  make_dense();
  const double h = t_ - begin_, s = (t - begin_) / h, r = 1 - s;
  error_ = y_ - before_;
  y = before_ + s * (error_ + r * (h * k_[0] - error_ +
                                   s * (2 * error_ - h * (k_[0] + k_[dop853::steps]) +
                                        r * (bend_[0] + s * (bend_[1] + r * (bend_[2] + s * bend_[3]))))));
}

double DormandPrince8::factor_after_success(double error, bool failed_before) {
  return dop853::factor_after_success(error, failed_before);
}

double DormandPrince8::factor_after_failure(double error, bool) const { return dop853::factor_after_failure(error); }

const MethodRow<Dop853>& Dop853::row() {
  static const MethodRow<Dop853> row{
      .variants = {{}, {.reproject = true}},
      .name = [](const Dop853& m) { return with_suffix("dop853", m.reproject); },
      .info =
          [](const Dop853& m) {
            return MethodInfo{.order = 8, .is_explicit = true, .adaptive = true, .keeps_manifold = m.reproject};
          },
      .parts = adaptive_parts<Dop853>(),
      .check = check_adaptive<Dop853>,
      .stepper = [](const System& system, const Dop853& m) -> std::unique_ptr<Stepper> {
        return std::make_unique<AdaptiveStepper<DormandPrince8>>(system, m);
      },
      .lanes = dop853_lanes};
  return row;
}

}  // namespace hamel
