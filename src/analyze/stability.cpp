#include "hamel/analyze/stability.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analyze/family.hpp"
#include "hamel/derive/energies.hpp"
#include "hamel/derive/expressions.hpp"
#include "hamel/derive/formulation.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/linear/eigen.hpp"
#include "hamel/linear/product.hpp"

namespace hamel {

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::asymptotically_stable:
      return "asymptotically stable";
    case Verdict::asymptotically_stable_modulo_family:
      return "asymptotically stable modulo its family";
    case Verdict::stable:
      return "stable";
    case Verdict::stable_modulo_symmetry:
      return "stable modulo symmetry";
    case Verdict::stable_as_a_set:
      return "stable as a set";
    case Verdict::unstable:
      return "unstable";
    case Verdict::inconclusive:
      return "inconclusive";
  }
  return "";
}

namespace {

constexpr double right_tolerance = 1e-8;  // of a real part, relative to the largest rate

int rank_of(const MatrixXd& A, double tolerance = 1e-8) {
  if (A.size() == 0) return 0;
  const VectorXd sizes = linear::singular_values(A);
  return static_cast<int>((sizes.array() > tolerance * std::max(1.0, sizes(0))).count());
}

// Columns of length 1, or zero where they are rounding errors of `size`.
MatrixXd normalised(MatrixXd A, double size) {
  for (auto column : A.colwise()) column *= column.norm() > 1e-12 * size ? 1 / column.norm() : 0;
  return A;
}

// What its inputs leave of the forces of a model; nothing where they are zero and only dissipation is left.
struct ForcesLeft {
  bool any = false, depend_on_place_only = true;
};
ForcesLeft forces_left(const Model& model, const VectorXd& inputs) {
  if (model.forces().empty()) return {};
  const Sheet sheet(model);
  const auto forces = held_forces(model, sheet.lowered, inputs);
  Exprs others = sheet.lowered.v;
  others.insert(others.end(), sheet.lowered.u.begin(), sheet.lowered.u.end());
  others.push_back(sheet.lowered.t);
  ForcesLeft result{.any = !forces.empty()};
  for (const auto& [force, rate] : forces)
    for (const Expr slope : gradient(force, others))
      result.depend_on_place_only = result.depend_on_place_only && slope.is_constant(0);
  return result;
}

class Judge {
 public:
  Judge(const Linearization& linearization, const LinearModel& model, const std::vector<ConservedMomentum>& symmetries)
      : linearization_(linearization), model_(model), scaled_(scaled(model)) {
    for (const ConservedMomentum& momentum : symmetries)
      if (momentum.energy == 0) symmetries_.push_back(&momentum);
  }

  Stability run() {
    result_.spectrum = spectrum(model_);
    if (!model_.is_field && scaled_.is_symmetric) result_.stiffness = signature_of(scaled_);
    find_orbit();
    result_.family =
        result_.orbit == nullity() ? result_.orbit : family_dimension(linearization_.system(), same_frame(), model_);
    decide();
    return std::move(result_);
  }

 private:
  LinearModelAt same_frame() const {
    return [this](In q) { return linearization_.near(model_.at.t, q, model_.inputs, model_.moving); };
  }

  int nullity() const {
    if (result_.stiffness) return result_.stiffness->zero;
    return static_cast<int>(kernel_directions(model_).cols());
  }

  static Signature signature_of(const ScaledModel& s) {
    const VectorXd values = linear::symmetric_eigen(s.K).values;
    Signature result;
    for (const double value : values)
      ++(std::abs(value) <= rank_tolerance * s.rate * s.rate ? result.zero
         : value > 0                                         ? result.positive
                                                             : result.negative);
    return result;
  }

  // y of a tangent vector: basis to_basis y
  VectorXd coordinates(const VectorXd& tangent) const {
    return linear::least_squares(model_.basis * scaled_.to_basis, tangent);
  }

  // Directions X of the symmetries, those along which K vanishes, and who causes them.
  void find_orbit() {
    const Eigen::Index n = scaled_.K.rows(), count = static_cast<Eigen::Index>(symmetries_.size());
    if (n == 0) return;
    directions_.resize(n, count);
    const int ambient = linearization_.system().ambient();
    for (Eigen::Index a = 0; a < count; ++a) {
      const Generator X = generator(*symmetries_[static_cast<std::size_t>(a)], ambient);
      const VectorXd field = X.velocity(model_.at.q);
      const double size = X.A.norm() * model_.at.q.norm() + X.b.norm();
      directions_.col(a) = field.norm() > 1e-12 * size ? coordinates(field).normalized() : VectorXd::Zero(n);
    }
    if (count == 0) return;
    const double size = model_.is_field ? scaled_.rate : scaled_.rate * scaled_.rate;
    const MatrixXd forces = scaled_.K * directions_ / size;
    result_.orbit = rank_of(directions_) - rank_of(forces);
    along_orbit_ = directions_ * linear::null_space(forces, 1e-8);
    for (Eigen::Index a = 0; a < count; ++a)
      if (!directions_.col(a).isZero(0) && forces.col(a).norm() <= 1e-8)
        result_.zero_modes.push_back(symmetries_[static_cast<std::size_t>(a)]->generator);
  }

