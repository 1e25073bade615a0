// Equilibria in a page: their eigenvalues in the complex plane, their modes, and where the page's film shows each.
#pragma once

#include <string>
#include <vector>

namespace hamel {

struct PlaneMark {
  double re = 0, im = 0;
  int count = 1, block = 1;
  std::string cause = {};  // symmetries, of a zero
  int mode = -1;           // that belongs to it, of the place
};

// A piece of the page's time. Where it does not loop, its end is not its beginning.
struct Clip {
  double begin = 0, end = 0;
  bool loops = true;
};

struct ShownMode {
  double re = 0, im = 0;
  double frequency = 0, damping_ratio = 0;
  int block = 1;
  std::string course;            // "grows"
  std::string moves;             // what moves: "q[2], q[1] 40 %"
  std::string symmetry = {};     // that causes it
  bool closed = false;           // of the closed loop
  std::vector<Clip> clips = {};  // one for each amplitude; none where it is not drawn
};

struct ShownPlace {
  std::string name;
  std::string verdict = {}, reason = {};
  double energy = 0;
  int family = 0;  // dimension
  std::vector<PlaneMark> open = {}, closed = {};
  std::vector<ShownMode> modes = {};
  Clip rest = {};
};

struct ModesPart {
  std::vector<std::string> amplitudes;
  bool has_energy = true;
  std::vector<ShownPlace> places;
};

}  // namespace hamel
