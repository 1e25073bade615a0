#include "program/emit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "program/preamble.hpp"
#include "program/row_bundles.hpp"

namespace hamel {
namespace {

using std::uint32_t;

// base + k * stride, as an index
std::string affine(std::int64_t base, std::int64_t stride) {
  if (stride == 0) return std::to_string(base);
  return fmt::format("{} {} {} * k", base, stride < 0 ? '-' : '+', std::abs(stride));
}

struct Member {
  uint32_t group, index;
};

Member member(const std::vector<uint32_t>& sizes, uint32_t index) {
  const uint32_t group = group_of(sizes, index);
  return {group, index - std::accumulate(sizes.begin(), sizes.begin() + group, 0u)};
}

constexpr uint32_t constant_group = std::numeric_limits<uint32_t>::max(), work_group = constant_group - 1;

class Emitter {
 public:
  Emitter(const Program::Tape& tape, std::string entry, int lanes)
      : code_(tape.code),
        rolled_(tape.rolled),
        entry_(std::move(entry)),
        lanes_(lanes),
        number_(lanes == 1 ? "double" : fmt::format("n{}", lanes)),
        first_(code_.first_operation()),
        sole_(sole_outputs(code_)) {
    for (uint32_t i = 0; i < code_.outputs.size(); ++i) outputs_of_.emplace(code_.outputs[i], i);
  }

  std::string run(SegmentRange range) {
    std::vector<std::string> functions;
    for (uint32_t i = range.begin; i < range.end; ++i) functions.push_back(emit_segment(i));
    if (range.end == rolled_.segments.size()) functions.push_back(emit_copies());
    std::string text;
    for (const std::string& function : functions) text += function;
    text += fmt::format("void {}(const double* const* in, double* const* out, double* w) {{\n", entry_);
    for (uint32_t i = 0; i < functions.size(); ++i)
      text += fmt::format("  {}_{}(in, out, ({}*)w);\n", entry_, range.begin + i, number_);
    return text + "}\n";
  }

 private:
  // How an argument is named depends on where it comes from; what has to be loaded first is appended to `loads_`.
  using Arguments = std::array<std::string, 3>;

  std::string emit_segment(uint32_t index) {
    const Segment& segment = rolled_.segments[index];
    begin_function();
    if (segment.is_loop())
      emit_loop(segment);
    else
      emit_straight(segment);
    return finish_function(index);
  }

  void emit_straight(const Segment& segment) {
    RowBundles rows(code_);
    const bool whole = lanes_ == 1 && rolled_.segments.size() == 1;
    const std::vector<RowBundle> bundles = whole ? rows.find() : std::vector<RowBundle>();
    for (uint32_t i = 0; i < segment.period; ++i) {
      if (rows.replaced().contains(segment.begin + i)) continue;
      const Operation& operation = code_.operations[segment.begin + i];
      Arguments arguments;
      for (std::size_t k = 0; k < operation.arity; ++k)
        arguments[k] =
            is_inside(segment, operation.argument[k]) ? local(operation.argument[k]) : invariant(operation.argument[k]);
      body_ += std::exchange(loads_, {});  // where first needed: loaded all at once they would be spilled again
      emit_operation(segment, i, arguments);
    }
    for (const RowBundle& bundle : bundles) emit_bundle(bundle);
    text_ += body_;
  }

  void emit_bundle(const RowBundle& bundle) {
    std::string sum;
    for (const auto& [x, constant] : bundle.terms) {
      const std::string factor = x >= first_ ? local(x) : invariant(x);
      const std::string numbers = fmt::format("*(const n4*)&{}", input({constant}));
      sum = sum.empty() ? fmt::format("{} * {}", numbers, factor)
                        : fmt::format("fused4({}, all4({}), {})", numbers, factor, sum);
    }
    body_ += std::exchange(loads_, {});
    emit("const n4 r{} = {};\n", bundle.first_output, sum);
    for (uint32_t r = 0; r < RowBundles::rows; ++r)
      emit("{} = r{}[{}];\n", output({bundle.first_output + r}), bundle.first_output, r);
  }

