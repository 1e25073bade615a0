// What a stepper remembers from step to step, as numbers. Each stepper lists its parts once; the same list saves and
// restores them.
//
//   void remember(Memory& memory) override { memory(t_, y_, rate_is_known_); }
//
// Vectors and matrices have their size before they are restored.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

#include "hamel/mechanics/system.hpp"

namespace hamel {

class Memory {
 public:
  explicit Memory(std::vector<double>& saved) : saved_(&saved) {}
  explicit Memory(std::span<const double> numbers) : numbers_(numbers) {}

  template <class... Parts>
  void operator()(Parts&... parts) {
    (pass(parts), ...);
  }
  // A number that does not change, and must be the same where the others are restored.
  void same(const char* what, double value);

  std::span<const double> rest() const { return numbers_; }  // to be restored

 private:
  void pass(double& number) {
    if (saved_ != nullptr)
      saved_->push_back(number);
    else
      number = next();
  }
  template <std::integral Count>  // bool as well
  void pass(Count& count) {
    auto number = static_cast<double>(count);
    pass(number);
    count = static_cast<Count>(checked(number));
  }
  template <class Derived>
  void pass(Eigen::PlainObjectBase<Derived>& numbers) {
    for (Eigen::Index i = 0; i < numbers.size(); ++i) pass(numbers.data()[i]);
  }
  void pass(State& state) { (*this)(state.t, state.q, state.v); }

  double next();
  static double checked(double count);

  std::vector<double>* saved_ = nullptr;
  std::span<const double> numbers_;
};

}  // namespace hamel
