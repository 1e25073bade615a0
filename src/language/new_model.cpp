#include "hamel/language/write_model.hpp"

namespace hamel {

namespace {

constexpr const char* new_model = R"toml(name = "{}"
description = "Two bobs on two massless rods, one hanging from the other."

# Numbers that you may want to change: hamel run FILE --set g=1.62
[parameters]
m = [1.0, 0.5]    # masses
l = [1.0, 0.8]    # lengths
g = 9.81

# Where the system lives: R1, R3, S1, S2, SO3, SE3, and arrays such as S2[3].
[coordinates]
q = "S2[2]"       # directions of the rods; z points up

# Places that have a name. They are drawn, and x' is their velocity.
[points]
x = ["l[1]*q[1]", "x[1] + l[2]*q[2]"]

# From these everything else follows.
[energy]
kinetic = "sum(i in 1..2, m[i]/2*norm2(x'[i]))"
potential = "sum(i in 1..2, m[i]*g*x[i].z)"

# Points on the manifold (a few digits are enough) and angular velocities, or rates: "q'" = ...
[start]
q = [[1, 0, 0], [0.6, 0.8, 0]]
omega.q = [[0, 0, 1], [0, 0, 0]]

[run]
integrator = "variational"
step = 0.005
until = 20

# What else to record.
[outputs]
height = "x[2].z"
)toml";

}  // namespace

std::string new_model_text(const std::string& name) {
  std::string text = new_model;
  return text.replace(text.find("{}"), 2, name);
}

}  // namespace hamel
