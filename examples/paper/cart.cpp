#include "cart.hpp"

#include <fmt/core.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <hamel/analyze/control.hpp>
#include <hamel/hamel.hpp>

#include "panels.hpp"

namespace hamel::cart {
namespace {

using Eigen::Vector3d;
using Goal = std::vector<double>;  // s: 1 is down, -1 is up

constexpr int n = 5;
constexpr double degree = M_PI / 180;
const Goal hanging(n, 1.0), folded{-1, 1, -1, 1, -1}, partly_folded{-1, -1, -1, 1, 1};

// z points down, as in the paper.
Model chain_on_a_cart() {
  Model model("chain pendulum on a cart");
  const auto m = model.parameter("m", 0.1), l = model.parameter("l", 0.1), g = model.parameter("g", 9.81);
  const auto x = model.coordinate("x", Rn(2));
  const auto q = model.coordinates<S2>("q", n);
  model.kinetic(0.5 / 2 * squared_norm(rate(x)));
  Formula end = Formula::vector({x[0], x[1], 0.0});
  for (const Formula& link : q) {
    end = end + l * link;
    model.kinetic(m / 2 * squared_norm(rate(end)));
    model.potential(-(m * g * end.z()));
  }
  model.force_on(x, model.input("u", 2));
  return model;
}

State at_rest(const Goal& s) {
  State state{0, VectorXd::Zero(2 + 3 * n), VectorXd::Zero(2 + 3 * n)};
  for (int i = 0; i < n; ++i) state.q(4 + 3 * i) = s[static_cast<std::size_t>(i)];
  return state;
}

Vector3d link(const State& state, int i) { return state.q.segment<3>(2 + 3 * i); }

// (23), and that of the third experiment, whose q2 has a component too many in print.
State with_cart(State state) {
  state.q.head<2>() << 0.2, 0.1;
  state.v(1) = -0.1;
  return state;
}
State start_of_folded() {
  State state = at_rest(folded);
  state.q.segment<3>(14) << std::sin(degree), 0, -std::cos(degree);
  return with_cart(state);
}
State start_of_third() {
  State state = at_rest(partly_folded);
  const auto sine = [](double angle) { return std::sin(angle * degree); };
  const auto cosine = [](double angle) { return std::cos(angle * degree); };
  state.q.segment<3>(2) << -sine(6), 0, -cosine(6);
  state.q.segment<3>(5) << 0, -sine(4), -cosine(4);
  state.q.segment<3>(8) << 0, -sine(4), -cosine(4);
  state.q.segment<3>(11) << sine(5) * cosine(4), -sine(5) * sine(4), cosine(5);
  state.q.segment<3>(14) << -sine(35), 0, cosine(35);
  return with_cart(state);
}

// sum |q_i - s_i e3| and sum |omega_i|; the paper prints e_i for e3.
double direction_error(const State& state, const Goal& s) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += (link(state, i) - s[static_cast<std::size_t>(i)] * Vector3d::UnitZ()).norm();
  return sum;
}
double rate_error(const State& state) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += state.v.segment<3>(2 + 3 * i).norm();
  return sum;
}

class Comparison {
 public:
  // Equal to within so much of the number, or to so much in all.
  void row(const std::string& what, double other, double ours, double relative) {
    const bool good = std::abs(ours - other) <= relative * std::abs(other);
    all_good = all_good && good;
    fmt::print("    {:<44}{:>20.13g} {:>20.13g}  {}\n", what, other, ours, good ? "" : "DIFFERS");
  }
  void row(const std::string& what, const std::string& claim, const std::string& ours, bool good) {
    all_good = all_good && good;
    fmt::print("    {:<44}{:>20} {:>20}  {}\n", what, claim, ours, good ? "" : "DIFFERS");
  }
  bool all_good = true;
};

