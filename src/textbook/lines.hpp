// Sums of one coordinate's equation as formulas, in the way that its space is written.
#pragma once

#include "textbook/symbols.hpp"
#include "textbook/write.hpp"

namespace hamel::textbook {

// A vector at a point q of a sphere: c x for a given symbol x, c q, what is tangent by itself, and the rest.
struct Parts {
  Sum own, normal, tangent, other;
};
Parts parts_of(const Sum& vector, const Place& place, const Sum& own);

class Lines {
 public:
  explicit Lines(const Model& model, bool factors = false);

  Formula plain(const Sum& sum) const { return write(sum, style_); }
  Formula nested(const Sum& sum, const Place& place) const;       // q x (b x c), (I - q q^T) b where they are found
  Formula projected(const Sum& sum, const Place& place) const;    // (I - q q^T) sum
  Formula tangent(const Parts& parts, const Place& place) const;  // (I - q q^T) of all parts, where it is needed

  void define_quarter_turn(TextbookEquations& set) const;  // if it is used

 private:
  Style style_;
};

bool uses_name(const TextbookEquations& set, const std::string& name);  // or a rate of it
std::vector<Quantity> used_quantities(const std::vector<Quantity>& all, const TextbookEquations& set);

}  // namespace hamel::textbook
