// What can be taken hold of in the picture of a state, and where the state goes when it is pulled.
//
//   const Grasp grasp(file);
//   grasp.grips(state)[0].at;                                             // where the first one is
//   const State next = grasp.pulled(system, state, 0, {0, 0, 1});         // as near to that place as it gets
//   start_entries(file, system, state, next);                             // as `hamel run --start` takes them
//
// A point is moved by what moves it alone: the bob of a link by its direction, a cart along its rail, a free point
// itself. A body is turned at the ends of its axes. Every step is a retraction, so that the state stays on its
// manifold.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "hamel/language/model_file.hpp"
#include "hamel/program/program.hpp"

namespace hamel {

struct Grip {
  std::string name;  // x[2]; R, axis 1
  bool turns;        // the end of an axis or of a direction; otherwise a place
  Eigen::Vector3d at, velocity;
};

class Grasp {
 public:
  static constexpr std::size_t most = 40;

  // For the parameters of the file.
  explicit Grasp(const ModelFile& file);

  std::vector<Grip> grips(const State& state) const;
  std::size_t left_out() const { return left_out_; }  // beyond the most

  // Angular velocities stay what they are, and the rates of what does not turn.
  State pulled(const System& system, const State& state, std::size_t grip, const Eigen::Vector3d& to) const;
  State pushed(const System& system, const State& state, std::size_t grip, const Eigen::Vector3d& velocity) const;

 private:
  struct Block {
    Manifold space;
    int offset, size;
  };
  struct Held {
    std::string name;
    bool turns;
    std::vector<Block> moving;
    std::size_t columns;  // of its derivative
  };
  struct Seen {  // one after another, of all grips
    VectorXd base, at, velocity;
    std::vector<Eigen::MatrixXd> derivative;
  };
  Seen look(const State& state) const;
  Eigen::MatrixXd along_bases(const Held& held, const VectorXd& q, const Eigen::MatrixXd& derivative,
                              Eigen::MatrixXd& bases) const;
  const Held& held(std::size_t grip) const;
  void carry_rates(const Held& held, const State& from, State& to) const;

  std::vector<Held> held_;
  std::size_t left_out_ = 0;
  Program program_;
  VectorXd parameters_;
};

// The entries of [start] that make it `next`: key, expression. `now` is the start of the file; what did not change is
// not said. The next state is put on the constraints first, with its rates.
Overrides start_entries(const ModelFile& file, const System& system, const State& now, const State& next);

}  // namespace hamel
