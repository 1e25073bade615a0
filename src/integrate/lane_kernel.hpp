// A kernel in eight lanes: the constants of each lane follow from parameters of its own, or are those of all.
#pragma once

#include <array>

#include "hamel/derive/kernel.hpp"
#include "hamel/integrate/lane_stepper.hpp"
#include "integrate/lane_arithmetic.hpp"

namespace hamel {

class LaneKernel {
 public:
  LaneKernel(const Kernel& kernel, LaneParameters parameters)
      : program_(parameters == LaneParameters::own ? kernel.program().varied() : kernel.program()),
        is_empty_(kernel.empty()),
        has_own_(parameters == LaneParameters::own),
        constants_(has_own_ ? LaneBlock(kernel.constants().size()) : LaneBlock()),
        uniform_(kernel.constants()),
        scratch_(static_cast<long>((program_.scratch_size(8) + 7) / 8)) {
    for (int lane = 0; has_own_ && lane < 8; ++lane) constants_.put(lane, kernel.constants());
  }

  bool empty() const { return is_empty_; }
  const Program& program() const { return program_; }
  const double* constants() const { return has_own_ ? constants_.data() : uniform_.data(); }
  void set(int lane, const Kernel& member) {
    if (has_own_) constants_.put(lane, member.constants());
  }

  void take(int lane, const LaneKernel& other, int from) {
    for (std::size_t i = 0; i < constants_.rows(); ++i)
      constants_[static_cast<long>(i)][lane] = other.constants_[static_cast<long>(i)][from];
  }

  template <std::size_t inputs, std::size_t outputs>
  void run(std::array<const double*, inputs + 1> in, const std::array<double*, outputs>& out) {
    in[inputs] = constants();
    program_.run_lanes<8>(in.data(), out.data(), scratch_.data());
  }

 private:
  Program program_;
  bool is_empty_, has_own_;
  LaneBlock constants_;
  VectorXd uniform_;
  LaneBlock scratch_;
};

}  // namespace hamel
