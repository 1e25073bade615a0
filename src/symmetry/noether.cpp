#include "hamel/symmetry/noether.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

#include "hamel/derive/formulation.hpp"
#include "hamel/graph/differentiate.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/linear/product.hpp"
#include "symmetry/momentum.hpp"
#include "symmetry/momentum_names.hpp"
#include "symmetry/search.hpp"
#include "symmetry/space.hpp"

namespace hamel {
namespace {

using Fibre = SymmetryConditions::Fibre;

// X where nothing but rounding errors is left of it counts as zero.
VectorXd field_without_rounding(const ConservedMomentum& momentum, const VectorXd& q) {
  constexpr double rounding = 1e-14;
  VectorXd X(q.size());
  momentum.field(q, X);
  ConservedMomentum sizes = momentum;
  for (auto& block : sizes.blocks) {
    block.A = block.A.cwiseAbs();
    block.b = block.b.cwiseAbs();
  }
  for (auto& [direction, weight] : sizes.couplings) {
    direction = direction.cwiseAbs();
    weight = weight.cwiseAbs();
  }
  VectorXd size(q.size());
  sizes.field(q.cwiseAbs(), size);
  return (X.array().abs() <= rounding * size.array()).select(0, X);
}

// X at all samples, one after another, and the shift of time: a column for each combination. Rows and columns are
// scaled to one.
MatrixXd effects(const SymmetryConditions& conditions, const std::vector<SymmetrySample>& samples,
                 const MatrixXd& combinations) {
  const int n = conditions.ambient();
  MatrixXd result(n * static_cast<Eigen::Index>(samples.size()) + 1, combinations.cols());
  for (Eigen::Index k = 0; k < combinations.cols(); ++k) {
    const ConservedMomentum momentum = assembled(conditions, combinations.col(k));
    for (std::size_t s = 0; s < samples.size(); ++s)
      result.col(k).segment(static_cast<Eigen::Index>(s) * n, n) = field_without_rounding(momentum, samples[s].state.q);
    result(result.rows() - 1, k) = momentum.energy;
  }
  MatrixXd exact = MatrixXd::Zero(result.rows(), result.cols());
  if (result.cols() > 0) scale_to_one(result, exact);
  return result;
}

// Orthonormal vectors, one after the other.
class OrthonormalVectors {
 public:
  // Adds what is left of `vector` beside the others; false where this is nearly nothing.
  bool add(VectorXd vector) {
    for (int pass = 0; pass < 2; ++pass)
      for (const VectorXd& direction : directions_) vector -= direction.dot(vector) * direction;
    if (!(vector.norm() > 1e-8)) return false;
    directions_.push_back(vector.normalized());
    return true;
  }