  void say(Verdict verdict, std::string reason) {
    result_.verdict = verdict;
    result_.reason = std::move(reason);
  }

  void decide() {
    if (result_.spectrum.values.empty()) return say(Verdict::stable, "nothing can move");
    if (depends_on_time()) return say(Verdict::inconclusive, "the linear equations depend on time");
    const double largest = result_.spectrum.rightmost().value.real();
    if (largest > right_tolerance * result_.spectrum.rate) return say_unstable();
    if (model_.is_field || scaled_.is_damped) {
      if (decide_damped()) return;
    }
    if (!model_.is_field && decide_by_energy()) return;
    if (!model_.has_forces && decide_by_momentum()) return;
    if (decide_by_blocks()) return;
    say_inconclusive();
  }

  bool depends_on_time() const {
    if (!model_.has_forces) return false;
    const auto agree = [](const MatrixXd& a, const MatrixXd& b) { return (a - b).norm() <= 1e-9 * (a + b).norm(); };
    return !linearization_.always(model_, [&](double t) {
      const LinearModel later = linearization_.near(t, model_.at.q, model_.inputs, model_.moving);
      return agree(later.M, model_.M) && agree(later.K, model_.K) && agree(later.D + later.G, model_.D + model_.G);
    });
  }

  void say_unstable() {
    int count = 0;
    for (const Eigenvalue& one : result_.spectrum.values)
      if (one.value.real() > right_tolerance * result_.spectrum.rate) count += one.algebraic;
    const std::complex<double> worst = result_.spectrum.rightmost().value;
    const bool real = std::abs(worst.imag()) <= right_tolerance * result_.spectrum.rate;
    say(Verdict::unstable,
        fmt::format("{} eigenvalue{} with positive real part, {:.6g}{}", count, count == 1 ? "" : "s", worst.real(),
                    real ? "" : fmt::format(" +- {:.6g} i", std::abs(worst.imag()))));
  }

  bool decide_damped() {
    const double tolerance = right_tolerance * result_.spectrum.rate;
    for (const Eigenvalue& one : result_.spectrum.values)
      if (one.value != 0.0 && one.value.real() >= -tolerance) return false;
    const Eigenvalue zero = result_.spectrum.zero();
    if (zero.algebraic == 0) {
      const bool by_energy = !model_.is_field && energy_may_decide() && result_.stiffness->negative == 0;
      say(Verdict::asymptotically_stable,
          by_energy
              ? fmt::format("all eigenvalues have negative real parts: {} is a strict minimum, and no motion near "
                            "it goes on without losing some",
                            energy_name())
              : "all eigenvalues have negative real parts");
      return true;
    }
    if (zero.largest_block > 1 || zero.algebraic != result_.family) return false;
    say(Verdict::asymptotically_stable_modulo_family,
        fmt::format("all other eigenvalues have negative real parts; {} zero{} along a family of dimension {}",
                    zero.algebraic, zero.algebraic == 1 ? " is" : "s are", result_.family));
    return true;
  }

  std::string energy_name() const {
    if (!model_.moving.is_rest()) return "the energy less momentum, T2 + U - T0 in the moving frame,";
    if (forces().any) return "the energy less the work of the forces, which have a potential,";
    return scaled_.is_gyroscopic ? "the energy in the turning frame, T2 + U - T0," : "the energy";
  }

  // Forces that are not potential must take energy away.
  bool energy_may_decide() const {
    if (!result_.stiffness) return false;
    if (!model_.has_forces) return true;
    if (!model_.moving.is_rest() || signature(scaled_.C + scaled_.C.transpose()).negative > 0) return false;
    return !forces().any || forces_have_potential();
  }

  const ForcesLeft& forces() const {
    if (!forces_) forces_ = forces_left(linearization_.system().model(), model_.inputs);
    return *forces_;
  }

