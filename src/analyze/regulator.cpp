#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "analyze/directions.hpp"
#include "hamel/analyze/control.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/linear/product.hpp"
#include "hamel/linear/riccati.hpp"
#include "hamel/model/name_list.hpp"

namespace hamel {
namespace {

using Eigen::Index;

std::string error_in_words(const Coordinate& coordinate) {
  const std::string& q = coordinate.name;
  if (coordinate.space.is_flat()) return fmt::format("{0} - {0}0", q);
  switch (coordinate.space.turning()) {
    case Turning::plane:
    case Turning::direction:
      return fmt::format("{0}0 x {0}", q);
    case Turning::body:
      return coordinate.space.is_pose() ? fmt::format("{0}0^-1 {0}", q) : fmt::format("log({0}0^T {0})", q);
    case Turning::none:
      break;
  }
  return fmt::format("{0} from {0}0", q);
}

std::string rate_in_words(const Coordinate& coordinate) {
  std::string text;
  for (const RateName& rate : coordinate.space.rate_names())
    text += fmt::format("{}{}({})", text.empty() ? "" : ", ", rate.name, coordinate.name);
  return text.empty() || coordinate.space.is_flat() ? coordinate.name + "'" : text;
}

// "q'[2]" of "q[2]", as in model files.
std::string rate_name(const std::string& coordinate) {
  const std::size_t end = std::min(coordinate.find('['), coordinate.size());
  return coordinate.substr(0, end) + "'" + coordinate.substr(end);
}

// "q" is all of q[1], q[2], ...
bool names(const std::string& given, const std::string& full) {
  return given == full || given == full.substr(0, full.find('['));
}

struct Weighed {
  std::string name;
  Index size;
};

// The diagonal of a weight: 1 but where the user said otherwise. Later ones count.
VectorXd diagonal(const std::vector<Weighed>& all, const std::vector<Weight>& given, const char* what) {
  VectorXd result = VectorXd::Ones(
      std::accumulate(all.begin(), all.end(), Index(0), [](Index sum, const Weighed& one) { return sum + one.size; }));
  for (const Weight& weight : given) {
    bool found = false;
    Index next = 0;
    for (const auto& [name, size] : all) {
      const Index first = std::exchange(next, next + size);
      if (!names(weight.name, name)) continue;
      found = true;
      if (weight.value.size() != 1 && weight.value.size() != size)
        throw std::invalid_argument(
            fmt::format("the weight of {} has {} numbers; {} has {} component{}: give one "
                        "number, or one for each",
                        weight.name, weight.value.size(), name, size, size == 1 ? "" : "s"));
      for (Index k = 0; k < size; ++k) result(first + k) = weight.value(weight.value.size() == 1 ? 0 : k);
    }
    if (!found) {
      std::vector<std::string> known;
      for (const Weighed& one : all) known.push_back(one.name);
      throw std::invalid_argument(fmt::format("there is no {} called {} that a weight could belong to; there are {}",
                                              what, weight.name, name_list(known)));
    }
  }
  return result;
}

std::vector<Weighed> weighed_states(const LinearModel& model, const std::vector<ErrorCoordinate>& all) {
  std::vector<Weighed> result;
  for (const ErrorCoordinate& one : all) result.push_back({one.name, one.slope.rows()});
  if (!model.is_field)
    for (const ErrorCoordinate& one : all) result.push_back({rate_name(one.name), one.slope.rows()});
  return result;
}

MatrixXd slopes(const LinearModel& model, const std::vector<ErrorCoordinate>& all) {
  Index rows = 0;
  for (const ErrorCoordinate& one : all) rows += one.slope.rows();
  MatrixXd E(rows, model.K.rows());
  Index next = 0;
  for (const ErrorCoordinate& one : all) {
    E.middleRows(next, one.slope.rows()) = one.slope;
    next += one.slope.rows();
  }
  return E;
}

struct Cost {
  MatrixXd Q, N, R;  // x.Q x + 2 x.N u + u.R u
};

// The same sum over a step of `h` in which u is held, and the map of that step, by halving and doubling:
// W(2h) = W(h) + Phi(h)^T W(h) Phi(h).
struct Step {
  MatrixXd A, B;
  Cost cost;
};
Step held_step(const MatrixXd& A, const MatrixXd& B, const Cost& cost, double h) {
  const Index n = A.rows(), m = B.cols(), N = n + m;
  MatrixXd F = MatrixXd::Zero(N, N), W = MatrixXd::Zero(N, N), both = MatrixXd::Zero(2 * N, 2 * N);
  F.topLeftCorner(n, n) = A;
  F.topRightCorner(n, m) = B;
  W.topLeftCorner(n, n) = cost.Q;
  W.bottomRightCorner(m, m) = cost.R;
  const int doublings = std::max(0, static_cast<int>(std::ceil(std::log2(F.norm() * h))));
  both << -F.transpose(), W, MatrixXd::Zero(N, N), F;
  both = linear::exponential(std::ldexp(h, -doublings) * both);
  MatrixXd Phi = both.bottomRightCorner(N, N);
  W = Phi.transpose() * both.topRightCorner(N, N);
  for (int k = 0; k < doublings; ++k) {
    W += (Phi.transpose() * W * Phi).eval();
    Phi = (Phi * Phi).eval();
  }
  W = ((W + W.transpose()) / 2).eval();
  return {Phi.topLeftCorner(n, n),
          Phi.topRightCorner(n, m),
          {W.topLeftCorner(n, n), W.topRightCorner(n, m), W.bottomRightCorner(m, m)}};
}

linear::Riccati solve_sampled(const MatrixXd& A, const MatrixXd& B, const Cost& cost, double h) {
  const Step step = held_step(A, B, cost, h);
  if (!step.A.allFinite() || !step.cost.Q.allFinite())
    throw std::domain_error(fmt::format(
        "the motion grows beyond all numbers while the inputs are held for {:.6g}: take shorter samples", h));
  const MatrixXd shift = linear::solve_columns(step.cost.R, step.cost.N.transpose());  // u = v - shift x
  const MatrixXd Q = step.cost.Q - step.cost.N * shift;
  linear::Riccati result =
      linear::solve_discrete_riccati(step.A - step.B * shift, step.B, (Q + Q.transpose()) / 2, step.cost.R);
  result.gain += shift;
  return result;
}

linear::Riccati solve(const MatrixXd& A, const MatrixXd& B, const Cost& cost, double sample) {
  return sample > 0 ? solve_sampled(A, B, cost, sample) : linear::solve_riccati(A, B, cost.Q, cost.R);
}

// A mode of a step of h as one of the motion.
linear::HiddenMode in_time(linear::HiddenMode mode, double h) {
  if (h > 0) mode.eigenvalue = std::log(mode.eigenvalue) / h;
  return mode;
}

// On the complement V of what is left out, x = V z: of a mode that no input moves, V holds all that starts at rest in
// it; of one that has no weight, V forgets it.
class Regulation {
 public:
  Regulation(const LinearModel& model, const Cost& cost, const RegulatorOptions& options)
      : model_(model), cost_(cost), options_(options) {
    std::tie(A_, B_) = std::pair(model.first_order().A, model.first_order().B);
    V_ = MatrixXd::Identity(A_.rows(), A_.rows());
    zero_ = 1e-9 * A_.norm();
  }