 private:
  std::vector<VectorXd> directions_;
};

struct Symmetry {
  VectorXd z;  // in the units of the model
  bool exact;
};

// A basis of `all` without what acts trivially: each does something that those before do not. As much of it as possible
// from `exact`.
std::vector<Symmetry> effective(const SymmetryConditions& conditions, const MatrixXd& all, const MatrixXd& exact) {
  Random random(1);
  const auto few = conditions.samples(12, conditions.size(), Fibre::tangent, random);
  MatrixXd combinations(all.rows(), exact.cols() + all.cols());
  combinations << exact, all;
  const MatrixXd fields = effects(conditions, few, combinations);
  std::vector<Symmetry> result;
  OrthonormalVectors kept;
  for (Eigen::Index k = 0; k < combinations.cols(); ++k)
    if (kept.add(fields.col(k)))
      result.push_back({conditions.in_units_of_model(combinations.col(k)), k < exact.cols()});
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

VectorXd values_of(const std::vector<Rounded>& numbers) {
  return VectorXd::NullaryExpr(static_cast<Eigen::Index>(numbers.size()),
                               [&](Eigen::Index i) { return numbers[static_cast<std::size_t>(i)].value; });
}

// By entry, the largest of its coordinate.
VectorXd sizes_of(const SymmetryConditions& conditions, const VectorXd& x) {
  VectorXd result(x.size());
  for (std::size_t c = 0; c < conditions.states().spaces().size(); ++c) {
    const int begin = conditions.offset(static_cast<int>(c)), n = conditions.states().spaces()[c].ambient();
    const double largest = x.segment(begin, n).lpNorm<Eigen::Infinity>();
    result.segment(begin, n).setConstant(largest > 0 ? largest : 1);
  }
  return result;
}

// The differentials of J(q, p) = X.p - F - energy E on T*Q: along directions of q, then of p, each as long as these.
VectorXd differential(const SymmetryConditions& conditions, const SymmetrySample& sample,
                      const ConservedMomentum& momentum) {
  std::vector<Rounded> rounded_p, rounded_L_q;
  conditions.gradients(sample, rounded_p, rounded_L_q);
  const VectorXd &q = sample.state.q, p = values_of(rounded_p);
  VectorXd along_q = momentum.energy * values_of(rounded_L_q), along_p(q.size());
  momentum.field(q, along_p);
  along_p -= momentum.energy * values_of(sample.v);
  for (const auto& block : momentum.blocks) {
    const auto n = block.b.size();
    along_q.segment(block.offset, n) +=
        block.A.transpose() * p.segment(block.offset, n) - block.linear - block.quadratic * q.segment(block.offset, n);
  }
  for (const auto& [direction, weight] : momentum.couplings) along_q += direction.dot(p) * weight;
  const auto along = [&](const VectorXd& covector, const VectorXd& sizes) {
    const TangentSpace tangent = conditions.states().tangent_space(sample.state, sizes_of(conditions, sizes));
    VectorXd y = tangent.along(covector);
    tangent.project(y);
    return y;
  };
  const VectorXd of_q = along(along_q, q), of_p = along(along_p, p);
  VectorXd result(of_q.size() + of_p.size());
  result << of_q, of_p;
  return result;
}

int functional_rank(const SymmetryConditions& conditions, const std::vector<SymmetrySample>& samples,
                    const std::vector<ConservedMomentum>& momenta) {
  Eigen::Index rank = 0;
  if (momenta.empty()) return 0;
  for (const SymmetrySample& sample : samples) {
    std::vector<VectorXd> columns;
    for (const ConservedMomentum& momentum : momenta)
      columns.push_back(differential(conditions, sample, momentum).stableNormalized());
    MatrixXd differentials(columns.front().size(), static_cast<Eigen::Index>(columns.size()));
    for (std::size_t i = 0; i < columns.size(); ++i) differentials.col(static_cast<Eigen::Index>(i)) = columns[i];
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

ConservedMomentum noether_momentum(const Model& model, const SymmetryConditions& conditions, const Symmetry& symmetry) {
  const Candidates& candidates = conditions.candidates();
  ConservedMomentum momentum =
      in_units_of_model(assembled(conditions, conditions.in_units(symmetry.z)), candidates.units);
  momentum.name = momentum_name(model, candidates, symmetry.z);
  momentum.generator = generator_text(model, candidates, symmetry.z);
  momentum.exact_for_variational = symmetry.exact;
  momentum.formula = momentum_formula(model, momentum);
  return momentum;
}

std::vector<SymmetrySample> samples_of_all_sizes(const SymmetryConditions& conditions, Fibre fibre, Random& random) {
  std::vector<SymmetrySample> result;
  for (const auto& size : conditions.sizes()) {
    const auto samples = conditions.samples(6, size, fibre, random);
    result.insert(result.end(), samples.begin(), samples.end());
  }
  return result;
}

// What is small against other things at states of one size need not be so at those of another.
SymmetrySpace symmetries_within(const MatrixXd& basis, const SymmetryConditions& conditions, Fibre fibre,
                                Random& random) {
  const Eigen::Index count = basis.cols() + basis.cols() / 10 + 10;
  const auto samples = conditions.samples(count, conditions.size(), fibre, random);
  const SymmetrySpace found = symmetry_space(conditions.terms(samples, fibre), basis);
  const auto others = samples_of_all_sizes(conditions, fibre, random);
  const SymmetrySpace everywhere = symmetry_space(conditions.terms(others, fibre), found.basis);
  return {everywhere.basis, std::min(found.signal, everywhere.signal)};
}

std::string doubt_about(const SymmetryVerdict& verdict) {
  if (verdict.hidden) return "the rounding errors of large terms hide whether small ones break the symmetry";
  return fmt::format("its conditions are off by {:.1e} times the rounding errors of their terms", verdict.residual);
}

// In units in which all is near one, such a coefficient is left over from others.
VectorXd without_noise(const SymmetryConditions& conditions, const VectorXd& z) {
  constexpr double noise = 1e-9;
  const Eigen::ArrayXd size = conditions.in_units(z).array().abs();
  return (size <= noise * size.maxCoeff()).select(0, z);
}

// What was found is held against other states, with fewer or simpler numbers where these do, too. Returns the largest
// residual of what holds.
double keep_certain(const Model& model, const SymmetryConditions& conditions, const std::vector<SymmetryTerm>& terms,
                    std::vector<Symmetry>& symmetries, NoetherReport& report) {
  const Candidates& candidates = conditions.candidates();
  const auto judge = [&](const VectorXd& z) { return hamel::judge(terms, conditions.in_units(z)); };
  double noise = 1;
  std::erase_if(symmetries, [&](Symmetry& symmetry) {
    if (const VectorXd clean = without_noise(conditions, symmetry.z); judge(clean).holds()) symmetry.z = clean;
    if (const VectorXd simple = with_simple_fractions(symmetry.z); judge(simple).holds()) symmetry.z = simple;
    const SymmetryVerdict verdict = judge(symmetry.z);
    if (verdict.holds())
      noise = std::max(noise, verdict.residual);
    else
      report.undecided.push_back(fmt::format(
          "{}: {}",
          is_time_shift_alone(candidates, symmetry.z) ? "energy" : momentum_name(model, candidates, symmetry.z),
          doubt_about(verdict)));
    return !verdict.holds();
  });
  return noise;
}

// Without the forces of inputs that have no law.
LoweredModel at_rest(const Model& model, LoweredModel lowered) {
  std::unordered_map<std::uint32_t, Expr> zero;
  std::size_t next = 0;
  for (std::size_t k = 0; k < model.inputs().size(); ++k) {
    if (model.follows_law(k)) continue;
    const bool is_free = !model.inputs()[k].law || model.sample() == 0;
    for (int i = 0; i < model.inputs()[k].size; ++i, ++next)
      if (is_free) zero.emplace(lowered.u[next].id(), Expr(0.0));
  }
  if (zero.empty()) return lowered;
  Exprs forces;
  for (const auto& [force, rate] : lowered.forces) forces.push_back(force);
  forces = substitute(forces, zero);
  for (std::size_t k = 0; k < forces.size(); ++k) lowered.forces[k].first = forces[k];
  std::erase_if(lowered.forces, [](const auto& pair) { return pair.first.is_constant(0); });
  return lowered;
}

}  // namespace

bool energy_is_undecided(const std::vector<std::string>& undecided) {
  return std::any_of(undecided.begin(), undecided.end(),
                     [](const std::string& doubt) { return doubt.starts_with("energy: "); });
}

NoetherReport conserved_momenta(const Model& model, InputsAre inputs) {
  if (model.has_field()) return {};  // no Lagrangian, no momenta
  const Sheet sheet(model);
  return conserved_momenta(model, inputs == InputsAre::zero ? at_rest(model, sheet.lowered) : sheet.lowered);
}

NoetherReport conserved_momenta(const Model& model, const LoweredModel& lowered) {
  const Parameters parameters{lowered.parameters, parameter_values(model)};
  const BalanceOfTerms balance(model, lowered, parameters);
  const Units units = balance.units();
  const SymmetryConditions conditions(model, in_units(lowered, units), parameters, units, balance.other_sizes(units));
  const Candidates& candidates = conditions.candidates();

  Random random(2718281828);
  const Eigen::Index unknowns = candidates.columns();
  const SymmetrySpace found =
      symmetries_within(MatrixXd::Identity(unknowns, unknowns), conditions, Fibre::tangent, random);
  const SymmetrySpace exact = symmetries_within(without_time(candidates, found.basis), conditions, Fibre::any, random);

  NoetherReport report;
  const auto fresh = samples_of_all_sizes(conditions, Fibre::tangent, random);
  std::vector<Symmetry> symmetries = effective(conditions, found.basis, exact.basis);
  const double noise = keep_certain(model, conditions, conditions.terms(fresh, Fibre::tangent), symmetries, report);
  turn_about_the_centre(candidates, symmetries);
  std::vector<ConservedMomentum> in_units;
  for (const Symmetry& symmetry : symmetries) {
    if (is_time_shift_alone(candidates, symmetry.z)) {
      report.energy_conserved = true;
      continue;
    }
    in_units.push_back(assembled(conditions, conditions.in_units(symmetry.z)));
    report.momenta.push_back(noether_momentum(model, conditions, symmetry));
  }
  report.functional_rank =
      functional_rank(conditions, conditions.samples(4, conditions.size(), Fibre::tangent, random), in_units);
  report.gap = found.signal / noise;
  if (candidates.merged)
    report.undecided.emplace_back("there are very many coordinates: only motions of all of them together were tried");
  return report;
}

}  // namespace hamel