  void emit_loop(const Segment& loop) {
    for (uint32_t i = 0; i < loop.period; ++i) {
      Arguments arguments;
      for (std::size_t k = 0; k < code_.operations[loop.begin + i].arity; ++k) arguments[k] = loop_argument(loop, i, k);
      emit_operation(loop, i, arguments);
    }
    const std::string rotation = emit_carries(loop);
    emit_tables(loop);
    text_ += loads_ + fmt::format("for (long k = 0; k < {}; ++k) {{\n", loop.count) + body_ + rotation + "}\n";
  }

  void emit_operation(const Segment& segment, uint32_t position, const Arguments& arguments) {
    const uint32_t i = segment.begin + position;
    const std::string value = local(first_ + i);
    emit("const {} {} = {};\n", number_, value, applied(code_.operations[i], arguments));
    const Slot& slot = rolled_.slots[segment.first_slot + position];
    if (slot.base != Slot::none) emit("w[{}] = {};\n", affine(slot.base, slot.stride), value);
    emit_outputs(segment, i, value);
  }

  std::string applied(const Operation& operation, const Arguments& arguments) const {
    if (lanes_ == 1 || (lanes_ == 4 && is_vector_operation(operation.op))) return formula(operation.op, arguments);
    std::string list;
    for (std::size_t k = 0; k < operation.arity; ++k) list += (k > 0 ? ", " : "") + in_all_lanes(arguments[k]);
    return lane_function(operation.op, lanes_) + "(" + list + ")";
  }

  std::string in_all_lanes(const std::string& value) const {
    return lanes_ == 1 ? value : fmt::format("ALL_{}({})", number_, value);
  }

  void emit_outputs(const Segment& segment, uint32_t i, const std::string& value) {
    if (!segment.is_loop()) {
      const auto [begin, end] = outputs_of_.equal_range(first_ + i);
      for (auto entry = begin; entry != end; ++entry) emit("{} = {};\n", output({entry->second}), value);
    } else if (sole_[i] != no_output && rolled_.slots[segment.first_slot + i - segment.begin].writes_outputs) {
      emit("{} = {};\n", output(column(segment, i, [&](uint32_t k) { return sole_[k]; })), value);
    }
  }

  // One number for each iteration.
  using Column = std::vector<uint32_t>;

  template <class Of>
  static Column column(const Segment& loop, uint32_t operation, Of of) {
    Column numbers;
    for (uint32_t k = 0; k < loop.count; ++k) numbers.push_back(of(operation + k * loop.period));
    return numbers;
  }

  std::string loop_argument(const Segment& loop, uint32_t position, std::size_t argument) {
    Column values =
        column(loop, loop.begin + position, [&](uint32_t i) { return code_.operations[i].argument[argument]; });
    if (is_carried(loop, first_, values[0], values[1])) return carried(loop, values[0]);
    if (std::count(values.begin(), values.end(), values[0]) == std::ssize(values)) return invariant(values[0]);
    if (values[0] < code_.first_input()) return fmt::format("t[k][{}]", row(constant_columns_, std::move(values)));
    if (values[0] < first_) return input(values);
    for (uint32_t& value : values) value = slot_of(value);
    return fmt::format("w[{}]", index(std::move(values)));
  }

  uint32_t slot_of(uint32_t value) const {
    const TapePlace place = rolled_.place(value - first_);
    return rolled_.slot(place).base + rolled_.slot(place).stride * place.iteration;
  }

  // The index that runs through these numbers: a formula where they advance evenly, otherwise a table.
  std::string index(Column numbers) {
    const std::int64_t base = numbers[0], stride = numbers.size() > 1 ? std::int64_t{numbers[1]} - base : 0;
    std::int64_t expected = base;
    if (std::all_of(numbers.begin(), numbers.end(),
                    [&](uint32_t number) { return number == std::exchange(expected, expected + stride); }))
      return affine(base, stride);
    return fmt::format("x[k][{}]", row(index_columns_, std::move(numbers)));
  }

