// The modes of a linear model, each with its shape, and how it looks: a motion of the linear equations,
//
//   x(t) = Re(exp(lambda t) shape),
//
// carried onto the space of the model by its retraction, and onto its constraints.
//
//   for (const Mode& mode : modes(linear, stability, symmetries))
//     draw(along(system, linear, mode, {.amplitude = 0.3, .begin = 0, .end = mode.period()}));
//
// A mode of the eigenvalue zero has no time of its own: x(t) = shape t, a drift. Where blocks are larger than 1, there
// are motions that grow like t besides; they have the same shapes.
#pragma once

#include <string>
#include <vector>

#include "hamel/analyze/stability.hpp"

namespace hamel {

enum class Course : std::uint8_t { grows, drifts, oscillates, decays };
const char* name(Course course);  // "grows"

struct Mode {
  Eigenvalue eigenvalue;   // of a conjugate pair, the upper one
  Eigen::VectorXcd shape;  // an ambient vector, its largest entry 1
  Course course = Course::oscillates;
  std::string symmetry = {};  // that causes it, where it drifts

  bool turns() const { return eigenvalue.value.imag() > 0; }
  double period() const;  // infinite where it does not turn
};

// What grows, the fastest first; what drifts, first along symmetries; what oscillates or decays, the slowest first. Of
// large models the first ones, which cost less than all.
std::vector<Mode> modes(const LinearModel& model, const Spectrum& spectrum,
                        const std::vector<ConservedMomentum>& symmetries = {},
                        std::size_t most = static_cast<std::size_t>(-1));

// Of a loop that is closed at samples: x(t) passes through the states at the samples.
std::vector<Mode> modes(const LinearModel& model, const SampledLoop& loop,
                        std::size_t most = static_cast<std::size_t>(-1));
// Those of a place, as it was judged.
std::vector<Mode> modes(const LinearModel& model, const Stability& stability,
                        const std::vector<ConservedMomentum>& symmetries,
                        std::size_t most = static_cast<std::size_t>(-1));

// How far each coordinate of the model moves in a mode, relative to the one that moves farthest.
std::vector<double> participation(const LinearModel& model, const Mode& mode);

struct ModeTimes {
  double amplitude = 1;  // of the largest entry, at t = 0; of a drift the rate
  double begin = 0, end = 1;
  int intervals = 32;
};
// States at equal distances in time, with velocities of zero: pictures, no motions of the model itself.
std::vector<State> along(const System& system, const LinearModel& model, const Mode& mode, const ModeTimes& times);

// The linear model with u = inputs - gain (x, x').
LinearModel with_feedback(const LinearModel& model, const MatrixXd& gain);

}  // namespace hamel
