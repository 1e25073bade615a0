#include "hamel/program/lane_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "program/preamble.hpp"
#include "program/tape.hpp"

namespace hamel {
namespace {

using std::uint32_t;

class LaneFunction {
 public:
  LaneFunction(const Code& code, std::span<const LaneInput> inputs) : code_(code), inputs_(inputs) {}

  std::string of(const std::string& name) {
    emit("static {} void {}({}) {{\n",
         code_.operations.size() <= longest_inlined ? "inline __attribute__((always_inline))"
                                                    : "__attribute__((noinline))",
         name, parameters());
    for (uint32_t i = 0; i < code_.operations.size(); ++i) {
      std::string list;
      for (const uint32_t value : code_.operations[i].arguments()) list += (list.empty() ? "" : ", ") + argument(value);
      emit("const number v{} = VECTOR({})({});\n", code_.first_operation() + i,
           static_cast<int>(code_.operations[i].op), list);
    }
    for (uint32_t i = 0; i < code_.outputs.size(); ++i) {
      const auto [group, index] = place_of(code_.output_sizes, i);
      const std::string value = argument(code_.outputs[i]);
      emit("o{}[{}] = {};\n", group, index, value);
    }
    return text_ + "}\n";
  }

 private:
  struct Place {
    std::size_t group;
    uint32_t index;
  };
  static Place place_of(const std::vector<uint32_t>& sizes, uint32_t index) {
    std::size_t group = 0;
    for (; index >= sizes[group]; ++group) index -= sizes[group];
    return {group, index};
  }

  std::string parameters() const {
    std::string list;
    for (std::size_t g = 0; g < code_.input_sizes.size(); ++g) {
      list += fmt::format("const {}* i{}, ", inputs_[g] == LaneInput::rows ? "double" : "number", g);
      if (inputs_[g] == LaneInput::sums) list += fmt::format("const number* more{}, ", g);
    }
    for (std::size_t g = 0; g < code_.output_sizes.size(); ++g)
      list += fmt::format("{}number* o{}", g > 0 ? ", " : "", g);
    return list;
  }

  std::string argument(uint32_t value) {
    if (value < code_.first_input()) return fmt::format("ALL({})", literal(code_.constants[value]));
    if (value < code_.first_operation() && loaded_.insert(value).second)
      emit("const number v{} = {};\n", value, input(value - code_.first_input()));
    return fmt::format("v{}", value);
  }

  std::string input(uint32_t number) const {
    const auto [group, index] = place_of(code_.input_sizes, number);
    if (inputs_[group] == LaneInput::numbers) return fmt::format("i{}[{}]", group, index);
    if (inputs_[group] == LaneInput::sums) return fmt::format("i{0}[{1}] + more{0}[{1}]", group, index);
    if (code_.is_uniform(group)) return fmt::format("ALL(i{}[{}])", group, index);
    return fmt::format("ROW(i{}, {})", group, index);
  }

  template <class... Parts>
  void emit(fmt::format_string<Parts...> format, Parts&&... parts) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Parts>(parts)...);
  }

  const Code& code_;
  std::span<const LaneInput> inputs_;
  std::set<uint32_t> loaded_;
  std::string text_;
};

}  // namespace

std::string function_in_lanes(const Program& program, const std::string& name, std::span<const LaneInput> inputs) {
  return LaneFunction(program.code(), inputs).of(name);
}

bool fit_into_lane_text(std::span<const Program* const> programs) {
  constexpr std::size_t longest = 2000;
  return std::all_of(programs.begin(), programs.end(),
                     [](const Program* program) { return program->operations() <= longest; });
}

std::string loops_in_lanes(long most) {
  constexpr long few = 32;
  return fmt::format("#define EACH(i, n) _Pragma(\"GCC unroll {}\") for (long i = 0; i < (n); ++i)\n",
                     most <= few ? 32 : 4);
}

}  // namespace hamel
