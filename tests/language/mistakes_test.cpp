// What people get wrong, and what they are told: the whole message, to the letter.
#include <gtest/gtest.h>

#include <string>

#include "hamel/language/model_file.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel::mistakes_test {
namespace {

constexpr const char* good = R"~(name = "Pendulum"
[parameters]
m = 1.0
length = 2.0
n = 2
J = [[1, 0, 0], [0, 2, 0], [0, 0, 3]]
pairs = [[1, 2], [2, 1]]
[coordinates]
q = "S2[n]"
[points]
x = ["length*q[1]", "x[1] + length*q[2]"]
[energy]
kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
potential = "m*9.81*x[1].z"
[start]
q = [[0, 0, 1], [0, 0, 1]]
[run]
step = 0.1
until = 1
)~";

struct Mistake {
  const char* name;
  const char* right;  // these lines of the good model,
  const char* wrong;  // replaced by these,
  const char* message;
};

// clang-format off
const Mistake mistakes[] = {
    {"FieldWithoutPrime",
     R"~([energy]
kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
potential = "m*9.81*x[1].z"
)~",
     R"~([field]
q = ["e1", "e2"]
)~",
     R"~(model.toml:13:1: [field] gives rates: write "q'" = ... or omega.q = ...
      13 | q = ["e1", "e2"]
         | ^)~"},
    {"FieldOfSomeCoordinates",
     R"~([energy]
kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
potential = "m*9.81*x[1].z"
)~",
     R"~([field]
omega."q[1]" = "e3"
)~",
     R"~(model.toml:12:2: the field does not say how q[2] moves: give its rate q[2]'
      12 | [field]
         |  ^~~~~)~"},
    {"FieldWithEnergies",
     R"~([energy]
kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
potential = "m*9.81*x[1].z"
)~",
     R"~([field]
omega.q = ["e3", "e3"]
[energy]
kinetic = "m/2*norm2(x'[1])"
)~",
     R"~(model.toml:12:2: model "Pendulum" has a field, which says how everything moves, and energies: a model has one or the other
      12 | [field]
         |  ^~~~~)~"},
    {"FieldWithRates",
     R"~([energy]
kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
potential = "m*9.81*x[1].z"
)~",
     R"~([field]
omega.q = ["e3", "q'[1]"]
)~",
     R"~(model.toml:13:19: the angular velocity of q[2] must not contain rates, got q'[1]: it says what they are
      13 | omega.q = ["e3", "q'[1]"]
         |                   ^~~~~)~"},
    {"FieldOfWrongShape",
     R"~([energy]
kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
potential = "m*9.81*x[1].z"
)~",
     R"~([field]
omega.q = ["e3", "2"]
)~",
     R"~(model.toml:13:19: the angular velocity of q[2] on S2 must have the shape 3x1, got 2 (scalar)
      13 | omega.q = ["e3", "2"]
         |                   ^)~"},
    {"StartRateOfAField",
     R"~([energy]
kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
potential = "m*9.81*x[1].z"
[start]
q = [[0, 0, 1], [0, 0, 1]]
)~",
     R"~([field]
