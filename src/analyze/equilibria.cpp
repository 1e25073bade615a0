#include "hamel/analyze/equilibria.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "analyze/drift.hpp"
#include "analyze/enumerate.hpp"
#include "analyze/family.hpp"
#include "analyze/scales.hpp"
#include "hamel/derive/energies.hpp"
#include "hamel/derive/formulation.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/linear/product.hpp"
#include "hamel/mechanics/geometry.hpp"

namespace hamel {

namespace {

constexpr int largest_search = 100, largest_enumeration = 600;  // degrees of freedom: matrices are dense

const System& limited(const System& system, const EquilibriaOptions& options) {
  refuse_large(system.model(), !options.known.empty());
  return system;
}

class Search {
 public:
  Search(const System& system, const EquilibriaOptions& options)
      : system_(system), options_(options), linearization_(limited(system, options)), random_(options.seed) {
    u_ = options.inputs.size() == 0 ? VectorXd::Zero(system.inputs()) : options.inputs;
    if (u_.size() != system.inputs())
      throw std::invalid_argument(fmt::format("{} has {} inputs, got {}", system.name(), system.inputs(), u_.size()));
    linearization_.measure(options.t, u_, [this](In q) { return moving_at(q); });
    const Sheet sheet(system.model());
    has_forces_ = !held_forces(system.model(), sheet.lowered, u_).empty();
  }

  Equilibria run() {
    const bool at_rest = options_.moving.is_rest() && options_.symmetry == nullptr;
    const std::optional<Enumeration> all = at_rest ? enumerate(linearization_, options_.t, u_) : std::nullopt;
    is_small_ = system_.degrees_of_freedom() <= largest_search;
    if (system_.has_energies()) result_.symmetries = conserved_momenta(system_.model().held(u_)).momenta;
    if (all) {
      take(*all);
    } else if (const std::string reason = at_rest ? reason_for_none(linearization_, options_.t, u_) : "";
               !reason.empty()) {
      result_.is_complete = true;
      result_.remark = "there is none: " + reason;
    } else {
      search();
    }
    if (at_rest && candidates_.empty() && is_small_) search_drifts();
    finish();
    return std::move(result_);
  }

 private:
  void take(const Enumeration& all) {
    for (std::size_t k = 0; k < all.points.size(); ++k) {
      candidates_.push_back(candidate_of(linearization_.near(options_.t, all.points[k], u_)));
      candidates_.back().signs = all.signs[k];
    }
    result_.is_complete = all.has_all;
    result_.remark = all.has_all ? "enumerated: there are no others"
                                 : fmt::format("the straight ones of 2^{}, by all signs", all.signs[0].size());
  }

  // Known points, those with links turned over, the reference point, and then random ones.
  void search() {
    for (const auto& [name, q] : options_.known) try_from(q);
    if (!is_small_) {  // some are known
      result_.remark = fmt::format(
          "those that were known; with more than {} degrees of freedom others are not looked for", largest_search);
      return;
    }
    for (const auto& [name, q] : options_.known) turn_links_over(q);
    try_from(system_.space().reference_point());
    for (int k = 0; k < wanted_starts(); ++k) try_from(random_start(k));
    const bool may_go_on = options_.starts == 0 && system_.degrees_of_freedom() <= small;
    for (int k = 0; may_go_on && k < most_starts && is_one_missing(); ++k) try_from(random_start(k));
    if (!candidates_.empty())
      result_.remark = fmt::format("found from {} starts; there may be others", result_.starts);
    else if (balanced_for_a_moment_ > 0)
      result_.remark = "forces depend on time, and no point was found where they always balance";
    else
      result_.remark = refused_ == 0 ? fmt::format("none found from {} starts", result_.starts)
                                     : fmt::format("none found from {} starts, of which {} were refused: {}",
                                                   result_.starts, refused_, refusal_);
    if (fading_ > 0) result_.remark += "; where forces only fade away, far out, there is none";
    if (const std::optional<EulerSum> sum = euler_sum())
      result_.remark +=
          sum->found == sum->expected
              ? fmt::format("; signs add up to {}, as they must on this space", sum->found)
              : fmt::format("; signs add up to {} in place of {}: some are missing, or a force is singular somewhere",
                            sum->found, sum->expected);
  }

  // Without rest: at a speed where what brakes balances what drives.
  void search_drifts() {
    if (!system_.has_energies() || linearization_.is_conservative(u_)) return;
    for (const Along along : {Along::translations, Along::all}) {
      std::vector<NamedGenerator> fields = braked_symmetries(linearization_, options_.t, u_, result_.symmetries, along);
      if (fields.empty()) continue;
      drift_.emplace(linearization_, std::move(fields), u_);
      for (const auto& [name, q] : options_.known) try_from(q);
      try_from(system_.space().reference_point());
      constexpr int most = 60;
      for (int k = 0; k < (options_.starts > 0 ? options_.starts : most); ++k) try_from(random_start(k));
      if (candidates_.empty()) continue;
      result_.is_complete = false;
      result_.remark = "in which what brakes balances what drives; at rest " + result_.remark;
      return;
    }
    drift_.reset();
  }