constexpr double every = 0.01;
Trajectory motion(const System& system, const State& start, double end) {
  return integrate(system, start, Rk45{.relative = 1e-11, .absolute = 1e-13}, {.t = end, .every = every});
}
const State& at(const Trajectory& run, double t) {
  return run.states[static_cast<std::size_t>(std::lround(t / every))];
}

template <class Measure>
Curve over_time(const std::string& name, const Trajectory& run, Measure measure) {
  Curve curve{name, {}, {}};
  for (const State& state : run.states) {
    curve.x.push_back(state.t);
    curve.y.push_back(measure(state));
  }
  return curve;
}
Panel cart_panel(const Trajectory& run) {
  return {"cart position x",
          {over_time("x1", run, [](const State& s) { return s.q(0); }),
           over_time("x2", run, [](const State& s) { return s.q(1); })}};
}

void uncontrolled(Comparison& table, const std::string& folder) {
  fmt::print("\n  1 from the folded equilibrium, without control\n");
  const System system = derive(chain_on_a_cart());
  const State start = start_of_folded();
  const Trajectory run = motion(system, start, 10);
  const double begin = energy(system, start).total;
  double drift = 0;
  for (const State& state : run.states) drift = std::max(drift, std::abs(energy(system, state).total - begin));
  table.row("energy at the start", 0.299285058895, begin, 1e-11);
  table.row("energy, largest change until t = 10", "< 1e-8", fmt::format("{:.1e}", drift), drift < 1e-8);
  table.row("cart x1 at t = 1", 0.207949600069913, at(run, 1).q(0), 1e-8);
  table.row("q5.x at t = 1", 0.859882086619616, link(at(run, 1), 4).x(), 1e-8);

  Curve path{"", {}, {}};
  for (const State& state : run.states) {
    Vector3d end = Vector3d::Zero();
    for (int i = 0; i < n; ++i) end += 0.1 * link(state, i);
    path.x.push_back(end.x());
    path.y.push_back(-end.z());
  }
  const auto third = [&](int i) {
    return over_time(fmt::format("q{}", i + 1), run, [i](const State& s) { return link(s, i).z(); });
  };
  draw(folder + "/cart-figure-2.svg", "Uncontrolled: from a folded equilibrium",
       {cart_panel(run),
        {"third elements of q3, q4, q5", {third(2), third(3), third(4)}},
        {"m5 seen from the cart, in the plane of e1 and e3", {path}},
        {"energy",
         {over_time("kinetic", run, [&](const State& s) { return energy(system, s).kinetic; }),
          over_time("potential", run, [&](const State& s) { return energy(system, s).potential; })}}});
}

struct Controlled {
  Regulator regulator;
  System system;
  Trajectory run;
  std::vector<VectorXd> inputs;
};

Controlled controlled(const Goal& goal, const Weights& weights, const State& start, const std::string& figure,
                      const std::string& title) {
  Model model = chain_on_a_cart();
  const LinearModel linear = linearize(derive(model), at_rest(goal));
  const Regulator regulator = lqr(linear, weights);
  const System open = derive(model);
  model.law(model.input_symbol(0), feedback(model, linear, regulator));
  Controlled result{regulator, derive(model), {}, {}};
  result.run = motion(result.system, start, 20);
  // u is what the cart needs beside the chain: the law, evaluated as the paper prints it in (22).
  for (const State& state : result.run.states) {
    VectorXd u = -(regulator.gains[0].point * state.q.head<2>() + regulator.gains[0].rate * state.v.head<2>());
    for (int i = 0; i < n; ++i) {
      const Vector3d q = link(state, i), w = q.cross(state.v.segment<3>(2 + 3 * i));
      const Gain& gain = regulator.gains[static_cast<std::size_t>(i) + 1];
      u -= gain.point * (goal[static_cast<std::size_t>(i)] * Vector3d::UnitZ()).cross(q) + gain.rate * w;
    }
    result.inputs.push_back(u);
  }
  std::size_t next = 0;
  const auto input = [&](Eigen::Index k) {
    next = 0;
    return over_time(fmt::format("u{}", k + 1), result.run, [&, k](const State&) { return result.inputs[next++](k); });
  };
  draw(figure, title,
       {cart_panel(result.run),
        {"direction errors", {over_time("", result.run, [&](const State& s) { return direction_error(s, goal); })}},
        {"angular velocity errors", {over_time("", result.run, rate_error)}},
        {"control force u", {input(0), input(1)}}});
  return result;
}