omega.q = ["e3", "e1"]
[start]
q = [[0, 0, 1], [0, 0, 1]]
omega.q = [[1, 0, 0], [1, 0, 0]]
)~",
     R"~(model.toml:16:7: [start] gives points alone: every angular velocity comes from [field]
      16 | omega.q = [[1, 0, 0], [1, 0, 0]]
         |       ^)~"},
    {"MisspeltName",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "m*9.81*lenght"
)~",
     R"~(model.toml:14:21: unknown name lenght; did you mean length?
      14 | potential = "m*9.81*lenght"
         |                     ^~~~~~)~"},
    {"MisspeltFunction",
     R"~(kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
)~",
     R"~(kinetic = "sum(i in 1..n, m/2*nrom2(x'[i]))"
)~",
     R"~(model.toml:13:31: unknown function nrom2; did you mean norm2?
      13 | kinetic = "sum(i in 1..n, m/2*nrom2(x'[i]))"
         |                               ^~~~~~~~~~~~)~"},
    {"MisspeltSection",
     R"~([energy]
)~",
     R"~([enrgy]
)~",
     R"~(model.toml:12:2: unknown section enrgy; did you mean energy?
      12 | [enrgy]
         |  ^~~~~)~"},
    {"MisspeltKey",
     R"~(kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
)~",
     R"~(kinetik = "sum(i in 1..n, m/2*norm2(x'[i]))"
)~",
     R"~(model.toml:13:1: unknown key kinetik in [energy]; did you mean kinetic?
      13 | kinetik = "sum(i in 1..n, m/2*norm2(x'[i]))"
         | ^~~~~~~)~"},
    {"UnknownKeyListsThem",
     R"~(until = 1
)~",
     R"~(weather = 1
)~",
     R"~(model.toml:19:1: unknown key weather in [run]; there are integrator, step, until, every, tolerance, halvings
      19 | weather = 1
         | ^~~~~~~)~"},
    {"MissingOperand",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "m*9.81*"
)~",
     R"~(model.toml:14:21: the expression ends where a value was expected
      14 | potential = "m*9.81*"
         |                     ^)~"},
    {"MissingOperator",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "m 9.81"
)~",
     R"~(model.toml:14:16: expected an operator before 9.81; a product needs a *
      14 | potential = "m 9.81"
         |                ^~~~)~"},
    {"NumberRunsIntoName",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "9.81m"
)~",
     R"~(model.toml:14:14: 9.81 runs into a name; for a product write 9.81*m
      14 | potential = "9.81m"
         |              ^~~~~)~"},
    {"UnclosedParenthesis",
     R"~(kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
)~",
     R"~(kinetic = "sum(i in 1..n, m/2*norm2(x'[i])"
)~",
     R"~(model.toml:13:43: expected ) to close the sum, found the end
      13 | kinetic = "sum(i in 1..n, m/2*norm2(x'[i])"
         |                                           ^)~"},
    {"UnclosedBracket",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "m*x[1.z"
)~",
     R"~(model.toml:14:21: expected ] to close the index, found the end
      14 | potential = "m*x[1.z"
         |                     ^)~"},
    {"UnexpectedCharacter",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "m*9.81 $ 2"
)~",
     R"~(model.toml:14:21: unexpected character $
      14 | potential = "m*9.81 $ 2"
         |                     ^)~"},
    {"AddingScalarAndVector",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "m + x[1]"
)~",
     R"~(model.toml:14:14: cannot add m (scalar) and x[1] (3x1)
      14 | potential = "m + x[1]"
         |              ^~~~~~~~)~"},
    {"ProductOfVectors",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "q[1]*q[2]"
)~",
     R"~(model.toml:14:14: cannot multiply q[1] (3x1) and q[2] (3x1); did you mean dot or cross?
      14 | potential = "q[1]*q[2]"
         |              ^~~~~~~~~)~"},
    {"PowerOfVector",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "x[1]^2"
)~",
     R"~(model.toml:14:14: cannot raise x[1] (3x1) to a power; did you mean norm2?
      14 | potential = "x[1]^2"
         |              ^~~~~~)~"},
    {"DotOfScalar",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "dot(m, x[1])"
)~",
     R"~(model.toml:14:14: dot needs two vectors of equal length, got m (scalar) and x[1] (3x1)
      14 | potential = "dot(m, x[1])"
         |              ^~~~~~~~~~~~)~"},
    {"CrossOfWrongLength",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "cross([1, 2], x[1]).x"
)~",
     R"~(model.toml:14:14: cross needs two vectors of length 3, got [1, 2] (2x1) and x[1] (3x1)
      14 | potential = "cross([1, 2], x[1]).x"
         |              ^~~~~~~~~~~~~~~~~~~)~"},
    {"WrongNumberOfArguments",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "dot(x[1])"
)~",
     R"~(model.toml:14:14: dot needs 2 arguments, got 1: write dot(a, b)
      14 | potential = "dot(x[1])"
         |              ^~~~~~~~~)~"},
    {"IndexOutOfRange",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "m*x[3].z"
)~",
     R"~(model.toml:14:18: x has no [3]: its indices are 1 to 2
      14 | potential = "m*x[3].z"
         |                  ^)~"},
    {"IndexZero",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "m*q[0].z"
)~",
     R"~(model.toml:14:18: q has no [0]: its indices are 1 to 2
      14 | potential = "m*q[0].z"
         |                  ^)~"},
    {"IndexNotWhole",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "m*x[1.5].z"
)~",
     R"~(model.toml:14:18: an index must be a whole number, got 1.5
      14 | potential = "m*x[1.5].z"
         |                  ^~~)~"},
    {"IndexNotConstant",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "m*x[q[1].x].z"
)~",
     R"~(model.toml:14:18: a constant is needed here, and q is a coordinate
      14 | potential = "m*x[q[1].x].z"
         |                  ^)~"},
    {"IndexOfScalar",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "m[2]"
)~",
     R"~(model.toml:14:16: m has no [2]: its indices are 1 to 1
      14 | potential = "m[2]"
         |                ^)~"},
    {"MatrixHasTwoIndices",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "J[1, 2, 3]"
)~",
     R"~(model.toml:14:14: J is a 3x3 matrix: it takes two indices, as in [i, j], or one for a row
      14 | potential = "J[1, 2, 3]"
         |              ^~~~~~~~~~)~"},
    {"ComponentOfScalar",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "m.x"
)~",
     R"~(model.toml:14:14: m is a scalar and has no component .x
      14 | potential = "m.x"
         |              ^~~)~"},
    {"UnknownComponent",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "x[1].w"
)~",
     R"~(model.toml:14:14: unknown component .w; the components are .x, .y and .z
      14 | potential = "x[1].w"
         |              ^~~~~~)~"},
    {"FamilyWithoutIndex",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "m*dot(x, e3)"
)~",
     R"~(model.toml:14:20: x is a family of 2 values: say which one, such as x[1]
      14 | potential = "m*dot(x, e3)"
         |                    ^)~"},
    {"SecondRate",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "x''[1].z"
)~",
     R"~(model.toml:14:14: cannot take the rate of x'[1] (3x1): energies contain first rates only
      14 | potential = "x''[1].z"
         |              ^~~)~"},
    {"RateInPotential",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "x'[1].z"
)~",
     R"~(model.toml:14:14: potential energy must not contain rates, got x'[1].z; use kinetic or lagrangian
      14 | potential = "x'[1].z"
         |              ^~~~~~~)~"},
    {"KineticWithoutRate",
     R"~(kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
)~",
     R"~(kinetic = "sum(i in 1..n, m/2*norm2(x[i]))"
)~",
     R"~(model.toml:13:12: kinetic energy must contain a rate, got m/2*norm2(x[1]) + m/2*norm2(x[2]); did you mean potential?
      13 | kinetic = "sum(i in 1..n, m/2*norm2(x[i]))"
         |            ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~)~"},
    {"VectorEnergy",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "m*x[1]"
)~",
     R"~(model.toml:14:14: potential energy must be a scalar, got m*x[1] (3x1); did you mean its squared norm?
      14 | potential = "m*x[1]"
         |              ^~~~~~)~"},
    {"NoInertia",
     R"~([points]
x = ["length*q[1]", "x[1] + length*q[2]"]
[energy]
kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
potential = "m*9.81*x[1].z"
[start]
q = [[0, 0, 1], [0, 0, 1]]
)~",
     R"~(y = "R1"
