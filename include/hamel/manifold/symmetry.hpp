// Candidate symmetries: affine fields x -> A x + b that are tangent to a manifold everywhere on it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hamel/manifold/manifold.hpp"

namespace hamel {

// "rotation", "rotation about e3", "rotation in the plane of e1 and e4": a basis of so(n).
std::vector<AffineField> rotation_fields(int n);

std::vector<AffineField> translation_fields(int n);

// The rest of gl(n): scalings along the axes and symmetric shears.
std::vector<AffineField> stretch_fields(int n);

// Those fields of the list, first come first kept, that are linearly independent as fields on the given points.
std::vector<AffineField> independent_fields(const std::vector<AffineField>& fields,
                                            const std::vector<VectorXd>& points);

// All affine fields tangent at the given points, which must be many and general: the null space of
// (A, b) -> N(x)^T (A x + b), in reduced echelon form with simple fractions for its entries.
// normals(x) has the normal directions at x as its columns.
std::vector<AffineField> tangent_affine_fields(const std::vector<VectorXd>& points,
                                               const std::function<MatrixXd(In)>& normals);

// "(-x2, x1, 0)"
std::string describe(const MatrixXd& A, const VectorXd& b);

// Throws std::invalid_argument where so many dense fields would not fit into memory.
void check_symmetry_size(const std::string& name, double fields, int ambient);

}  // namespace hamel
