#include "hamel/graph/expr.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>

#include "hamel/graph/differentiate.hpp"

namespace hamel {
namespace {

class ExprTest : public testing::Test {
 protected:
  Graph graph;
  Graph::Scope scope{graph};
  Expr x = graph.variable("x"), y = graph.variable("y"), z = graph.variable("z");
};

TEST_F(ExprTest, EqualExpressionsAreOneNode) {
  EXPECT_EQ(x * y, y * x);
  EXPECT_EQ(x + y, y + x);
  EXPECT_EQ(min(x, y), min(y, x));
  EXPECT_EQ(sin(x + 2 * y), sin(y * 2 + x));
  EXPECT_EQ(Expr(0.1), Expr(0.1));
  EXPECT_NE(x - y, y - x);
  EXPECT_NE(atan2(x, y), atan2(y, x));
  EXPECT_NE(less(x, y), less_equal(x, y));
  EXPECT_NE(pow(x, 3), pow(x, 4));
  const std::size_t size = graph.size();
  EXPECT_EQ(graph.node(sin(x + 2 * y)).op, Op::sin);
  EXPECT_EQ(graph.size(), size);
}

TEST_F(ExprTest, VariablesAreNewEachTime) {
  EXPECT_NE(graph.variable("x"), x);
  const std::vector<Expr> q = graph.variables("q", 3);
  ASSERT_EQ(q.size(), 3u);
  EXPECT_EQ(graph.variable_name(q[2].id()), "q[2]");
}

TEST_F(ExprTest, ArgumentsHaveSmallerIds) {
  const Expr f = select(less(x, y), sin(x) * y, pow(z, 5) / (x + 1));
  for (const std::uint32_t id : reachable({&f, 1})) {
    const Node& n = graph.node(id);
    EXPECT_TRUE(arity(n.op) < 1 || n.a < id);
    EXPECT_TRUE(arity(n.op) < 2 || n.b < id);
    EXPECT_TRUE(arity(n.op) < 3 || n.c < id);
  }
}

TEST_F(ExprTest, NeutralElementsFold) {
  EXPECT_EQ(x + 0, x);
  EXPECT_EQ(0 - x, -x);
  EXPECT_EQ(x * 1, x);
  EXPECT_EQ(x * 0, Expr());
  EXPECT_EQ(x - x, Expr());
  EXPECT_EQ(x / 1, x);
  EXPECT_EQ(0 / x, Expr());
  EXPECT_FALSE((x / x).is_constant());
  EXPECT_EQ(x + x, 2 * x);
  EXPECT_TRUE(Expr(-0.0) == Expr());
}

TEST_F(ExprTest, SignsMoveOutwards) {
  EXPECT_EQ(-(-x), x);
  EXPECT_EQ(x - (-y), x + y);
  EXPECT_EQ(x + (-y), x - y);
  EXPECT_EQ((-x) * y, -(x * y));
  EXPECT_EQ((-x) * (-y), x * y);
  EXPECT_EQ(x * -1, -x);
  EXPECT_EQ((-x) / y, -(x / y));
  EXPECT_EQ(x * -3, -(3 * x));
  EXPECT_EQ(x + -3, x - 3);
  EXPECT_EQ(-(x - y), y - x);
  EXPECT_EQ(-x - y, -(x + y));
  EXPECT_EQ(sin(-x), -sin(x));
  EXPECT_EQ(cos(-x), cos(x));
  EXPECT_EQ(pow(-x, 3), -pow(x, 3));
  EXPECT_EQ(pow(-x, 4), pow(x, 4));
}

TEST_F(ExprTest, PowersFold) {
  EXPECT_TRUE(pow(x, 0).is_constant(1));
  EXPECT_EQ(pow(x, 1), x);
  EXPECT_EQ(pow(x, 2), x * x);
  EXPECT_EQ(pow(x, -1), 1 / x);
  EXPECT_EQ(pow(x, 3.0), pow(x, 3));
  EXPECT_EQ(pow(x, Expr(3)), pow(x, 3));
  EXPECT_EQ(graph.node(pow(x, 3).id()).op, Op::integer_power);
  EXPECT_EQ(graph.node(pow(x, 1.5).id()).op, Op::power);
  EXPECT_EQ(pow(x, 0.5), sqrt(x));
  EXPECT_EQ(static_cast<std::int32_t>(graph.node(pow(x, -4).id()).b), -4);
}

TEST_F(ExprTest, NumbersMergeInProducts) {
  EXPECT_EQ(2 * (3 * x), 6 * x);
  EXPECT_EQ(2 * (0.5 * x * y), x * y);
  EXPECT_EQ(x / 4, 0.25 * x);
  EXPECT_EQ(graph.node((x / 3).id()).op, Op::divide);
  const Expr huge = 1e200 * x;
  EXPECT_NO_THROW(1e200 * huge);
}

TEST_F(ExprTest, ConstantsFold) {
  EXPECT_TRUE((Expr(2) + 3).is_constant(5));
  EXPECT_TRUE((Expr(2) / 3).is_constant(2.0 / 3.0));
  EXPECT_DOUBLE_EQ(sin(Expr(0.3)).value(), std::sin(0.3));
  EXPECT_DOUBLE_EQ(atan2(Expr(1), Expr(-2)).value(), std::atan2(1.0, -2.0));
  EXPECT_DOUBLE_EQ(pow(Expr(2), 0.3).value(), std::pow(2.0, 0.3));
  EXPECT_TRUE(abs(Expr(-2.5)).is_constant(2.5));
  EXPECT_TRUE(min(Expr(2), Expr(3)).is_constant(2));
  EXPECT_TRUE(max(Expr(2), Expr(3)).is_constant(3));
  EXPECT_TRUE(less(Expr(2), Expr(3)).is_constant(1));
  EXPECT_TRUE(less_equal(Expr(4), Expr(3)).is_constant(0));
  EXPECT_EQ(select(Expr(1), x, y), x);
  EXPECT_EQ(select(Expr(0), x, y), y);
  EXPECT_EQ(select(less(x, y), z, z), z);
}

TEST_F(ExprTest, EveryOperationIsNamedAndApplied) {
  EXPECT_EQ(name(Op::atan2), "atan2");
  EXPECT_EQ(name(Op::select), "select");
  EXPECT_EQ(arity(Op::select), 3);
  EXPECT_EQ(arity(Op::integer_power), 1);
  EXPECT_EQ(apply(Op::select, 0, 2, 3), 3);
  EXPECT_EQ(apply(Op::integer_power, 2, 10), 1024);
  EXPECT_THROW(apply(Op::variable, 0), std::logic_error);
}

TEST_F(ExprTest, RefusesWhatHasNoFiniteValue) {
  EXPECT_THROW(Expr(std::numeric_limits<double>::quiet_NaN()), std::domain_error);
  EXPECT_THROW(Expr(std::numeric_limits<double>::infinity()), std::domain_error);
  EXPECT_THROW(x / 0, std::domain_error);
  EXPECT_THROW(log(Expr(-1)), std::domain_error);
  EXPECT_THROW(sqrt(Expr(-1)), std::domain_error);
  EXPECT_THROW(pow(Expr(0), -2), std::domain_error);
  EXPECT_THROW(Expr(1e200) * 1e200, std::domain_error);
  try {
    log(Expr(-1));
  } catch (const std::domain_error& error) {
    EXPECT_STREQ(error.what(), "log(-1) of constants has no finite value");
  }
}

TEST_F(ExprTest, GraphsDoNotMix) {
  Graph other;
  Expr foreign;
  {
    Graph::Scope inner(other);
    foreign = other.variable("u");
    EXPECT_THROW(foreign + x, std::logic_error);
    EXPECT_THROW(gradient(x, std::vector<Expr>{foreign}), std::logic_error);
    EXPECT_EQ(&Graph::current(), &other);
  }
  EXPECT_EQ(&Graph::current(), &graph);
  EXPECT_THROW(sin(foreign), std::logic_error);
  EXPECT_NO_THROW(x + Expr(1));
}

TEST(GraphTest, WithoutCurrentGraphOnlyZeroAndOneExist) {
  EXPECT_THROW(Graph::current(), std::logic_error);
  EXPECT_THROW(Expr(2.0), std::logic_error);
  EXPECT_TRUE(Expr(0.0).is_constant(0));
  EXPECT_TRUE(Expr(1.0).is_constant(1));
  EXPECT_EQ(Expr(1).value(), 1.0);
}

TEST(GraphTest, CurrentGraphBelongsToTheThread) {
  Graph graph;
  Graph::Scope scope(graph);
  bool refused = false;
  std::thread([&] {
    try {
      Graph::current();
    } catch (const std::logic_error&) {
      refused = true;
    }
  }).join();
  EXPECT_TRUE(refused);
}

TEST_F(ExprTest, IsAnEigenScalar) {
  using Vector3e = Eigen::Matrix<Expr, 3, 1>;
  using Matrix3e = Eigen::Matrix<Expr, 3, 3>;
  const Vector3e u(x, y, z), e3 = Eigen::Vector3d::UnitZ().cast<Expr>();
  EXPECT_EQ(u.dot(e3), z);
  EXPECT_EQ(u.cross(e3)[0], y);
  EXPECT_EQ(u.cross(e3)[1], -x);
  EXPECT_EQ(u.squaredNorm(), u.dot(u));
  EXPECT_EQ(gradient(u.squaredNorm(), std::vector<Expr>{y})[0], 2 * y);
  const Vector3e scaled = 2.0 * u;
  EXPECT_EQ(scaled[1], 2 * y);
  const Matrix3e diagonal = u.asDiagonal();
  EXPECT_EQ(diagonal.determinant(), x * (y * z));
  const Eigen::Matrix3d numbers = Eigen::Matrix3d::Identity() * 3;
  const Vector3e mixed = numbers * u;
  EXPECT_EQ(mixed[2], 3 * z);
  const Matrix3e hat{{0, -z, y}, {z, 0, -x}, {-y, x, 0}};
  EXPECT_EQ(hat * u, Vector3e::Zero());
  EXPECT_EQ(Matrix3e(hat + hat.transpose()), Matrix3e::Zero());
}

TEST_F(ExprTest, DynamicMatricesMultiply) {
  MatrixXe a(2, 3), b(3, 2);
  a << x, 0, 1, 0, y, 0;
  b << 1, 0, 0, 1, z, 0;
  const MatrixXe product = a * b;
  EXPECT_EQ(product(0, 0), x + z);
  EXPECT_EQ(product(0, 1), Expr());
  EXPECT_EQ(product(1, 1), y);
  const VectorXe v = VectorXe::Constant(3, x);
  EXPECT_EQ((a * v)[1], x * y);
  EXPECT_EQ(v.sum(), x + x + x);
}

}  // namespace
}  // namespace hamel
