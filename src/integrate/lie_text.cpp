#include "integrate/lie_text.hpp"

#include <fmt/format.h>

#include <vector>

#include "hamel/manifold/rotation.hpp"
#include "hamel/program/device_text.hpp"

namespace hamel {
namespace {

template <int k>
std::string series_text() {
  constexpr auto& c = stumpff_coefficients<k, double>;
  std::string sum = device_literal(c.back());
  for (std::size_t i = c.size() - 1; i-- > 0;)
    sum = fmt::format("{} - s * {}{}{}", device_literal(c[i]), i + 2 < c.size() ? "(" : "", sum,
                      i + 2 < c.size() ? ")" : "");
  return fmt::format("FUNCTION number stumpff_{}(number s) {{ return {}; }}\n", k, sum);
}

constexpr const char* turns_text = R"(
FUNCTION number sine_factor(number s) {
  const number near = stumpff_1(s);
  const mask is_far = (mask)(s >= 1.0);
  if (!any(is_far)) return near;
  const number x = root(s);
  return pick(is_far, SINE(x) / x, near);
}
FUNCTION number versine_factor(number s) {
  const number near = stumpff_2(s);
  const mask is_far = (mask)(s >= 1.0);
  if (!any(is_far)) return near;
  const number x = root(s), half = SINE(x / 2.0) / x;
  return pick(is_far, 2.0 * half * half, near);
}
FUNCTION number cubic_factor(number s) {
  const number near = stumpff_3(s);
  const mask is_far = (mask)(s >= 1.0);
  if (!any(is_far)) return near;
  const number x = root(s);
  return pick(is_far, (x - SINE(x)) / (s * x), near);
}
FUNCTION void cross(const number* a, const number* b, number* c) {
  const number x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  c[0] = x, c[1] = y, c[2] = z;
}
FUNCTION number squared_length(const number* x) { return x[0] * x[0] + x[1] * x[1] + x[2] * x[2]; }
FUNCTION void add_turn(const number* x, number a, number b, number* p) {
  number once[3], twice[3];
  cross(x, p, once);
  cross(x, once, twice);
  EACH(i, 3) p[i] += a * once[i] + b * twice[i];
}
FUNCTION void turn_plane(const number* x, number* q) {
  const number s = x[0] * x[0], sine = x[0] * sine_factor(s), versine = s * versine_factor(s), q0 = q[0], q1 = q[1];
  q[0] += sine * -q1 - versine * q0;
  q[1] += sine * q0 - versine * q1;
}
FUNCTION void turn_direction(const number* x, number* q) {
  const number s = squared_length(x);
  add_turn(x, sine_factor(s), versine_factor(s), q);
}
FUNCTION void turn_body(const number* x, number* R) {
  const number s = squared_length(x), a = sine_factor(s), b = versine_factor(s), back[3] = {-x[0], -x[1], -x[2]};
  EACH(i, 3) {
    number row[3] = {R[i], R[i + 3], R[i + 6]};
    add_turn(back, a, b, row);
    EACH(j, 3) R[i + 3 * j] = row[j];
  }
}
FUNCTION void move_pose(const number* x, number* q) {
  const number s = squared_length(x);
  number shift[3] = {x[3], x[4], x[5]};
  add_turn(x, versine_factor(s), cubic_factor(s), shift);
  EACH(i, 3) q[9 + i] += q[i] * shift[0] + q[i + 3] * shift[1] + q[i + 6] * shift[2];
  turn_body(x, q);
}
FUNCTION void bracket_of_screws(const number* a, const number* b, number* c) {
  number v[3], w[3];
  cross(b, a, c);
  cross(b, a + 3, v);
  cross(a, b + 3, w);
  EACH(i, 3) c[3 + i] = v[i] - w[i];
}
)";

constexpr const char* step_text = R"(
FUNCTION void pull_back(const number* u, number* A) {
  number inner[NX], outer[NX];
  bracket(u, A, inner);
  bracket(u, inner, outer);
  EACH(i, NX) A[i] += outer[i] / 12.0 - inner[i] / 2.0;
}
FUNCTION void lie_step(FIELD, number t, number h, const number* y, const number* rate_at_y, number* end) {
  number k[4][NY], A[4][NX], way[NX];
#if COMMUTATOR_FREE
  number middle[NQ];
#endif
  EACH(i, NY) k[0][i] = rate_at_y[i];
  EACH(i, NX) A[0][i] = y[NQ + i];
UNROLL
  for (int stage = 1; stage < 4; ++stage) {
    const number a = (stage < 3 ? 0.5 : 1.0) * h;
    EACH(i, NX) way[i] = a * A[stage - 1][i];
    EACH(i, NQ) end[i] = y[i];
#if COMMUTATOR_FREE
    if (stage == 3) {
      EACH(i, NX) way[i] -= h / 2.0 * A[0][i];
      EACH(i, NQ) end[i] = middle[i];
    }
#endif
    move(way, end);
#if COMMUTATOR_FREE
    if (stage == 1)
      EACH(i, NQ) middle[i] = end[i];
#endif
    EACH(i, NX) A[stage][i] = end[NQ + i] = y[NQ + i] + a * k[stage - 1][NQ + i];
    RATE(t + a, end, k[stage]);
#if !COMMUTATOR_FREE
    pull_back(way, A[stage]);
#endif
  }
  EACH(i, NQ) end[i] = y[i];
#if COMMUTATOR_FREE
  EACH(i, NX) way[i] = h / 12.0 * (3.0 * A[0][i] + 2.0 * A[1][i] + 2.0 * A[2][i] - A[3][i]);
  move(way, end);
  EACH(i, NX) way[i] = h / 12.0 * (3.0 * A[3][i] + 2.0 * A[1][i] + 2.0 * A[2][i] - A[0][i]);
#else
  EACH(i, NX) way[i] = h / 6.0 * (A[0][i] + 2.0 * A[1][i] + 2.0 * A[2][i] + A[3][i]);
#endif
  move(way, end);
  EACH(i, NX)
    end[NQ + i] = y[NQ + i] + h / 6.0 * (k[0][NQ + i] + 2.0 * k[1][NQ + i] + 2.0 * k[2][NQ + i] + k[3][NQ + i]);
}
)";

