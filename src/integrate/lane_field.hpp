// The vector field of (q, xi), or of q alone, in eight lanes, where it is one program.
#pragma once

#include <exception>

#include "hamel/mechanics/field.hpp"
#include "hamel/mechanics/parts.hpp"
#include "integrate/lane_kernel.hpp"

namespace hamel {

class LaneField {
 public:
  static bool exists(const System& system, Form form) {
    return (form == Form::omega || !system.has_energies()) && !motion(system).empty();
  }

  LaneField(const System& system, LaneParameters parameters)
      : kernel_(motion(system), parameters),
        field_(system, Form::omega),
        work_(system),
        ambient_(system.ambient()),
        size_(field_.size()),
        gives_rates_(!system.has_energies()),
        u_(work_.u.size()),
        multipliers_(work_.multipliers.size()),
        at_(gives_rates_ ? LaneBlock(size_) : LaneBlock()),
        rate_(at_),
        y_(VectorXd::Zero(size_)) {}

  long size() const { return size_; }
  const Program& program() const { return kernel_.program(); }
  const Field& alone() const { return field_; }
  const double* inputs() const { return u_.data(); }
  const double* constants() const { return kernel_.constants(); }

  // A motion that was started in a lane of another one.
  void take(int lane, const LaneField& other, int from) { kernel_.take(lane, other.kernel_, from); }
  // What (q, xi) is of a state, and back, does not depend on parameters; the rate of a point alone does.
  void start(int lane, const System& member, const State& state, LaneBlock& y) {
    kernel_.set(lane, motion(member));
    field_.pack(work_, state, y_);
    y.put(lane, y_);
  }
  void current(int lane, double t, const LaneBlock& y, State& state) {
    y.get(lane, y_);
    unpack(lane, t, false, y_, state);
  }
  // On the manifold if that is wanted.
  void unpack(int lane, double t, bool projects, VectorXd& y, State& state) {
    if (projects) field_.project(work_, t, y);
    if (!gives_rates_) return field_.unpack(work_, t, y, state);
    Eight times;
    times.lane.fill(t);
    at_.put(lane, y);
    (*this)(times, at_, rate_);
    state.t = t;
    state.q = y;
    state.v.resize(size_);
    rate_.get(lane, state.v);
  }
  // False where no nearest point is found.
  bool project(int lane, double t, LaneBlock& y) {
    y.get(lane, y_);
    try {
      field_.project(work_, t, y_);
    } catch (const std::exception&) {
      return false;
    }
    y.put(lane, y_);
    return true;
  }

  // Returns the lanes in which all rates are finite.
  LaneSet operator()(const Eight& t, const LaneBlock& y, LaneBlock& rate) {
    kernel_.run<4, 3>({y.data(), y.data_from(ambient_), u_.data(), t.lane.data()},
                      {rate.data(), rate.data_from(ambient_), multipliers_.data()});
    return finite_lanes(rate);
  }

 private:
  LaneKernel kernel_;
  Field field_;
  Workspace work_;
  long ambient_, size_;
  bool gives_rates_;
  LaneBlock u_, multipliers_, at_, rate_;
  VectorXd y_;
};

}  // namespace hamel
