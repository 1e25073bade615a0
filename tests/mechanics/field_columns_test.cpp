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

void expect_bits_of_each(Field& field, Workspace& work, const Field::Columns& y, const Field::Columns& rates) {
  VectorXd rate(field.size());
  for (Eigen::Index k = 0; k < y.cols(); ++k) {
    field(work, 0.3, VectorXd(y.col(k)), rate);
    EXPECT_TRUE((rates.col(k).array() == rate.array()).all()) << static_cast<int>(field.form()) << ", state " << k;
  }
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
      expect_bits_of_each(field, work, y, rates);
    }
}

class NativeColumns : public testing::Test {
 protected:
  static constexpr double many = 1e12;
  System system = derive(test::double_spherical_pendulum());
  Field field{system, Form::omega};
  Workspace work{system};
  Field::Columns y = random_columns(field, work, system, 8 * 3 + 5), rates{y.rows(), y.cols()};

  bool is_native() const { return field.programs().front()->columns() != nullptr; }
};

// Rows of a larger array, read and written where they are.
TEST_F(NativeColumns, HaveTheBitsOfEachState) {
  field.compile_columns(many);
  if (!is_native()) GTEST_SKIP() << "no compiler";
  Field::Columns wide = Field::Columns::Constant(y.rows(), y.cols() + 9, -7);
  wide.leftCols(y.cols()) = y;
  Field::Columns result = Field::Columns::Constant(y.rows(), y.cols() + 3, -7);
  field.of_columns(work, 0.3, wide.leftCols(y.cols()), result.leftCols(y.cols()));
  expect_bits_of_each(field, work, y, result.leftCols(y.cols()));
  EXPECT_TRUE((result.rightCols(3).array() == -7).all());
}

TEST_F(NativeColumns, MayBeWrittenOverTheStates) {
  field.compile_columns(many);
  if (!is_native()) GTEST_SKIP() << "no compiler";
  rates = y;
  field.of_columns(work, 0.3, rates, rates);
  expect_bits_of_each(field, work, y, rates);
}

TEST_F(NativeColumns, RefuseWhatIsNotFinite) {
  field.compile_columns(many);
  y.col(11).head(3).setConstant(1e200);
  EXPECT_THROW(field.of_columns(work, 0.3, y, rates), std::runtime_error);
}

// Of other forms no code in lanes is of use.
TEST_F(NativeColumns, OfOtherFormsRunOneByOne) {
  field.compile_columns(many);
  if (!is_native()) GTEST_SKIP() << "no compiler";
  Field velocity(system, Form::velocity);
  velocity.compile_columns(many);
  bool one_by_one = false;
  for (const Program* program : velocity.programs()) {
    EXPECT_FALSE(program->is_native(8));
    one_by_one = one_by_one || program->is_native();
  }
  EXPECT_TRUE(one_by_one);
}

}  // namespace
}  // namespace hamel
