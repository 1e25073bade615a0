// Members of an ensemble on a GPU. Their starts and parameters are made here, their steps are taken there, and what is
// kept along the way is gathered there; series, momenta and what is kept of the end alone are watched here, by the same
// code as that of members on the CPU. What is unusual, a start that cannot be made or a step that cannot be taken, is
// left to the CPU.
#pragma once

#include <functional>
#include <vector>

#include "ensemble/member_group.hpp"
#include "hamel/ensemble/device_run.hpp"

namespace hamel {

class DeviceEnsemble {
 public:
  struct What {
    const Members& members;
    const Vary& vary;
    const Keep& keep;
    const WatchPlan& plan;
    const MemberMaker& make;
    const EnsembleMember& first;  // that can be started
  };
  explicit DeviceEnsemble(const What& what);  // refuses what does not fit

  // From the first member to the one before the last, with a thread for each group. Throws DeviceError, or Stopped when
  // it is over; what was handed to the sink before is whole.
  void run(Accelerator& device, std::uint64_t first, std::uint64_t last, std::vector<MemberGroup>& groups,
           const std::function<bool()>& is_over, const ChunkSink& sink);

 private:
  struct Block;
  std::uint64_t block_size() const;
  Block block_of(std::uint64_t first, Eigen::Index count) const;
  void begin(Block& block, std::size_t k, Watch& watch) const;
  void finish(Block& block, const DeviceChunk& chunk, Eigen::Index k, Watch& watch) const;
  void follow(Block& block, const DeviceChunk& chunk, Eigen::Index k, Watch& watch) const;
  void run_alone(Block& block, std::vector<MemberGroup>& groups, const std::function<bool()>& is_over) const;
  double output_time(std::size_t output) const;

  What what_;
  int steps_between_ = 0;  // two outputs; 0: only the end is looked at
  int outputs_ = 0;        // on the way, whose states come back
  double start_;
  bool gathers_;
  DeviceRun run_;
  int steps_;
};

}  // namespace hamel