  static std::size_t row(std::vector<Column>& columns, Column numbers) {
    const auto known = static_cast<std::size_t>(std::find(columns.begin(), columns.end(), numbers) - columns.begin());
    if (known == columns.size()) columns.push_back(std::move(numbers));
    return known;
  }

  void emit_tables(const Segment& loop) {
    emit_table(loop, "double t", constant_columns_, [&](uint32_t value) { return literal(code_.constants[value]); });
    emit_table(loop, "unsigned x", index_columns_, [](uint32_t number) { return std::to_string(number); });
  }

  template <class Print>
  void emit_table(const Segment& loop, const char* declaration, const std::vector<Column>& columns, Print print) {
    if (columns.empty()) return;
    loads_ += fmt::format("static const {}[{}][{}] = {{\n", declaration, loop.count, columns.size());
    for (uint32_t k = 0; k < loop.count; ++k) {
      for (const Column& numbers : columns) loads_ += print(numbers[k]) + ",";
      loads_ += "\n";
    }
    loads_ += "};\n";
  }

  // A value of this or an earlier iteration; the latter are kept in variables that are handed on.
  std::string carried(const Segment& loop, uint32_t value) {
    const uint32_t start = first_ + loop.begin;
    if (value >= start) return local(value);
    const uint32_t lookback = (start - value + loop.period - 1) / loop.period;
    uint32_t& deepest = carried_[value + lookback * loop.period];
    deepest = std::max(deepest, lookback);
    return carry(value + lookback * loop.period, lookback);
  }

  std::string carry(uint32_t value, uint32_t lookback) const {
    return lookback == 0 ? local(value) : fmt::format("c{}_{}", value - first_, lookback);
  }

  std::string emit_carries(const Segment& loop) {
    std::string rotation;
    for (const auto& [value, deepest] : carried_) {
      for (uint32_t lookback = deepest; lookback > 0; --lookback) {
        const std::string initial = invariant(value - lookback * loop.period);
        loads_ += fmt::format("{} {} = {};\n", number_, carry(value, lookback), in_all_lanes(initial));
        rotation += fmt::format("{} = {};\n", carry(value, lookback), carry(value, lookback - 1));
      }
    }
    return rotation;
  }

  bool is_inside(const Segment& segment, uint32_t value) const { return value >= first_ + segment.begin; }
  std::string local(uint32_t value) const { return fmt::format("v{}", value - first_); }

  // A value from outside the segment, the same in each iteration: loaded once.
  std::string invariant(uint32_t value) {
    if (value < code_.first_input()) return literal(code_.constants[value]);
    const std::string variable = fmt::format("h{}", value);
    if (loaded_.insert(value).second)
      loads_ += fmt::format("const {} {} = {};\n", number_, variable,
                            value < first_ ? input({value}) : fmt::format("w[{}]", slot_of(value)));
    return variable;
  }

  // The inputs with these numbers, or the outputs: members of one group, one for each iteration.
  std::string input(Column values) {
    for (uint32_t& value : values) value -= code_.first_input();
    const bool uniform = code_.is_uniform(member(code_.input_sizes, values[0]).group);
    const std::string text = member_of("i", code_.input_sizes, std::move(values), input_groups_);
    return uniform ? in_all_lanes(text) : text;
  }
  std::string output(Column indices) { return member_of("o", code_.output_sizes, std::move(indices), output_groups_); }

  std::string member_of(const char* array, const std::vector<uint32_t>& sizes, Column indices,
                        std::set<uint32_t>& used) {
    const uint32_t group = member(sizes, indices[0]).group;
    for (uint32_t& number : indices) number = member(sizes, number).index;
    used.insert(group);
    return fmt::format("{}{}[{}]", array, group, index(std::move(indices)));
  }

