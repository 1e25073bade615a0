// The unknowns of Noether's theorem: affine fields on the coordinates, a shift of time, and gauge terms F.
#pragma once

#include <string>
#include <vector>

#include "hamel/symmetry/noether.hpp"
#include "symmetry/units.hpp"

namespace hamel {

struct Candidates {
  struct Part {
    int coordinate;
    AffineField field;
  };
  using Generator = std::vector<Part>;
  // All places move as if the centre of mass were turned back.
  struct CentreTurn {
    std::string name;  // of the rotation that is taken back
    std::vector<ConservedMomentum::Coupling> couplings;
  };
  struct Gauge {
    int coordinate, i, j;  // F = q_i q_j in components of the coordinate; j < 0: F = q_i
  };

  // Columns of unknowns: turns of the centre of mass, generators, the shift of time, gauge terms.
  std::vector<CentreTurn> turns;
  std::vector<Generator> generators;
  std::vector<Gauge> gauge;
  std::vector<double> generator_units;  // a coefficient of the model is that of the search times the unit
  Units units;
  bool merged = false;  // so many coordinates that only fields moving all of them together are tried

  Eigen::Index generator(std::size_t g) const { return static_cast<Eigen::Index>(turns.size() + g); }
  Eigen::Index time() const { return generator(generators.size()); }
  Eigen::Index first_gauge() const { return time() + 1; }
  Eigen::Index columns() const { return first_gauge() + static_cast<Eigen::Index>(gauge.size()); }
  VectorXd unit_of_unknowns(const std::vector<int>& offsets) const;
};

// As functions of q over the units. has_gauge says for each coordinate whether gauge terms may depend on it.
Candidates find_candidates(const Model& model, const std::vector<bool>& has_gauge, const std::vector<int>& offsets,
                           const Units& units);

// The kind of motion a field is, the same on R^3, S^2 and SO(3): "rotation about e3" for a left rotation.
std::string spatial_name(const std::string& field_name);

}  // namespace hamel
