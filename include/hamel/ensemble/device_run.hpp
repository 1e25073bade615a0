// Many members of one system on a GPU: a member per thread, the time loop inside the kernel.
//
//   const auto device = find_device();                                 // NoDevice: use the CPU
//   DeviceRun run(system, Rk4{.step = 0.01}, {.energy = true});        // refuses what does not fit
//   run(*device, members, 10.0, [&](const DeviceChunk& chunk) { ... });
//
// Members differ in their starts, in parameters and in inputs, which are held. Results come in chunks of members, in
// order; while one is computed the next is brought there and the last one back, and what was handed over is safe
// whatever happens to the device. Numbers have the bits of the same stepper on the CPU where no function of libm is
// involved, and are equal to rounding where one is.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hamel/ensemble/keep.hpp"
#include "hamel/integrate/device_step.hpp"
#include "hamel/program/device.hpp"

namespace hamel {

// One member per row.
struct DeviceMembers {
  double t = 0;
  MatrixXd q, v;
  std::vector<std::string> varied = {};  // parameters, one per column of:
  MatrixXd parameters = {};              // where none is named, all of them (parameter_values)
  MatrixXd u = {};                       // no row: 0; one row: the same for all
  MatrixXd scalars = {};                 // at the start, where something is gathered of them
};

// Over the start, the outputs and the end, as Keep has it (no series). Of a mean, the integral over time.
struct GatheredNumber {
  int scalar;
  Statistic statistic;
};

struct DeviceKeep {
  std::vector<Formula> scalars = {};  // of coordinates, rates, inputs, parameters and time; matrices entry by entry
  bool energy = false;                // one more, after them
  int every = 0;                      // an output after so many steps; 0: none
  double interval = 0;                // between two outputs; 0: as long as those steps
  // In the place of states at outputs, and of what is looked at in every step; needs can_gather.
  std::vector<GatheredNumber> gathered = {};
};

// Of `count` members, one per row. What a member that failed has is that of its last step before.
struct DeviceChunk {
  Eigen::Index first = 0, count = 0;
  MatrixXd q, v;                  // at the end
  MatrixXd least, largest, mean;  // of the scalars, over the start and the ends of all steps
  MatrixXd gathered;
  std::vector<double> times;  // of the states on the way
  std::vector<MatrixXd> path_q, path_v;
  std::vector<StepFailure> failure;
  std::vector<int> steps;  // that were taken
};

// Is the state there at outputs that of the CPU, to the bit? Poses of runs in quasi-velocities have none.
bool can_gather(const System& system, const Method& method);

class DeviceRun {
 public:
  DeviceRun(const System& system, const Method& method, DeviceKeep keep = {});  // the system must outlive it

  using Take = std::function<void(const DeviceChunk&)>;
  // To the time `until`, in chunks of at most so many members (0: as many as are good).
  void operator()(Accelerator& device, const DeviceMembers& members, double until, const Take& take,
                  Eigen::Index most_members = 0);

  int steps(double t, double until) const;  // that it takes
  // The text, where these numbers of the table differ between members, and these are zero for all of them.
  std::string text(const std::vector<bool>& differs, const std::vector<bool>& zeros = {}) const;
  std::string resources() const { return resources_; }  // of the last run's kernel
  double seconds() const { return seconds_; }           // of the last run, from the first transfer to the last

 private:
  bool gathers() const { return !keep_.gathered.empty(); }
  bool has_path() const { return keep_.every > 0 && !gathers(); }

  const System& system_;
  Method method_;
  DeviceKeep keep_;
  std::unique_ptr<DeviceStep> step_;
  int scalars_ = 0;
  std::string keep_text_;
  std::vector<bool> differs_;  // numbers of members so far: one text for all of them
  std::string resources_;
  double seconds_ = 0;
};

}  // namespace hamel
