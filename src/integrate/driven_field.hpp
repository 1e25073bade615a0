// The field of explicit methods, whose inputs are held, or follow a law wherever the field is evaluated.
#pragma once

#include "hamel/integrate/stepper.hpp"
#include "hamel/mechanics/field.hpp"
#include "hamel/mechanics/parts.hpp"

namespace hamel {

class DrivenField : public Field {
 public:
  using Field::Field;

  void follow(const InputLaw& law) {
    law_ = law;
    state_ = {0, VectorXd::Zero(system().ambient()), VectorXd::Zero(system().ambient()), system().parts().model};
    u_ = VectorXd::Zero(system().inputs());
  }

  void operator()(Workspace& w, double t, In y, Out rate) {
    if (law_) {
      unpack(w, t, y, state_);
      state_.t = t;
      law_(t, state_, u_);
      need_inputs(u_, system(), t);
      w.u = u_;
    }
    Field::operator()(w, t, y, rate);
  }

 private:
  InputLaw law_;
  State state_;
  VectorXd u_;
};

}  // namespace hamel