[points]
x = ["length*q[1]", "x[1] + length*q[2]"]
[energy]
kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
potential = "m*9.81*x[1].z"
[start]
q = [[0, 0, 1], [0, 0, 1]]
y = 0
)~",
     R"~(model.toml:8:2: coordinate y has no inertia: its rate y' appears in no kinetic energy or Lagrangian; add a kinetic term or constrain it away
       8 | [coordinates]
         |  ^~~~~~~~~~~)~"},
    {"UnknownSpace",
     R"~(q = "S2[n]"
)~",
     R"~(q = "T2[n]"
)~",
     R"~(model.toml:9:6: unknown space T2; the spaces are R1, R2, ..., S1, S2, S3, ..., SO3, SE3 and {x in R3 : c(x) = 0}
       9 | q = "T2[n]"
         |      ^~)~"},
    {"ZeroForTheLetterO",
     R"~(q = "S2[n]"
)~",
     R"~(q = "S03"
)~",
     R"~(model.toml:9:6: unknown space S03; the spaces are R1, R2, ..., S1, S2, S3, ..., SO3, SE3 and {x in R3 : c(x) = 0}
       9 | q = "S03"
         |      ^~~)~"},
    {"ProductOfSpaces",
     R"~(q = "S2[n]"
)~",
     R"~(q = "S2 x S2"
)~",
     R"~(model.toml:9:9: a product of spaces is made by listing coordinates, one for each factor
       9 | q = "S2 x S2"
         |         ^)~"},
    {"CountNotPositive",
     R"~(q = "S2[n]"
)~",
     R"~(q = "S2[n - 2]"
)~",
     R"~(model.toml:9:9: the number of coordinates must be 1 to 50000, got 0
       9 | q = "S2[n - 2]"
         |         ^~~~~)~"},
    {"SpaceIsNotText",
     R"~(q = "S2[n]"
)~",
     R"~(q = 2
)~",
     R"~(model.toml:9:5: the space of q must be a text, such as "S2"
       9 | q = 2
         |     ^)~"},
    {"NameTakenTwice",
     R"~(length = 2.0
)~",
     R"~(x = 2.0
)~",
     R"~(model.toml:4:1: the name x is already a point (line 11)
       4 | x = 2.0
         | ^)~"},
    {"ReservedName",
     R"~(m = 1.0
)~",
     R"~(m = 1.0