// What the group of a factor does, where its numbers are q of a point, a of an element, and a, b and c of a bracket.
struct FactorText {
  std::string move, bracket, drop;
  bool operator==(const FactorText&) const = default;
};

FactorText text_of(const Manifold& factor) {
  if (factor.is_flat())
    return {fmt::format("EACH(i, {}) q[i] += a[i];", factor.ambient()),
            fmt::format("EACH(i, {}) c[i] = ALL(0.0);", factor.ambient()), ""};
  if (factor.turning() == Turning::plane) return {"turn_plane(a, q);", "c[0] = ALL(0.0);", ""};
  if (factor.turning() == Turning::direction)
    return {"turn_direction(a, q);", "cross(a, b, c);", "number v[3]; cross(a, q, v); cross(q, v, a);"};
  if (factor.is_pose()) return {"move_pose(a, q);", "bracket_of_screws(a, b, c);", ""};
  if (factor.turning() == Turning::body) return {"turn_body(a, q);", "cross(b, a, c);", ""};
  return {};
}

// Equal factors one after the other, and where the first of them begins.
struct EqualFactors {
  FactorText text;
  int count, points, rates, point, rate;

  std::string loop(const std::string& numbers, const std::string& body) const {
    if (body.empty()) return {};
    return fmt::format(fmt::runtime("  EACH(f, {count}) {{\n    " + numbers + "\n    {body}\n  }}\n"),
                       fmt::arg("count", count), fmt::arg("body", body), fmt::arg("q", offset(point, points)),
                       fmt::arg("a", offset(rate, rates)));
  }

 private:
  static std::string offset(int first, int size) { return fmt::format("{} + {} * f", first, size); }
};

std::vector<EqualFactors> factors_in_text(const System& system) {
  std::vector<EqualFactors> result;
  int point = 0, rate = 0;
  for (const Manifold& factor : system.space().factors()) {
    const FactorText text = text_of(factor);
    if (text.move.empty()) return {};
    if (!result.empty() && result.back().text == text)
      ++result.back().count;
    else
      result.push_back({text, 1, factor.ambient(), factor.rates(), point, rate});
    point += factor.ambient();
    rate += factor.rates();
  }
  return result;
}

}  // namespace

std::string lie_text(const System& system, LieScheme scheme) {
  const std::vector<EqualFactors> factors = factors_in_text(system);
  if (factors.empty()) return {};
  std::string move = "FUNCTION void move(const number* A, number* Q) {\n";
  std::string bracket = "FUNCTION void bracket(const number* A, const number* B, number* C) {\n";
  std::string drop = "FUNCTION void drop_isotropy(const number* Q, number* A) {\n";
  for (const EqualFactors& each : factors) {
    move += each.loop("const number* a = A + {a}; number* q = Q + {q};", each.text.move);
    bracket += each.loop("const number *a = A + {a}, *b = B + {a}; number* c = C + {a};", each.text.bracket);
    drop += each.loop("const number* q = Q + {q}; number* a = A + {a};", each.text.drop);
  }
  return fmt::format("#define COMMUTATOR_FREE {}\n#define NX {}\n", int{scheme == LieScheme::commutator_free4},
                     system.rates()) +
         series_text<1>() + series_text<2>() + series_text<3>() + turns_text + move + "}\n" + bracket + "}\n" + drop +
         "}\n" + step_text;
}

}  // namespace hamel
