#include <fmt/core.h>

#include <stdexcept>

#include "hamel/linear/dense.hpp"
#include "hamel/mechanics/parts.hpp"
#include "hamel/model/index.hpp"
#include "integrate/parts.hpp"
#include "integrate/variational_stepper.hpp"

namespace hamel {
namespace {

// The matrix whose determinant vanishes at a fold, in bases that are the manifold's own (or none: constraints), so that
// the sign means something: an orthonormal basis may turn over from one point to the next.
//   [ B0^T J B1   C0^T ]
//   [ C1          0    ]
class FoldMatrix {
 public:
  FoldMatrix(const Geometry& geometry, int constraints) : geometry_(geometry), user_(constraints) {
    const int a = geometry.ambient();
    Eigen::Index tangents = 0, normals = 0;
    for (int f = 0; f < geometry.factors(); ++f) {
      const Manifold& space = geometry.space(f);
      const bool by_basis = geometry.is_given_by_basis(f);
      tangents += by_basis ? space.rates() : space.ambient();
      normals += by_basis ? 0 : space.ambient() - space.dimension();
      is_comparable_ = is_comparable_ && !(by_basis && space.rates() > space.dimension());
    }
    left_ = right_ = MatrixXd::Zero(a, tangents);
    normal0_ = normal1_ = MatrixXd::Zero(a, normals + constraints);
    product_ = MatrixXd::Zero(tangents, a);
    matrix_ = MatrixXd::Zero(tangents + normals + constraints, tangents + normals + constraints);
    lu_ = linear::Lu(matrix_.rows());
  }

  bool is_comparable() const { return is_comparable_; }  // no basis has more vectors than dimensions

  linear::Determinant determinant(const Geometry::Workspace& frame0, const Geometry::Workspace& frame1,
                                  const MatrixXd& G0, const MatrixXd& G1, const MatrixXd& jacobian) {
    fill(frame0, left_, normal0_);
    fill(frame1, right_, normal1_);
    normal0_.rightCols(user_) = G0.transpose();
    normal1_.rightCols(user_) = G1.transpose();
    const auto n = left_.cols(), m = normal0_.cols();
    product_.noalias() = left_.transpose() * jacobian;
    matrix_.topLeftCorner(n, n).noalias() = product_ * right_;
    matrix_.topRightCorner(n, m).noalias() = left_.transpose() * normal0_;
    matrix_.bottomLeftCorner(m, n).noalias() = normal1_.transpose() * right_;
    linear::factorise(lu_, matrix_);
    return linear::determinant(lu_);
  }

 private:
  void fill(const Geometry::Workspace& frame, MatrixXd& tangent, MatrixXd& normal) const {
    Eigen::Index column = 0, row = 0;
    for (int f = 0; f < geometry_.factors(); ++f) {
      const MatrixXd& F = frame.frame[at(f)];
      const int begin = geometry_.offset(f), n = geometry_.space(f).ambient();
      if (geometry_.is_given_by_basis(f)) {
        tangent.block(begin, column, n, F.cols()) = F;
        column += F.cols();
      } else {
        tangent.block(begin, column, n, n).setIdentity();
        normal.block(begin, row, n, F.rows()) = F.transpose();
        column += n;
        row += F.rows();
      }
    }
  }

  const Geometry& geometry_;
  int user_;  // constraints
  bool is_comparable_ = true;
  MatrixXd left_, right_, normal0_, normal1_, product_, matrix_;
  linear::Lu lu_;
};

// With frozen bases: Newton's method with exact Jacobian, increments by retraction.
class ReducedStepper final : public VariationalStepper {
 public:
  ReducedStepper(const System& system, const Variational& method)
      : VariationalStepper(system, method),
        geometry_(system.geometry()),
        map_(discrete_map(system, method.rule)),
        w_(map_.workspace()),
        constraints_(system.dynamics().constraints()),
        constraint_(constraints_.workspace()),
        frame0_(geometry_.workspace()),
        frame1_(geometry_.workspace()),
        parts_(geometry_),
        fold_(geometry_, system.constraints()) {
    const int a = geometry_.ambient(), m = system.constraints(), n = geometry_.dimension() + m;
    p_ = r_ = v_ = way_ = VectorXd::Zero(a);
    rhs_ = solution_ = VectorXd::Zero(n);
    lambda_ = VectorXd::Zero(m);
    G0_ = G1_ = MatrixXd::Zero(m, a);
    matrix_ = MatrixXd::Zero(n, n);
    JN_ = MatrixXd::Zero(a, geometry_.dimension());
    lu_ = linear::Lu(n);
  }

 private:
  std::vector<const Program*> programs() const override {
    std::vector<const Program*> all = system_.dynamics().legendre_programs();
    for (const Program* program : map_.programs()) all.push_back(program);
    return all;
  }
  void remember(Memory& memory) override {
    VariationalStepper::remember(memory);
    memory(p_, lambda_, w_.hamilton.mu);  // mu is where the next Legendre transform begins
  }

  void begin() override {
    system_.momentum(work_, now_.t, now_.q, now_.v, p_);
    lambda_.setZero();
    if (!map_.exists(w_, now_.t, now_.q, p_))
      throw std::invalid_argument(
          fmt::format("the variational integrator needs the Lagrangian of {}, and its Hamiltonian has none: it is "
                      "degenerate in mu at t = {:.6g}; use gauss, rk4 or rk45",
                      system_.name(), now_.t));
  }