e1 = 2.0
)~",
     R"~(model.toml:4:1: the name e1 has a meaning of its own; choose another one
       4 | e1 = 2.0
         | ^~)~"},
    {"BadName",
     R"~(m = 1.0
)~",
     R"~(m = 1.0
"2l" = 2.0
)~",
     R"~(model.toml:4:2: "2l" is not a legal name: use a letter, then letters, digits and underscores, then an index like [2]
       4 | "2l" = 2.0
         |  ^~)~"},
    {"DefinedByItself",
     R"~(q = "S2[n]"
)~",
     R"~(q = "S2[n]"
[definitions]
a = "b + 1"
b = "2*a"
)~",
     R"~(model.toml:12:8: a is defined in terms of itself
      12 | b = "2*a"
         |        ^)~"},
    {"ParameterFromCoordinate",
     R"~(length = 2.0
)~",
     R"~(length = "q[1].x"
)~",
     R"~(model.toml:4:11: a constant is needed here, and q is a coordinate
       4 | length = "q[1].x"
         |           ^)~"},
    {"SumWithoutRange",
     R"~(kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
)~",
     R"~(kinetic = "sum( m/2*norm2(x'[i]))"
)~",
     R"~(model.toml:13:17: a sum says over what: sum(i in 1..n, ...), sum(i < j in 1..n, ...), sum((i, j) in pairs, ...)
      13 | kinetic = "sum( m/2*norm2(x'[i]))"
         |                 ^)~"},
    {"SumWithoutIn",
     R"~(kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
)~",
     R"~(kinetic = "sum(i of 1..n, m/2*norm2(x'[i]))"
)~",
     R"~(model.toml:13:16: a sum says over what: sum(i in 1..n, ...), sum(i < j in 1..n, ...), sum((i, j) in pairs, ...)
      13 | kinetic = "sum(i of 1..n, m/2*norm2(x'[i]))"
         |                ^)~"},
    {"PairsOverRange",
     R"~(kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
)~",
     R"~(kinetic = "sum((i, j) in 1..n, m/2*norm2(x'[i]))"
)~",
     R"~(model.toml:13:30: pairs run over a list of pairs; over a range write i < j in 1..n
      13 | kinetic = "sum((i, j) in 1..n, m/2*norm2(x'[i]))"
         |                              ^)~"},
    {"ListOfWrongWidth",
     R"~(kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
)~",
     R"~(kinetic = "sum(i in pairs, m/2*norm2(x'[i]))"
)~",
     R"~(model.toml:13:21: the list has 2 numbers in a row, but there is 1 index to take them
      13 | kinetic = "sum(i in pairs, m/2*norm2(x'[i]))"
         |                     ^~~~~)~"},
    {"HugeSum",
     R"~(kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
)~",
     R"~(kinetic = "sum(i in 1..10000000, m/2*norm2(x'[i]))"
)~",
     R"~(model.toml:13:16: the range has 10000000 members: too many
      13 | kinetic = "sum(i in 1..10000000, m/2*norm2(x'[i]))"
         |                ^~~~~~~~~~~~~~~~)~"},
    {"EndlessSum",
     R"~(kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
)~",
     R"~(kinetic = "sum(i < j in 1..9999999, m/2*norm2(x'[i]))"
)~",
     R"~(model.toml:13:16: the range has 9999999 members: too many
      13 | kinetic = "sum(i < j in 1..9999999, m/2*norm2(x'[i]))"
         |                ^~~~~~~~~~~~~~~~~~~)~"},
    {"ComparisonOutsideIf",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "m < 2"
)~",
     R"~(model.toml:14:14: a comparison (<) is only allowed in if(...)
      14 | potential = "m < 2"
         |              ^~~~~)~"},
    {"IfWithoutComparison",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "if(m, 1, 2)"
)~",
     R"~(model.toml:14:17: the condition of if must be a comparison, such as a < b
      14 | potential = "if(m, 1, 2)"
         |                 ^)~"},
    {"EqualityOfValues",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "if(x[1].z == 0, 1, 2)"
)~",
     R"~(model.toml:14:17: == compares indices and numbers only, got x[1].z (scalar) and 0 (scalar)
      14 | potential = "if(x[1].z == 0, 1, 2)"
         |                 ^~~~~~~~~~~)~"},
    {"EquationInEnergy",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "m = 2"
)~",
     R"~(model.toml:14:16: an equation is not allowed here: an expression was expected; to compare numbers write ==
      14 | potential = "m = 2"
         |                ^)~"},
    {"StartOffTheSphere",
     R"~(q = [[0, 0, 1], [0, 0, 1]]
)~",
     R"~(q = [[0, 0, 1], [0, 0.1, 1]]
)~",
     R"~(model.toml:16:17: q[2] must be on S2; it is off by 0.00499, and at most 0.001 is corrected; write project = true in [start], or the nearest point:
