#include "textbook/atoms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hamel::textbook {
namespace {

const char* name_of(Sort sort) {
  constexpr const char* names[] = {"symbol", "9number", "cross", "hat",   "outer",    "vee",       "dot",
                                   "triple", "trace",   "norm",  "group", "function", "comparison"};
  return names[static_cast<std::size_t>(sort)];
}

std::string key_of(const Atom& atom) {
  if (atom.sort == Sort::symbol) return atom.leaf.order + (atom.transposed ? "^T" : "");
  std::vector<std::string> parts;
  for (const Core& core : atom.cores) parts.push_back(key_of(core));
  for (const Sum& sum : atom.sums) parts.push_back(sum.key());
  if (atom.sort == Sort::number)
    parts.push_back(fmt::format("{}x{}: {:.12g}", atom.rows, atom.cols, fmt::join(atom.value.reshaped(), " ")));
  return fmt::format("{}{}({})", name_of(atom.sort), atom.function, fmt::join(parts, ", "));
}

template <class Of>
bool all_parts(const Atom& atom, Of of) {
  for (const Core& core : atom.cores)
    for (const AtomPtr& part : core)
      if (!of(*part)) return false;
  return true;
}

}  // namespace

AtomPtr intern(Atom atom) {
  atom.key = key_of(atom);
  if (atom.sort == Sort::symbol) {
    atom.is_constant = atom.leaf.is_constant;
    atom.has_rates = atom.leaf.is_rate;
  } else {
    const auto constant = [](const Sum& sum) { return sum.is_constant(); };
    const auto moving = [](const Sum& sum) { return sum.has_rates(); };
    atom.is_constant = all_parts(atom, [](const Atom& part) { return part.is_constant; }) &&
                       std::all_of(atom.sums.begin(), atom.sums.end(), constant);
    atom.has_rates = !all_parts(atom, [](const Atom& part) { return !part.has_rates; }) ||
                     std::any_of(atom.sums.begin(), atom.sums.end(), moving);
  }
  return std::make_shared<const Atom>(std::move(atom));
}

bool precedes(const Core& a, const Core& b) {
  if (a.size() != b.size()) return a.size() < b.size();
  return key_of(a) < key_of(b);
}

}  // namespace hamel::textbook
