// All equilibria that can be found, each with its linear model, its energy and a verdict about its stability.
//
//   for (const Equilibrium& one : equilibria(system).found)
//     fmt::print("{}: {}\n", one.name, name(one.stability.verdict));
//
// Where the energy is linear in each of the spheres that a configuration is made of, as of chains, all are known and
// are enumerated. Otherwise Newton's method starts at many places, always the same ones; equilibria that can be walked
// to from one another, without leaving rest, are one family. That there are none is proved where a momentum changes at
// a constant rate, and is "none found" otherwise. Where a system with forces has none at rest, steady motions are
// looked for in which drag balances what drives: a body falls at a constant speed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hamel/analyze/stability.hpp"

namespace hamel {

struct Equilibrium {
  std::string name;   // that of a known point; "hanging", "inverted", "+-+" of links; or its number
  std::string signs;  // of links that are vertical: + up, - down; otherwise empty
  LinearModel linear;
  double energy = 0;  // 0 of a field, and where drag takes it away
  double rate = 0;    // of steady motions that were asked for by their momentum
  // Of a steady motion in which drag balances what drives: along which symmetry of the motion, how fast.
  std::vector<std::pair<std::string, double>> drift = {};
  Stability stability;
};

struct EquilibriaOptions {
  VectorXd inputs = {};   // constant ones; none: zero
  Generator moving = {};  // of steady motions; none: rest
  // Instead: the steady motions along a symmetry that have this momentum, at whatever rate.
  const ConservedMomentum* symmetry = nullptr;
  double momentum = 0;
  double t = 0;
  std::vector<std::pair<std::string, VectorXd>> known = {};  // points with names, where the search begins
  unsigned seed = 1;
  int starts = 0;  // of Newton's method; 0: enough for so many equilibria as it finds
};

struct Equilibria {
  std::vector<Equilibrium> found;  // by energy
  bool is_complete = false;        // enumerated, or proved to be none
  int starts = 0;                  // of the search
  std::string remark;              // how complete it is, and why
  std::vector<ConservedMomentum> symmetries;

  const Equilibrium* find(const std::string& name) const;  // by name or signs; null: none
};
Equilibria equilibria(const System& system, const EquilibriaOptions& options = {});

// What equilibria() refuses because of its size, without deriving anything: see docs/known-problems.md.
void refuse_large(const Model& model, bool has_known);

}  // namespace hamel