"q[2]" = [0, 0.09950371902099893, 0.9950371902099893]
      16 | q = [[0, 0, 1], [0, 0.1, 1]]
         |                 ^~~~~~~~~~~)~"},
    {"StartWithoutValue",
     R"~(q = [[0, 0, 1], [0, 0, 1]]
)~",
     R"~(q = [[0, 0, 1], "[sqrt(m - 2), 0, 1]"]
)~",
     R"~(model.toml:16:18: sqrt(-1) of constants has no finite value
      16 | q = [[0, 0, 1], "[sqrt(m - 2), 0, 1]"]
         |                  ^~~~~~~~~~~~~~~~~~~)~"},
    {"StartOfWrongLength",
     R"~(q = [[0, 0, 1], [0, 0, 1]]
)~",
     R"~(q = [[0, 0, 1], [0, 1]]
)~",
     R"~(model.toml:16:17: the point of q[2] on S2 needs 3 numbers, got 2 numbers
      16 | q = [[0, 0, 1], [0, 1]]
         |                 ^~~~~~)~"},
    {"StartOfTooFew",
     R"~(q = [[0, 0, 1], [0, 0, 1]]
)~",
     R"~(q = [[0, 0, 1]]
)~",
     R"~(model.toml:16:5: q is a family of 2: a list of 2 values was expected, got 1; or write "q[k in 1..2]" = ...
      16 | q = [[0, 0, 1]]
         |     ^~~~~~~~~~~)~"},
    {"StartOfUnknownCoordinate",
     R"~(q = [[0, 0, 1], [0, 0, 1]]
)~",
     R"~(q = [[0, 0, 1], [0, 0, 1]]
