#include "cart.hpp"

#include <fmt/core.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <hamel/analyze/control.hpp>
#include <hamel/hamel.hpp>
#include <hamel/language/model_file.hpp>
#include <hamel/record/sample.hpp>

#include "panels.hpp"

namespace hamel::cart {
namespace {

using Eigen::Vector3d;

constexpr int n = 5;

// A model of models/, with its start and its outputs.
class Experiment {
 public:
  explicit Experiment(const std::string& id)
      : file(read_model(HAMEL_MODELS "/" + id + ".toml")),
        system(derive(file.model)),
        start(start_state(file, system, remarks_)),
        measurement_(system, {}, file.outputs) {}

  // An output of the file: its first component is number `first` of all.
  VectorXd output(const State& state, Eigen::Index first, Eigen::Index size = 1) {
    measurement_(state, sample_);
    return sample_.outputs.segment(first, size);
  }

 private:
  std::vector<std::string> remarks_;

 public:
  ModelFile file;
  System system;
  State start;

 private:
  Measurement measurement_;
  Sample sample_;
};

Vector3d link(const State& state, int i) { return state.q.segment<3>(2 + 3 * i); }

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
  const Experiment folded("chain-pendulum-on-cart-folded");
  const System& system = folded.system;
  const Trajectory run = motion(system, folded.start, 10);
  const double begin = energy(system, folded.start).total;
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

// u and sum |q_i - s_i e3| are outputs of the files; the paper prints e_i for e3.
VectorXd input(Experiment& experiment, const State& state) { return experiment.output(state, 0, 2); }
double direction_error(Experiment& experiment, const State& state) { return experiment.output(state, 2)(0); }

Trajectory controlled(Experiment& experiment, const std::string& figure, const std::string& title) {
  const Trajectory run = motion(experiment.system, experiment.start, 20);
  const auto force = [&](Eigen::Index k) {
    return over_time(fmt::format("u{}", k + 1), run, [&, k](const State& s) { return input(experiment, s)(k); });
  };
  draw(figure, title,
       {cart_panel(run),
        {"direction errors", {over_time("", run, [&](const State& s) { return direction_error(experiment, s); })}},
        {"angular velocity errors", {over_time("", run, rate_error)}},
        {"control force u", {force(0), force(1)}}});
  return run;
}

// The law of a file near its equilibrium, u = - gain q: what the linear models with it and without it differ by.
struct LinearLaw {
  MatrixXd gain;
  double slowest;  // pole of the closed loop
};
LinearLaw linear_law(const Experiment& experiment) {
  std::vector<std::string> remarks;
  const State goal = examine_equilibria(experiment.file, experiment.system, remarks).front().state;
  const LinearModel closed = linearize(experiment.system, goal);
  const LinearModel open = linearize(derive(experiment.file.model.open()), goal);
  return {open.B.transpose() * (closed.K - open.K) * open.basis.transpose(), spectrum(closed).rightmost().value.real()};
}

void to_hanging(Comparison& table, const std::string& folder) {
  fmt::print("\n  2 to the hanging equilibrium, Q = diag[8I, I, 8I, I], R = I\n");
  Experiment hanging("chain-pendulum-on-cart-regulated");
  const Trajectory run = controlled(hanging, folder + "/cart-figure-3.svg", "Controlled: to the hanging equilibrium");
  const auto [gain, slowest] = linear_law(hanging);
  table.row("gain k_x", std::sqrt(8), gain(0, 0), 1e-9);
  table.row("gain k_q1", -46.45642164956608, gain(0, 2), 1e-9);
  table.row("slowest pole of the closed loop", -1.0778260178, slowest, 1e-9);
  table.row("sum |q_i - e3| at t = 10", 5.87e-4, direction_error(hanging, at(run, 10)), 1e-3);
  table.row("sum |q_i - e3| at t = 20", 1.22e-8, direction_error(hanging, at(run, 20)), 1e-2);
}

void to_partly_folded(Comparison& table, const std::string& folder) {
  fmt::print("\n  3 to s = (-1, -1, -1, 1, 1), Q = diag[I, 8I, I, 8I], R = I\n");
  Experiment partly("chain-pendulum-on-cart-controlled");
  const Trajectory run =
      controlled(partly, folder + "/cart-figure-4.svg", "Controlled: to a partly folded equilibrium");
  table.row("|u| at the start", 90.75, input(partly, partly.start).norm(), 1e-4);
  table.row("sum |q_i - s_i e3| at t = 10", 6.55e-4, direction_error(partly, at(run, 10)), 1e-3);
  table.row("sum |q_i - s_i e3| at t = 20", 2.45e-7, direction_error(partly, at(run, 20)), 1e-2);
}

// Propositions 2 and 3, and what is said after them.
void all_equilibria(Comparison& table) {
  fmt::print("\n  all 32 equilibria\n");
  const Experiment cart("chain-pendulum-on-cart-regulated");
  const Linearization linearization(derive(cart.file.model.open()));
  int controllable = 0, saddles = 0;
  double margin = 1;
  for (unsigned pattern = 0; pattern < 1U << n; ++pattern) {
    State rest{0, VectorXd::Zero(2 + 3 * n), VectorXd::Zero(2 + 3 * n)};
    for (int i = 0; i < n; ++i) rest.q(4 + 3 * i) = (pattern >> i & 1U) != 0 ? 1 : -1;
    const LinearModel linear = linearization.at(rest);
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
