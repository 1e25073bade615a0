// The time loop of a member on a GPU, around the step of a method (integrate/device_step.hpp).
#pragma once

#include <string>

namespace hamel {

// What the kernels hamel_run and hamel_run_long are given: the struct Run of the text. Number i of member m is at [i *
// members + m].
struct DeviceArguments {
  long long members;
  double t, h, last;  // the begin, the size of the steps, and of the last one
  double end;         // where that one ends
  double interval;    // between two outputs
  double late;        // outputs that are not before it are at the end
  int steps, every;   // an output after so many; 0: none
  const double *start, *own;
  const double* scalars;  // at the start
  double *finish, *kept, *path;
  int* outcome;  // failure, steps
};

std::string arguments_text();
std::string run_text();

}  // namespace hamel
