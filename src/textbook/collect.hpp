// The terms of a sum, with what is constant gathered: (m1 + m2) l1^2 times what moves.
#pragma once

#include "textbook/algebra.hpp"

namespace hamel::textbook {

struct Collected {
  Sum coefficient;             // of parameters and numbers
  std::vector<Factor> others;  // scalars that move
  Core core;
};

std::vector<Collected> collect(const Sum& sum);
bool is_negative(const Collected& term);  // its first coefficient

// coefficient = number * common * rest, where `rest` stands before common[place].
struct Split {
  double number = 1;
  std::vector<Factor> common{};
  Sum rest{1.0};
  std::size_t place = 0;
};
Split split_coefficient(const Sum& coefficient);

// Terms of one and the same vector become one: (a + b (q.e1)) v.
std::vector<Collected> by_vector(const std::vector<Collected>& terms);

// Terms with one and the same coefficient of more than parameters, k/|x - y|^3 for one, side by side.
std::vector<std::vector<Collected>> alike(const std::vector<Collected>& terms);

// The same where it makes terms one, and terms of one vector otherwise.
std::vector<std::vector<Collected>> grouped(const std::vector<Collected>& terms);

// Terms A x + A y, or a x x + a x y, with what they have in common; a scalar inside: a term that shares nothing.
struct Applied {
  Collected term;
  Core matrix;
  bool is_cross;
  Sum inside;
};
std::vector<Applied> by_operator(const std::vector<Collected>& terms);

// b (a.c) - c (a.b) as a x (b x c), b - (q.b) q at a point q of a sphere as (I - q q^T) b, also behind a rotation R.
struct Nested {
  enum class Kind { plain, product, projection };
  Kind kind;
  Collected term;  // with the rotation as its core, where it is not plain
  Sum a{0.0}, b{0.0}, c{0.0};
};
std::vector<Nested> nest(const std::vector<Collected>& terms);

}  // namespace hamel::textbook