p = 1
)~",
     R"~(model.toml:17:1: the model has no coordinate p
      17 | p = 1
         | ^)~"},
    {"RateNotTangent",
     R"~(q = [[0, 0, 1], [0, 0, 1]]
)~",
     R"~(q = [[0, 0, 1], [0, 0, 1]]
"q'" = [[0, 1, 1], [0, 0, 0]]
)~",
     R"~(model.toml:17:9: the rate of q[1] must be tangent to S2; it is off by 1, and at most 0.001 of its size is corrected; write project = true in [start], or the nearest rate:
"q'[1]" = [0, 1, 0]
      17 | "q'" = [[0, 1, 1], [0, 0, 0]]
         |         ^~~~~~~~~)~"},
    {"OmegaOfVectorSpace",
     R"~([points]
x = ["length*q[1]", "x[1] + length*q[2]"]
[energy]
kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
potential = "m*9.81*x[1].z"
[start]
q = [[0, 0, 1], [0, 0, 1]]
)~",
     R"~(y = "R1"
[points]
x = ["length*q[1]", "x[1] + length*q[2]"]
[energy]
kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
potential = "m*9.81*x[1].z"
lagrangian = "y'^2"
[start]
q = [[0, 0, 1], [0, 0, 1]]
y = 0
omega.y = 1
)~",
     R"~(model.toml:20:11: y is on R1 and has no angular velocity; give its rate: "y'" = ...
      20 | omega.y = 1
         |           ^)~"},
    {"UnknownIntegrator",
     R"~([run]
)~",
     R"~([run]
integrator = "variatonal"
)~",
     R"~(model.toml:18:14: unknown integrator variatonal; did you mean variational?
      18 | integrator = "variatonal"
         |              ^~~~~~~~~~~~)~"},
    {"NegativeStep",
     R"~(step = 0.1
)~",
     R"~(step = -0.1
)~",
     R"~(model.toml:18:8: step must be a positive number, got -0.1
      18 | step = -0.1
         |        ^~~~)~"},
    {"EndBeforeStart",
     R"~([start]
)~",
     R"~([start]
t = 5
)~",
     R"~(model.toml:20:9: the end 1 is not after the start 5
      20 | until = 1
         |         ^)~"},
    {"NotToml",
     R"~(m = 1.0
)~",
     R"~(m = = 1.0
)~",
     R"~(model.toml:3:5: this is not TOML: Error while parsing value: could not determine value type
       3 | m = = 1.0
         |     ^)~"},
    {"NanParameter",
     R"~(m = 1.0
)~",
     R"~(m = nan
)~",
     R"~(model.toml:3:5: a number must be finite, not nan or inf
       3 | m = nan
         |     ^~~)~"},
    {"DivisionByZero",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "m/0"
)~",
     R"~(model.toml:14:14: cannot divide m (scalar) by zero
      14 | potential = "m/0"
         |              ^~~)~"},
    {"ForceWithoutPlace",
     R"~(until = 1
)~",
     R"~(until = 1