double slowest(const Regulator& regulator) { return regulator.closed_loop.real().maxCoeff(); }

void to_hanging(Comparison& table, const std::string& folder) {
  fmt::print("\n  2 to the hanging equilibrium, Q = diag[8I, I, 8I, I], R = I\n");
  const Controlled found = controlled(hanging, {.states = {{"x", 8.0}, {"x'", 8.0}}}, start_of_folded(),
                                      folder + "/cart-figure-3.svg", "Controlled: to the hanging equilibrium");
  table.row("gain k_x", std::sqrt(8), found.regulator.gains[0].point(0, 0), 1e-9);
  table.row("gain k_q1", -46.45642164956608, found.regulator.gains[1].point(0, 1), 1e-9);
  table.row("slowest pole of the closed loop", -1.0778260178, slowest(found.regulator), 1e-9);
  table.row("sum |q_i - e3| at t = 10", 5.87e-4, direction_error(at(found.run, 10), hanging), 1e-3);
  table.row("sum |q_i - e3| at t = 20", 1.22e-8, direction_error(at(found.run, 20), hanging), 1e-2);
}

void to_partly_folded(Comparison& table, const std::string& folder) {
  fmt::print("\n  3 to s = (-1, -1, -1, 1, 1), Q = diag[I, 8I, I, 8I], R = I\n");
  const Controlled found = controlled(partly_folded, {.states = {{"q", 8.0}, {"q'", 8.0}}}, start_of_third(),
                                      folder + "/cart-figure-4.svg", "Controlled: to a partly folded equilibrium");
  table.row("|u| at the start", 90.75, found.inputs.front().norm(), 1e-4);
  table.row("sum |q_i - s_i e3| at t = 10", 6.55e-4, direction_error(at(found.run, 10), partly_folded), 1e-3);
  table.row("sum |q_i - s_i e3| at t = 20", 2.45e-7, direction_error(at(found.run, 20), partly_folded), 1e-2);
}

// Propositions 2 and 3, and what is said after them.
void all_equilibria(Comparison& table) {
  fmt::print("\n  all 32 equilibria\n");
  const Linearization linearization(derive(chain_on_a_cart()));
  int controllable = 0, saddles = 0;
  double margin = 1;
  for (unsigned pattern = 0; pattern < 1U << n; ++pattern) {
    Goal s;
    for (int i = 0; i < n; ++i) s.push_back((pattern >> i & 1U) != 0 ? 1 : -1);
    const LinearModel linear = linearization.at(at_rest(s));
    const Reach reach = controllability(linear);
    controllable += reach.complete() ? 1 : 0;
    margin = std::min(margin, reach.margin);
    saddles += linear.K.diagonal().minCoeff() < 0 ? 1 : 0;
  }
  table.row("controllable", "32", fmt::format("{}", controllable), controllable == 32);
  table.row("saddles", "31", fmt::format("{}", saddles), saddles == 31);
  table.row("smallest singular value, in own units", 0.00186270103521, margin, 1e-6);
}

}  // namespace

bool run_experiments(const std::string& folder) {
  Comparison table;
  fmt::print("\n  Chain pendulum on a cart: {:>42} {:>20}\n", "paper or another program", "ours");
  uncontrolled(table, folder);
  to_hanging(table, folder);
  to_partly_folded(table, folder);
  all_equilibria(table);
  fmt::print("\n  figures: {0}/cart-figure-2.svg, {0}/cart-figure-3.svg, {0}/cart-figure-4.svg\n\n", folder);
  return table.all_good;
}

}  // namespace hamel::cart
