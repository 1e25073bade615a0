// Many members of one system. An ensemble has three independent arguments: what varies, what is kept, where it runs.
//
//   const Members members{system, starts_from(start, system.model(), vary), Variational{.step = 0.01}, {.t = 10}};
//   const EnsembleTable table = ensemble(members, grid("m", 1, 2, 100), {.final_state = true}, {.threads = 8});
//   table.kept(7, 1)
//
// Every member is the run that `integrate` makes of it alone, to the bit, for any number of threads. One that fails is
// reported and does not stop the others. Chunks of rows come in the order of the members, and memory does not grow with
// their number.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "hamel/ensemble/keep.hpp"
#include "hamel/ensemble/starts.hpp"
#include "hamel/ensemble/vary.hpp"

namespace hamel {

class Accelerator;  // program/device.hpp

// What all members share.
struct Members {
  System system;
  StartOf start;
  Method method;
  Until until;                      // no states are kept; what happens is in Keep::events
  bool starts_are_checked = false;  // System::check has seen what `start` gives
};

enum class Device : std::uint8_t { cpu, cuda, mpi };
Device device_named(const std::string& name);  // refuses others
const std::vector<std::string>& device_names();
struct Where {
  Device on = Device::cpu;
  unsigned threads = 0;                                            // 0: as many as there are cores
  std::uint64_t first = 0;                                         // member: those before it are done already
  std::uint64_t last = std::numeric_limits<std::uint64_t>::max();  // those from it on are left to others
  const std::atomic<bool>* stop = nullptr;
  Accelerator* gpu = nullptr;  // on cuda; null: find_device()
};

struct MemberFailure {
  std::uint64_t member;
  std::string why;
};

using MemberRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Some members, one after another.
struct EnsembleChunk {
  std::uint64_t first = 0;
  MemberRows varied, kept;  // a row for each member
  std::vector<MemberFailure> failures;
  std::size_t size() const { return static_cast<std::size_t>(kept.rows()); }
};

// The columns of `kept`: "t", where the run of the member ended, then what Keep says, series last. Refuses what cannot
// be kept.
std::vector<KeptColumn> kept_columns(const Members& members, const Vary& vary, const Keep& keep);

// Refuses, in a sentence, what does not run there. On cuda the members are those of the CPU, to the bit where no
// function like sin is involved: a member per thread of the GPU, and what is unusual on the CPU.
void check_where(const Members& members, const Vary& vary, const Keep& keep, const Where& where);

// Hands chunk after chunk to the sink, in this thread. False if it was stopped.
using ChunkSink = std::function<void(const EnsembleChunk&)>;
bool ensemble(const Members& members, const Vary& vary, const Keep& keep, const Where& where, const ChunkSink& sink);

// All of it, in memory.
struct EnsembleTable : EnsembleChunk {
  std::vector<std::string> varied_columns;
  std::vector<KeptColumn> kept_columns;
};
EnsembleTable ensemble(const Members& members, const Vary& vary, const Keep& keep, const Where& where = {});

}  // namespace hamel
