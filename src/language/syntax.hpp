// Expressions as they are written: tokens, and the tree that a Pratt parser makes of them.
//
//   q  q'  x[k-1]  v.z  M[1,2]  [1, 0, 0]  -m*g*l  a^2  a < b  dot(q, e3)
//   sum(i in 1..n, ...)   sum(i < j in 1..n, ...)   sum((i, j) in pairs, ...)
#pragma once

#include <string>
#include <vector>

#include "hamel/language/source.hpp"

namespace hamel {

// A piece of text and where each of its bytes is in the source: escapes of TOML strings tear them apart.
struct Snippet {
  std::shared_ptr<const Source> source;
  std::string text;
  std::vector<std::size_t> offsets;  // one per byte, and one behind the last

  Place place(std::size_t begin, std::size_t end) const;
};

enum class TokenKind { number, name, symbol, end };

struct Token {
  TokenKind kind;
  std::string text;
  double value = 0;
  std::size_t begin = 0, end = 0;  // in the snippet
};

std::vector<Token> tokens(const Snippet& snippet);

enum class SyntaxKind { number, name, negate, binary, rate, index, member, call, list, sum };

struct Syntax {
  // What a loop runs over: a range, all pairs of a range, or the rows of a list.
  struct Binder {
    std::vector<std::string> names;
    bool ordered = false;        // i < j
    std::vector<Syntax> domain;  // {first, last} of a range, or {list}
    Place place;
  };

  SyntaxKind kind;
  Place place;
  std::string text = {};  // a name, an operator, a member
  double value = 0;       // of a number
  std::vector<Syntax> parts = {};
  std::vector<Binder> binders = {};  // of a sum
  int depth = 1;
};

// Throws SourceError.
Syntax parse_expression(const Snippet& snippet);
// The same; or `left = right`, which is left - right.
Syntax parse_equation(const Snippet& snippet);

// What stands to the left of a definition: x, x[0], x[k in 1..n], f(a, b).
struct Pattern {
  std::string name;
  Place place;
  std::vector<Syntax> index = {};            // x[0], or of an entry of a matrix: K[1, 2]
  std::vector<Syntax::Binder> binders = {};  // x[k in 1..n]
  bool is_function = false;
  std::vector<std::string> arguments = {};  // f(a, b)
};
Pattern parse_pattern(const Snippet& snippet, std::size_t most_indices = 1);

// A space: R3, S2[n], Stiefel(4, 2), group(A, B), {x in R3 : dot(x, x) = 1}, {x/norm(x) : x in R3}.
struct SpaceSyntax {
  Place place;
  std::string name;                    // R, S, SO, SE, group, ...
  std::vector<Syntax> arguments = {};  // the 3 of R3
  std::string variable = {};           // of { ... }
  Place within = {};                   // of the R3 that { ... } is a part of
  std::vector<Syntax> zeros = {};      // its equations, as left - right
  std::vector<Syntax> map = {};        // its points: one
  std::vector<Syntax> count = {};      // of an array: one
};
SpaceSyntax parse_space(const Snippet& snippet);

}  // namespace hamel
