#include "program/fuse.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace hamel {
namespace {

using std::uint32_t;

constexpr uint32_t unfused = std::numeric_limits<uint32_t>::max();

bool is_sum(Op op) { return op == Op::add || op == Op::subtract; }

class Fusion {
 public:
  explicit Fusion(const Code& code)
      : code_(code), first_(code.first_operation()), uses_(code.operations.size()), product_of_(uses_.size(), unfused) {
    for (uint32_t i = 0; i < code.operations.size(); ++i)
      for (const uint32_t value : code.operations[i].arguments())
        if (value >= first_) use(value - first_, i);
    for (const uint32_t value : code.outputs)
      if (value >= first_) uses_[value - first_].others = true;
    choose();
  }

  // The product that becomes part of operation i, or unfused.
  uint32_t product_of(uint32_t i) const { return product_of_[i]; }
  bool is_absorbed(uint32_t i) const { return uses_[i].absorbed; }

 private:
  struct Uses {
    uint32_t count = 0, sums[2] = {unfused, unfused};
    bool others = false, absorbed = false;
  };

  void use(uint32_t product, uint32_t user) {
    Uses& uses = uses_[product];
    if (uses.count < 2 && is_sum(code_.operations[user].op))
      uses.sums[uses.count++] = user;
    else
      uses.others = true;
  }

  // Those of one sum first: each may keep another one of two sums from being absorbed, but not the other way round.
  void choose() {
    for (uint32_t i = 0; i < uses_.size(); ++i)
      if (is_sum(code_.operations[i].op)) choose_of(i);
    for (uint32_t i = 0; i < uses_.size(); ++i) {
      const auto& [first, second] = uses_[i].sums;
      if (can_be_absorbed(i, 2) && first != second && product_of_[first] == unfused && product_of_[second] == unfused)
        absorb(i);
    }
  }

  // Of two products, the second one of a difference, so that most differences are of one kind; of a sum, in an order
  // that equal rows of a matrix have in common.
  void choose_of(uint32_t sum) {
    const Operation& operation = code_.operations[sum];
    const auto [a, b, unused] = operation.argument;
    const auto is_one = [&](uint32_t value) { return value >= first_ && can_be_absorbed(value - first_, 1); };
    const bool takes_b =
        is_one(b) && (!is_one(a) || operation.op == Op::subtract || rank(b - first_) > rank(a - first_));
    if (takes_b || is_one(a)) absorb((takes_b ? b : a) - first_);
  }

  bool can_be_absorbed(uint32_t i, uint32_t count) const {
    return code_.operations[i].op == Op::multiply && uses_[i].count == count && !uses_[i].others;
  }

  std::tuple<uint32_t, uint32_t, uint32_t> rank(uint32_t product) const {
    const auto& [a, b, unused] = code_.operations[product].argument;
    return {std::max(a, b), std::min(a, b), product};
  }

  void absorb(uint32_t product) {
    uses_[product].absorbed = true;
    for (uint32_t k = 0; k < uses_[product].count; ++k) product_of_[uses_[product].sums[k]] = product;
  }

  const Code& code_;
  uint32_t first_;
  std::vector<Uses> uses_;
  std::vector<uint32_t> product_of_;
};

Operation fused(const Operation& sum, uint32_t product_value, const Operation& product) {
  const auto& [a, b, unused] = sum.argument;
  const bool comes_last = b == product_value;
  const Op difference = comes_last ? Op::subtract_multiply : Op::multiply_subtract;
  return {sum.op == Op::add ? Op::multiply_add : difference,
          3,
          {product.argument[0], product.argument[1], comes_last ? a : b}};
}

}  // namespace

Code fuse(Code code) {
  const Fusion fusion(code);
  const uint32_t first = code.first_operation();
  std::vector<Operation>& operations = code.operations;
  for (uint32_t i = 0; i < operations.size(); ++i)
    if (const uint32_t product = fusion.product_of(i); product != unfused)
      operations[i] = fused(operations[i], first + product, operations[product]);

  std::vector<uint32_t> place(operations.size());
  const auto renumber = [&](uint32_t& value) {
    if (value >= first) value = first + place[value - first];
  };
  uint32_t next = 0;
  for (uint32_t i = 0; i < operations.size(); ++i) {
    if (fusion.is_absorbed(i)) continue;
    Operation operation = operations[i];
    for (std::size_t k = 0; k < operation.arity; ++k) renumber(operation.argument[k]);
    operations[next] = operation;
    place[i] = next++;
  }
  operations.resize(next, {Op::constant, 0});
  for (uint32_t& output : code.outputs) renumber(output);
  return code;
}

}  // namespace hamel
