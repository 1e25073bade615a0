// Equations of motion as a textbook writes them: vectors, cross products, hats; in the names of the model.
//
//   TextbookEquations set = textbook_equations(model, Form::omega);
//   fmt::print("{}", print(set));           // q' = cross(omega, q)
//                                           // m*l^2*omega' = -m*g*l*cross(q, e3)
//   for (const std::string& line : lines(set, Notation::latex)) ...      // one equation each
//
// They come from vector calculus on the formulas of the energies, not from the scalar graph. What has no vector form
// (an embedded manifold, a general Lie group) is left to equations(), in components; `reason` says why.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hamel/derive/equations.hpp"
#include "hamel/model/model.hpp"

namespace hamel {

struct TextbookEquation {
  Formula left, right;
};

// A symbol that the model itself has not.
struct Quantity {
  enum class Meaning {
    acceleration,           // q''
    rotation_acceleration,  // R''
    angular_velocity,       // omega on S^1 and S^2; Omega, in the body, on SO(3) and SE(3)
    angular_acceleration,   // its rate
    body_velocity,          // V = R^T x' of a pose
    body_acceleration,      // V'
    momentum,               // mu or pi; of a pose: of its position
    momentum_rate,
    turning_momentum,  // of SO(3) and SE(3): the matrix mu, or the vector pi
    turning_momentum_rate,
    multiplier,     // lambda of a constraint
    pose_position,  // x_G of a pose G
    pose_position_rate,
    pose_rotation,  // R_G
    pose_rotation_rate,
    point,  // a point, a body's centre of mass or a definition of the model, with the rates that it has
    point_rate,
    point_acceleration,
    rotation,      // a definition of the model that is a rotation
    body_turning,  // Omega of a body whose attitude is a product
    body_turning_rate,
  };
  std::string name;  // as it is printed
  Meaning meaning;
  int index;  // of its coordinate, constraint or body; of a point or a rotation: among points, then definitions
};

struct TextbookEquations {
  std::string model;
  Form form = Form::velocity;
  std::vector<TextbookEquation> definitions;  // S = [[0, -1], [1, 0]], p = x + R rho
  std::vector<TextbookEquation> kinematics;   // q' = omega x q
  std::vector<TextbookEquation> momenta;      // pi = ...
  std::vector<TextbookEquation> dynamics;
  std::vector<TextbookEquation> constraints;  // c = 0
  std::vector<Quantity> quantities;
  std::vector<TextbookEquation> constants;  // of parameters alone; those that the model defines are not printed

  std::optional<Equations> components;  // instead of all of these, where there is no vector form
  std::string reason;                   // why

  std::vector<TextbookEquation> all() const;  // in the order of above
};

TextbookEquations textbook_equations(const Model& model, Form form);

// Every equation as a line; with components, what they print as a whole.
std::vector<std::string> lines(const TextbookEquations& equations, Notation notation = Notation::text);
std::string print(const TextbookEquations& equations, Notation notation = Notation::text);

// A formula of the model as its equations are written: x_G and R_G for position(G) and rotation(G).
Formula in_print(const Model& model, const Formula& formula);

// A line of text in lines of at most so many columns, all but the first indented. It is broken before + and -, after a
// comma or =, where the fewest parentheses are open; between factors where that is not possible.
std::string wrapped(const std::string& line, std::size_t columns);

// A formula as LaTeX (KaTeX understands it): l[1] is l_1, alpha is \alpha, q' is \dot{q}.
std::string latex(const Formula& formula);

}  // namespace hamel
