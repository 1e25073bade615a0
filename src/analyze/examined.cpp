#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "hamel/analyze/control.hpp"
#include "hamel/analyze/stability.hpp"

namespace hamel {

namespace {

Stability with_symmetries(const Linearization& linearization, const LinearModel& linear) {
  return stability(linearization, linear,
                   conserved_momenta(linearization.system().model().held(linear.inputs)).momenta);
}

}  // namespace

Stability stability(const SampledLoop& loop, int family) {
  constexpr double tolerance = 1e-11;
  Stability result;
  result.spectrum = loop.rates;
  result.sampled = loop;
  result.family = family;
  int outside = 0, on_circle = 0;
  Eigenvalue one = {1, 0, 0, 0};
  double largest = 0;
  for (const Eigenvalue& z : loop.steps.values) {
    largest = std::max(largest, std::abs(z.value));
    if (z.value == 1.0)
      one = z;
    else if (std::abs(z.value) > 1 + tolerance)
      outside += z.algebraic;
    else if (std::abs(z.value) >= 1 - tolerance)
      on_circle += z.algebraic;
  }
  const auto say = [&](Verdict verdict, std::string reason) {
    result.verdict = verdict;
    result.reason = fmt::format("{} (the laws are sampled every {:.6g})", reason, loop.interval);
    return result;
  };
  if (outside > 0)
    return say(Verdict::unstable, fmt::format("{} eigenvalue{} of a step outside of the unit circle, |z| = {:.6g}",
                                              outside, outside == 1 ? "" : "s", largest));
  if (on_circle == 0 && one.algebraic == 0)
    return say(Verdict::asymptotically_stable, "all eigenvalues of a step are inside of the unit circle");
  if (on_circle == 0 && one.largest_block == 1 && one.algebraic == family)
    return say(Verdict::asymptotically_stable_modulo_family,
               fmt::format("all other eigenvalues of a step are inside of the unit circle; {} are 1, along a family of "
                           "dimension {}",
                           one.algebraic, family));
  return say(Verdict::inconclusive, "eigenvalues of a step on the unit circle, and no energy that decides");
}

Examined examined(const Linearization& linearization, const State& state, const Generator& moving) {
  const Model& model = linearization.system().model();
  if (model.sample() == 0) {
    LinearModel linear = trimmed(linearization, state, moving);
    Stability verdict = with_symmetries(linearization, linear);
    return {std::move(linear), std::move(verdict)};
  }
  if (!moving.is_rest())
    throw std::invalid_argument(
        fmt::format("{} has sampled laws, and moves here: they are examined at rest only; look at the model without "
                    "its laws",
                    model.name()));
  const LinearLaws laws = linear_laws(linearization, state);
  const Linearization at_all_times(derive(model.continuous()));
  const int family = with_symmetries(at_all_times, at_all_times.at(state)).family;
  return {laws.linear, stability(sampled_loop(laws.linear, laws.gain, model.sample()), family)};
}

}  // namespace hamel
