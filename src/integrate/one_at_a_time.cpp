// In place of eight motions at once, where one is enough: in a browser.
#include "integrate/dop853_lanes.hpp"
#include "integrate/gauss_lanes.hpp"
#include "integrate/lie_lanes.hpp"
#include "integrate/runge_kutta.hpp"
#include "integrate/variational_stepper.hpp"

namespace hamel {

std::unique_ptr<LaneStepper> dop853_lanes(const System&, const Dop853&, LaneParameters) { return nullptr; }
std::unique_ptr<LaneStepper> gauss_lanes(const System&, const Gauss&, LaneParameters) { return nullptr; }
std::unique_ptr<LaneStepper> lie_group_lanes(const System&, const LieRk&, LaneParameters) { return nullptr; }
std::unique_ptr<LaneStepper> runge_kutta_lanes(const System&, const RungeKuttaTableau&, double, Form, bool,
                                               LaneParameters) {
  return nullptr;
}
std::unique_ptr<LaneStepper> constant_mass_lanes(const System&, const Variational&, LaneParameters) { return nullptr; }

}  // namespace hamel
