#include "hamel/mechanics/noether.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "manifold/linear_algebra.hpp"
#include "mechanics/momentum_names.hpp"
#include "mechanics/symmetry_space.hpp"

namespace hamel {
namespace {

using Velocities = SymmetryConditions::Velocities;
constexpr double certain_gap = 1e4, weak_signal = 1e-8;
constexpr double smallest_noise = 1e-16;

// Parameters have few digits, and so have the gauge terms made of them: 1.7, not 1.6999999999999995.
double without_rounding(double x) {
  const double short_number = std::stod(fmt::format("{:.12g}", x));
  return std::abs(short_number - x) <= 1e-14 * std::abs(x) ? short_number : x;
}

// X and F of a combination of candidates, without a name.
class Assembly {
 public:
  Assembly(const SymmetryConditions& conditions, In z) : conditions_(conditions), z_(z) {
    add_fields();
    add_turns();
    add_gauge();
    result_.energy = z(candidates().time());
  }

  ConservedMomentum momentum() && {
    for (auto& [coordinate, here] : blocks_) result_.blocks.push_back(std::move(here));
    return std::move(result_);
  }

 private:
  const Candidates& candidates() const { return conditions_.candidates(); }

  ConservedMomentum::Block& block(int coordinate) {
    const auto found = blocks_.find(coordinate);
    if (found != blocks_.end()) return found->second;
    const int offset = conditions_.offset(coordinate), n = conditions_.offset(coordinate + 1) - offset;
    const MatrixXd none = MatrixXd::Zero(n, n);
    const VectorXd nothing = VectorXd::Zero(n);
    return blocks_.emplace(coordinate, ConservedMomentum::Block{coordinate, offset, none, none, nothing, nothing})
        .first->second;
  }

  void add_fields() {
    for (std::size_t g = 0; g < candidates().generators.size(); ++g) {
      const double coefficient = z_(candidates().generator(g));
      if (coefficient == 0) continue;
      for (const auto& [coordinate, field] : candidates().generators[g]) {
        block(coordinate).A += coefficient * field.A;
        block(coordinate).b += coefficient * field.b;
      }
    }
  }

  void add_turns() {
    for (std::size_t k = 0; k < candidates().turns.size(); ++k) {
      const double coefficient = z_(static_cast<Eigen::Index>(k));
      if (coefficient == 0) continue;
      for (const auto& [direction, weight] : candidates().turns[k].couplings)
        result_.couplings.push_back({coefficient * direction, weight});
    }
  }

  void add_gauge() {
    for (std::size_t k = 0; k < candidates().gauge.size(); ++k) {
      const auto [coordinate, i, j] = candidates().gauge[k];
      const double z = z_(candidates().first_gauge() + static_cast<Eigen::Index>(k));
      const double coefficient = without_rounding(conditions_.gauge_unit() * z);
      if (coefficient == 0) continue;
      if (j < 0) {
        block(coordinate).linear(i) += coefficient;
      } else {
        block(coordinate).quadratic(i, j) += coefficient;
        block(coordinate).quadratic(j, i) += coefficient;
      }
    }
  }

  const SymmetryConditions& conditions_;
  In z_;
  std::map<int, ConservedMomentum::Block> blocks_;
  ConservedMomentum result_;
};

ConservedMomentum assembled(const SymmetryConditions& conditions, In z) { return Assembly(conditions, z).momentum(); }

// X at all samples, one after another, and the shift of time.
VectorXd effect(const SymmetryConditions& conditions, const std::vector<SymmetrySample>& samples, In z) {
  const int n = conditions.ambient();
  VectorXd result(n * static_cast<Eigen::Index>(samples.size()) + 1);
  const ConservedMomentum momentum = assembled(conditions, z);
  for (std::size_t s = 0; s < samples.size(); ++s)
    momentum.field(samples[s].q, result.segment(static_cast<Eigen::Index>(s) * n, n));
  result(result.size() - 1) = momentum.energy;
  return result;
}

// Keeps those combinations that do something which the ones kept before do not.
class Independent {
 public:
  bool add(VectorXd effect) {
    const double size = effect.norm();
    for (int pass = 0; pass < 2; ++pass)
      for (const VectorXd& direction : directions_) effect -= direction.dot(effect) * direction;
    if (!(effect.norm() > 1e-8 * std::max(size, 1.0))) return false;
    directions_.push_back(effect.normalized());
    return true;
  }

