#include "hamel/mechanics/field.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <stdexcept>

#include "hamel/mechanics/parts.hpp"
#include "hamel/mechanics/scratch.hpp"
#include "hamel/program/native.hpp"

namespace hamel {

Field::Kind Field::kind_of(const System& system, Form form) {
  if (!system.has_energies()) return Kind::point;
  switch (form) {
    case Form::velocity:
      return Kind::velocity;
    case Form::omega:
      return hamel::motion(system).empty() ? Kind::omega : Kind::motion;
    case Form::mu:
      return Kind::mu;
    case Form::pi:
      break;
  }
  return Kind::pi;
}

Field::Field(const System& system, Form form) : system_(&system), form_(form), kind_(kind_of(system, form)) {
  for (VectorXd* x : {&v_, &a_, &p_}) *x = VectorXd::Zero(system.ambient());
  rates_ = VectorXd::Zero(system.rates());
  if (kind_ != Kind::motion) return;
  motion_ = &hamel::motion(system);
  scratch_ = VectorXd::Zero(static_cast<Eigen::Index>(motion_->program().scratch_size()));
}

std::vector<const Program*> Field::programs() const {
  if (kind_ == Kind::motion) return {&motion_->program()};
  return system_->dynamics().motion_programs();
}

int Field::partners() const {
  if (kind_ == Kind::point) return 0;
  return kind_ == Kind::velocity || kind_ == Kind::mu ? system_->ambient() : system_->rates();
}

void Field::velocity(Workspace& w, double t, In y, Out v) {
  const auto q = y.head(system_->ambient());
  const auto partner = y.tail(partners());
  switch (kind_) {
    case Kind::point:
      system_->field(w, t, q, v);
      break;
    case Kind::velocity:
      v = partner;
      break;
    case Kind::omega:
    case Kind::motion:
      system_->space().velocity(q, partner, v);
      break;
    case Kind::mu:
      system_->velocity(w, t, q, partner, v);
      break;
    case Kind::pi:
      momentum_from_rates(w, q, partner, p_);
      system_->velocity(w, t, q, p_, v);
      break;
  }
}

// xi -> B xi is onto the tangent space, so the covector is determined there: with the orthonormal basis N of each
// factor, p = N (Xi^T pi) where Xi are the rates of the columns of N.
void Field::momentum_from_rates(Workspace& w, In q, In pi, Out p) {
  const Geometry& geometry = system_->geometry();
  Geometry::Workspace& g = w.scratch().geometry;
  geometry.bases(q, g);
  p.setZero();
  for (int f = 0; f < geometry.factors(); ++f) {
    const Manifold& factor = geometry.space(f);
    const MatrixXd& N = g.N[static_cast<std::size_t>(f)];
    const auto point = q.segment(geometry.offset(f), factor.ambient());
    auto xi = rates_.segment(geometry.rates_offset(f), factor.rates());
    for (Eigen::Index j = 0; j < N.cols(); ++j) {
      factor.rates(point, N.col(j), xi);
      p.segment(geometry.offset(f), factor.ambient()) +=
          N.col(j) * xi.dot(pi.segment(geometry.rates_offset(f), factor.rates()));
    }
  }
}

void Field::project(Workspace& w, double t, Out y) {
  const Manifold& space = system_->space();
  auto q = y.head(system_->ambient());
  auto partner = y.tail(partners());
  if (kind_ == Kind::point) return system_->dynamics().restore(w, t, q);
  space.project(q, q);
  if (kind_ == Kind::velocity || kind_ == Kind::mu) {
    space.tangent_project(q, partner, v_);
    partner = v_;
  } else if (kind_ == Kind::pi) {
    momentum_from_rates(w, q, partner, p_);
    space.covector_to_rates(q, p_, partner);
  } else {
    space.velocity(q, partner, v_);
    space.rates(q, v_, partner);
  }
}

bool Field::run_motion(Workspace& w, double t, In y, Out rate) {
  const int n = system_->ambient();
  motion_->run<4, 3>({y.data(), y.data() + n, w.u.data(), &t}, {rate.data(), rate.data() + n, w.multipliers.data()},
                     scratch_.data());
  // One by one, as a program stores them: a processor waits where several numbers are read that were just stored apart.
  return std::all_of(rate.begin(), rate.end(), [](double x) { return std::isfinite(x); });
}

// Where the program has no finite rates, the equations may still have a solution that needs pivots.
bool Field::is_decided_by_motion() const { return system_->path() == Path::constant_mass; }

void Field::refuse_singular(double t) const {
  throw std::runtime_error(fmt::format(
      "{} has no finite acceleration at t = {:.6g}: the equations of motion are singular there", system_->name(), t));
}

void Field::run_lanes(Workspace& w, double t, const Eigen::Ref<const Columns>& y, Eigen::Ref<Columns> rates) {
  using Lanes = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, lanes, Eigen::RowMajor>>;
  if (block_.y.size() == 0) {
    block_.y = VectorXd::Zero(size() * lanes);
    block_.rate = block_.y;
    block_.u = VectorXd::Zero(w.u.size() * lanes);
    block_.multipliers = VectorXd::Zero(w.multipliers.size() * lanes);
    block_.scratch = VectorXd::Zero(static_cast<Eigen::Index>(motion_->program().scratch_size(lanes)));
  }
  Lanes(block_.u.data(), w.u.size(), lanes).colwise() = w.u;
  std::array<double, lanes> times;
  times.fill(t);
  const Eigen::Index rows = size(), n = lanes * system_->ambient();
  using Eight = Eigen::Array<double, lanes, 1>;
  for (Eigen::Index k = 0; k + lanes <= y.cols(); k += lanes) {
    for (Eigen::Index i = 0; i < rows; ++i)
      std::memcpy(&block_.y[lanes * i], y.data() + i * y.outerStride() + k, sizeof(double) * lanes);
    motion_->run_lanes<lanes, 4, 3>({block_.y.data(), block_.y.data() + n, block_.u.data(), times.data()},
                                    {block_.rate.data(), block_.rate.data() + n, block_.multipliers.data()},
                                    block_.scratch.data());
    Eight off = Eight::Zero();  // stays so where all are finite
    for (Eigen::Index i = 0; i < rows; ++i) {
      const Eight rate = Eigen::Map<const Eight>(&block_.rate[lanes * i]);
      off += rate - rate;
      Eigen::Map<Eight>(rates.data() + i * rates.outerStride() + k) = rate;
    }
    if ((off == 0).all()) continue;
    if (is_decided_by_motion()) refuse_singular(t);
    VectorXd rate(rows);
    for (Eigen::Index j = 0; j < lanes; ++j) {
      (*this)(w, t, Lanes(block_.y.data(), rows, lanes).col(j).eval(), rate);
      rates.col(k + j) = rate;
    }
  }
}

namespace {

bool overlap(const Eigen::Ref<const Field::Columns>& y, const Eigen::Ref<Field::Columns>& rates) {
  const auto end = [](const auto& x) { return x.data() + (x.rows() - 1) * x.outerStride() + x.cols(); };
  const std::less<const double*> before;
  return before(y.data(), end(rates)) && before(rates.data(), end(y));
}

// Numbers until the next line of the cache: vectors that straddle two cost twice.
Eigen::Index to_next_line(const double* x) {
  constexpr std::uintptr_t line = 64;
  const auto past = reinterpret_cast<std::uintptr_t>(x) % line;
  return static_cast<Eigen::Index>((line - past) % line / sizeof(double));
}

}  // namespace

bool Field::run_in_place(Workspace& w, double t, const Eigen::Ref<const Columns>& y, Eigen::Ref<Columns> rates) {
  const Program::ColumnsEntry run = motion_->program().columns();
  if (run == nullptr || y.cols() < 2 * lanes || overlap(y, rates)) return false;
  const Eigen::Index n = system_->ambient(), from = y.outerStride(), to = rates.outerStride();
  const auto are_finite = [&](Eigen::Index first, Eigen::Index count) {
    const double* const in[] = {y.data() + first, y.data() + n * from + first, w.u.data(), &t,
                                motion_->constants().data()};
    double* const out[] = {rates.data() + first, rates.data() + n * to + first};
    return run(in, out, from, to, count) != 0;
  };
  const Eigen::Index first = to_next_line(y.data()), count = (y.cols() - first) / lanes * lanes;
  bool finite = are_finite(first, count);
  // Those before and behind, some of them twice.
  if (first > 0) finite = are_finite(0, lanes) && finite;
  if (first + count < y.cols()) finite = are_finite(y.cols() - lanes, lanes) && finite;
  if (finite || rates.allFinite()) return true;
  if (is_decided_by_motion()) refuse_singular(t);
  return false;
}

void Field::compile_columns(double runs) {
  for (const Program* program : programs()) {
    if (!native_pays(*program, runs)) continue;
    const bool is_motion = kind_ == Kind::motion;
    if (!is_motion || !program->compile_columns({.inputs = 2, .outputs = 2}))
      compile_native({&program, 1}, is_motion ? lanes : 1);
  }
}

void Field::of_columns(Workspace& w, double t, const Eigen::Ref<const Columns>& y, Eigen::Ref<Columns> rates) {
  Eigen::Index done = 0;
  if (kind_ == Kind::motion) {
    if (run_in_place(w, t, y, rates)) return;
    run_lanes(w, t, y, rates);
    done = y.cols() - y.cols() % lanes;
  }
  VectorXd one(size()), rate(size());
  for (Eigen::Index k = done; k < y.cols(); ++k) {
    one = y.col(k);
    (*this)(w, t, one, rate);
    rates.col(k) = rate;
  }
}

void Field::operator()(Workspace& w, double t, In y, Out rate) {
  if (kind_ == Kind::motion) {
    if (run_motion(w, t, y, rate)) return;
    if (is_decided_by_motion()) refuse_singular(t);
  }
  velocity(w, t, y, v_);
  const int n = system_->ambient();
  const auto q = y.head(n);
  rate.head(n) = v_;
  auto partner_rate = rate.tail(partners());
  if (kind_ == Kind::velocity) {
    system_->acceleration(w, t, q, v_, partner_rate);
  } else if (kind_ == Kind::omega || kind_ == Kind::motion) {
    system_->acceleration(w, t, q, v_, a_);
    system_->space().rates_of_acceleration(q, v_, a_, partner_rate);
  } else if (kind_ == Kind::mu) {
    system_->dynamics().mu_rate(w, t, q, v_, y.tail(n), partner_rate);
  } else if (kind_ == Kind::pi) {
    system_->dynamics().pi_rate(w, t, q, v_, p_, partner_rate);  // p_ by velocity()
  }
}

VectorXd Field::pack(Workspace& w, const State& state) {
  VectorXd y;
  pack(w, state, y);
  return y;
}

void Field::pack(Workspace& w, const State& state, VectorXd& y) {
  y.resize(size());
  y.head(system_->ambient()) = state.q;
  auto partner = y.tail(partners());
  const Manifold& space = system_->space();
  if (kind_ == Kind::velocity) {
    partner = state.v;
  } else if (kind_ == Kind::omega || kind_ == Kind::motion) {
    space.rates(state.q, state.v, partner);
  } else if (kind_ != Kind::point) {
    system_->momentum(w, state.t, state.q, state.v, p_);
    if (kind_ == Kind::mu)
      space.tangent_project(state.q, p_, partner);
    else
      space.covector_to_rates(state.q, p_, partner);
  }
}

State Field::unpack(Workspace& w, double t, In y) {
  State state;
  unpack(w, t, y, state);
  return state;
}

void Field::unpack(Workspace& w, double t, In y, State& state) {
  state.t = t;
  state.q = y.head(system_->ambient());
  state.v.resize(system_->ambient());
  velocity(w, t, y, state.v);
}

}  // namespace hamel
