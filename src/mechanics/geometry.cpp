#include "hamel/mechanics/geometry.hpp"

#include "hamel/derive/expressions.hpp"
#include "hamel/derive/lift.hpp"
#include "hamel/linear/dense.hpp"

namespace hamel {
namespace {

// C(q), m x a, or B(q), a x k; column by column.
std::vector<Expr> frame_of(const Manifold& space, const VectorXe& q, int& rows, int& cols) {
  std::vector<Expr> entries;
  if (is_by_basis(space)) {
    const MatrixXe B = space.basis(q);
    rows = static_cast<int>(B.rows());
    cols = static_cast<int>(B.cols());
    entries.assign(B.data(), B.data() + B.size());
    return entries;
  }
  const VectorXe c = space.constraints(q);
  rows = static_cast<int>(c.size());
  cols = space.ambient();
  entries.resize(at(rows * cols));
  const std::vector<Expr> f(c.data(), c.data() + c.size()), x(q.data(), q.data() + q.size());
  for (const auto& [i, j, value] : jacobian(f, x)) entries[at(j * rows + i)] = value;
  return entries;
}

Manifold product_of(const Model& model) {
  std::vector<Manifold> spaces;
  for (const Coordinate& coordinate : model.coordinates()) spaces.push_back(coordinate.space);
  return product(spaces);
}

}  // namespace

Geometry::Geometry(const Model& model, const LoweredModel& lowered) : product_(product_of(model)) {
  std::vector<Expr> frames, rates_of_p;
  const std::vector<Expr> p = Graph::current().variables("p", static_cast<int>(lowered.q.size()));
  for (std::size_t f = 0; f < model.coordinates().size(); ++f) {
    const Manifold& space = model.coordinates()[f].space;
    const int begin = lowered.offsets[f], n = space.ambient();
    spaces_.push_back(space);
    by_basis_.push_back(is_by_basis(space));
    offsets_.push_back(offsets_.back() + n);
    dimensions_.push_back(dimensions_.back() + space.dimension());
    rates_.push_back(rates_.back() + space.rates());
    VectorXe q(n);
    std::vector<Expr> x(lowered.q.begin() + begin, lowered.q.begin() + begin + n);
    const std::vector<Expr> v(lowered.v.begin() + begin, lowered.v.begin() + begin + n);
    for (int i = 0; i < n; ++i) q(i) = x[at(i)];
    int rows = 0, cols = 0;
    const auto frame = frame_of(space, q, rows, cols);
    const auto rate = directional_derivative(frame, x, v);
    frames.insert(frames.end(), frame.begin(), frame.end());
    frames.insert(frames.end(), rate.begin(), rate.end());

    std::vector<Expr> pi(at(space.rates()));
    if (space.has_formulas()) {
      const MatrixXe B = space.basis(q);
      for (int j = 0; j < space.rates(); ++j)
        for (int i = 0; i < n; ++i) pi[at(j)] += B(i, j) * p[at(begin + i)];
    }
    const auto pi_rate = directional_derivative(pi, x, v);
    rates_of_p.insert(rates_of_p.end(), pi_rate.begin(), pi_rate.end());
  }
  frames_ = Kernel("frames", {lowered.q, lowered.v}, {frames}, {});
  basis_rates_ = Kernel("basis_rates", {lowered.q, lowered.v, p}, {rates_of_p}, {});
  Random random(7);
  trial_point_ = product_.random_point(random);
  trial_tangent_ = product_.random_tangent(trial_point_, random);
}

Geometry::Workspace Geometry::workspace() const {
  Workspace w;
  Eigen::Index size = 0;
  int ambient_of_largest = 0, rates_of_largest = 0;
  for (int f = 0; f < factors(); ++f) {
    const Manifold& factor = space(f);
    const int rows = by_basis_[at(f)] ? factor.ambient() : factor.ambient() - factor.dimension();
    const int cols = by_basis_[at(f)] ? factor.rates() : factor.ambient();
    w.frame.emplace_back(rows, cols);
    w.frame_rate.emplace_back(rows, cols);
    w.N.emplace_back(factor.ambient(), factor.dimension());
    size += 2 * rows * cols;
    ambient_of_largest = std::max(ambient_of_largest, factor.ambient());
    rates_of_largest = std::max(rates_of_largest, factor.rates());
  }
  w.normal.resize(ambient_of_largest);
  for (VectorXd* x : {&w.xi, &w.combined, &w.pulled}) x->resize(rates_of_largest);
  w.values.resize(size);
  w.scratch.resize(
      static_cast<Eigen::Index>(std::max(frames_.program().scratch_size(), basis_rates_.program().scratch_size())));
  return w;
}

VectorXd Geometry::natural_coordinates(In q, In tangent) const {
  std::vector<double> x;
  for (int f = 0; f < factors(); ++f) {
    const VectorXd own = tangent.segment(offset(f), space(f).ambient());
    VectorXd part = own;
    if (is_given_by_basis(f)) {
      part.resize(space(f).rates());
      space(f).rates(q.segment(offset(f), space(f).ambient()), own, part);
    }
    x.insert(x.end(), part.begin(), part.end());
  }
  return Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

void Geometry::bases(In q, Workspace& w) const {
  for (int f = 0; f < factors(); ++f) space(f).tangent_basis(q.segment(offset(f), space(f).ambient()), w.N[at(f)]);
}

void Geometry::evaluate(In q, In v, Workspace& w) const {
  frames_.run<2, 1>({q.data(), v.data()}, {w.values.data()}, w.scratch.data());
  const double* next = w.values.data();
  for (int f = 0; f < factors(); ++f)
    for (auto* matrix : {&w.frame[at(f)], &w.frame_rate[at(f)]}) {
      std::copy(next, next + matrix->size(), matrix->data());
      next += matrix->size();
    }
}

void Geometry::curvature(In q, In v, Workspace& w, Out gamma) const {
  evaluate(q, v, w);
  for (int f = 0; f < factors(); ++f) {
    const int begin = offset(f), n = space(f).ambient();
    const auto& frame = w.frame[at(f)];
    const auto& rate = w.frame_rate[at(f)];
    auto result = gamma.segment(begin, n);
    if (by_basis_[at(f)]) {
      Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 64, 1> xi(space(f).rates());
      VectorXd::MapType view(xi.data(), xi.size());
      space(f).rates(q.segment(begin, n), v.segment(begin, n), view);
      result.noalias() = rate * xi;
    } else if (frame.rows() == 0) {
      result.setZero();
    } else if (frame.rows() == 1) {
      result = frame.row(0).transpose() * (-rate.row(0).dot(v.segment(begin, n)) / frame.row(0).squaredNorm());
    } else {
      result = -frame.transpose() * linear::solve(frame * frame.transpose(), rate * v.segment(begin, n));
    }
  }
}

namespace {

// P' p = -C^+ C' P p - P C'^T (C C^T)^-1 C p
void projected_rate_by_constraints(const MatrixXd& C, const MatrixXd& C_rate, In p, Out rate) {
  const MatrixXd gram = C * C.transpose();
  const auto over_gram = [&](const VectorXd& x) { return linear::solve(gram, x); };
  const auto normal = [&](const VectorXd& x) -> VectorXd { return C.transpose() * over_gram(C * x); };
  const VectorXd pull = C_rate.transpose() * over_gram(C * p);
  rate = -C.transpose() * over_gram(C_rate * (p - normal(p))) - (pull - normal(pull));
}

// The same for one constraint, in scalars.
void projected_rate_by_constraint(const MatrixXd& C, const MatrixXd& C_rate, In p, Out rate) {
  const auto c = C.row(0).transpose(), c_rate = C_rate.row(0).transpose();
  const double size = c.squaredNorm(), turn = c.dot(c_rate) / size, along = c.dot(p) / size;
  rate = c * (2 * turn * along - c_rate.dot(p) / size) - along * c_rate;
}

}  // namespace

void Geometry::projected_rate(In q, In v, In p, Workspace& w, Out rate) const {
  evaluate(q, v, w);
  bases(q, w);
  for (int f = 0; f < factors(); ++f) {
    const int begin = offset(f), n = space(f).ambient();
    const MatrixXd& frame = w.frame[at(f)];
    auto result = rate.segment(begin, n);
    if (by_basis_[at(f)])
      projected_rate_by_basis(f, q.segment(begin, n), p.segment(begin, n), w, result);
    else if (frame.rows() == 0)
      result.setZero();
    else if (frame.rows() == 1)
      projected_rate_by_constraint(frame, w.frame_rate[at(f)], p.segment(begin, n), result);
    else
      projected_rate_by_constraints(frame, w.frame_rate[at(f)], p.segment(begin, n), result);
  }
}

// P' p = (I - P) B' B^+ p + (B' B^+)^T (I - P) p, where B^+ N_j are the rates of a column of N.
void Geometry::projected_rate_by_basis(int f, In q, In p, Workspace& w, Out rate) const {
  const Manifold& factor = space(f);
  const MatrixXd &N = w.N[at(f)], &B_rate = w.frame_rate[at(f)];
  auto normal = w.normal.head(factor.ambient());
  auto xi = w.xi.head(factor.rates()), combined = w.combined.head(factor.rates()),
       pulled = w.pulled.head(factor.rates());
  normal = p;
  combined.setZero();
  for (Eigen::Index j = 0; j < N.cols(); ++j) {
    factor.rates(q, N.col(j), xi);
    combined += xi * N.col(j).dot(p);
    normal -= N.col(j) * N.col(j).dot(p);
  }
  pulled.noalias() = B_rate.transpose() * normal;
  rate.noalias() = B_rate * combined;
  for (Eigen::Index j = 0; j < N.cols(); ++j) {
    factor.rates(q, N.col(j), xi);
    rate += N.col(j) * (xi.dot(pulled) - N.col(j).dot(rate));
  }
}

void Geometry::basis_rate(In q, In v, In p, Workspace& w, Out rate) const {
  basis_rates_.run<3, 1>({q.data(), v.data(), p.data()}, {rate.data()}, w.scratch.data());
}

}  // namespace hamel