[forces]
f = { force = "[0, 0, 1]" }
)~",
     R"~(model.toml:21:1: a force is { at = "x", force = "-c*x'" } or { on = "R", torque = "u" }
      21 | f = { force = "[0, 0, 1]" }
         | ^)~"},
    {"ForceOfWrongShape",
     R"~(until = 1
)~",
     R"~(until = 1
[forces]
f = { at = "x[1]", force = "1" }
)~",
     R"~(model.toml:21:29: force 1 (scalar) does not have the shape of its point x[1] (3x1)
      21 | f = { at = "x[1]", force = "1" }
         |                             ^)~"},
    {"TorqueOnVectorSpace",
     R"~(until = 1
)~",
     R"~(until = 1
[forces]
f = { on = "m", torque = "1" }
)~",
     R"~(model.toml:21:27: torque needs a coordinate, got m (scalar)
      21 | f = { on = "m", torque = "1" }
         |                           ^)~"},
    {"UnknownBodyKey",
     R"~(until = 1
)~",
     R"~(until = 1
[bodies]
b = { atitude = "J" }
)~",
     R"~(model.toml:21:7: unknown key atitude in body b; did you mean attitude?
      21 | b = { atitude = "J" }
         |       ^~~~~~~)~"},
    {"ConstraintWithoutCoordinate",
     R"~(until = 1
)~",
     R"~(until = 1
[constraints]
c = "m = 2"
)~",
     R"~(model.toml:21:6: constraint c depends on no coordinate: m - 2
      21 | c = "m = 2"
         |      ^~~~~)~"},
    {"FunctionWithoutParentheses",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "m*cos"
)~",
     R"~(model.toml:14:16: cos is a function: write cos(...)
      14 | potential = "m*cos"
         |                ^~~)~"},
    {"WrongArgumentsOfOwnFunction",
     R"~([points]
x = ["length*q[1]", "x[1] + length*q[2]"]
[energy]
kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
potential = "m*9.81*x[1].z"
)~",
     R"~([definitions]
"f(a, b)" = "a*b"
[points]
x = ["length*q[1]", "x[1] + length*q[2]"]
[energy]
kinetic = "sum(i in 1..n, m/2*norm2(x'[i]))"
potential = "f(1)"
)~",
     R"~(model.toml:16:14: f needs 2 arguments, got 1
      16 | potential = "f(1)"
         |              ^~~~)~"},
    {"EmptySet",
     R"~(q = "S2[n]"
)~",
     R"~(q = "{x in R3 : x.x^2 + 1 = 0}"
)~",
     R"~(model.toml:9:6: no point of {x in R3 : x.x^2 + 1 = 0} was found from 50 starting points of size 1; check its formula, or scale it
       9 | q = "{x in R3 : x.x^2 + 1 = 0}"
         |      ^~~~~~~~~~~~~~~~~~~~~~~~~)~"},
    {"HamiltonianWithKinetic",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(hamiltonian = "norm2(momentum(q[1]))"
)~",
     R"~(model.toml:14:16: a model has a Hamiltonian or kinetic, potential and Lagrangian terms, not both: got the hamiltonian norm2(mu_q[1]) after m/2*norm2(x'[1]) + m/2*norm2(x'[2])
      14 | hamiltonian = "norm2(momentum(q[1]))"
         |                ^~~~~~~~~~~~~~~~~~~~~)~"},
    {"UnicodeBefore",
     R"~(potential = "m*9.81*x[1].z"
)~",
     R"~(potential = "m*α"
)~",
     R"~(model.toml:14:16: unknown name α
      14 | potential = "m*α"
         |                ^)~"},
    {"SkippedIndex",
     R"~(x = ["length*q[1]", "x[1] + length*q[2]"]
)~",
     R"~("x[1]" = "q[1]"
