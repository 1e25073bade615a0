// A Kernel is a Program whose parameters have been given values: everything that depends on parameters alone is
// computed once, here, and read as constants when it runs.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "hamel/manifold/manifold.hpp"
#include "hamel/program/program.hpp"

namespace hamel {

struct Parameters {
  std::vector<Expr> variables;
  VectorXd values;
};

class Kernel {
 public:
  Kernel() = default;
  // The last `uniform_groups` of the inputs are the same for all lanes.
  Kernel(const std::string& name, const Program::Groups& inputs, const Program::Groups& outputs,
         const Parameters& parameters, std::size_t uniform_groups = 0);

  bool empty() const { return input_groups_ == 0; }
  const Program& program() const { return program_; }
  const VectorXd& constants() const { return constants_; }
  bool has_finite_constants() const { return constants_.allFinite(); }

  // `in` has one pointer per input group (its last place is for the constants); `scratch` scratch_size() doubles.
  template <std::size_t inputs, std::size_t outputs>
  void run(std::array<const double*, inputs + 1> in, const std::array<double*, outputs>& out, double* scratch) const {
    in[inputs] = constants_.data();
    program_.run(in.data(), out.data(), scratch);
  }
  // On several states at once; the constants are the same for all of them.
  template <int lanes, std::size_t inputs, std::size_t outputs>
  void run_lanes(std::array<const double*, inputs + 1> in, const std::array<double*, outputs>& out,
                 double* scratch) const {
    in[inputs] = constants_.data();
    program_.run_lanes<lanes>(in.data(), out.data(), scratch);
  }

 private:
  Program program_;
  VectorXd constants_;
  std::size_t input_groups_ = 0;
};

}  // namespace hamel
