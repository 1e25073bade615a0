// The field of many states at once.
#include <gtest/gtest.h>

#include "hamel/mechanics/field.hpp"
#include "mechanics/pendulums.hpp"

namespace hamel {
namespace {

Field::Columns random_columns(Field& field, Workspace& work, const System& system, int count) {
  Random random(7);
  Field::Columns y(field.size(), count);
  for (int k = 0; k < count; ++k) {
    State state;
    state.t = 0.3;
    state.q = system.space().random_point(random);
    state.v = system.space().random_tangent(state.q, random);
    y.col(k) = field.pack(work, state);
  }
  return y;
}

// Eight at a time, and what is left one by one, in all forms.
TEST(FieldOfColumns, HasTheBitsOfEachState) {
  for (const Model& model : {test::double_spherical_pendulum(), test::pendulum_in_space()})
    for (const Form form : {Form::velocity, Form::omega, Form::mu, Form::pi}) {
      const System system = derive(model);
      Field field(system, form);
      Workspace work(system);
      const Field::Columns y = random_columns(field, work, system, 8 * 3 + 5);
      Field::Columns rates(y.rows(), y.cols());
      field.of_columns(work, 0.3, y, rates);
      VectorXd rate(field.size());
      for (Eigen::Index k = 0; k < y.cols(); ++k) {
        field(work, 0.3, VectorXd(y.col(k)), rate);
        EXPECT_TRUE((rates.col(k).array() == rate.array()).all()) << static_cast<int>(form) << ", state " << k;
      }
    }
}

}  // namespace
}  // namespace hamel