  linear::Riccati solve(std::vector<HiddenDirection>& left_out) {
    while (true) {
      try {
        const MatrixXd Q = V_.transpose() * cost_.Q * V_;
        linear::Riccati result = hamel::solve(V_.transpose() * A_ * V_, V_.transpose() * B_,
                                              {(Q + Q.transpose()) / 2, {}, cost_.R}, options_.sample);
        result.gain = result.gain * V_.transpose();
        return result;
      } catch (const linear::NotStabilizable& failure) {
        leave_out(failure.mode, true, left_out);
      } catch (const linear::NotDetectable& failure) {
        leave_out(failure.mode, false, left_out);
      }
    }
  }

 private:
  void leave_out(const linear::HiddenMode& found, bool unmoved, std::vector<HiddenDirection>& left_out) {
    linear::HiddenMode mode = in_time(found, options_.sample);
    mode.vectors = V_.cast<Complex>() * mode.vectors;
    const HiddenDirection direction = direction_of(model_, mode, unmoved, zero_);
    const bool marginal = std::abs(direction.eigenvalue.real()) <= zero_;
    if (!options_.leave_out || !marginal) refuse(direction, unmoved, marginal);
    left_out.push_back(direction);
    MatrixXd both(found.vectors.rows(), 2 * found.vectors.cols());
    both << found.vectors.real(), found.vectors.imag();
    V_ = (V_ * linear::null_space(both.transpose(), 1e-9)).eval();
  }

