#include "hamel/model/formula.hpp"

#include "model/numbers.hpp"

namespace hamel {
namespace {

struct FormulaTest : testing::Test {
  Model model{"test"};
  Formula m = model.parameter("m", 2.0), k = model.parameter("k", {1.0, 2.0}), g = model.parameter("g", 9.81);
  Formula J = model.parameter("J", MatrixXd(Eigen::Vector3d(1, 2, 3).asDiagonal()));
  Formula x = model.coordinate("x", Rn(3)), y = model.coordinate("y", Rn(2)), z = model.coordinate("z", Rn(5));
  Formula q = model.coordinate<S2>("q"), a = model.coordinate<S1>("a");
  Formula R = model.coordinate<SO3>("R"), pose = model.coordinate<SE3>("pose");
  Formula u = model.input("u", 3);
};

TEST_F(FormulaTest, PrintsWithFewParentheses) {
  EXPECT_EQ((m / 2 * squared_norm(rate(x))).to_string(), "m/2*norm2(x')");
  EXPECT_EQ((-m * g * x.z()).to_string(), "-m*g*x.z");
  EXPECT_EQ((-(m * g * x.z())).to_string(), "-m*g*x.z");
  EXPECT_EQ((m * (g * m)).to_string(), "m*g*m");
  EXPECT_EQ((m / (g * m)).to_string(), "m/(g*m)");
  EXPECT_EQ((m - (g - m)).to_string(), "m - (g - m)");
  EXPECT_EQ((m + (g - m)).to_string(), "m + g - m");
  EXPECT_EQ((m + -g * m).to_string(), "m - g*m");
  EXPECT_EQ((m - -(g * m)).to_string(), "m - (-g*m)");
  EXPECT_EQ((m * (g + m)).to_string(), "m*(g + m)");
  EXPECT_EQ((m * Formula(-2)).to_string(), "m*(-2)");
  EXPECT_EQ((-2 * m).to_string(), "-2*m");
  EXPECT_EQ(pow(m + g, 2).to_string(), "(m + g)^2");
  EXPECT_EQ(pow(-m, -2).to_string(), "(-m)^(-2)");
  EXPECT_EQ((m * pow(g, 2)).to_string(), "m*g^2");
  EXPECT_EQ(pow(pow(m, g), 2).to_string(), "(m^g)^2");
  EXPECT_EQ((-(m + g)).to_string(), "-(m + g)");
  EXPECT_EQ(select(less(m, g + 1), x, 2 * x).to_string(), "if(m < g + 1, x, 2*x)");
  EXPECT_EQ(less_equal(m, g).to_string(), "m <= g");
}

// They have derivatives where the norm is 0; sqrt(a)^2 is not a where a is negative.
TEST_F(FormulaTest, EvenPowersOfNormsAreSmooth) {
  EXPECT_EQ((m / 2 * pow(norm(rate(x)), 2)).to_string(), "m/2*norm2(x')");
  EXPECT_EQ(pow(norm(x), 6).to_string(), "norm2(x)^3");
  EXPECT_EQ(pow(norm(x), -2).to_string(), "norm2(x)^(-1)");
  EXPECT_EQ(pow(abs(x.z()), 4).to_string(), "x.z^4");
  EXPECT_EQ(pow(norm(x), 3).to_string(), "norm(x)^3");
  EXPECT_EQ(pow(norm(x), m).to_string(), "norm(x)^m");
  EXPECT_EQ(pow(sqrt(m), 2).to_string(), "sqrt(m)^2");
}

TEST_F(FormulaTest, PrintsRatesPartsAndFunctions) {
  EXPECT_EQ(rate(m * x).to_string(), "(m*x)'");
  EXPECT_EQ(rate(x).z().to_string(), "x'.z");
  EXPECT_EQ((k[1] + z[4] + y.x() + R(0, 2)).to_string(), "k[1] + z[4] + y.x + R[0,2]");
  EXPECT_EQ((x + m * q).z().to_string(), "(x + m*q).z");
  EXPECT_EQ(dot(cross(x, q), hat(x) * q).to_string(), "dot(cross(x, q), hat(x)*q)");
  EXPECT_EQ(trace(transpose(R) * R).to_string(), "trace(transpose(R)*R)");
  EXPECT_EQ((rotation(pose) * vee(R) + position(pose)).to_string(), "rotation(pose)*vee(R) + position(pose)");
  EXPECT_EQ(R.column(1).to_string(), "column(R, 1)");
  EXPECT_EQ((norm(x) * determinant(R) * omega(a)).to_string(), "norm(x)*det(R)*omega(a)");
  EXPECT_EQ(atan2(sin(m), model.time()).to_string(), "atan2(sin(m), t)");
  EXPECT_EQ(Formula::vector({m, 0, 1.5}).to_string(), "[m, 0, 1.5]");
  EXPECT_EQ(Formula::columns({x, q}).to_string(), "columns(x, q)");
}

TEST_F(FormulaTest, PrintsNumbers) {
  EXPECT_EQ(dot(unit_vector(2), x).to_string(), "dot(e3, x)");
  EXPECT_EQ(Formula(Eigen::Vector3d(1, -2, 0.5)).to_string(), "[1, -2, 0.5]");
  EXPECT_EQ(Formula(Eigen::Matrix3d::Identity()).to_string(), "I3");
  EXPECT_EQ(Formula(MatrixXd(Eigen::Vector2d(1, 2).asDiagonal())).to_string(), "diag(1, 2)");
  EXPECT_EQ(Formula((Eigen::Matrix2d() << 1, 2, 3, 4).finished()).to_string(), "[[1, 2], [3, 4]]");
}

TEST_F(FormulaTest, PrintsNamedPointsByTheirName) {
  const auto joints = model.coordinates<S2>("p", 2);
  const Formula first = model.point("tip[0]", k[0] * joints[0]);
  const Formula second = model.point("tip[1]", first + k[1] * joints[1]);
  EXPECT_EQ(second.to_string(), "tip[1]");
  EXPECT_EQ(model.points()[1].formula.to_string(), "tip[0] + k[1]*p[1]");
  EXPECT_EQ((m / 2 * squared_norm(rate(second))).to_string(), "m/2*norm2(tip'[1])");
  EXPECT_EQ((-m * g * second.z()).to_string(), "-m*g*tip[1].z");
  EXPECT_EQ(rate(joints[1]).to_string(), "p'[1]");
}

TEST_F(FormulaTest, CutsFormulasThatWouldBeVeryLong) {
  Formula doubled = x;
  for (int i = 0; i < 100; ++i) doubled = doubled + doubled;
  EXPECT_LT(doubled.to_string().size(), 200000U);
  EXPECT_LT(doubled.brief().size(), 81U);
  EXPECT_EQ(doubled.quoted(), doubled.brief() + " (3x1)");
  EXPECT_EQ(summands({doubled.z() + doubled.z()}).size(), 2U);
}

TEST_F(FormulaTest, DoesNotSplitSharedSums) {
  const Formula low = m * x.z() + g * q.z(), high = low + m * x.y();
  const std::vector<Formula> terms = summands({m * low, m * high});
  ASSERT_EQ(terms.size(), 3U);
  EXPECT_EQ(terms[0].to_string(), "m*(m*x.z + g*q.z)");
  EXPECT_EQ(terms[1].to_string(), "m*(m*x.z + g*q.z)");
  EXPECT_EQ(terms[2].to_string(), "m*m*x.y");
}

TEST_F(FormulaTest, FoldsNumbersAndNeutralElements) {
  EXPECT_EQ(&(0 + m).node(), &m.node());
  EXPECT_EQ(&(m - 0).node(), &m.node());
  EXPECT_EQ(&(1 * x).node(), &x.node());
  EXPECT_EQ(&(x / 1).node(), &x.node());
  EXPECT_EQ(&(-(-x)).node(), &x.node());
  EXPECT_EQ((-1 * x).to_string(), "-x");
  EXPECT_TRUE((0 * x).is_zero());
  EXPECT_EQ((0 * x).rows(), 3);
  EXPECT_EQ((Formula(2) * 3 + 1).to_string(), "7");
  EXPECT_EQ((0 - m).to_string(), "-m");
  EXPECT_EQ(&Formula::vector({m, g})[1].node(), &g.node());
}

TEST_F(FormulaTest, ConstantsHaveNoRate) {
  EXPECT_TRUE(rate(m).is_zero());
  EXPECT_EQ(rate(J).rows(), 3);
  EXPECT_TRUE(rate(m * J).is_zero());
  EXPECT_EQ(rate(model.time()).to_string(), "1");
  EXPECT_FALSE(rate(m * x).is_zero());
}

TEST_F(FormulaTest, KnowsWhatIsInIt) {
  const Formula energy = m / 2 * squared_norm(omega(R)) + x.z();
  EXPECT_TRUE(energy.has_rates());
  EXPECT_TRUE(energy.has_angular_velocity());
  EXPECT_TRUE(energy.depends_on(Role::parameter));
  EXPECT_TRUE(energy.depends_on(Role::coordinate));
  EXPECT_FALSE(energy.depends_on(Role::input));
  EXPECT_FALSE((m * x).has_rates());
}

TEST_F(FormulaTest, SplitsSums) {
  const auto texts = [](const Formula& sum) {
    std::vector<std::string> result;
    for (const Formula& term : summands({sum})) result.push_back(term.to_string());
    return result;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts(m / 2 * squared_norm(rate(x + m * q))), Texts{"m/2*norm2((x + m*q)')"});
  EXPECT_EQ(texts(-(x.z() - m * (y.x() + 2 * y.y()))), (Texts{"-x.z", "m*y.x", "m*2*y.y"}));
  EXPECT_EQ(texts((x.x() + x.y()) / m), (Texts{"1/m*x.x", "1/m*x.y"}));
  EXPECT_EQ(texts(x.x() * (x.y() + x.z())), Texts{"x.x*(x.y + x.z)"});
}

TEST(FormulaNumbering, BeginsWhereTheModelSays) {
  for (const int first : {0, 1}) {
    Model model("counted", first);
    const Formula m = model.parameter("m", {1.0, 2.0, 3.0, 4.0}), R = model.coordinate<SO3>("R");
    const std::vector<Formula> q = model.coordinates<S2>("q", 2);
    EXPECT_EQ(m[1].to_string(), first == 0 ? "m[1]" : "m[2]");
    EXPECT_EQ(R(0, 2).to_string(), first == 0 ? "R[0,2]" : "R[1,3]");
    EXPECT_EQ(R.column(0).to_string(), first == 0 ? "column(R, 0)" : "column(R, 1)");
    EXPECT_EQ((m[0] * q[1].x()).to_string(), first == 0 ? "m[0]*q[1].x" : "m[1]*q[2].x");
  }
}

TEST_F(FormulaTest, RefusesWrongShapes) {
  EXPECT_EQ(message_of([&] { q + R; }), "cannot add q (3x1) and R (3x3)");
  EXPECT_EQ(message_of([&] { q - m; }), "cannot subtract m (scalar) from q (3x1)");
  EXPECT_EQ(message_of([&] { q* x; }), "cannot multiply q (3x1) and x (3x1); did you mean dot or cross?");
  EXPECT_EQ(message_of([&] { R* y; }), "cannot multiply R (3x3) and y (2x1)");
  EXPECT_EQ(message_of([&] { m / q; }), "cannot divide m (scalar) by q (3x1): the divisor must be a scalar");
  EXPECT_EQ(message_of([&] { m / 0; }), "cannot divide m (scalar) by zero");
  EXPECT_EQ(message_of([&] { dot(q, y); }), "dot needs two vectors of equal length, got q (3x1) and y (2x1)");
  EXPECT_EQ(message_of([&] { cross(y, y); }), "cross needs two vectors of length 3, got y (2x1) and y (2x1)");
  EXPECT_EQ(message_of([&] { norm(R); }), "norm needs a vector, got R (3x3)");
  EXPECT_EQ(message_of([&] { squared_norm(R); }), "squared_norm needs a vector, got R (3x3)");
  EXPECT_EQ(message_of([&] { hat(y); }), "hat needs a vector of length 3, got y (2x1)");
  EXPECT_EQ(message_of([&] { vee(q); }), "vee needs a 3x3 matrix, got q (3x1)");
  EXPECT_EQ(message_of([&] { trace(q); }), "trace needs a square matrix, got q (3x1)");
  EXPECT_EQ(message_of([&] { determinant(pose); }), "determinant needs a square matrix, got pose (3x4)");
  EXPECT_EQ(message_of([&] { sin(q); }), "sin needs a scalar, got q (3x1)");
  EXPECT_EQ(message_of([&] { pow(m, q); }), "pow needs two scalars, got m (scalar) and q (3x1)");
  EXPECT_EQ(message_of([&] { less(q, m); }), "less needs two scalars, got q (3x1) and m (scalar)");
  EXPECT_EQ(message_of([&] { select(less(m, g), q, y); }),
            "select needs two formulas of equal shape, got q (3x1) and y (2x1)");
  EXPECT_EQ(message_of([&] { Formula::vector({m, q}); }), "the components of a vector must be scalars, got q (3x1)");
  EXPECT_EQ(message_of([&] {
              Formula::columns({q, y});
            }),
            "the columns of a matrix must be vectors of equal length, got q (3x1) and y (2x1)");
}

TEST_F(FormulaTest, RefusesPartsThatDoNotExist) {
  EXPECT_EQ(message_of([&] { y.z(); }), "y (2x1) has no component [2]; they are numbered from 0");
  EXPECT_EQ(message_of([&] { R[0]; }), "R (3x3) is a matrix: write (i, j) for an entry or column(j)");
  EXPECT_EQ(message_of([&] { R(3, 0); }), "R (3x3) has no entry (3, 0); they are numbered from 0");
  EXPECT_EQ(message_of([&] { R.column(3); }), "R (3x3) has no column 3; they are numbered from 0");
  EXPECT_EQ(message_of([&] { rotation(R); }), "rotation needs a coordinate on SE3; R is on SO3");
  EXPECT_EQ(message_of([&] { position(2 * x); }), "position needs a coordinate on SE3, got 2*x (3x1)");
  EXPECT_EQ(message_of([&] { unit_vector(3); }), "there is no unit vector 3 in dimension 3; the first is 0");
  EXPECT_EQ(message_of([&] { Formula(std::nan("")); }), "the numbers of a formula must be finite, not nan or inf");
}

TEST_F(FormulaTest, RefusesRatesThatDoNotExist) {
  EXPECT_EQ(message_of([&] { rate(rate(x)); }), "cannot take the rate of x' (3x1): energies contain first rates only");
  EXPECT_EQ(message_of([&] { rate(omega(q)); }),
            "cannot take the rate of omega(q) (3x1): energies contain first rates only");
  EXPECT_EQ(message_of([&] { rate(u); }), "cannot take the rate of u (3x1): inputs have no rate");
  EXPECT_EQ(message_of([&] { omega(x); }), "omega needs a coordinate on S1, S2, SO3 or SE3; x is on R3");
  EXPECT_EQ(message_of([&] { omega(2 * q); }), "omega needs a coordinate on S1, S2, SO3 or SE3, got 2*q (3x1)");
}

}  // namespace
}  // namespace hamel