  static constexpr int most_starts = 4000, small = 12;  // degrees of freedom; larger systems take longer

  int wanted_starts() const {
    if (options_.starts > 0) return options_.starts;
    constexpr int fewest = 300, per_equilibrium = 60;
    const double share = std::min(1.0, std::pow(small / std::max(1.0, double(system_.degrees_of_freedom())), 3));
    const int wanted = std::min(most_starts, fewest + per_equilibrium * static_cast<int>(candidates_.size()));
    return std::max(20, static_cast<int>(share * wanted));
  }

  VectorXd random_start(int k) {
    return linearization_.scales().stretched(system_.space().random_point(random_), k / 3, std::pow(10.0, k % 3 - 1));
  }

  void turn_links_over(const VectorXd& q) {
    const Geometry& geometry = system_.geometry();
    std::size_t links = 0;
    for (int f = 0; f < geometry.factors(); ++f) links += geometry.space(f).is_unit_sphere() ? 1 : 0;
    constexpr std::size_t most = 8;
    if (links < 2 || links > most) return;
    for (std::size_t pattern = 1; pattern < std::size_t{1} << links; ++pattern) {
      std::string signs(links, '+');
      for (std::size_t k = 0; k < links; ++k)
        if ((pattern >> k & 1) != 0) signs[k] = '-';
      try_from(with_signs(system_, q, signs));
    }
  }

  void try_from(const VectorXd& q) {
    ++result_.starts;
    std::string refusal;
    std::optional<LinearModel> found = find_equilibrium(system_, now(), q, {.refusal = &refusal});
    if (!refusal.empty() && refused_++ == 0) refusal_ = refusal;
    if (!found) return;
    Candidate candidate = candidate_of(without_rounding(system_, now(), *found, 1e-8));
    if (candidate.is_nearly_more)
      candidate = candidate_of(without_rounding(system_, now(), candidate.linear, degenerate_reach));
    if (drift_ && !drift_->is_steady(candidate.linear)) return;
    if (!drift_ && !is_settled(candidate.linear)) {
      ++fading_;
      return;
    }
    if (!stays_balanced(candidate.linear)) {
      ++balanced_for_a_moment_;
      return;
    }
    for (const Candidate& other : candidates_)
      if (are_one(other, candidate)) return;
    if (only_fades(candidate, q)) {
      ++fading_;
      return;
    }
    candidate.is_homogeneous = candidate.nullity > 0 && is_homogeneous(system_, now(), candidate.linear);
    candidates_.push_back(std::move(candidate));
  }

  // What an equilibrium is compared by.
  struct Candidate {
    LinearModel linear;
    double energy = 0;
    Eigen::Index nullity = 0;
    bool is_nearly_more = false;  // degenerate, but for what Newton's method leaves open
    bool is_nearly_singular() const { return is_nearly_more && nullity == 0; }
    std::string name = {}, signs = {};
    Eigen::Vector4d invariants = Eigen::Vector4d::Zero();
    bool is_homogeneous = false;  // the whole family has these invariants
  };

  // Forces that are zero because numbers end, as that of tanh(x) far out, hold nothing.
  bool only_fades(const Candidate& candidate, const VectorXd& start) const {
    if (candidate.nullity == 0) return false;
    constexpr int others = 2;
    Random random(17);
    std::vector<VectorXd> places = {start, system_.space().reference_point()};
    for (int k = 0; k < others; ++k)
      places.push_back(linearization_.scales().stretched(system_.space().random_point(random), k, 1));
    return std::any_of(places.begin(), places.end(),
                       [&](const VectorXd& place) { return is_in_a_tail(system_, now(), candidate.linear, place); });
  }

  Candidate candidate_of(LinearModel model) const {
    Candidate result;
    result.invariants = invariants(model);
    result.energy = energy_at(model);
    const StiffnessKernel kernel = stiffness_kernel(model);
    result.nullity = kernel.directions.cols();
    result.is_nearly_more = kernel.is_nearly_more;
    result.linear = std::move(model);
    return result;
  }

  // Along the symmetry, to have the momentum.
  struct RateAndInertia {
    double rate, inertia;
  };
  RateAndInertia rate_and_inertia(double t, In q) const {
    const ConservedMomentum& symmetry = *options_.symmetry;
    Workspace w(system_);
    const VectorXd none = VectorXd::Zero(q.size());
    const double at_rest = symmetry.value(system_, w, {t, q, none});
    const VectorXd v = generator(symmetry, system_.ambient()).velocity(q);
    const double inertia = symmetry.value(system_, w, {t, q, v}) - at_rest;
    return {(options_.momentum - at_rest) / inertia, inertia};
  }