  [[noreturn]] static void refuse(const HiddenDirection& direction, bool unmoved, bool marginal) {
    const std::string words = fmt::format("{}", fmt::join(direction.words, "; ")), at = in_words(direction.eigenvalue);
    const char* hint = marginal ? "; leave it out of the regulator, or " : "; ";
    if (unmoved)
      throw std::domain_error(
          fmt::format("not stabilizable: no input moves {} (eigenvalue {}), which does not come to "
                      "rest by itself{}add an input that does",
                      words, at, hint));
    throw std::domain_error(
        fmt::format("the weights do not see {} (eigenvalue {}), which neither grows nor decays: no optimal feedback "
                    "stops it{}give it a weight",
                    words, at, hint));
  }

  const LinearModel& model_;
  const Cost& cost_;
  const RegulatorOptions& options_;
  MatrixXd A_, B_, V_;
  double zero_;
};

// Ranks and solutions are lost where weights are farther apart than numbers have digits: then these are to blame.
linear::Riccati solved_or_explained(Regulation regulation, const VectorXd& Q, const VectorXd& R,
                                    std::vector<HiddenDirection>& left_out) {
  constexpr double farthest = 1e14;
  double least = R.minCoeff(), most = R.maxCoeff();
  for (const double weight : Q)
    if (weight > 0) std::tie(least, most) = std::pair(std::min(least, weight), std::max(most, weight));
  try {
    return regulation.solve(left_out);
  } catch (const std::exception&) {
    if (!(least > 0) || most / farthest < least) throw;
    throw std::domain_error(
        fmt::format("weights from {:.3g} to {:.3g} are too far apart to compute with: take them nearer to each other",
                    least, most));
  }
}

// Gains per coordinate, the smallest that do the same: K_e E = K.
std::vector<Gain> gains_of(const LinearModel& model, const std::vector<ErrorCoordinate>& all, const MatrixXd& gain) {
  const MatrixXd E = slopes(model, all), back = linear::pseudo_inverse(E);
  const Index n = model.K.rows();
  const MatrixXd point = gain.leftCols(n) * back;
  const MatrixXd rate = model.is_field ? MatrixXd() : MatrixXd(gain.rightCols(n) * back);
  std::vector<Gain> result;
  Index next = 0;
  for (const ErrorCoordinate& one : all) {
    const Index size = one.slope.rows();
    result.push_back(
        {one.name, point.middleCols(next, size), model.is_field ? MatrixXd() : MatrixXd(rate.middleCols(next, size))});
    next += size;
  }
  return result;
}

std::vector<Weighed> weighed_inputs(const Model& model) {
  std::vector<Weighed> result;
  for (std::size_t k = 0; k < model.inputs().size(); ++k)
    if (!model.follows_law(k)) result.push_back({model.inputs()[k].name, model.inputs()[k].size});
  return result;
}

}  // namespace

std::vector<ErrorCoordinate> errors(const LinearModel& model) {
  std::vector<ErrorCoordinate> result;
  Index offset = 0;
  for (const Coordinate& coordinate : model.at.model->coordinates()) {
    const Manifold& space = coordinate.space;
    const Index size = space.ambient();
    MatrixXd slope(space.rates(), model.K.rows());
    for (Index j = 0; j < slope.cols(); ++j)
      space.rates(model.at.q.segment(offset, size), model.basis.col(j).segment(offset, size), slope.col(j));
    result.push_back({coordinate.name, error_in_words(coordinate), rate_in_words(coordinate), std::move(slope)});
    offset += size;
  }
  return result;
}

Regulator lqr(const LinearModel& model, const Weights& weights, const RegulatorOptions& options) {
  if (!model.is_uniform)
    throw std::invalid_argument(
        "the inputs do not go along with the steady motion: seen from the frame that moves they push another way as "
        "time "
        "goes by, and no constant gains are best; let them push along directions that move with the system");
  if (model.B.cols() == 0) throw std::invalid_argument("the model has no inputs that a regulator could set");
  if (!(options.sample >= 0) || !std::isfinite(options.sample))
    throw std::invalid_argument(fmt::format("the interval of samples must be positive; it is {}", options.sample));
  const std::vector<ErrorCoordinate> all = errors(model);
  const VectorXd Q = diagonal(weighed_states(model, all), weights.states, "coordinate or rate");
  const VectorXd R = diagonal(weighed_inputs(*model.at.model), weights.inputs, "input");
  const Index n = model.K.rows(), e = Q.size() / model.order();
  const MatrixXd E = slopes(model, all);
  Cost cost{MatrixXd::Zero(model.order() * n, model.order() * n), {}, R.asDiagonal()};
  for (int k = 0; k < model.order(); ++k) {
    const MatrixXd half = E.transpose() * Q.segment(k * e, e).asDiagonal() * E;
    cost.Q.block(k * n, k * n, n, n) = (half + half.transpose()) / 2;
  }
  Regulator result;
  result.sample = options.sample;
  const linear::Riccati solved = solved_or_explained(Regulation(model, cost, options), Q, R, result.left_out);
  result.gain = solved.gain;
  result.gains = gains_of(model, all, solved.gain);
  result.closed_loop = solved.closed_loop;
  result.residual = solved.residual;
  return result;
}

Filter kalman(const LinearModel& model, const Measurements& measured, const Weights& noise) {
  if (measured.C.rows() == 0) throw std::invalid_argument("nothing is measured: a filter needs outputs");
  const std::vector<ErrorCoordinate> all = errors(model);
  std::vector<Weighed> forces, outputs;
  for (const ErrorCoordinate& one : all)
    forces.push_back({model.is_field ? one.name : rate_name(one.name), one.slope.rows()});
  for (const std::string& name : measured.names) outputs.push_back({name, 1});
  const VectorXd W = diagonal(forces, noise.states, "rate"), V = diagonal(outputs, noise.inputs, "measurement");
  // Forces f along the errors act as E^T f.
  LinearModel pushed = model;
  pushed.B = slopes(model, all).transpose();
  const MatrixXd B = pushed.first_order().B, driven = B * W.asDiagonal() * B.transpose();
  try {
    const linear::Riccati solved = linear::solve_riccati(model.first_order().A.transpose(), measured.C.transpose(),
                                                         (driven + driven.transpose()) / 2, V.asDiagonal());
    return {solved.gain.transpose(), solved.closed_loop, solved.residual};
  } catch (const linear::NotStabilizable& failure) {
    const HiddenDirection hidden = direction_of(model, failure.mode, false, 1e-9 * model.first_order().A.norm());
    throw std::domain_error(
        fmt::format("not detectable: no measurement shows {} (eigenvalue {}), which does not come "
                    "to rest by itself; measure it",
                    fmt::join(hidden.words, "; "), in_words(hidden.eigenvalue)));
  }
}

}  // namespace hamel
