// Models whose equations every textbook has, with parameters by name; numbered from 1 as in model files.
#pragma once

#include <vector>

#include "hamel/model/model.hpp"

namespace hamel::test {

Model spherical_pendulum();
Model double_spherical_pendulum();
Model chain(int links);
Model planar_pendulum();  // with a torque and friction
Model pendulum_on_cart();
Model kepler();
Model two_bodies();
Model charged_particle();  // in a magnetic field, with a time-dependent force
Model free_body();
Model heavy_body();            // the 3-D pendulum, with a torque
Model posed_body();            // on SE(3), its centre of mass off the origin of the frame
Model placed_body();           // the same on SO(3) x R^3
Model body_with_pendulum();    // a direction on S^2 hangs from a body on SO(3) x R^3
Model two_rotations();         // coupled by tr(R1^T R2) and a relative damper
Model oblate_gravity();        // functions: sqrt, log, exp, atan2, pow, select, abs
Model point_on_hypersphere();  // S^3
Model by_hamiltonian();        // on S^2, S^1 and R^2
Model slider_crank();          // with a constraint
Model closed_loop();           // a constraint of two components between directions

const std::vector<Model (*)()>& unconstrained_examples();

}  // namespace hamel::test
