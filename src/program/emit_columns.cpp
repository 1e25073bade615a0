#include "program/emit_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "program/preamble.hpp"
#include "program/roll.hpp"

namespace hamel {
namespace {

using std::uint32_t;

constexpr const char* put_macro =
    "#define PUT(place, value, part) (*(loose_number*)(place) = value, sum##part += value)\n";

// The operations such that each comes just before its first use, the longest way to an output first: few numbers wait
// at a time, and those that do not fit into registers are few.
class DepthFirst {
 public:
  explicit DepthFirst(const Code& code) : code_(code), first_(code.first_operation()), depth_(code.values()) {
    for (uint32_t i = 0; i < code.operations.size(); ++i)
      for (const uint32_t argument : code.operations[i].arguments())
        depth_[first_ + i] = std::max(depth_[first_ + i], depth_[argument] + 1);
  }

  std::vector<uint32_t> of(std::vector<uint32_t> outputs) {
    sort(outputs);
    for (const uint32_t value : outputs) visit(value);
    return std::move(order_);
  }

 private:
  // Without recursion: chains are long.
  void visit(uint32_t root) {
    struct Visit {
      uint32_t value;
      std::vector<uint32_t> left;
    };
    std::vector<Visit> path;
    const auto enter = [&](uint32_t value) {
      if (value < first_ || !seen_.insert(value).second) return;
      const auto arguments = code_.operations[value - first_].arguments();
      path.push_back({value, {arguments.begin(), arguments.end()}});
      sort(path.back().left);
      std::reverse(path.back().left.begin(), path.back().left.end());
    };
    enter(root);
    while (!path.empty()) {
      if (path.back().left.empty()) {
        order_.push_back(path.back().value - first_);
        path.pop_back();
        continue;
      }
      const uint32_t next = path.back().left.back();
      path.back().left.pop_back();
      enter(next);
    }
  }

  void sort(std::vector<uint32_t>& values) const {
    std::stable_sort(values.begin(), values.end(), [&](uint32_t a, uint32_t b) { return depth_[a] > depth_[b]; });
  }

  const Code& code_;
  uint32_t first_;
  std::vector<uint32_t> depth_, order_;
  std::set<uint32_t> seen_;
};

class ColumnsEmitter {
 public:
  ColumnsEmitter(const Program::Tape& tape, Program::InColumns groups) : code_(tape.code), groups_(groups) {
    for (uint32_t i = 0; i < code_.outputs.size(); ++i)
      if (group_of(code_.output_sizes, i) < groups.outputs) outputs_of_.emplace(code_.outputs[i], i);
  }

  std::string run(const std::string& entry) {
    std::vector<uint32_t> outputs;
    for (const auto& [value, index] : outputs_of_) outputs.push_back(value);
    for (const uint32_t i : DepthFirst(code_).of(std::move(outputs))) emit_operation(i);
    for (const auto& [value, index] : outputs_of_)
      if (value < code_.first_operation()) put(index, argument(value));
    return widest_vectors + std::string(put_macro) +
           fmt::format(
               "int {}(const double* const* in, double* const* out, long from, long to, long states) {{\n"
               "number sum0 = ALL(0.0), sum1 = sum0, sum2 = sum0, sum3 = sum0;\nfor (long k = 0; k < states; k += "
               "WIDTH) {{\n{}{}}}\n"
               "const number sum = sum0 + sum1 + sum2 + sum3;\nint finite = 1;\nfor (int k = 0; k < WIDTH; ++k) finite "
               "&= sum[k] - sum[k] == 0;\nreturn finite;\n}}\n",
               entry, pointers(), text_);
  }

 private:
  void emit_operation(uint32_t i) {
    const Operation& operation = code_.operations[i];
    std::string list;
    for (const uint32_t value : operation.arguments()) list += (list.empty() ? "" : ", ") + argument(value);
    const uint32_t value = code_.first_operation() + i;
    text_ += fmt::format("const number v{} = VECTOR({})({});\n", value, static_cast<int>(operation.op), list);
    const auto [begin, end] = outputs_of_.equal_range(value);
    for (auto entry = begin; entry != end; ++entry) put(entry->second, fmt::format("v{}", value));
  }

  void put(uint32_t index, const std::string& value) {
    const uint32_t group = group_of(code_.output_sizes, index);
    // Four sums tell whether all are finite: no addition waits for the one before it.
    text_ += fmt::format("PUT(o{} + {} * to, {}, {});\n", group, index - before(code_.output_sizes, group), value,
                         written_++ % 4);
  }

  std::string argument(uint32_t value) {
    if (value < code_.first_input()) return fmt::format("ALL({})", literal(code_.constants[value]));
    if (value < code_.first_operation() && loaded_.insert(value).second)
      text_ += fmt::format("const number v{} = {};\n", value, input(value - code_.first_input()));
    return fmt::format("v{}", value);
  }

  std::string input(uint32_t index) const {
    const uint32_t group = group_of(code_.input_sizes, index), place = index - before(code_.input_sizes, group);
    if (group < groups_.inputs) return fmt::format("*(const loose_number*)(i{} + {} * from)", group, place);
    return fmt::format("ALL(i{}[{}])", group, place);
  }

  static uint32_t before(const std::vector<uint32_t>& sizes, uint32_t group) {
    return std::accumulate(sizes.begin(), sizes.begin() + group, 0u);
  }

  std::string pointers() const {
    std::string text;
    for (uint32_t g = 0; g < code_.input_sizes.size(); ++g)
      text += fmt::format("const double* restrict i{0} = in[{0}]{1};\n", g, g < groups_.inputs ? " + k" : "");
    for (uint32_t g = 0; g < groups_.outputs; ++g) text += fmt::format("double* restrict o{0} = out[{0}] + k;\n", g);
    return text;
  }

  const Code& code_;
  Program::InColumns groups_;
  std::multimap<uint32_t, uint32_t> outputs_of_;
  std::set<uint32_t> loaded_;
  uint32_t written_ = 0;
  std::string text_;
};

}  // namespace

std::string emit_columns(const Program::Tape& tape, Program::InColumns groups, const std::string& entry) {
  return ColumnsEmitter(tape, groups).run(entry);
}

}  // namespace hamel
