// Calculus on sums. One routine gives rates and gradients: the derivative along given rates of the symbols; a gradient
// is what multiplies an arbitrary rate d in it.
#pragma once

#include <string>
#include <unordered_map>

#include "textbook/algebra.hpp"

namespace hamel::textbook {

using Values = std::unordered_map<std::string, Sum>;  // by the key of a symbol

std::string key_of_symbol(const Sum& symbol);

Sum derivative(const Sum& f, const Values& rates);
Sum substitute(const Sum& f, const Values& values);
bool mentions(const Sum& f, const Sum& symbol);

// g where f = g.d; f is linear in the symbol d.
Sum coefficient(const Sum& f, const Sum& d);

// In the ambient space of the symbol, and g where f' = g.Omega for R' = R hat(Omega); what is held does not move.
Sum gradient(const Sum& f, const Sum& symbol, const Values& held = {});
Sum turning_gradient(const Sum& f, const Sum& rotation, const Values& held = {});

}  // namespace hamel::textbook