 private:
  std::vector<VectorXd> directions_;
};

struct Symmetry {
  VectorXd z;
  bool exact;
};

// A basis of `all` without what acts trivially; as much of it as possible from `exact`.
std::vector<Symmetry> effective(const SymmetryConditions& conditions, const std::vector<SymmetrySample>& samples,
                                const MatrixXd& all, const MatrixXd& exact) {
  std::vector<Symmetry> result;
  Independent independent;
  const auto few = std::vector<SymmetrySample>(
      samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(samples.size(), 12)));
  for (Eigen::Index k = 0; k < exact.cols(); ++k)
    if (independent.add(effect(conditions, few, exact.col(k)))) result.push_back({exact.col(k), true});
  for (Eigen::Index k = 0; k < all.cols(); ++k)
    if (independent.add(effect(conditions, few, all.col(k)))) result.push_back({all.col(k), false});
  return result;
}

// Where the centre of mass may be turned alone and all the rest too, the rotation about the centre of mass is what is
// meant: the one less the other. Such rotations come last.
void turn_about_the_centre(const Candidates& candidates, std::vector<Symmetry>& symmetries) {
  const auto moves_centre = [&](const Symmetry& s) { return !s.z.head(candidates.generator(0)).isZero(0); };
  const auto still = std::stable_partition(symmetries.begin(), symmetries.end(), std::not_fn(moves_centre));
  for (auto turn = still; turn != symmetries.end(); ++turn) {
    const std::string rotation = turn_alone(candidates, turn->z);
    if (rotation.empty()) continue;
    for (auto other = symmetries.begin(); other != still; ++other) {
      if (!is_common_rotation(candidates, other->z, rotation)) continue;
      turn->z += other->z;
      turn->exact = turn->exact && other->exact;
    }
  }
}

bool is_time_shift_alone(const Candidates& candidates, In z) {
  return z(candidates.time()) != 0 && z.head(candidates.time()).isZero(0);
}

// The differentials of J(q, p) = X.p - F - energy E on T*Q: along directions of q, then of p.
VectorXd differential(const SymmetryConditions& conditions, const SymmetrySample& sample, const MatrixXd& N,
                      const ConservedMomentum& momentum) {
  VectorXd p, L_q;
  conditions.gradients(sample, p, L_q);
  VectorXd along_q = momentum.energy * L_q, along_p(sample.q.size());
  momentum.field(sample.q, along_p);
  along_p -= momentum.energy * sample.v;
  for (const auto& block : momentum.blocks) {
    const auto n = block.b.size();
    const auto q = sample.q.segment(block.offset, n);
    along_q.segment(block.offset, n) +=
        block.A.transpose() * p.segment(block.offset, n) - block.linear - block.quadratic * q;
  }
  for (const auto& [direction, weight] : momentum.couplings) along_q += direction.dot(p) * weight;
  VectorXd result(2 * N.cols());
  result << N.transpose() * along_q, N.transpose() * along_p;
  return result;
}

int functional_rank(const SymmetryConditions& conditions, const std::vector<SymmetrySample>& samples,
                    const std::vector<ConservedMomentum>& momenta) {
  Eigen::Index rank = 0;
  if (momenta.empty()) return 0;
  for (const SymmetrySample& sample : samples) {
    const MatrixXd N = conditions.tangent_basis(sample.q);
    MatrixXd differentials(2 * N.cols(), static_cast<Eigen::Index>(momenta.size()));
    for (std::size_t i = 0; i < momenta.size(); ++i)
      differentials.col(static_cast<Eigen::Index>(i)) = differential(conditions, sample, N, momenta[i]).normalized();
    const VectorXd values = linear::singular_values(differentials);
    rank = std::max(rank, (values.array() > 1e-9 * values(0)).count());
  }
  return static_cast<int>(rank);
}

// A fixed step is no symmetry of time: only what has no part of it can be exact.
MatrixXd without_time(const Candidates& candidates, const MatrixXd& basis) {
  std::vector<Eigen::Index> still;
  for (Eigen::Index k = 0; k < basis.cols(); ++k)
    if (basis(candidates.time(), k) == 0) still.push_back(k);
  return basis(Eigen::all, still);
}

ConservedMomentum momentum_of(const Model& model, const SymmetryConditions& conditions, const Symmetry& symmetry) {
  const Candidates& candidates = conditions.candidates();
  ConservedMomentum momentum = assembled(conditions, symmetry.z);
  momentum.name = momentum_name(model, candidates, symmetry.z);
  momentum.generator = generator_text(model, candidates, symmetry.z);
  momentum.exact_for_variational = symmetry.exact;
  momentum.formula = momentum_formula(model, momentum);
  return momentum;
}

void add_doubts(NoetherReport& report, const SymmetrySpace& found, const Candidates& candidates) {
  report.gap = found.signal / std::max(found.noise, smallest_noise);
  if (report.gap < certain_gap || found.signal < weak_signal)
    report.undecided.push_back(fmt::format(
        "the smallest violation of a condition that counts is {:.1e}, the largest that does not {:.1e}: too "
        "near to each other, or to rounding, to be certain of the symmetries; scale the model",
        found.signal, found.noise));
  if (candidates.merged)
    report.undecided.emplace_back("there are very many coordinates: only motions of all of them together were tried");
}

}  // namespace

