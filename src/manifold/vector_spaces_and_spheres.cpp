#include "hamel/manifold/any_manifold.hpp"
#include "hamel/manifold/rn.hpp"
#include "hamel/manifold/s1.hpp"
#include "hamel/manifold/s2.hpp"
#include "hamel/manifold/symmetry.hpp"
#include "manifold/samples.hpp"

namespace hamel {
namespace {

void append(std::vector<AffineField>& fields, std::vector<AffineField> more) {
  std::move(more.begin(), more.end(), std::back_inserter(fields));
}

int positive(int n, const char* what) {
  if (n < 1) throw std::invalid_argument(fmt::format("{} needs a dimension of at least 1, not {}", what, n));
  return n;
}

}  // namespace

Rn::Rn(int n) : n_(positive(n, "R^n")) {}

std::vector<AffineField> Rn::symmetries() const {
  check_symmetry_size(name(), n_, n_);
  std::vector<AffineField> fields = translation_fields(n_);
  if (n_ <= 12) append(fields, rotation_fields(n_));
  if (n_ <= 3) append(fields, stretch_fields(n_));
  return fields;
}

VectorXd Rn::random_point(Random& random) const { return normal_vector(n_, random); }

void throw_no_direction(const std::string& name) {
  throw std::domain_error(fmt::format("the origin has no nearest point on {}; give a vector with a direction", name));
}

void throw_antipodal(const std::string& name) {
  throw std::domain_error(fmt::format(
      "the two points of {} are antipodal: every direction leads from one to the other; choose points that are not",
      name));
}

VectorXd random_unit_vector(int ambient, Random& random) {
  for (;;) {
    const VectorXd x = normal_vector(ambient, random);
    if (x.norm() > 1e-3) return x.normalized();
  }
}

template <int Size>
std::vector<AffineField> UnitSphere<Size>::symmetries() const {
  check_symmetry_size(name(), 0.5 * ambient_ * dimension(), ambient_);
  return rotation_fields(ambient_);
}
template <int Size>
VectorXd UnitSphere<Size>::reference_point() const {
  return VectorXd::Unit(ambient_, ambient_ - 1);
}

template std::vector<AffineField> UnitSphere<2>::symmetries() const;
template VectorXd UnitSphere<2>::reference_point() const;
template std::vector<AffineField> UnitSphere<3>::symmetries() const;
template VectorXd UnitSphere<3>::reference_point() const;
template std::vector<AffineField> UnitSphere<Eigen::Dynamic>::symmetries() const;
template VectorXd UnitSphere<Eigen::Dynamic>::reference_point() const;

Sphere::Sphere(int n) : UnitSphere(positive(n, "S^n") + 1) {}

VectorXd Rn::reference_point() const { return VectorXd::Zero(n_); }

VectorXd S1::reference_point() const { return VectorXd::Unit(2, 0); }

template Manifold::Manifold(Rn);
template Manifold::Manifold(Sphere);
template Manifold::Manifold(S1);
template Manifold::Manifold(S2);

}  // namespace hamel
