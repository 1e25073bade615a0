#include "program/row_bundles.hpp"

#include <algorithm>

#include "program/roll.hpp"

namespace hamel {
namespace {

using std::uint32_t;

constexpr std::size_t least_terms = 4;

}  // namespace

RowBundles::RowBundles(const Code& code)
    : code_(code), first_(code.first_operation()), uses_(code.operations.size(), 0) {
  for (const Operation& operation : code.operations)
    for (const uint32_t value : operation.arguments())
      if (value >= first_) ++uses_[value - first_];
  for (const uint32_t value : code.outputs)
    if (value >= first_) ++uses_[value - first_];
}

std::vector<RowBundle> RowBundles::find() {
  std::vector<RowBundle> result;
  for (uint32_t i = 0; i + rows <= code_.outputs.size();) {
    const bool together = group_of(code_.output_sizes, i) == group_of(code_.output_sizes, i + rows - 1);
    RowBundle bundle{i, together ? terms_of(code_.outputs[i]) : Terms{}};
    if (bundle.terms.size() >= least_terms && is_bundle(bundle)) {
      for (uint32_t r = 0; r < rows; ++r) mark(code_.outputs[i + r]);
      result.push_back(std::move(bundle));
      i += rows;
    } else {
      ++i;
    }
  }
  return result;
}

// The operation that a value is, if it is such a one and used once.
const Operation* RowBundles::sole(uint32_t value, Op op) const {
  if (value < first_ || uses_[value - first_] != 1) return nullptr;
  const Operation& operation = code_.operations[value - first_];
  return operation.op == op ? &operation : nullptr;
}

bool RowBundles::is_uniform_input(uint32_t value) const {
  return value >= code_.first_input() && value < first_ &&
         code_.is_uniform(group_of(code_.input_sizes, value - code_.first_input()));
}

// x times a uniform input; {0, 0} if it is none (a value 0 is never a uniform input).
std::pair<uint32_t, uint32_t> RowBundles::product(const Operation& operation) const {
  const auto& [a, b, unused] = operation.argument;
  if (is_uniform_input(b)) return {a, b};
  if (is_uniform_input(a)) return {b, a};
  return {};
}

// The terms of a sum, in the order of its additions; none where it is anything else.
RowBundle::Terms RowBundles::terms_of(uint32_t value) const {
  Terms reversed;
  for (const Operation* sum = sole(value, Op::multiply_add); sum != nullptr; sum = sole(value, Op::multiply_add)) {
    reversed.push_back(product(*sum));
    value = sum->argument[2];
  }
  const Operation* last = sole(value, Op::multiply);
  if (last == nullptr) return {};
  reversed.push_back(product(*last));
  if (std::any_of(reversed.begin(), reversed.end(), [](const auto& term) { return term.second == 0; })) return {};
  return {reversed.rbegin(), reversed.rend()};
}

bool RowBundles::is_bundle(const RowBundle& bundle) const {
  for (uint32_t r = 1; r < rows; ++r) {
    const Terms terms = terms_of(code_.outputs[bundle.first_output + r]);
    if (terms.size() != bundle.terms.size()) return false;
    for (std::size_t j = 0; j < terms.size(); ++j)
      if (terms[j].first != bundle.terms[j].first || terms[j].second != bundle.terms[j].second + r) return false;
  }
  // Four numbers are loaded where three are needed.
  return std::all_of(bundle.terms.begin(), bundle.terms.end(), [&](const auto& term) {
    const uint32_t last = term.second + rows;
    return is_uniform_input(last) && group_of(code_.input_sizes, last - code_.first_input()) ==
                                         group_of(code_.input_sizes, term.second - code_.first_input());
  });
}

void RowBundles::mark(uint32_t value) {
  replaced_.insert(value - first_);
  const Operation& operation = code_.operations[value - first_];
  if (operation.op == Op::multiply_add) mark(operation.argument[2]);
}

}  // namespace hamel