  // Outputs that no segment writes, by groups; tables, because there may be many and in any order.
  std::string emit_copies() {
    begin_function();
    std::map<std::pair<uint32_t, uint32_t>, std::string> copies;
    std::map<uint32_t, uint32_t> row_of;  // of the constants that are outputs
    std::string constants;
    const auto source_of = [&](uint32_t value) {
      if (value >= first_) return Member{work_group, slot_of(value)};
      if (value >= code_.first_input()) return member(code_.input_sizes, value - code_.first_input());
      const auto [row, is_new] = row_of.try_emplace(value, static_cast<uint32_t>(row_of.size()));
      if (is_new) constants += literal(code_.constants[value]) + ",";
      return Member{constant_group, row->second};
    };
    for (uint32_t i = 0; i < code_.outputs.size(); ++i) {
      if (is_written(code_.outputs[i])) continue;
      const Member target = member(code_.output_sizes, i), source = source_of(code_.outputs[i]);
      copies[{target.group, source.group}] += fmt::format("{{{},{}}},", target.index, source.index);
    }
    if (!constants.empty()) text_ += fmt::format("static const double c[] = {{{}}};\n", constants);
    for (const auto& [groups, table] : copies)
      text_ += fmt::format(
          "{{ static const unsigned m[][2] = {{{}}};\n"
          "for (unsigned k = 0; k < sizeof m / sizeof *m; ++k) (({}*)out[{}])[m[k][0]] = {}; }}\n",
          table, number_, groups.first, source_at(groups.second));
    return finish_function(static_cast<uint32_t>(rolled_.segments.size()));
  }

  bool is_written(uint32_t value) const {
    return value >= first_ && rolled_.slot(rolled_.place(value - first_)).writes_outputs;
  }

  // Member m[k][1] of a group that is copied from.
  std::string source_at(uint32_t group) const {
    if (group == work_group) return "w[m[k][1]]";
    if (group == constant_group) return in_all_lanes("c[m[k][1]]");
    if (code_.is_uniform(group)) return in_all_lanes(fmt::format("in[{}][m[k][1]]", group));
    return fmt::format("((const {}*)in[{}])[m[k][1]]", number_, group);
  }

  void begin_function() {
    text_.clear(), body_.clear(), loads_.clear();
    constant_columns_.clear(), index_columns_.clear(), carried_.clear(), loaded_.clear(), input_groups_.clear(),
        output_groups_.clear();
  }

  std::string finish_function(uint32_t index) const {
    // A short program becomes one function; a long one must not, or compiling it would take for ever.
    const char* inlining = rolled_.segments.size() <= 1 ? "" : "__attribute__((noinline)) ";
    std::string head = fmt::format(
        "static {}void {}_{}(const double* const* in, double* const* out, {}* restrict w) "
        "{{\n(void)in, (void)out, (void)w;\n",
        inlining, entry_, index, number_);
    for (const uint32_t group : input_groups_)
      head += fmt::format("const {1}* restrict i{0} = (const {1}*)in[{0}];\n", group,
                          code_.is_uniform(group) ? "double" : number_);
    for (const uint32_t group : output_groups_)
      head += fmt::format("{1}* restrict o{0} = ({1}*)out[{0}];\n", group, number_);
    return head + text_ + "}\n";
  }

  template <class... Parts>
  void emit(fmt::format_string<Parts...> format, Parts&&... parts) {
    fmt::format_to(std::back_inserter(body_), format, std::forward<Parts>(parts)...);
  }

  const Code& code_;
  const Rolled& rolled_;
  std::string entry_;
  int lanes_;
  std::string number_;  // the type of a number: double, or a vector of them
  uint32_t first_;
  std::vector<uint32_t> sole_;
  std::multimap<uint32_t, uint32_t> outputs_of_;

  // of the function being written
  std::string text_, loads_, body_;
  std::set<uint32_t> loaded_, input_groups_, output_groups_;
  std::vector<Column> constant_columns_, index_columns_;
  std::map<uint32_t, uint32_t> carried_;  // how many earlier iterations of it are read
};

}  // namespace

std::string emit_c(const Program::Tape& tape, SegmentRange range, const std::string& entry, int lanes) {
  return Emitter(tape, entry, lanes).run(range);
}

}  // namespace hamel
