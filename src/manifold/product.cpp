#include "manifold/product.hpp"

#include <algorithm>
#include <limits>

#include "hamel/manifold/symmetry.hpp"

namespace hamel {
namespace {

// Long runs of equal names are shortened: "S2^100 x R3".
std::string name_of(const std::vector<Manifold>& factors) {
  constexpr std::ptrdiff_t longest_written_run = 3;
  std::string result;
  for (auto first = factors.begin(); first != factors.end();) {
    const std::string name = first->name();
    const auto last = std::find_if(first, factors.end(), [&](const Manifold& m) { return m.name() != name; });
    const std::ptrdiff_t run = last - first;
    const std::ptrdiff_t times = run > longest_written_run ? 1 : run;
    for (std::ptrdiff_t k = 0; k < times; ++k) result += (result.empty() ? "" : " x ") + name;
    if (run > longest_written_run) result += "^" + std::to_string(run);
    first = last;
  }
  return result;
}

Manifold::Concept::Size size_of(const std::vector<Manifold>& factors) {
  Manifold::Concept::Size sum{0, 0, 0, {0, 1}};
  for (const Manifold& factor : factors) {
    sum.ambient += factor.ambient();
    sum.dimension += factor.dimension();
    sum.rates += factor.rates();
  }
  sum.shape = {sum.ambient, 1};
  return sum;
}

}  // namespace

Manifold product(const std::vector<Manifold>& factors) {
  std::vector<Manifold> flat;
  for (const Manifold& factor : factors)
    for (const Manifold& part : factor.factors()) flat.push_back(part);
  if (flat.empty()) throw std::invalid_argument("a product of manifolds needs at least one factor; none was given");
  if (flat.size() == 1) return flat.front();
  return Manifold(std::make_shared<const Product>(std::move(flat)));
}

Product::Product(std::vector<Manifold> factors)
    : Concept(name_of(factors), size_of(factors)), factors_(std::move(factors)) {
  int point = 0, tangent = 0, rate = 0;
  slots_.reserve(factors_.size());
  for (const Manifold& factor : factors_) {
    slots_.push_back({&factor.self(), point, tangent, rate});
    point += factor.ambient();
    tangent += factor.dimension();
    rate += factor.rates();
  }
}

template <class Test>
bool Product::all(Test test) const {
  return std::all_of(slots_.begin(), slots_.end(), [&](const Slot& s) { return test(*s.factor); });
}

double Product::defect(In q) const {
  double largest = 0;
  for (const Slot& s : slots_) {
    const double defect = s.factor->defect(s.of_point(q));
    if (!(defect <= largest)) largest = defect;  // a NaN is kept
  }
  return largest;
}

std::string Product::defect_formula() const { return "the largest defect of a factor"; }

void Product::project(In x, Out q) const {
  for (const Slot& s : slots_) s.factor->project(s.of_point(x), s.of_point(q));
}

void Product::tangent_project(In q, In v, Out w) const {
  for (const Slot& s : slots_) s.factor->tangent_project(s.of_point(q), s.of_point(v), s.of_point(w));
}

void Product::tangent_basis(In q, OutMatrix N) const {
  N.setZero();
  for (const Slot& s : slots_)
    s.factor->tangent_basis(s.of_point(q),
                            N.block(s.point, s.tangent, s.factor->size.ambient, s.factor->size.dimension));
}

void Product::velocity(In q, In xi, Out v) const {
  for (const Slot& s : slots_) s.factor->velocity(s.of_point(q), s.of_rates(xi), s.of_point(v));
}

void Product::rates(In q, In v, Out xi) const {
  for (const Slot& s : slots_) s.factor->rates(s.of_point(q), s.of_point(v), s.of_rates(xi));
}

void Product::rates_of_acceleration(In q, In v, In a, Out xi_dot) const {
  for (const Slot& s : slots_)
    s.factor->rates_of_acceleration(s.of_point(q), s.of_point(v), s.of_point(a), s.of_rates(xi_dot));
}

void Product::covector_to_rates(In q, In p, Out pi) const {
  for (const Slot& s : slots_) s.factor->covector_to_rates(s.of_point(q), s.of_point(p), s.of_rates(pi));
}

void Product::retract(In q, In v, Out result) const {
  for (const Slot& s : slots_) s.factor->retract(s.of_point(q), s.of_point(v), s.of_point(result));
}

void Product::inverse_retract(In q, In other, Out v) const {
  for (const Slot& s : slots_) s.factor->inverse_retract(s.of_point(q), s.of_point(other), s.of_point(v));
}

bool Product::has_exponential() const {
  return all([](const Concept& f) { return f.has_exponential(); });
}

void Product::exponential(In q, In v, Out result) const {
  for (const Slot& s : slots_) s.factor->exponential(s.of_point(q), s.of_point(v), s.of_point(result));
}

void Product::logarithm(In q, In other, Out v) const {
  for (const Slot& s : slots_) s.factor->logarithm(s.of_point(q), s.of_point(other), s.of_point(v));
}

double Product::injectivity_radius() const {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Slot& s : slots_) smallest = std::min(smallest, s.factor->injectivity_radius());
  return smallest;
}

