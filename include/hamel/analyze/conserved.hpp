// Is a quantity constant along every motion? Its rate F_q . q' + F_v . q'' + F_t is asked at random states, relative to
// the sizes of what cancels in it, so that neither units nor anything else that is large decides.
#pragma once

#include <optional>
#include <vector>

#include "hamel/mechanics/system.hpp"

namespace hamel {

class Conservation {
 public:
  // At states anywhere and near the start, where there is one, but for those without a finite acceleration. With
  // constraints: along the motion from the start, which is needed then, for so long.
  Conservation(const System& system, const std::optional<State>& start, double length = 0.1);

  // The largest |dF/dt| of a component over the sum of the sizes of all products in it; not finite where F is not
  // defined at some state. Zero to 1e-10 where it is conserved; to 1e-8 of a first-order system, which is differenced.
  double relative_rate(const Formula& quantity) const;

 private:
  struct RateOfVelocity {
    VectorXd value;
    VectorXd size;  // of what cancels in each component
  };
  static RateOfVelocity rate_of_field(const System& system, Workspace& w, const State& state);
  static std::optional<RateOfVelocity> rate_of_velocity(const System& system, Workspace& w, const State& state);

  System system_;
  std::vector<State> states_;
  std::vector<RateOfVelocity> accelerations_;
};

}  // namespace hamel
