// Rotations and bodies, read as such: a product of rotations turns by the sum of their angular velocities, and the
// kinetic energy of a body is m/2 |x'|^2 + m x'.R (Omega x c) + Omega.(J Omega)/2, book (7.13).
#include <Eigen/Geometry>

#include "textbook/atoms.hpp"
#include "textbook/identities.hpp"
#include "textbook/read.hpp"

namespace hamel::textbook {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;

bool is_identity(const Sum& matrix) {
  return matrix.terms().size() == 1 && matrix.terms()[0].core.empty() && matrix.terms()[0].factors.empty() &&
         matrix.terms()[0].coefficient == 1;
}

bool is_rotation_matrix(const MatrixXd& A) {
  return A.rows() == 3 && A.cols() == 3 && (A.transpose() * A).isApprox(Matrix3d::Identity(), 1e-14) &&
         A.row(0).dot(Vector3d(A.row(1)).cross(Vector3d(A.row(2)))) > 0;
}

Sum identity_matrix() { return constant(Matrix3d::Identity()); }

// Rodrigues: cos(a) I + sin(a) hat(n) + (1 - cos(a)) n n^T.
Sum rodrigues(const Sum& n, const Sum& angle) {
  const Sum c = call("cos", {angle}), s = call("sin", {angle});
  return n * transpose(n) + c * (identity_matrix() - n * transpose(n)) + s * hat(n);
}

bool is_product(const Formula& formula) {
  const Formula::Node& node = formula.node();
  return node.kind == Kind::multiply && node.args[0].cols() == 3 && node.args[1].cols() == 3;
}

}  // namespace

Attitude Reader::read_turn(const Node& node) {
  const Sum axis = read(node.args[0]), angle = read(node.args[1]);
  const Sum n = axis * reciprocal(norm(axis));
  return {with_identities(rodrigues(n, angle)), symbols_.rate(angle) * n};
}

// A vector of the same length: |A x| = |x| and |(A x)'| = |w x x + x'| where A turns by angles.
Sum Reader::read_unturned(const Formula& vector) {
  const bool is_rate = vector.node().kind == Kind::rate;
  const Formula& whole = is_rate ? vector.node().args[0] : vector;
  const Node& node = whole.node();
  const bool is_turned = node.kind == Kind::multiply && node.args[0].cols() == 3 && node.args[1].is_vector() &&
                         node.args[1].depends_on(Role::coordinate);
  const bool looks_through = names_ == nullptr || names_->name_of(whole).empty() || !names_->keeps_motions();
  const std::optional<Attitude> turning = is_turned && looks_through ? turning_of(node.args[0]) : std::nullopt;
  if (!turning || turning->matrix.terms().size() == 1) return read(vector);
  const Sum x = read(node.args[1]);
  return is_rate ? symbols_.rate(x) + cross(turning->rate, x) : x;
}

std::optional<Attitude> Reader::turning_of(const Formula& matrix) {
  const std::string name = names_ == nullptr ? std::string() : names_->name_of(matrix);
  const std::optional<Attitude> inner = turning_of_node(matrix);
  const bool is_kept = !name.empty() && names_->keeps_motions() && inner && inner->matrix.terms().size() > 0;
  if (!is_kept || matrix.node().kind == Kind::block) return inner;
  return named_turning(name, matrix, *inner);
}

Attitude Reader::named_turning(const std::string& name, const Formula& matrix, const Attitude& inner) {
  if (!is_product(matrix)) return names_->rotation(name, matrix, inner, nullptr, nullptr);
  const std::optional<Attitude> first = turning_of(matrix.node().args[0]), last = turning_of(matrix.node().args[1]);
  return names_->rotation(name, matrix, inner, &*first, &*last);
}

std::optional<Attitude> Reader::turning_of_node(const Formula& matrix) {
  const Node& node = matrix.node();
  const Sum none(3, 1);
  if (matrix.rows() != 3 || matrix.cols() != 3 || matrix.has_rates()) return std::nullopt;
  if (node.kind == Kind::number && is_rotation_matrix(node.value)) return Attitude{constant(node.value), none};
  const bool is_block = node.kind == Kind::block && node.args[0].node().kind == Kind::symbol;
  if (const Node& inside = is_block ? node.args[0].node() : node;
      inside.kind == Kind::symbol && inside.symbol.role == Role::coordinate) {
    const Place& place = symbols_.place(inside.symbol.slot);
    return place.turns() ? std::optional(Attitude{place.R, place.omega}) : std::nullopt;
  }
  if (node.kind == Kind::turn && symbols_.rate(read(node.args[0])).is_zero()) return read_turn(node);
  if (node.kind == Kind::transpose) {
    const std::optional<Attitude> inner = turning_of(node.args[0]);
    if (inner) return Attitude{transpose(inner->matrix), -(inner->matrix * inner->rate)};
  }
  return is_product(matrix) ? turning_of_product(matrix) : turning_of_columns(matrix);
}