  void solve(double t, double h, std::size_t) override {
    geometry_.bases(before_.q, frame0_);
    constraints_.evaluate(constraint_, before_.q);
    constraint_.G.put_into(G0_);
    v_ = h * before_.v;
    system_.space().retract(before_.q, v_, now_.q);
    // A Newton step costs little beside its bases; what is left of the error adds up over the substeps of a
    // composition.
    constexpr double care = 0.01;
    StepConvergence convergence(care * (before_.q.lpNorm<Eigen::Infinity>() + v_.lpNorm<Eigen::Infinity>()));
    way_ = v_;
    double correction = 0;
    for (int iteration = 1; iteration <= most_newton_iterations && std::isfinite(correction); ++iteration) {
      correction = newton(t, h);
      if (!convergence.reached(correction, parts_.relative(v_, before_.q, way_) / care)) continue;
      finish(t, h);
      return;
    }
    did_not_converge(h, correction);
  }

  // Of a very short step the chord (q1 - q0)/h has few digits, but the same ones at both ends: what they leave of the
  // equation at the beginning is what the momentum at the end has too much.
  void finish(double t, double h) {
    map_.begin(w_, t, h, before_.q, now_.q, work_.u);
    r_ = p_ - w_.residual;
    r_.noalias() -= G0_.transpose() * lambda_;
    map_.end(w_, t, h, before_.q, now_.q, work_.u, p_);
    for (int f = 0; f < geometry_.factors(); ++f) {
      const MatrixXd& N = frame0_.N[at(f)];
      auto pulled = rhs_.head(N.cols());
      pulled.noalias() = N.transpose() * r_.segment(geometry_.offset(f), N.rows());
      p_.segment(geometry_.offset(f), N.rows()).noalias() += N * pulled;
    }
    system_.velocity(work_, t + h, now_.q, p_, now_.v);
  }

  // [ N0^T J N1   (G0 N0)^T ] [ increment of q1 ]   [ N0^T (p0 + D1 L_d - G0^T lambda) ]
  // [ G1 N1        0        ] [ of lambda       ] = [ -c(q1)                           ]
  double newton(double t, double h) {
    map_.begin(w_, t, h, before_.q, now_.q, work_.u);
    constraints_.evaluate(constraint_, now_.q);
    constraint_.G.put_into(G1_);
    geometry_.bases(now_.q, frame1_);
    r_ = p_ - w_.residual;
    r_.noalias() -= G0_.transpose() * lambda_;
    assemble();
    linear::factorise(lu_, matrix_);
    linear::solve(lu_, rhs_, solution_);
    for (int f = 0; f < geometry_.factors(); ++f) {
      const MatrixXd& N = frame1_.N[at(f)];
      v_.segment(geometry_.offset(f), N.rows()).noalias() =
          N * solution_.segment(geometry_.tangent_offset(f), N.cols());
    }
    const double correction = v_.lpNorm<Eigen::Infinity>();
    if (!v_.allFinite()) return std::numeric_limits<double>::infinity();
    lambda_ += solution_.tail(lambda_.size());
    system_.space().retract(now_.q, v_, now_.q);
    return correction;
  }

  void assemble() {
    const int d = geometry_.dimension();
    const auto m = lambda_.size();
    for (int f = 0; f < geometry_.factors(); ++f) {
      const MatrixXd& N = frame1_.N[at(f)];
      const int col = geometry_.tangent_offset(f);
      JN_.middleCols(col, N.cols()).noalias() = w_.jacobian.middleCols(geometry_.offset(f), N.rows()) * N;
      if (m > 0) matrix_.block(d, col, m, N.cols()).noalias() = G1_.middleCols(geometry_.offset(f), N.rows()) * N;
    }
    for (int f = 0; f < geometry_.factors(); ++f) {
      const MatrixXd& N = frame0_.N[at(f)];
      const int row = geometry_.tangent_offset(f), begin = geometry_.offset(f);
      matrix_.block(row, 0, N.cols(), d).noalias() = N.transpose() * JN_.middleRows(begin, N.rows());
      rhs_.segment(row, N.cols()).noalias() = N.transpose() * r_.segment(begin, N.rows());
      if (m > 0)
        matrix_.block(row, d, N.cols(), m).noalias() = N.transpose() * G0_.middleCols(begin, N.rows()).transpose();
    }
    rhs_.tail(m) = -constraint_.c;
  }

  double fold_indicator(double t, double h, std::size_t) override {
    if (!fold_.is_comparable()) return 1;
    return linear::ratio(determinant(t, h, now_.q), determinant(t, h, before_.q));
  }

  // Of D1 D2 L_d between the tangent spaces, bordered by the constraints.
  linear::Determinant determinant(double t, double h, const VectorXd& q1) {
    geometry_.evaluate(before_.q, before_.v, frame0_);
    geometry_.evaluate(q1, before_.v, frame1_);
    map_.begin(w_, t, h, before_.q, q1, work_.u);
    constraints_.evaluate(constraint_, q1);
    constraint_.G.put_into(G1_);
    return fold_.determinant(frame0_, frame1_, G0_, G1_, w_.jacobian);
  }

  const Geometry& geometry_;
  const DiscreteMap& map_;
  DiscreteMap::Workspace w_;
  const Constraints& constraints_;
  Constraints::Workspace constraint_;
  Geometry::Workspace frame0_, frame1_;
  Parts parts_;
  VectorXd way_, p_, r_, v_, rhs_, solution_, lambda_;
  MatrixXd G0_, G1_, matrix_, JN_;
  linear::Lu lu_;
  FoldMatrix fold_;
};

}  // namespace

std::unique_ptr<Stepper> reduced_stepper(const System& system, const Variational& method) {
  return std::make_unique<ReducedStepper>(system, method);
}

}  // namespace hamel
