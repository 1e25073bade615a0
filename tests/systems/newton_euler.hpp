// Rigid bodies, ball joints and massless rods by the laws of Newton and Euler, for systems that no text derives:
//
//   m x'' = F + forces of joints,   J W' + W x J W = M + their moments,   the joints hold
//
//   Mechanism chain;
//   const int bob = chain.add({.mass = m, .x = x, .v = v, .force = -m * g * e3});
//   chain.rod({-1, pivot}, {bob});
//   chain.accelerations()[bob].x
#pragma once

#include "systems/support.hpp"

namespace hamel::test {

// W and the moment are in the body frame. A particle has no use for its attitude.
struct FreeBody {
  double mass = 1;
  Matrix3d J = Matrix3d::Identity();  // about the centre of mass
  Vector3d x = Vector3d::Zero(), v = Vector3d::Zero();
  Matrix3d R = Matrix3d::Identity();
  Vector3d W = Vector3d::Zero();
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
};

// A point of a body, seen from its centre of mass; or of space.
struct Hook {
  static constexpr int space = -1;
  int body = space;
  Vector3d at = Vector3d::Zero();
};

class Mechanism {
 public:
  struct Acceleration {
    Vector3d x, W;
  };

  int add(const FreeBody& body);
  void ball_joint(const Hook& a, const Hook& b);  // the two points are one
  void rod(const Hook& a, const Hook& b);         // their distance is constant
  std::vector<Acceleration> accelerations() const;

 private:
  using Row = Eigen::Matrix<double, 1, 6>;  // of (x'', W') of a body
  struct Entry {
    int row;
    Row row_of_body;
  };
  struct Point {
    Vector3d x, v, bias;  // bias: x'' where x'' and W' of the body vanish
    Eigen::Matrix<double, 3, 6> jacobian;
  };
  Point point(const Hook& hook) const;
  void hold(const Vector3d& along, const Hook& a, const Hook& b, double right_side);  // along.(a'' - b'') = right side
  Eigen::Matrix<double, 6, 6> inverse_mass(const FreeBody& body) const;

  std::vector<FreeBody> bodies_;
  std::vector<std::vector<Entry>> entries_;  // of each body
  std::vector<double> right_sides_;
};

}  // namespace hamel::test