  // Those of constant inputs often do: then K is symmetric nearby, too.
  bool forces_have_potential() const {
    if (!forces().depend_on_place_only) return false;
    const System& system = linearization_.system();
    Random random(1);
    for (int k = 0; k < 4; ++k) try {
        const VectorXd change = 0.05 * model_.basis * VectorXd::NullaryExpr(model_.basis.cols(), [&] {
                                  return static_cast<double>(random() >> 11) * 0x1p-52 - 1;
                                });
        const VectorXd q = moved_along(system, model_.at.q, change.cwiseProduct(model_.units));
        if (!scaled(linearization_.near(model_.at.t, q, model_.inputs)).is_symmetric) return false;
      } catch (const std::exception&) {
        return false;
      }
    return true;
  }

  bool decide_by_energy() {
    if (!energy_may_decide() || result_.stiffness->negative > 0) return false;
    const int zero = result_.stiffness->zero;
    if (zero == 0) {
      say(Verdict::stable, energy_name() + " is a strict minimum");
      return true;
    }
    if (zero == result_.orbit) {
      say(Verdict::stable_modulo_symmetry,
          fmt::format(
              "{} is a minimum that is strict across the orbit of the symmetry ({}); along it the system drifts",
              energy_name(), fmt::join(result_.zero_modes, "; ")));
      return true;
    }
    if (zero == result_.family) {
      say(Verdict::stable_as_a_set,
          fmt::format("{} is a minimum that is strict across a family of dimension {}, along which the system drifts; "
                      "symmetry explains {} of its dimensions",
                      energy_name(), result_.family, result_.orbit));
      return true;
    }
    return false;
  }

  // diag(K, 1) on the level of all momenta, modulo the directions of the symmetry in it.
  struct OnLevel {
    Signature signature;
    int explained = 0;
  };
  OnLevel on_level(const LinearModel& model) const {
    const ScaledModel s = scaled(model);
    const Eigen::Index n = s.K.rows(), count = static_cast<Eigen::Index>(symmetries_.size());
    const int ambient = linearization_.system().ambient();
    MatrixXd slopes(count, 2 * n), orbit(2 * n, count);
    for (Eigen::Index a = 0; a < count; ++a) {
      const ConservedMomentum& momentum = *symmetries_[static_cast<std::size_t>(a)];
      const Eigen::RowVectorXd slope = linearization_.slope(momentum, model);
      slopes.row(a) << slope.head(n) * s.to_basis / s.rate, slope.tail(n) * s.to_basis;
      const Generator X = generator(momentum, ambient);
      const VectorXd x = X.velocity(model.at.q);
      VectorXd x_rate = X.A * model.at.v;
      if (!model.moving.is_rest()) x_rate -= model.moving.A * x;
      orbit.col(a) << coordinates(x), coordinates(x_rate) / s.rate;
    }
    const double size = slopes.rowwise().norm().maxCoeff(), reach = orbit.colwise().norm().maxCoeff();
    slopes = normalised(slopes.transpose(), size).transpose();
    orbit = normalised(orbit, reach);
    MatrixXd form = MatrixXd::Identity(2 * n, 2 * n);
    form.topLeftCorner(n, n) = s.K / (s.rate * s.rate);
    const MatrixXd level = linear::null_space(slopes, 1e-8);
    const MatrixXd on_orbit = linear::null_space(slopes * orbit, 1e-8);
    return {signature(level.transpose() * form * level, 1e-9), rank_of(orbit * on_orbit)};
  }

  static bool is_definite(const OnLevel& found) {
    return found.signature.zero == found.explained && (found.signature.positive == 0 || found.signature.negative == 0);
  }

  // Symmetries that keep the state: the frame may turn by them in addition.
  MatrixXd isotropy() const {
    const Eigen::Index count = static_cast<Eigen::Index>(symmetries_.size()), N = model_.at.q.size();
    const int ambient = linearization_.system().ambient();
    MatrixXd moves(2 * N, count);
    for (Eigen::Index a = 0; a < count; ++a) {
      const Generator X = generator(*symmetries_[static_cast<std::size_t>(a)], ambient);
      moves.col(a) << X.velocity(model_.at.q), X.A * model_.at.v / scaled_.rate;
    }
    return linear::null_space(moves, 1e-9);
  }

  Generator turned(const VectorXd& rates) const {
    Generator result = model_.moving;
    for (Eigen::Index a = 0; a < rates.size(); ++a)
      if (rates(a) != 0)
        result =
            result + generator(*symmetries_[static_cast<std::size_t>(a)], linearization_.system().ambient(), rates(a));
    return result;
  }