  Generator moving_at(In q) const {
    if (options_.symmetry == nullptr) return options_.moving;
    return generator(*options_.symmetry, system_.ambient(), rate_and_inertia(options_.t, q).rate);
  }

  // What the search goes by: at rest, in the frame that was given, or in that which has the momentum.
  LinearModel model_at(double t, In q) const {
    if (drift_) return drift_->model_at(t, q);
    if (options_.symmetry == nullptr) return linearization_.near(t, q, u_, options_.moving);
    const auto [rate, inertia] = rate_and_inertia(t, q);
    if (!(inertia > 0)) throw std::domain_error("nothing moves along this symmetry");
    const ConservedMomentum& symmetry = *options_.symmetry;
    LinearModel result = linearization_.near(t, q, u_, generator(symmetry, system_.ambient(), rate));
    // The rate changes with q: d(rate) = -slope x / I, and the residual by -slope with the rate.
    const Eigen::RowVectorXd slope = linearization_.slope(symmetry, result).head(result.size());
    result.K += slope.transpose() * slope / inertia;
    return result;
  }
  LinearModelAt now() const {
    return [this](In q) { return model_at(options_.t, q); };
  }

  bool stays_balanced(const LinearModel& model) const {
    return linearization_.always(model, [&](double t) { return model_at(t, model.at.q).imbalance <= 1e-8; });
  }

  double energy_at(const LinearModel& model) const {
    return system_.has_energies() && !drift_ ? energy(system_, model.at).total : 0;
  }

  bool are_one(const Candidate& a, const Candidate& b) const {
    const VectorXd& q = a.linear.at.q;
    const double distance = length_of(a.linear, q - b.linear.at.q), size = 1 + length_of(a.linear, q);
    if (distance <= same_point * size) return true;
    if (distance <= 2 * degenerate_reach * size && a.is_nearly_singular()) return true;
    if (a.nullity == 0 || a.nullity != b.nullity) return false;
    const double kinetic = a.linear.M.norm() * a.linear.at.v.squaredNorm();
    if (!has_forces_ && std::abs(a.energy - b.energy) > 1e-7 * (std::abs(a.energy) + a.linear.K.norm() + kinetic))
      return false;
    if (a.is_homogeneous && (a.invariants - b.invariants).norm() > 1e-6 * (a.invariants + b.invariants).norm())
      return false;
    return can_walk(system_, now(), a.linear, b.linear.at.q);
  }

  void finish() {
    std::stable_sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
      return a.energy - b.energy < -1e-9 * (std::abs(a.energy) + std::abs(b.energy));
    });
    give_names();
    for (Candidate& one : candidates_) {
      LinearModel linear = linearization_.near(one.linear.at.t, one.linear.at.q, u_, one.linear.moving);
      Stability found = stability(linearization_, linear, result_.symmetries);
      result_.found.push_back({one.name, one.signs, std::move(linear), one.energy, rate_of(one.linear),
                               drift_ ? drift_->rates_of(one.linear) : std::vector<std::pair<std::string, double>>(),
                               std::move(found)});
    }
  }

  double rate_of(const LinearModel& model) const {
    if (options_.symmetry == nullptr) return 0;
    const Generator unit = generator(*options_.symmetry, system_.ambient());
    const double size = unit.A.squaredNorm() + unit.b.squaredNorm();
    return (unit.A.cwiseProduct(model.moving.A).sum() + unit.b.dot(model.moving.b)) / size;
  }

  void give_names() {
    for (const auto& [name, q] : options_.known) {
      std::optional<LinearModel> point;
      try {
        point = model_at(options_.t, q);
      } catch (const std::exception&) {
        continue;
      }
      if (point->imbalance > 1e-8) continue;  // as a start it may lead to others
      const Candidate known = candidate_of(*point);
      const auto same = std::find_if(candidates_.begin(), candidates_.end(),
                                     [&](const Candidate& one) { return one.name.empty() && are_one(one, known); });
      if (same == candidates_.end()) continue;
      same->name = name;
      if (name == "hanging") hanging_ = same->linear.at.q;
    }
    give_signs();
    int number = 0;
    for (Candidate& one : candidates_) {
      ++number;
      const std::size_t links = one.signs.size();
      if (!one.name.empty()) continue;
      one.name = links == 0 ? fmt::format("{}", number) : one.signs;
      if (links > 0 && one.signs == std::string(links, '-')) one.name = "hanging";
      if (links > 0 && one.signs == std::string(links, '+')) one.name = "inverted";
    }
  }