"x[3]" = "q[2]"
)~",
     R"~(model.toml:12:2: x[2] was expected next, got x[3]: indices follow each other
      12 | "x[3]" = "q[2]"
         |  ^)~"},
    {"UsedBeforeDefined",
     R"~(x = ["length*q[1]", "x[1] + length*q[2]"]
)~",
     R"~(x = ["length*q[1]", "x[3] + length*q[2]"]
)~",
     R"~(model.toml:11:24: x has no [3]: its indices are 1 to 1
      11 | x = ["length*q[1]", "x[3] + length*q[2]"]
         |                        ^)~"},
    {"UnitOfNothing",
     R"~(until = 1
)~",
     R"~(until = 1
[units]
mass = "kg"
)~",
     R"~(model.toml:21:1: unknown key mass in [units]; there are x, m, length, n, J, pairs, q, t
      21 | mass = "kg"
         | ^~~~)~"},
};
// clang-format on

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreExplained) {
  std::string text = good;
  const std::string right = GetParam().right;
  text.replace(text.find(right), right.size(), GetParam().wrong);
  try {
    const ModelFile file = parse_model(text, "model.toml");
    std::vector<std::string> remarks;
    start_state(file, derive(file.model), remarks);
    FAIL() << "was accepted";
  } catch (const SourceError& error) {
    EXPECT_STREQ(error.what(), GetParam().message);
  }
}

INSTANTIATE_TEST_SUITE_P(Language, Mistakes, testing::ValuesIn(mistakes),
                         [](const auto& mistake) { return std::string(mistake.param.name); });

// Found by fuzzing.
TEST(Mistakes, OfBytesThatAreNoText) {
  const std::string long_tail(200, '\xB4');
  for (const std::string& text :
       {"\xA5" + long_tail + "[", std::string("[!energy]"), std::string(1, '\0'), std::string()})
    EXPECT_THROW(parse_model(text, "model.toml"), SourceError);
}

std::string message_of(const std::string& potential) {
  std::string text = good;
  const std::string right = "m*9.81*x[1].z";
  text.replace(text.find(right), right.size(), potential);
  try {
    parse_model(text, "model.toml");
  } catch (const SourceError& error) {
    return error.message();
  }
  return "was accepted";
}

// Limits, so that nothing hangs: each with a message of its own.
TEST(Mistakes, OfSizeAreLimited) {
  std::string long_sum = "m";
  for (int i = 0; i < 1000; ++i) long_sum += "+m";
  EXPECT_EQ(message_of(std::string(300, '(') + "m" + std::string(300, ')')),
            "the expression is nested more than 200 deep; use definitions");
  EXPECT_EQ(
      message_of(long_sum),
      "the expression has more than 1000 operations within each other; use sum(...) for long sums, or definitions");
  EXPECT_EQ(message_of("sum(i in 1..99999999, m)"), "the end of a range must be at most 10000000, got 99999999");
  EXPECT_EQ(message_of("sum(i in 1..5000000, m)"), "the range has 5000000 members: too many");
  const std::string large = std::string(good) + std::string(4'000'000, '#');
  EXPECT_THROW(parse_model(large, "model.toml"), SourceError);
}

TEST(MistakesLong, OfManyOperationsAreLimited) {
  EXPECT_EQ(message_of("sum(i in 1..2100, j in 1..2100, m)"), "the model has more than 4000000 operations: too many");
}

TEST(Mistakes, OfTheGoodModelAreNone) {
  const ModelFile file = parse_model(good, "model.toml");
  std::vector<std::string> remarks;
  EXPECT_EQ(start_state(file, derive(file.model), remarks).q.size(), 6);
  EXPECT_TRUE(remarks.empty());
}

}  // namespace
}  // namespace hamel::mistakes_test
