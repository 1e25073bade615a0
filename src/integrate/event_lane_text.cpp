#include "integrate/event_lane_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hamel/program/code.hpp"
#include "hamel/program/device_text.hpp"
#include "hamel/program/lane_text.hpp"
#include "integrate/event_finder.hpp"

namespace hamel {
namespace {

// As EventFinder::may_cross and what it calls.
constexpr const char* suspicion_text = R"(
static inline void find_events(const double* u, const double* constants, number t, const number* q, const number* v,
                               number* e) {
  event_values(q, v, u, &t, constants, e);
}
static inline number between(long j, number begin, number end) {
  return begin + (double)j * ((end - begin) / (POINTS - 1.0));
}
static inline mask crosses(number from, number to) {
  return ((mask)(from < 0.0) & (mask)(to >= 0.0)) | ((mask)(from > 0.0) & (mask)(to <= 0.0));
}
static inline mask dips(number before, number value, number after) {
  const number slope = (after - before) / 2.0, bend = after - 2.0 * value + before;
  const mask bends = (mask)(before * value > 0.0) & (mask)(value * after > 0.0) & ~(mask)(size_of(slope) >= size_of(bend));
  if (!any(bends)) return bends;
  const number extremum = value - slope * slope / (2.0 * bend);
  const number scale = larger(larger(size_of(before), size_of(value)), size_of(after));
  return bends & ~(mask)(extremum * value > NEAR * scale * size_of(value));
}
static inline mask may_cross(number e[POINTS][NE]) {
  mask result = (mask)(ALL(0.0) != 0.0);
  for (long k = 0; k < NE; ++k) {
    for (long j = 1; j < POINTS; ++j) result |= crosses(e[j - 1][k], e[j][k]);
    for (long j = 1; j + 1 < POINTS; ++j) result |= dips(e[j - 1][k], e[j][k], e[j + 1][k]);
  }
  return result;
}
)";

constexpr std::size_t group_of_rates = 1, group_of_constants = 4;

bool fits(const Program& events) { return fit_into_lane_text(std::array{&events}); }

bool needs_rates(const Code& code) {
  const std::uint32_t first = code.first_input() + code.input_sizes[0], end = first + code.input_sizes[group_of_rates];
  const auto is_rate = [&](std::uint32_t value) { return first <= value && value < end; };
  return std::any_of(code.outputs.begin(), code.outputs.end(), is_rate) ||
         std::any_of(code.operations.begin(), code.operations.end(), [&](const Operation& operation) {
           const auto arguments = operation.arguments();
           return std::any_of(arguments.begin(), arguments.end(), is_rate);
         });
}

// A value of a field as a product of at most two entries of y = (q, xi); empty where it is none.
std::string product_text(const Code& field, std::uint32_t value, int factors = 2) {
  const std::uint32_t entries = field.input_sizes[0] + field.input_sizes[1];
  if (value < field.first_input() || factors == 0) return {};
  if (value < field.first_operation()) {
    const std::uint32_t entry = value - field.first_input();
    return entry < entries ? fmt::format("y[{}]", entry) : std::string();
  }
  const Operation& operation = field.operations[value - field.first_operation()];
  const auto argument = [&](std::size_t k, int most) { return product_text(field, operation.argument[k], most); };
  if (operation.op == Op::negate) {
    const std::string a = argument(0, factors);
    return a.empty() ? a : fmt::format("-({})", a);
  }
  if (operation.op != Op::multiply) return {};
  const std::string a = argument(0, factors - 1), b = argument(1, factors - 1);
  return a.empty() || b.empty() ? std::string() : fmt::format("({}) * ({})", a, b);
}

std::vector<std::string> rate_texts(const Code& field) {
  std::vector<std::string> result;
  for (std::uint32_t i = 0; i < field.output_sizes[0]; ++i) result.push_back(product_text(field, field.outputs[i]));
  return result;
}

}  // namespace

bool can_watch_field(const Program& events, const Program& motion) {
  if (!fits(events)) return false;
  const std::vector<std::string> rates = rate_texts(motion.code());
  return !needs_rates(events.code()) || std::find(rates.begin(), rates.end(), "") == rates.end();
}

std::string event_lane_text(const Program& events) {
  constexpr std::array inputs{LaneInput::numbers, LaneInput::numbers, LaneInput::rows, LaneInput::numbers,
                              LaneInput::rows};
  return fmt::format("#define NE {}\n#define POINTS {}\n#define NEAR {}\n#define PART_OF_EVENTS(part) {}\n",
                     events.code().outputs.size(), EventFinder::points, device_literal(EventFinder::near_zero),
                     events.code().is_uniform(group_of_constants) ? "0" : "(part)") +
         function_in_lanes(events, "event_values", inputs) + suspicion_text;
}

std::string field_event_lane_text(const Program& events, const Program& motion) {
  std::string text = event_lane_text(events) + R"(
static inline void find_events_of(const double* u, const double* constants, number t, const number* y, number* e) {
  number v[NQ];
)";
  const std::vector<std::string> rates = rate_texts(motion.code());
  for (std::size_t i = 0; i < rates.size() && needs_rates(events.code()); ++i)
    text += fmt::format("  v[{}] = {};\n", i, rates[i]);
  return text + "  find_events(u, constants, t, y, v, e);\n}\n";
}

bool can_watch_points(const Program& events, const Manifold& space) {
  constexpr int longest = 3;  // sums of more numbers have more than one order
  const std::vector<Manifold> factors = space.factors();
  return fits(events) && std::all_of(factors.begin(), factors.end(), [](const Manifold& factor) {
           return factor.is_flat() || (factor.is_unit_sphere() && factor.ambient() <= longest);
         });
}

std::string project_lane_text(const Manifold& space) {
  std::string text = "static inline void project(const number* x, const number* rate, number* q, number* v) {\n";
  int first = 0;
  for (const Manifold& factor : space.factors()) {
    const auto each = [&](const char* format) {
      std::string list;
      for (int i = first; i < first + factor.ambient(); ++i) list += fmt::format(fmt::runtime(format), i);
      return list;
    };
    const auto sum = [&](const char* format) { return each(format).substr(3); };
    if (factor.is_flat())
      text += each("  q[{0}] = x[{0}], v[{0}] = rate[{0}];\n");
    else
      text +=
          fmt::format("  const number norm{0} = root({1});\n{2}  const number normal{0} = {3};\n{4}", first,
                      sum(" + x[{0}] * x[{0}]"), each(fmt::format("  q[{{0}}] = x[{{0}}] / norm{};\n", first).c_str()),
                      sum(" + q[{0}] * rate[{0}]"),
                      each(fmt::format("  v[{{0}}] = rate[{{0}}] - q[{{0}}] * normal{};\n", first).c_str()));
    first += factor.ambient();
  }
  return text + "}\n";
}

}  // namespace hamel
