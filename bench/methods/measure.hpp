// What a method makes of a motion, and what that costs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hamel/integrate/stepper.hpp"

namespace hamel::bench {

// A motion to be integrated.
struct Subject {
  std::string name, file;  // in words; in names of files
  System system;
  State start;
  double duration;
  VectorXd end = {};  // the true q after it, where the motion is regular enough to ask
};

Subject double_pendulum();  // as in examples/demo.cpp
Subject chain_of_ten();     // as in hamel_bench
// Turning about its intermediate axis; it flips over and over again.
Subject tumbling_body();

// A method at several steps, or tolerances.
struct Family {
  std::string name, colour;
  std::function<Method(double)> with;
  std::vector<double> steps;
};

struct Measurement {
  double step;   // or tolerance
  double error;  // of the energy: the largest, relative to the largest T + |U|
  double cost;   // seconds of CPU per second of motion
  double way;    // the largest error of an entry of q at the end, where that is known
};

// In native code, whose compilation is not counted. Throws where a step cannot be taken.
Measurement measure(const Subject& subject, const Method& method, double step);

// Seconds of CPU that a run of the stepper takes; it has been started.
double seconds_until(Stepper& stepper, double end);

}  // namespace hamel::bench