  // The least eigenvalue of K across the orbit is a concave function of the rates of the frame: the best of them by
  // golden sections, one direction after another.
  LinearModel best_frame(const MatrixXd& free) const {
    const auto seen_from = [&](const VectorXd& rates) {
      return linearization_.near(model_.at.t, model_.at.q, model_.inputs, turned(rates));
    };
    const Eigen::Index n = scaled_.K.rows();
    const MatrixXd across =
        along_orbit_.cols() == 0 ? MatrixXd::Identity(n, n) : linear::null_space(along_orbit_.transpose(), 1e-8);
    const auto least = [&](const VectorXd& rates) {
      return linear::symmetric_eigen(across.transpose() * scaled(seen_from(rates)).K * across).values(0);
    };
    VectorXd best = VectorXd::Zero(free.rows());
    constexpr double golden = 0.6180339887498949, widest = 4;
    for (Eigen::Index j = 0; j < free.cols(); ++j) {
      double low = -widest * scaled_.rate, high = widest * scaled_.rate;
      for (int k = 0; k < 60; ++k) {
        const double left = high - golden * (high - low), right = low + golden * (high - low);
        const bool is_left_worse = least(best + left * free.col(j)) < least(best + right * free.col(j));
        (is_left_worse ? low : high) = is_left_worse ? left : right;
      }
      best += (low + high) / 2 * free.col(j);
    }
    return seen_from(best);
  }

  bool decide_by_momentum() {
    if (symmetries_.empty()) return false;
    OnLevel found = on_level(model_);
    bool other_frame = false;
    if (!is_definite(found)) {
      const MatrixXd free = isotropy();
      if (free.cols() > 0) {
        const LinearModel best = best_frame(free);
        const Signature K = signature_of(scaled(best));
        const OnLevel there = on_level(best);
        other_frame = is_definite(there);
        if (other_frame) found = there;
        if (K.negative == 0 && K.zero == 0) {
          result_.on_level = there.signature;
          say(Verdict::stable,
              "the energy less momentum is a strict minimum in a frame that turns by a symmetry which "
              "keeps this state as it is");
          return true;
        }
      }
    }
    result_.on_level = found.signature;
    if (!is_definite(found)) return false;
    say(Verdict::stable_modulo_symmetry,
        fmt::format(
            "energy-momentum method: on the level of the momenta the energy less momentum is {} definite across "
            "the symmetry{}",
            found.signature.negative == 0 ? "positive" : "negative",
            other_frame ? ", in a frame that turns by what keeps this state as it is" : ""));
    return true;
  }

  bool decide_by_blocks() {
    for (const Eigenvalue& one : result_.spectrum.values) {
      const bool drift = one.value == 0.0 && one.largest_block == 2;
      if (one.largest_block == 1 || drift) continue;
      const std::string at = one.value == 0.0 ? "0" : fmt::format("+-{:.6g} i", std::abs(one.value.imag()));
      say(Verdict::unstable,
          fmt::format(
              "the linear equations grow like t{}: a block of size {} at {}, which no symmetry explains; what the "
              "nonlinear ones do needs more",
              one.largest_block > 2 ? fmt::format("^{}", one.largest_block - 1) : "", one.largest_block, at));
      return true;
    }
    return false;
  }

  void say_inconclusive() {
    if (result_.stiffness && result_.stiffness->zero == result_.family && result_.family > result_.orbit)
      return say(
          Verdict::inconclusive,
          fmt::format("a family of dimension {} along which the system drifts, and no energy that decides across "
                      "it",
                      result_.family));
    if (result_.stiffness && result_.stiffness->negative == 0 && result_.stiffness->zero > result_.orbit)
      return say(
          Verdict::inconclusive,
          fmt::format("degenerate: {} direction{} without stiffness, of which symmetry explains {}; it needs terms "
                      "of fourth order",
                      result_.stiffness->zero, result_.stiffness->zero == 1 ? "" : "s", result_.orbit));
    if (result_.stiffness && result_.stiffness->negative > 0)
      return say(
          Verdict::inconclusive,
          fmt::format("no eigenvalue to the right, but {} has {} negative direction{}: gyroscopic stabilization, "
                      "which damping destroys",
                      energy_name(), result_.stiffness->negative, result_.stiffness->negative == 1 ? "" : "s"));
    say(Verdict::inconclusive, "eigenvalues on the imaginary axis, and no energy that decides");
  }

  const Linearization& linearization_;
  const LinearModel& model_;
  ScaledModel scaled_;
  mutable std::optional<ForcesLeft> forces_;  // when they are asked for
  std::vector<const ConservedMomentum*> symmetries_;
  MatrixXd directions_, along_orbit_;  // of all symmetries; of those that K does not oppose
  Stability result_;
};

}  // namespace

Stability stability(const Linearization& linearization, const LinearModel& model,
                    const std::vector<ConservedMomentum>& symmetries) {
  return Judge(linearization, model, symmetries).run();
}

}  // namespace hamel
