#include "hamel/manifold/manifold.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "hamel/manifold/any_manifold.hpp"

namespace hamel {
namespace {

void require_size(const Manifold::Concept& self, const char* what, Eigen::Index size, int expected) {
  if (size == expected) return;
  throw std::invalid_argument(
      fmt::format("{} of {} has {} numbers, but {} are needed", what, self.name, size, expected));
}

struct Sizes {
  const Manifold::Concept& self;

  template <class V>
  const Sizes& point(const char* what, const V& x) const {
    require_size(self, what, x.size(), self.size.ambient);
    return *this;
  }
  template <class V>
  const Sizes& rates(const char* what, const V& x) const {
    require_size(self, what, x.size(), self.size.rates);
    return *this;
  }
};

void require_finite(In q, const std::string& what, const std::string& name) {
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    if (std::isfinite(q(i))) continue;
    throw std::domain_error(fmt::format("{} is not a point of {}: entry {} of {} is {}; correct the numbers", what,
                                        name, i + 1, q.size(), q(i)));
  }
}

void require_membership(const Manifold::Concept& self, In q, const std::string& what, double tolerance) {
  const double defect = self.defect(q);
  if (defect <= tolerance) return;
  throw std::domain_error(
      fmt::format("{} is not on {}: {} = {:.1e} (tolerance {:.0e}); project it first or correct the numbers", what,
                  self.name, self.defect_formula(), defect, tolerance));
}

}  // namespace

std::string Manifold::name() const { return self_->name; }
int Manifold::ambient() const { return self_->size.ambient; }
int Manifold::dimension() const { return self_->size.dimension; }
int Manifold::rates() const { return self_->size.rates; }
std::pair<int, int> Manifold::shape() const { return self_->size.shape; }

std::vector<Manifold> Manifold::factors() const {
  std::vector<Manifold> result = self_->factors();
  if (result.empty()) result.push_back(*this);
  return result;
}

std::vector<Manifold> Manifold::parts() const {
  std::vector<Manifold> result = self_->parts();
  if (result.empty()) result.push_back(*this);
  return result;
}

Turning Manifold::turning() const { return self_->character.turning; }
bool Manifold::is_flat() const {
  const std::vector<Manifold> all = factors();
  return std::all_of(all.begin(), all.end(), [](const Manifold& factor) { return factor.self().character.is_flat; });
}
bool Manifold::is_unit_sphere() const { return self_->character.is_unit_sphere; }
bool Manifold::is_pose() const { return turning() == Turning::body && self_->parts().size() == 2; }

int Manifold::angular_rates() const {
  constexpr int components[] = {0, 1, 3, 3};
  return components[static_cast<std::size_t>(turning())];
}

std::vector<RateName> Manifold::rate_names() const {
  if (self_->character.rate_names.empty()) return {{"xi", rates()}};
  return self_->character.rate_names;
}

Generators Manifold::generators() const { return self_->generators(); }

double Manifold::defect(In q) const {
  Sizes{*self_}.point("a point", q);
  return self_->defect(q);
}

void Manifold::check(In q, const std::string& what, double tolerance) const {
  Sizes{*self_}.point(what.c_str(), q);
  require_finite(q, what, name());
  const std::vector<Manifold> parts = self_->factors();
  if (parts.size() <= 1) return require_membership(*self_, q, what, tolerance);
  Eigen::Index begin = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Concept& part = parts[i].self();
    const auto segment = q.segment(begin, part.size.ambient);
    if (!(part.defect(segment) <= tolerance))
      require_membership(part, segment,
                         fmt::format("{} (factor {} of {}, entries {} to {})", what, i + 1, parts.size(), begin + 1,
                                     begin + part.size.ambient),
                         tolerance);
    begin += part.size.ambient;
  }
}

void Manifold::project(In x, Out q) const {
  Sizes{*self_}.point("x", x).point("the result", q);
  self_->project(x, q);
}

void Manifold::tangent_project(In q, In v, Out w) const {
  Sizes{*self_}.point("q", q).point("v", v).point("the result", w);
  self_->tangent_project(q, v, w);
}

void Manifold::tangent_basis(In q, OutMatrix N) const {
  Sizes{*self_}.point("q", q);
  require_size(*self_, "a column of the basis", N.rows(), ambient());
  require_size(*self_, "a row of the basis", N.cols(), dimension());
  self_->tangent_basis(q, N);
}

void Manifold::velocity(In q, In xi, Out v) const {
  Sizes{*self_}.point("q", q).rates("xi", xi).point("v", v);
  self_->velocity(q, xi, v);
}

void Manifold::rates(In q, In v, Out xi) const {
  Sizes{*self_}.point("q", q).point("v", v).rates("xi", xi);
  self_->rates(q, v, xi);
}

