// The flow as a vector field y' = F(t, y), in each of its presentations (derive/form.hpp): y is q and its partner, a
// rate or a momentum. Of a first-order system y = q. In quasi-velocities F is one program, where there is one
// (parts.hpp).
#pragma once

#include "hamel/derive/form.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel {

class Kernel;
class Program;

class Field {
 public:
  Field(const System& system, Form form);

  const System& system() const { return *system_; }
  Form form() const { return form_; }
  int size() const { return system_->ambient() + partners(); }
  int partners() const;  // of q in y: rates, quasi-velocities or momenta; none of a first-order system

  void operator()(Workspace& w, double t, In y, Out rate);
  // Of many states, one per column: eight at a time where F is one program, to the same bits. Native code reads and
  // writes them where they are; elsewhere, or where y and rates overlap, eight are brought together.
  using Columns = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  void of_columns(Workspace& w, double t, const Eigen::Ref<const Columns>& y, Eigen::Ref<Columns> rates);
  static constexpr int lanes = 8;
  void compile_columns(double runs);             // for of_columns, where so many runs of a program pay
  std::vector<const Program*> programs() const;  // that it runs

  VectorXd pack(Workspace& w, const State& state);
  void pack(Workspace& w, const State& state, VectorXd& y);
  State unpack(Workspace& w, double t, In y);
  void unpack(Workspace& w, double t, In y, State& state);
  void velocity(Workspace& w, double t, In y, Out v);  // q' of y
  // Onto the (co)tangent bundle; of a first-order system onto the manifold and its constraints.
  void project(Workspace& w, double t, Out y);

 private:
  // What y is made of: a point alone, or (q, partner) of a form; the last one by one program.
  enum class Kind { point, velocity, omega, mu, pi, motion };
  static Kind kind_of(const System& system, Form form);

  bool run_motion(Workspace& w, double t, In y, Out rate);  // false: its rates are not finite
  bool is_decided_by_motion() const;
  bool run_in_place(Workspace& w, double t, const Eigen::Ref<const Columns>& y, Eigen::Ref<Columns> rates);
  void run_lanes(Workspace& w, double t, const Eigen::Ref<const Columns>& y, Eigen::Ref<Columns> rates);
  [[noreturn]] void refuse_singular(double t) const;
  void momentum_from_rates(Workspace& w, In q, In pi, Out p);  // some p with B^T p = pi

  const System* system_;
  Form form_;
  Kind kind_;
  const Kernel* motion_ = nullptr;
  VectorXd scratch_, v_, a_, p_, rates_;
  struct Block {  // of eight states: value i of state k at [8 i + k]
    VectorXd y, rate, u, multipliers, scratch;
  };
  Block block_;
};

}  // namespace hamel
