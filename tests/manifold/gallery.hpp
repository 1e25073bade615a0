// The manifolds that the battery runs over, and small tools that its tests share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hamel/manifold/manifold.hpp"

namespace hamel::gallery {

struct Member {
  std::string label;  // letters and digits
  Manifold manifold;
  double reach;  // how long a tangent vector the retraction takes at least
};

const std::vector<Member>& all();
const Manifold& named(const std::string& label);

std::vector<Eigen::MatrixXd> so2(), so3(), se2(), se3(), sl2(), heisenberg();

// The values of formulas at numbers: f(x, y) with x, y of the sizes given by the numbers.
using Formula = std::function<VectorXe(const VectorXe&, const VectorXe&)>;
VectorXd value(const Formula& formula, const VectorXd& x, const VectorXd& y);

// The points at which everything is tried: the reference, one 1e-8 away from it, the far side of the reference, random.
std::vector<VectorXd> points(const Manifold& manifold);

// Calls with a result instead of an output argument.
VectorXd retract(const Manifold& m, const VectorXd& q, const VectorXd& v);
VectorXd inverse_retract(const Manifold& m, const VectorXd& q, const VectorXd& other);
VectorXd exponential(const Manifold& m, const VectorXd& q, const VectorXd& v);
VectorXd logarithm(const Manifold& m, const VectorXd& q, const VectorXd& other);
VectorXd project(const Manifold& m, const VectorXd& x);
VectorXd tangent_project(const Manifold& m, const VectorXd& q, const VectorXd& v);
VectorXd velocity(const Manifold& m, const VectorXd& q, const VectorXd& xi);
VectorXd rates(const Manifold& m, const VectorXd& q, const VectorXd& v);

VectorXd unit_tangent(const Manifold& m, const VectorXd& q, Random& random);

}  // namespace hamel::gallery