void Manifold::rates_of_acceleration(In q, In v, In a, Out xi_dot) const {
  Sizes{*self_}.point("q", q).point("v", v).point("a", a).rates("xi'", xi_dot);
  self_->rates_of_acceleration(q, v, a, xi_dot);
}

void Manifold::covector_to_rates(In q, In p, Out pi) const {
  Sizes{*self_}.point("q", q).point("p", p).rates("pi", pi);
  self_->covector_to_rates(q, p, pi);
}

void Manifold::retract(In q, In v, Out result) const {
  Sizes{*self_}.point("q", q).point("v", v).point("the result", result);
  self_->retract(q, v, result);
}

void Manifold::inverse_retract(In q, In other, Out v) const {
  Sizes{*self_}.point("q", q).point("the other point", other).point("v", v);
  self_->inverse_retract(q, other, v);
}

bool Manifold::has_exponential() const { return self_->has_exponential(); }

void Manifold::exponential(In q, In v, Out result) const {
  Sizes{*self_}.point("q", q).point("v", v).point("the result", result);
  self_->exponential(q, v, result);
}

void Manifold::logarithm(In q, In other, Out v) const {
  Sizes{*self_}.point("q", q).point("the other point", other).point("v", v);
  self_->logarithm(q, other, v);
}

double Manifold::injectivity_radius() const { return self_->injectivity_radius(); }
VectorXd Manifold::random_point(Random& random) const { return self_->random_point(random); }

VectorXd Manifold::random_tangent(In q, Random& random) const {
  Sizes{*self_}.point("q", q);
  std::normal_distribution<double> normal;
  const VectorXd any = VectorXd::NullaryExpr(ambient(), [&] { return normal(random); });
  VectorXd v(ambient());
  self_->tangent_project(q, any, v);
  return v;
}

VectorXd Manifold::reference_point() const { return self_->reference_point(); }
std::vector<AffineField> Manifold::symmetries() const { return self_->symmetries(); }

bool Manifold::has_constraints() const { return self_->has_constraints(); }
bool Manifold::has_constraint_formula() const { return self_->has_constraint_formula(); }
bool Manifold::has_formulas() const { return self_->has_formulas(); }
bool Manifold::has_rates_formula() const { return self_->has_rates_formula(); }

bool Manifold::has_group_rates() const { return self_->has_group_rates(); }

VectorXe Manifold::group_rates(const VectorXe& q, const VectorXe& v) const {
  Sizes{*self_}.point("a point", q).point("a velocity", v);
  return self_->group_rates(q, v);
}

bool Manifold::has_retraction_formula() const { return self_->has_retraction_formula(); }

VectorXe Manifold::constraints(const VectorXe& q) const {
  Sizes{*self_}.point("q", q);
  return self_->constraints(q);
}

MatrixXe Manifold::basis(const VectorXe& q) const {
  Sizes{*self_}.point("q", q);
  if (const std::vector<Manifold> parts = factors(); parts.size() > 1) {
    MatrixXe B = MatrixXe::Zero(ambient(), rates());
    int row = 0, column = 0;
    for (const Manifold& part : parts) {
      B.block(row, column, part.ambient(), part.rates()) = part.basis(q.segment(row, part.ambient()));
      row += part.ambient();
      column += part.rates();
    }
    return B;
  }
  MatrixXe B(ambient(), rates());
  for (int k = 0; k < rates(); ++k) self_->velocity(q, VectorXe(VectorXe::Unit(rates(), k)), B.col(k));
  return B;
}

VectorXe Manifold::curvature(const VectorXe& q, const VectorXe& v) const {
  Sizes{*self_}.point("q", q).point("v", v);
  VectorXe result(ambient());
  self_->curvature(q, v, result);
  return result;
}

VectorXe Manifold::curvature_of_rates(const VectorXe& q, const VectorXe& xi) const {
  Sizes{*self_}.point("q", q).rates("xi", xi);
  VectorXe result(ambient());
  self_->curvature_of_rates(q, xi, result);
  return result;
}

VectorXe Manifold::tangent_project(const VectorXe& q, const VectorXe& v) const {
  Sizes{*self_}.point("q", q).point("v", v);
  VectorXe result(ambient());
  self_->tangent_project(q, v, result);
  return result;
}

VectorXe Manifold::rates_of_acceleration(const VectorXe& q, const VectorXe& v, const VectorXe& a) const {
  Sizes{*self_}.point("q", q).point("v", v).point("a", a);
  VectorXe result(rates());
  self_->rates_of_acceleration(q, v, a, result);
  return result;
}

VectorXe Manifold::retract(const VectorXe& q, const VectorXe& xi) const {
  Sizes{*self_}.point("q", q).rates("xi", xi);
  VectorXe result(ambient());
  self_->retract_by_rates(q, xi, result);
  return result;
}

}  // namespace hamel