  // Beside what is called hanging, links are up or down.
  void give_signs() {
    if (hanging_.size() == 0) return;
    const Geometry& geometry = system_.geometry();
    for (Candidate& one : candidates_) {
      if (!one.signs.empty()) continue;
      std::string signs;
      for (int f = 0; f < geometry.factors(); ++f) {
        if (!geometry.space(f).is_unit_sphere()) continue;
        const auto part = Eigen::seqN(geometry.offset(f), geometry.space(f).ambient());
        const double along = one.linear.at.q(part).dot(hanging_(part));
        if (std::abs(std::abs(along) - 1) > 1e-9) {
          signs.clear();
          break;
        }
        signs += along > 0 ? '-' : '+';
      }
      one.signs = signs;
    }
  }

  // The signs of det K over all equilibria add up to the Euler characteristic of the space, if none is missing.
  struct EulerSum {
    std::int64_t found = 0, expected = 1;  // 2^50 on fifty spheres
  };
  std::optional<EulerSum> euler_sum() const {
    if (candidates_.empty() || system_.constraints() > 0 || !options_.moving.is_rest() || options_.symmetry != nullptr)
      return std::nullopt;
    EulerSum sum;
    const Geometry& geometry = system_.geometry();
    for (int f = 0; f < geometry.factors(); ++f) {
      const Manifold& factor = geometry.space(f);
      const bool is_compact = factor.is_unit_sphere() || factor.turning() == Turning::body;
      if (!is_compact || factor.is_pose()) return std::nullopt;
      sum.expected *= factor.is_unit_sphere() && factor.dimension() % 2 == 0 ? 2 : 0;
    }
    for (const Candidate& one : candidates_) {
      const MatrixXd K = scaled(one.linear).K;
      if (one.nullity == 1 && family_dimension(system_, now(), one.linear) == 1) continue;  // a circle counts 0
      if (one.nullity > 0) return std::nullopt;
      linear::Lu lu(K.rows());
      linear::factorise(lu, K);
      const bool flips = one.linear.is_field && K.rows() % 2 == 1;
      sum.found += (linear::determinant(lu).sign > 0) != flips ? 1 : -1;
    }
    return sum;
  }
  bool is_one_missing() const {
    if (candidates_.size() == checked_) return is_missing_;
    checked_ = candidates_.size();
    const std::optional<EulerSum> sum = euler_sum();
    return is_missing_ = sum && sum->found != sum->expected;
  }
  mutable std::size_t checked_ = static_cast<std::size_t>(-1);  // how many there were when it was asked last
  mutable bool is_missing_ = false;

  const System& system_;
  const EquilibriaOptions& options_;
  Linearization linearization_;
  Random random_;
  VectorXd u_, hanging_;
  std::vector<Candidate> candidates_;
  std::optional<Drift> drift_;
  int balanced_for_a_moment_ = 0, fading_ = 0;  // how many points were no equilibria, and why
  int refused_ = 0;
  std::string refusal_;                        // of the first
  bool is_small_ = true, has_forces_ = false;  // along a family, forces may do work
  Equilibria result_;
};

}  // namespace

const Equilibrium* Equilibria::find(const std::string& name) const {
  for (const Equilibrium& one : found)
    if (one.name == name) return &one;
  for (const Equilibrium& one : found)
    if (!one.signs.empty() && one.signs == name) return &one;
  return nullptr;
}

void refuse_large(const Model& model, bool has_known) {
  int freedom = 0;
  for (const Coordinate& coordinate : model.coordinates()) freedom += coordinate.space.dimension();
  if (freedom > largest_search) freedom -= static_cast<int>(formulation(model)->lowered.constraints.size());
  const bool enough = freedom > largest_search && (has_known || may_be_enumerated(model));
  const int largest = enough ? largest_enumeration : largest_search;
  if (freedom > largest)
    throw std::invalid_argument(fmt::format("{} has {} degrees of freedom; its equilibria are looked for up to {}",
                                            model.name(), freedom, largest));
}

// Where laws are sampled, a point is in balance if it is with laws that hold at all times; whether it stays is another
// question.
Equilibria equilibria(const System& system, const EquilibriaOptions& options) {
  if (system.model().sample() == 0) return Search(system, options).run();
  if (options.inputs.size() > 0)
    throw std::invalid_argument(fmt::format(
        "{} has inputs that follow sampled laws: constant ones are for the model without its laws", system.name()));
  Equilibria result = Search(derive(system.model().continuous()), options).run();
  const Linearization linearization(system);
  for (Equilibrium& one : result.found) {
    Examined judged = examined(linearization, one.linear.at, one.linear.moving);
    one.linear = std::move(judged.linear);
    one.stability = std::move(judged.stability);
  }
  return result;
}

}  // namespace hamel
