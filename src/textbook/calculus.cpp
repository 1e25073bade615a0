#include "hamel/textbook/calculus.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "textbook/identities.hpp"
#include "textbook/symbols.hpp"
#include "textbook/write.hpp"

namespace hamel {
namespace {

using textbook::Sum;
using textbook::Symbols;

// Velocities of poses are those of their positions.
template <class Action>
Formula with_symbols(const Model& model, const Formula& formula, Action action) {
  try {
    return textbook::write(action(Symbols(model, Form::velocity, false)));
  } catch (const textbook::NoVectorForm& none) {
    throw std::invalid_argument(fmt::format("{}: {}", formula.brief(), none.reason));
  } catch (const textbook::TooLong& length) {
    throw std::invalid_argument(fmt::format("{} has {}; take it in parts", formula.brief(), length.how));
  }
}

Sum read_scalar(const Symbols& symbols, const Formula& formula) {
  if (!formula.is_scalar())
    throw std::invalid_argument(fmt::format("a gradient is that of a scalar, got {}", formula.quoted()));
  return textbook::with_identities(symbols.read(formula));
}

bool is_symbol(const Sum& sum) {
  if (sum.terms().size() != 1 || sum.terms()[0].coefficient != 1) return false;
  const textbook::Term& term = sum.terms().front();
  if (sum.is_scalar())
    return term.factors.size() == 1 && term.factors[0].exponent == 1 &&
           term.factors[0].atom->sort == textbook::Sort::symbol;
  return term.factors.empty() && term.core.size() == 1 && term.core[0]->sort == textbook::Sort::symbol;
}

}  // namespace

Formula simplified(const Model& model, const Formula& formula) {
  return with_symbols(model, formula, [&](const Symbols& symbols) {
    const Sum sum = symbols.read(formula);
    return sum.is_scalar() ? textbook::with_identities(sum) : sum;
  });
}

Formula gradient(const Model& model, const Formula& scalar, const Formula& variable) {
  return with_symbols(model, scalar, [&](const Symbols& symbols) {
    const Sum f = read_scalar(symbols, scalar), x = symbols.read(variable);
    if (!is_symbol(x))
      throw std::invalid_argument(
          fmt::format("a gradient is taken by a coordinate, its rate or its Omega, got {}", variable.quoted()));
    const bool rotation = x.cols() == 3;
    return rotation ? textbook::turning_gradient(f, x) : textbook::gradient(f, x);
  });
}

Formula rate_along_motion(const Model& model, const Formula& formula) {
  return with_symbols(model, formula, [&](const Symbols& symbols) { return symbols.rate(symbols.read(formula)); });
}

}  // namespace hamel
