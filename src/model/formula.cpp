#include "hamel/model/formula.hpp"

#include <cmath>
#include <utility>

#include "hamel/linear/product.hpp"
#include "model/finish.hpp"
#include "model/refuse.hpp"

namespace hamel {

namespace {

using Eigen::MatrixXd;

constexpr unsigned bit(Role role) { return 1U << static_cast<unsigned>(role); }
constexpr unsigned rate_bit = 1U << 8U;
constexpr unsigned angular_velocity_bit = 1U << 9U;
constexpr unsigned from_one_bit = 1U << 10U;
constexpr int several_models = -1;
constexpr int largest_determinant = 8;

int join_models(int a, int b) {
  if (a == 0 || a == b) return b;
  return b == 0 ? a : several_models;
}

Formula make(Kind kind, int rows, int cols, std::vector<Formula> args) {
  Formula::Node node{};
  node.kind = kind;
  node.rows = rows;
  node.cols = cols;
  node.args = std::move(args);
  if (kind == Kind::rate) node.uses = rate_bit;
  if (kind == Kind::angular_velocity) node.uses = rate_bit | angular_velocity_bit;
  return finish(node);
}

Formula make_part(Kind kind, const Formula& whole, int i, int j, int rows, int cols) {
  Formula::Node node{};
  node.kind = kind;
  node.rows = rows;
  node.cols = cols;
  node.args = {whole};
  node.i = i;
  node.j = j;
  return finish(node);
}

const MatrixXd& number(const Formula& a) { return a.node().value; }
Formula zeros(int rows, int cols) { return MatrixXd::Zero(rows, cols).eval(); }
bool same_shape(const Formula& a, const Formula& b) { return a.rows() == b.rows() && a.cols() == b.cols(); }
bool is_number(const Formula& a, double value) { return a.is_scalar() && a.is_number() && number(a)(0, 0) == value; }

bool is_even(const Formula& a) {
  return a.is_scalar() && a.is_number() && number(a)(0, 0) != 0 && std::fmod(number(a)(0, 0), 2) == 0;
}

// dot(e1, q), where q lies in a plane.
std::string planar_hint(const Formula& axis, const Formula& q) {
  if (axis.rows() != 3 || !axis.is_vector() || !axis.is_number() || q.rows() != 2 || !q.is_vector()) return {};
  const std::string name = axis.brief();
  if (name != "e1" && name != "e2") return {};
  return fmt::format("; {} has three components: the component of {} along it is {}", name, q.brief(),
                     q[name == "e1" ? 0 : 1].brief());
}

void need_scalars(const char* what, const Formula& a, const Formula& b) {
  if (!a.is_scalar() || !b.is_scalar()) refuse("{} needs two scalars, got {} and {}", what, a.quoted(), b.quoted());
}

bool is_coordinate(const Formula& a) {
  return a.node().kind == Kind::symbol && a.node().symbol.role == Role::coordinate;
}

// Omega of the rotation of a pose is Omega of the pose.
Formula without_rotation_block(const Formula& a) {
  const Formula::Node& node = a.node();
  const bool rotation_part =
      node.kind == Kind::block && node.cols == 3 && is_coordinate(node.args[0]) && node.args[0].node().symbol.is_pose();
  return rotation_part ? node.args[0] : a;
}

void need_pose(const char* what, const Formula& pose) {
  if (!is_coordinate(pose)) refuse("{} needs a coordinate on SE3, got {}", what, pose.quoted());
  const Symbol& symbol = pose.node().symbol;
  if (!symbol.is_pose()) refuse("{} needs a coordinate on SE3; {} is on {}", what, symbol.name, symbol.space->name());
}

}  // namespace

Formula finish(Formula::Node node) {
  for (const Formula& arg : node.args) {
    node.uses |= arg.node().uses;
    node.model = join_models(node.model, arg.node().model);
  }
  return Formula(std::make_shared<Formula::Node>(std::move(node)));
}

// A chain of 100,000 points would recurse 100,000 destructors deep: take over the arguments of every node that
// dies with this one before it is released.
Formula::Node::~Node() {
  std::vector<Formula> dying = std::move(args);
  while (!dying.empty()) {
    const std::shared_ptr<const Node> last = std::move(dying.back().node_);
    dying.pop_back();
    if (last == nullptr || last.use_count() > 1) continue;
    std::vector<Formula>& orphans = const_cast<Node&>(*last).args;
    for (Formula& orphan : orphans) dying.push_back(std::move(orphan));
    orphans.clear();
  }
}

Formula::Formula(double value) : Formula(MatrixXd::Constant(1, 1, value).eval()) {}

Formula::Formula(const MatrixXd& value) {
  if (value.size() == 0) refuse("a formula cannot be an empty matrix ({}x{})", value.rows(), value.cols());
  if (!value.allFinite()) refuse("the numbers of a formula must be finite, not nan or inf");
  Node node{};
  node.kind = Kind::number;
  node.rows = static_cast<int>(value.rows());
  node.cols = static_cast<int>(value.cols());
  node.value = value;
  node_ = std::make_shared<Node>(std::move(node));
}

Formula Formula::vector(const std::vector<Formula>& components) {
  if (components.empty()) refuse("a vector needs at least one component");
  bool numbers = true;
  for (const Formula& component : components) {
    if (!component.is_scalar()) refuse("the components of a vector must be scalars, got {}", component.quoted());
    numbers = numbers && component.is_number();
  }
  const int size = static_cast<int>(components.size());
  if (size == 1) return components.front();
  if (!numbers) return make(Kind::stack, size, 1, components);
  MatrixXd value(size, 1);
  for (int i = 0; i < size; ++i) value(i, 0) = number(components[static_cast<std::size_t>(i)])(0, 0);
  return value;
}

Formula Formula::columns(const std::vector<Formula>& columns) {
  if (columns.empty()) refuse("a matrix needs at least one column");
  for (const Formula& column : columns)
    if (!column.is_vector() || column.rows() != columns.front().rows())
      refuse("the columns of a matrix must be vectors of equal length, got {} and {}", columns.front().quoted(),
             column.quoted());
  if (columns.size() == 1) return columns.front();
  return make(Kind::stack, columns.front().rows(), static_cast<int>(columns.size()), columns);
}

Formula Formula::symbol(const Symbol& symbol, int rows, int cols) {
  Node node{};
  node.kind = Kind::symbol;
  node.rows = rows;
  node.cols = cols;
  node.symbol = symbol;
  node.uses = bit(symbol.role) | (symbol.first_index == 1 ? from_one_bit : 0U);
  node.model = symbol.model;
  return Formula(std::make_shared<Node>(std::move(node)));
}

Formula Formula::named(const std::string& label) const {
  Node node = *node_;
  node.label = label;
  return Formula(std::make_shared<Node>(std::move(node)));
}

int Formula::rows() const { return node_->rows; }
int Formula::cols() const { return node_->cols; }
bool Formula::is_number() const { return node_->kind == Kind::number; }
bool Formula::is_zero() const { return is_number() && node_->value.isZero(0.0); }
bool Formula::depends_on(Role role) const { return (node_->uses & bit(role)) != 0; }
bool Formula::has_rates() const { return (node_->uses & rate_bit) != 0; }
int Formula::first_index() const { return (node_->uses & from_one_bit) != 0 ? 1 : 0; }
bool Formula::has_angular_velocity() const { return (node_->uses & angular_velocity_bit) != 0; }

Formula Formula::operator[](int i) const {
  if (!is_vector()) refuse("{} is a matrix: write (i, j) for an entry or column(j)", quoted());
  if (i < 0 || i >= rows()) refuse("{} has no component [{}]; they are numbered from 0", quoted(), i);
  return (*this)(i, 0);
}

Formula Formula::operator()(int i, int j) const {
  if (i < 0 || i >= rows() || j < 0 || j >= cols())
    refuse("{} has no entry ({}, {}); they are numbered from 0", quoted(), i, j);
  if (is_scalar()) return *this;
  if (is_number()) return node_->value(i, j);
  if (node_->kind == Kind::stack && is_vector()) return node_->args[static_cast<std::size_t>(i)];
  return make_part(Kind::component, *this, i, j, 1, 1);
}

Formula Formula::column(int j) const {
  if (j < 0 || j >= cols()) refuse("{} has no column {}; they are numbered from 0", quoted(), j);
  if (is_vector()) return *this;
  if (is_number()) return node_->value.col(j);
  if (node_->kind == Kind::stack) return node_->args[static_cast<std::size_t>(j)];
  return make_part(Kind::block, *this, 0, j, rows(), 1);
}

Formula operator+(const Formula& a, const Formula& b) {
  if (!same_shape(a, b)) refuse("cannot add {} and {}", a.quoted(), b.quoted());
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  if (a.is_number() && b.is_number()) return MatrixXd(number(a) + number(b));
  return make(Kind::add, a.rows(), a.cols(), {a, b});
}

Formula operator-(const Formula& a, const Formula& b) {
  if (!same_shape(a, b)) refuse("cannot subtract {} from {}", b.quoted(), a.quoted());
  if (a.is_zero()) return -b;
  if (b.is_zero()) return a;
  if (a.is_number() && b.is_number()) return MatrixXd(number(a) - number(b));
  return make(Kind::subtract, a.rows(), a.cols(), {a, b});
}

Formula operator-(const Formula& a) {
  if (a.is_number()) return MatrixXd(-number(a));
  if (a.node().kind == Kind::negate && a.node().label.empty()) return a.node().args[0];
  return make(Kind::negate, a.rows(), a.cols(), {a});
}

Formula operator*(const Formula& a, const Formula& b) {
  const bool scaled = a.is_scalar() || b.is_scalar();
  if (!scaled && a.cols() != b.rows())
    refuse("cannot multiply {} and {}{}", a.quoted(), b.quoted(),
           a.is_vector() && b.is_vector() ? "; did you mean dot or cross?" : "");
  const int rows = a.is_scalar() ? b.rows() : a.rows();
  const int cols = b.is_scalar() ? a.cols() : b.cols();
  if (a.is_zero() || b.is_zero()) return zeros(rows, cols);
  if (is_number(a, 1)) return b;
  if (is_number(b, 1)) return a;
  if (is_number(a, -1)) return -b;
  if (is_number(b, -1)) return -a;
  if (a.is_number() && b.is_number()) {
    if (a.is_scalar()) return MatrixXd(number(a)(0, 0) * number(b));
    if (b.is_scalar()) return MatrixXd(number(a) * number(b)(0, 0));
    return MatrixXd(number(a) * number(b));
  }
  return make(Kind::multiply, rows, cols, {a, b});
}

Formula operator/(const Formula& a, const Formula& b) {
  if (!b.is_scalar()) refuse("cannot divide {} by {}: the divisor must be a scalar", a.quoted(), b.quoted());
  if (b.is_zero()) refuse("cannot divide {} by zero", a.quoted());
  if (a.is_zero() || is_number(b, 1)) return a;
  if (a.is_number() && b.is_number()) return MatrixXd(number(a) / number(b)(0, 0));
  return make(Kind::divide, a.rows(), a.cols(), {a, b});
}

Formula rate(const Formula& a) {
  if (a.has_rates()) refuse("cannot take the rate of {}: energies contain first rates only", a.quoted());
  if (a.depends_on(Role::input)) refuse("cannot take the rate of {}: inputs have no rate", a.quoted());
  if (a.depends_on(Role::momentum)) refuse("cannot take the rate of {}: momenta have no rate here", a.quoted());
  if (!a.depends_on(Role::coordinate) && !a.depends_on(Role::time)) return zeros(a.rows(), a.cols());
  if (a.node().kind == Kind::symbol && a.node().symbol.role == Role::time) return 1.0;
  return make(Kind::rate, a.rows(), a.cols(), {a});
}

Formula dot(const Formula& a, const Formula& b) {
  if (!a.is_vector() || !b.is_vector() || !same_shape(a, b))
    refuse("dot needs two vectors of equal length, got {} and {}{}", a.quoted(), b.quoted(),
           a.rows() == 2 ? planar_hint(b, a) : planar_hint(a, b));
  if (a.is_zero() || b.is_zero()) return 0.0;
  if (a.is_number() && b.is_number()) return number(a).col(0).dot(number(b).col(0));
  return make(Kind::dot, 1, 1, {a, b});
}

Formula cross(const Formula& a, const Formula& b) {
  if (!a.is_vector() || !same_shape(a, b) || a.rows() != 3)
    refuse("cross needs two vectors of length 3, got {} and {}", a.quoted(), b.quoted());
  return make(Kind::cross, 3, 1, {a, b});
}

Formula norm(const Formula& a) {
  if (!a.is_vector()) refuse("norm needs a vector, got {}", a.quoted());
  return make(Kind::norm, 1, 1, {a});
}

Formula squared_norm(const Formula& a) {
  if (!a.is_vector()) refuse("squared_norm needs a vector, got {}", a.quoted());
  return make(Kind::squared_norm, 1, 1, {a});
}

Formula hat(const Formula& a) {
  if (!a.is_vector() || a.rows() != 3) refuse("hat needs a vector of length 3, got {}", a.quoted());
  return make(Kind::hat, 3, 3, {a});
}

Formula vee(const Formula& a) {
  if (a.rows() != 3 || a.cols() != 3) refuse("vee needs a 3x3 matrix, got {}", a.quoted());
  return make(Kind::vee, 3, 1, {a});
}

Formula turn(const Formula& axis, const Formula& angle) {
  if (!axis.is_vector() || axis.rows() != 3) refuse("turn needs an axis of length 3, got {}", axis.quoted());
  if (!angle.is_scalar()) refuse("turn needs an angle that is a scalar, got {}", angle.quoted());
  return make(Kind::turn, 3, 3, {axis, angle});
}

Formula transpose(const Formula& a) {
  if (a.is_scalar()) return a;
  if (a.is_number()) return MatrixXd(number(a).transpose());
  return make(Kind::transpose, a.cols(), a.rows(), {a});
}

Formula trace(const Formula& a) {
  if (a.rows() != a.cols()) refuse("trace needs a square matrix, got {}", a.quoted());
  if (a.is_number()) return number(a).trace();
  return make(Kind::trace, 1, 1, {a});
}

Formula determinant(const Formula& a) {
  if (a.rows() != a.cols()) refuse("determinant needs a square matrix, got {}", a.quoted());
  if (a.rows() > largest_determinant)
    refuse("determinant is for matrices up to {0}x{0}, got {1}", largest_determinant, a.quoted());
  return make(Kind::determinant, 1, 1, {a});
}

Formula omega(const Formula& coordinate) {
  const Formula q = without_rotation_block(coordinate);
  if (!is_coordinate(q)) refuse("omega needs a coordinate on S1, S2, SO3 or SE3, got {}", q.quoted());
  const Symbol& symbol = q.node().symbol;
  if (symbol.turning() == Turning::none)
    refuse("omega needs a coordinate on S1, S2, SO3 or SE3; {} is on {}", symbol.name, symbol.space->name());
  return make(Kind::angular_velocity, symbol.space->angular_rates(), 1, {q});
}

Formula xi(const Formula& coordinate) {
  if (!is_coordinate(coordinate)) refuse("xi needs a coordinate on a group of matrices, got {}", coordinate.quoted());
  const Symbol& symbol = coordinate.node().symbol;
  if (!symbol.space->has_group_rates())
    refuse("xi needs a coordinate on a group of matrices; {} is on {}", symbol.name, symbol.space->name());
  return make(Kind::angular_velocity, symbol.space->rates(), 1, {coordinate});
}

Formula rotation(const Formula& pose) {
  need_pose("rotation", pose);
  return make_part(Kind::block, pose, 0, 0, 3, 3);
}

Formula position(const Formula& pose) {
  need_pose("position", pose);
  return make_part(Kind::block, pose, 0, 3, 3, 1);
}

Formula pow(const Formula& base, const Formula& exponent) {
  need_scalars("pow", base, exponent);
  if (is_number(exponent, 1)) return base;
  // Even powers of norm(a) and abs(a) have derivatives where a is 0.
  if (is_even(exponent) && base.node().kind == Kind::norm)
    return pow(squared_norm(base.node().args[0]), number(exponent)(0, 0) / 2);
  if (is_even(exponent) && base.node().kind == Kind::function && base.node().function == "abs")
    return pow(base.node().args[0], exponent);
  return make(Kind::power, 1, 1, {base, exponent});
}

Formula less(const Formula& a, const Formula& b) {
  need_scalars("less", a, b);
  return make(Kind::less, 1, 1, {a, b});
}

Formula less_equal(const Formula& a, const Formula& b) {
  need_scalars("less_equal", a, b);
  return make(Kind::less_equal, 1, 1, {a, b});
}

Formula select(const Formula& condition, const Formula& if_true, const Formula& if_false) {
  if (!condition.is_scalar()) refuse("the condition of select must be a scalar, got {}", condition.quoted());
  if (!same_shape(if_true, if_false))
    refuse("select needs two formulas of equal shape, got {} and {}", if_true.quoted(), if_false.quoted());
  return make(Kind::select, if_true.rows(), if_true.cols(), {condition, if_true, if_false});
}

Formula unit_vector(int i, int dimension) {
  if (i < 0 || i >= dimension) refuse("there is no unit vector {} in dimension {}; the first is 0", i, dimension);
  return MatrixXd(MatrixXd::Identity(dimension, dimension).col(i));
}

}  // namespace hamel
