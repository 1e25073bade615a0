#include "hamel/analyze/region.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <future>
#include <limits>
#include <mutex>
#include <numeric>
#include <random>
#include <stdexcept>
#include <thread>

#include "analyze/directions.hpp"
#include "analyze/family.hpp"
#include "hamel/analyze/sampled.hpp"
#include "hamel/integrate/laws.hpp"
#include "hamel/linear/product.hpp"
#include "hamel/mechanics/parts.hpp"

namespace hamel {

namespace {

using Eigen::Index;

struct Pace {
  double decay, size;  // of the slowest eigenvalue: |Re|, | |
};

Spectrum with_laws(const Linearization& linearization, const LinearModel& model) {
  const double sample = linearization.system().model().sample();
  if (sample == 0) return spectrum(model);
  return sampled_loop(model, linear_laws(linearization, model.at).gain, sample).rates;
}

Pace slowest_of(const Spectrum& all) {
  Pace pace{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (const Eigenvalue& one : all.values) {
    if (!(one.value.real() < -1e-9 * all.rate))
      throw std::domain_error(
          fmt::format("no region is attracted by this equilibrium: it has the eigenvalue {}, and only those with "
                      "negative real parts bring errors to zero",
                      in_words(one.value)));
    pace.decay = std::min(pace.decay, -one.value.real());
    pace.size = std::min(pace.size, std::abs(one.value));
  }
  return pace;
}

VectorXd carried(const System& system, const LinearModel& model, const VectorXd& x) {
  const VectorXd change = model.basis * x;
  if (system.constraints() > 0 || !system.space().has_exponential()) return moved_along(system, model.at.q, change);
  VectorXd q(change.size());
  system.space().exponential(model.at.q, change, q);
  return q;
}

// d exp(x) x' by central differences, to some ten digits.
VectorXd carried_velocity(const System& system, const LinearModel& model, const VectorXd& x, const VectorXd& rate,
                          const VectorXd& q) {
  if (rate.isZero(0)) return VectorXd::Zero(q.size());
  const double h = 1e-5 / rate.norm();
  VectorXd v = (carried(system, model, x + h * rate) - carried(system, model, x - h * rate)) / (2 * h);
  system.space().tangent_project(q, v, v);
  return v;
}

class Follower {
 public:
  // Beyond `farthest` a start has left.
  Follower(const System& system, const LinearModel& model, const Region& region, double slowest, double farthest)
      : system_(system), model_(model), region_(region), slowest_(slowest), farthest_(farthest) {}

  // Until it is known what becomes of it, or the work is over.
  void follow(Region::Start& start, std::size_t most_steps, const std::function<bool()>& is_over) const {
    constexpr int outputs_of_stay = 16;
    double since = -1;
    start.fate = Fate::away;
    const auto watch = [&](const State& state) {
      const double t = state.t - model_.at.t;
      const auto [far, fast] = distance(state);
      if (far > farthest_) return false;
      if (far > region_.ball || fast > region_.ball * slowest_) {
        since = -1;
        return true;
      }
      if (since < 0) since = t;
      if (t - since < region_.stay) return true;
      start.fate = Fate::home;
      start.time = since;
      return false;
    };
    try {
      const Method method = Rk45{.relative = 1e-8, .absolute = 1e-10, .reproject = true};
      Integration run(system_, region_start(system_, model_, region_.axes, start.at), method,
                      {.t = model_.at.t + region_.until, .every = region_.stay / outputs_of_stay, .keep = false}, watch,
                      sampled_laws(system_, method));
      while (run.advance()) {
        if (run.trajectory().stopped) return;
        if (run.trajectory().steps >= most_steps) start.fate = Fate::given_up;
        if (is_over()) start.fate = Fate::not_tried;
        if (start.fate != Fate::away) return;
      }
    } catch (const std::runtime_error&) {
      start.fate = Fate::lost;
    } catch (const std::domain_error&) {
      start.fate = Fate::lost;
    }
  }

 private:
  struct Distance {
    double point, rate;
  };
  // A chart serves nearby; on the other side of a sphere it has no end.
  Distance distance(const State& state) const {
    constexpr double nearby = 4;  // in balls
    VectorXd x = state.q - model_.at.q;
    if (x.norm() <= nearby * region_.ball) system_.space().inverse_retract(model_.at.q, state.q, x);
    return {x.norm(), model_.is_field ? 0 : state.v.norm()};
  }

  const System& system_;
  const LinearModel& model_;
  const Region& region_;
  double slowest_, farthest_;
};

void check(const LinearModel& model, const RegionOptions& options) {
  const auto refuse = [](const std::string& why) { throw std::invalid_argument("region of attraction: " + why); };
  if (options.axes.empty()) refuse("an axis is needed, along which starts are taken");
  if (options.sample == 0 && options.axes.size() > 2) refuse("a grid has two axes; draw a sample along more of them");
  if (options.steps == 0) refuse("a start needs at least one step");
  if (options.sample < 0 || (options.sample == 0 && options.points < 2)) refuse("at least two starts are needed");
  for (const RegionAxis& axis : options.axes) {
    const auto fits = [&](const VectorXd& x) { return x.size() == 0 || x.size() == model.size(); };
    if (!fits(axis.point) || !fits(axis.rate)) refuse(axis.name + " is no direction of the linear model");
    if (model.is_field && axis.rate.size() > 0) refuse(axis.name + ": a field has no rates to start with");
    if (!(axis.low < axis.high) || !std::isfinite(axis.low) || !std::isfinite(axis.high))
      refuse(fmt::format("{} goes from {} to {}", axis.name, axis.low, axis.high));
  }
}

std::vector<Region::Start> grid(const std::vector<RegionAxis>& axes, int points) {
  std::vector<Region::Start> starts;
  const auto value = [&](const RegionAxis& axis, int k) {
    return axis.low + (axis.high - axis.low) * k / (points - 1);
  };
  const int rows = axes.size() > 1 ? points : 1;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < points; ++i) {
      VectorXd at(static_cast<Index>(axes.size()));
      at(0) = value(axes[0], i);
      if (axes.size() > 1) at(1) = value(axes[1], j);
      starts.push_back({.at = at});
    }
  return starts;
}

std::vector<Region::Start> drawn(const std::vector<RegionAxis>& axes, int count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<Region::Start> starts;
  for (int k = 0; k < count; ++k) {
    VectorXd at(static_cast<Index>(axes.size()));
    for (std::size_t a = 0; a < axes.size(); ++a) {
      const double part = static_cast<double>(random() >> 11) * 0x1p-53;  // the same in every library
      at(static_cast<Index>(a)) = axes[a].low + (axes[a].high - axes[a].low) * part;
    }
    starts.push_back({.at = at});
  }
  return starts;
}

// In an order in which every part of the region is visited early: what is not tried is spread out.
class SpreadOut {
 public:
  explicit SpreadOut(std::size_t count)
      : count_(count), stride_(static_cast<std::size_t>(0.618 * static_cast<double>(count)) | 1U) {
    while (std::gcd(stride_, count_) != 1) stride_ += 2;
  }
  std::size_t operator()(std::size_t k) const { return k * stride_ % count_; }