// The factors of a product; turns about one axis, one after the other, are one.
void Reader::add_factors(const Formula& matrix, std::vector<Formula>& factors) {
  const bool is_name = names_ != nullptr && names_->keeps_motions() && !names_->name_of(matrix).empty();
  if (is_product(matrix) && !is_name) {
    for (const Formula& part : matrix.node().args) add_factors(part, factors);
    return;
  }
  const auto is_turn = [](const Formula& f) { return f.node().kind == Kind::turn; };
  if (!factors.empty() && is_turn(matrix) && is_turn(factors.back()) && !is_name) {
    const std::vector<Formula>&before = factors.back().node().args, &now = matrix.node().args;
    if (before[0].to_string() == now[0].to_string()) {
      kept_.push_back(turn(now[0], before[1] + now[1]));
      factors.back() = kept_.back();
      return;
    }
  }
  factors.push_back(matrix);
}

std::optional<Attitude> Reader::turning_of_product(const Formula& matrix) {
  std::vector<Formula> factors;
  for (const Formula& part : matrix.node().args) add_factors(part, factors);
  std::optional<Attitude> whole;
  for (const Formula& factor : factors) {
    const std::optional<Attitude> part = turning_of(factor);
    if (!part) return std::nullopt;
    whole = whole ? Attitude{whole->matrix * part->matrix, transpose(part->matrix) * whole->rate + part->rate} : *part;
  }
  return whole;
}

// Any matrix A with A^T A = I: vee(A^T A').
std::optional<Attitude> Reader::turning_of_columns(const Formula& matrix) {
  if (!matrix.depends_on(Role::coordinate) || matrix.node().kind != Kind::stack) return std::nullopt;
  const Sum A = read_node(matrix.node());
  if (!is_identity(with_identities(transpose(A) * A))) return std::nullopt;
  return Attitude{A, with_identities(vee(with_identities(transpose(A) * symbols_.rate(A))))};
}

// One symbol, unless it is a multiple of one, or of the identity.
Sum Reader::read_inertia(const Model::Body& body) {
  const Formula& J = body.body.inertia;
  const Sum inside = read(J);
  const bool is_simple =
      inside.is_zero() ||
      (inside.terms().size() == 1 &&
       (inside.terms()[0].core.empty() || (inside.terms()[0].core.size() == 1 && is_symbol(inside.terms()[0].core[0]) &&
                                           !is_written_out(inside.terms()[0].core[0]))));
  return is_simple || names_ == nullptr ? inside : names_->inertia(body, J);
}

Sum Reader::read_body(const Model::Body& body, int index) {
  const auto& [R, x, m, inertia, c] = body.body;
  const bool turns = !rate(R).is_zero() && !(inertia.is_zero() && c.is_zero());
  const std::optional<Attitude> turning = turns ? turning_of(R) : std::nullopt;
  if (turns && !turning) return read(symbols_.model().kinetic_terms()[body.energy]);
  const bool keeps = names_ != nullptr && names_->keeps_motions();
  const bool at_centre = keeps && turns && !c.is_zero() && !rate(x).is_zero();
  const bool is_named = names_ == nullptr || x.is_number() || !names_->name_of(x).empty();
  kept_.push_back(at_centre ? (x + R * c).named(body.name) : is_named ? x : x.named(body.name));
  const Formula& place = kept_.back();
  const Sum mass = read(m), v = rate(x).is_zero() ? Sum(3, 1) : symbols_.rate(read(keeps ? place : x));
  Sum energy = 0.5 * (mass * dot(v, v));
  if (!turns) return energy;
  const Sum J = inertia.is_zero() ? Sum(3, 3) : read_inertia(body), centre = read(c);
  Sum w = turning->rate;
  if (keeps && w.terms().size() > 1) w = names_->angular_velocity(body.name, index, w);
  if (!v.is_zero() && !c.is_zero() && !at_centre) energy += mass * dot(v, turning->matrix * cross(w, centre));
  energy += 0.5 * dot(w, J * w);
  if (at_centre) energy += -0.5 * (mass * dot(cross(w, centre), cross(w, centre)));
  return energy;
}

}  // namespace hamel::textbook