double ConservedMomentum::value(const System& system, Workspace& w, const State& state) const {
  VectorXd p(system.ambient()), X(system.ambient());
  system.momentum(w, state.t, state.q, state.v, p);
  field(state.q, X);
  const double J = X.dot(p) - gauge(state.q);
  return energy == 0 ? J : J - energy * system.energy(w, state.t, state.q, state.v).total;
}

void ConservedMomentum::field(In q, Out X) const {
  X.setZero();
  for (const Block& block : blocks) {
    const auto n = block.b.size();
    auto here = X.segment(block.offset, n);
    here.noalias() = block.A * q.segment(block.offset, n);
    here += block.b;
  }
  for (const auto& [direction, weight] : couplings) X += weight.dot(q) * direction;
}

double ConservedMomentum::gauge(In q) const {
  double F = 0;
  for (const Block& block : blocks) {
    const auto here = q.segment(block.offset, block.b.size());
    F += block.linear.dot(here) + here.dot(block.quadratic.lazyProduct(here)) / 2;
  }
  return F;
}

NoetherReport conserved_momenta(const Model& model) {
  if (model.has_field()) return {};  // no Lagrangian, no momenta
  Graph graph;
  const Graph::Scope scope(graph);
  const LoweredModel lowered = lower(model);
  const SymmetryConditions conditions(model, lowered, {lowered.parameters, parameter_values(model)});
  const Candidates& candidates = conditions.candidates();

  Random random(2718281828);
  const Eigen::Index unknowns = candidates.columns(), count = unknowns + unknowns / 10 + 10;
  const auto tangent = conditions.samples(count, Velocities::tangent, random);
  const SymmetrySpace found =
      symmetry_space(conditions, tangent, Velocities::tangent, MatrixXd::Identity(unknowns, unknowns));
  const auto any = conditions.samples(std::max<Eigen::Index>(12, 2 * found.basis.cols()), Velocities::any, random);
  const SymmetrySpace exact = symmetry_space(conditions, any, Velocities::any, without_time(candidates, found.basis));

  NoetherReport report;
  const auto fresh = conditions.samples(8, Velocities::tangent, random);
  std::vector<Symmetry> symmetries = effective(conditions, tangent, found.basis, exact.basis);
  turn_about_the_centre(candidates, symmetries);
  for (const Symmetry& symmetry : symmetries) {
    if (symmetry_space(conditions, fresh, Velocities::tangent, symmetry.z).basis.cols() == 0)
      report.undecided.push_back(fmt::format("{}: it is conserved at the states it was found at, but not at others",
                                             momentum_name(model, candidates, symmetry.z)));
    else if (is_time_shift_alone(candidates, symmetry.z))
      report.energy_conserved = true;
    else
      report.momenta.push_back(momentum_of(model, conditions, symmetry));
  }
  report.functional_rank = functional_rank(conditions, fresh, report.momenta);
  add_doubts(report, found, candidates);
  return report;
}

}  // namespace hamel
