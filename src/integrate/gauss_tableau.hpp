// The coefficients of Gauss collocation with s stages (order 2 s), s = 1..8.
//
// A rounded coefficient makes the same error in every step: invariants drift away linearly, however carefully the steps
// are added up. So each one is the sum of a short number, whose products round at random, and a small correction
// (Hairer, McLachlan, Razakarivony, "Achieving Brouwer's law with implicit Runge-Kutta methods").
#pragma once

#include <span>

namespace hamel {

struct Coefficient {
  double exact, rest, tail;  // the tail matters to scalars longer than double
  template <class Scalar>
  Scalar correction() const {
    return Scalar(rest) + Scalar(tail);
  }
  template <class Scalar>
  Scalar value() const {
    return Scalar(exact) + correction<Scalar>();
  }
};

constexpr int most_gauss_stages = 8;

struct GaussTableau {
  int stages;
  std::span<const Coefficient> c, b, a;  // a row by row
  const Coefficient& coefficient(int i, int j) const {
    return a[static_cast<std::size_t>(i) * static_cast<std::size_t>(stages) + static_cast<std::size_t>(j)];
  }
};

GaussTableau gauss_tableau(int stages);

}  // namespace hamel