 private:
  std::size_t count_, stride_;
};

// Each start by one thread, whatever the others do: the same bits for any number of them.
void follow_all(const Follower& follower, std::vector<Region::Start>& starts, const RegionOptions& options) {
  const SpreadOut place(starts.size());
  const auto begin = std::chrono::steady_clock::now();
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stop = false;
  std::mutex asking;
  std::size_t done = 0;
  const auto is_over = [&] {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    return stop || spent.count() > options.seconds;
  };
  const auto work = [&] {
    while (!is_over()) {
      const std::size_t k = next++;
      if (k >= starts.size()) return;
      follower.follow(starts[place(k)], options.steps, is_over);
      const std::lock_guard lock(asking);
      ++done;
      if (options.go_on && !options.go_on(static_cast<double>(done) / static_cast<double>(starts.size()))) stop = true;
    }
  };
  const unsigned threads = options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::future<void>> others;
  for (unsigned k = 1; k < threads && k < starts.size(); ++k) others.push_back(std::async(std::launch::async, work));
  work();
  for (std::future<void>& other : others) other.get();
}

// The farthest start, in the units of the ball.
double size_of_box(const std::vector<RegionAxis>& axes, double slowest) {
  double largest = 0;
  for (const RegionAxis& axis : axes) {
    const double value = std::max(std::abs(axis.low), std::abs(axis.high));
    largest = std::max({largest, value * axis.point.norm(), value * axis.rate.norm() / slowest});
  }
  return largest;
}

}  // namespace

const char* name(Fate fate) {
  static constexpr const char* names[] = {"home", "away", "lost", "given up", "not tried"};
  return names[static_cast<int>(fate)];
}

std::size_t Region::count(Fate fate) const {
  return static_cast<std::size_t>(
      std::count_if(starts.begin(), starts.end(), [&](const Start& start) { return start.fate == fate; }));
}

std::string Region::rule() const {
  return fmt::format(
      "home: within a ball of {:.3g} around the equilibrium for a time of {:.3g}; away: not so until t = {:.3g}, or a "
      "hundred times as far as any start",
      ball, stay, until);
}

State region_start(const System& system, const LinearModel& model, const std::vector<RegionAxis>& axes, In at) {
  VectorXd x = VectorXd::Zero(model.size()), rate = x;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const double value = at(static_cast<Index>(k));
    if (axes[k].point.size() > 0) x += value * axes[k].point;
    if (axes[k].rate.size() > 0) rate += value * axes[k].rate;
  }
  const VectorXd q = carried(system, model, x);
  if (model.is_field) return system.state(model.at.t, q);
  State state = model.at;
  state.q = q;
  state.v = carried_velocity(system, model, x, rate, q);
  return state;
}

Region region_of_attraction(const Linearization& linearization, const LinearModel& model, RegionOptions options) {
  check(model, options);
  const Pace slowest = slowest_of(with_laws(linearization, model));
  Region region;
  region.axes = std::move(options.axes);
  const double size = size_of_box(region.axes, slowest.size);
  region.ball = options.ball > 0 ? options.ball : size / 50;
  region.stay = options.stay > 0 ? options.stay : 2 / slowest.decay;
  region.until = options.until > 0 ? options.until : 40 / slowest.decay;
  region.points = options.sample > 0 ? 0 : options.points;
  region.starts =
      options.sample > 0 ? drawn(region.axes, options.sample, options.seed) : grid(region.axes, options.points);
  constexpr double evaluations = 4000;  // of a start, to be expected
  prepare(linearization.system(), evaluations * static_cast<double>(region.starts.size()));
  const Follower follower(linearization.system(), model, region, slowest.size, 100 * size);
  follow_all(follower, region.starts, options);
  return region;
}

}  // namespace hamel