VectorXd Product::random_point(Random& random) const {
  VectorXd q(size.ambient);
  for (const Slot& s : slots_) s.of_point(q) = s.factor->random_point(random);
  return q;
}

VectorXd Product::reference_point() const {
  VectorXd q(size.ambient);
  for (const Slot& s : slots_) s.of_point(q) = s.factor->reference_point();
  return q;
}

std::vector<AffineField> Product::symmetries() const {
  check_symmetry_size(name, static_cast<double>(slots_.size()), size.ambient);
  std::vector<AffineField> result;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Slot& s = slots_[i];
    for (const AffineField& field : s.factor->symmetries()) {
      check_symmetry_size(name, static_cast<double>(result.size() + 1), size.ambient);
      MatrixXd A = MatrixXd::Zero(size.ambient, size.ambient);
      VectorXd b = VectorXd::Zero(size.ambient);
      A.block(s.point, s.point, field.A.rows(), field.A.cols()) = field.A;
      s.of_point(b) = field.b;
      result.push_back({fmt::format("{} of factor {}", field.name, i + 1), std::move(A), std::move(b)});
    }
  }
  return result;
}

bool Product::has_constraints() const {
  return all([](const Concept& f) { return f.has_constraints(); });
}

VectorXe Product::constraints(InExpr q) const {
  std::vector<Expr> all_constraints;
  for (const Slot& s : slots_) {
    const VectorXe c = s.factor->constraints(s.of_point(q));
    all_constraints.insert(all_constraints.end(), c.begin(), c.end());
  }
  return Eigen::Map<const VectorXe>(all_constraints.data(), static_cast<Eigen::Index>(all_constraints.size()));
}

bool Product::has_formulas() const {
  return all([](const Concept& f) { return f.has_formulas(); });
}

void Product::velocity(InExpr q, InExpr xi, OutExpr v) const {
  for (const Slot& s : slots_) s.factor->velocity(s.of_point(q), s.of_rates(xi), s.of_point(v));
}

void Product::curvature(InExpr q, InExpr v, OutExpr result) const {
  for (const Slot& s : slots_) s.factor->curvature(s.of_point(q), s.of_point(v), s.of_point(result));
}

void Product::curvature_of_rates(InExpr q, InExpr xi, OutExpr result) const {
  for (const Slot& s : slots_) s.factor->curvature_of_rates(s.of_point(q), s.of_rates(xi), s.of_point(result));
}

void Product::tangent_project(InExpr q, InExpr v, OutExpr w) const {
  for (const Slot& s : slots_) s.factor->tangent_project(s.of_point(q), s.of_point(v), s.of_point(w));
}

bool Product::has_retraction_formula() const {
  return all([](const Concept& f) { return f.has_retraction_formula(); });
}

void Product::retract_by_rates(InExpr q, InExpr xi, OutExpr result) const {
  for (const Slot& s : slots_) s.factor->retract_by_rates(s.of_point(q), s.of_rates(xi), s.of_point(result));
}

}  // namespace hamel
