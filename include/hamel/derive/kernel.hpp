// A Kernel is two programs. Everything that depends on parameters alone is computed by the first, when the parameters
// get values, and is read as constants by the second, whenever that runs:
//
//   constants   parameters -> constants
//   body        (inputs, constants) -> outputs
//
// Copies share both; set_parameters gives a copy other constants.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hamel/graph/sequence.hpp"
#include "hamel/manifold/manifold.hpp"
#include "hamel/program/program.hpp"

namespace hamel {

struct Parameters {
  std::vector<Expr> variables;
  VectorXd values;
};

// Numbers that follow from parameters.
class Constants {
 public:
  Constants() = default;
  Constants(std::span<const Expr> formulas, const Parameters& parameters);
  void set_parameters(In values);
  const VectorXd& values() const { return values_; }

 private:
  std::shared_ptr<const Sequence> formulas_;
  VectorXd values_;
};

class Kernel {
 public:
  Kernel() = default;
  // The last `uniform_groups` of the inputs are the same for all lanes.
  Kernel(const std::string& name, const Program::Groups& inputs, const Program::Groups& outputs,
         const Parameters& parameters, std::size_t uniform_groups = 0);

  bool empty() const { return input_groups_ == 0; }
  const Program& program() const { return program_; }
  void set_parameters(In values) { constants_.set_parameters(values); }  // of all parameters it was made with
  const VectorXd& constants() const { return constants_.values(); }
  bool has_finite_constants() const { return constants().allFinite(); }

  // `in` has one pointer per input group (its last place is for the constants); `scratch` scratch_size() doubles.
  template <std::size_t inputs, std::size_t outputs>
  void run(std::array<const double*, inputs + 1> in, const std::array<double*, outputs>& out, double* scratch) const {
    in[inputs] = constants_.values().data();
    program_.run(in.data(), out.data(), scratch);
  }
  // On several states at once; the constants are the same for all of them.
  template <int lanes, std::size_t inputs, std::size_t outputs>
  void run_lanes(std::array<const double*, inputs + 1> in, const std::array<double*, outputs>& out,
                 double* scratch) const {
    in[inputs] = constants_.values().data();
    program_.run_lanes<lanes>(in.data(), out.data(), scratch);
  }

 private:
  Program program_;
  Constants constants_;
  std::size_t input_groups_ = 0;
};

}  // namespace hamel
