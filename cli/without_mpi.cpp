#include "command.hpp"
#include "ranks.hpp"

namespace hamel::cli {

Ranks::Ranks() {
  throw UsageError(
      "this hamel was built without MPI: install Open MPI or MPICH (on Debian: apt-get install openmpi-bin "
      "libopenmpi-dev) and build it again, or run on cpu, with --threads");
}
Ranks::~Ranks() = default;
void Ranks::send(int, Kind, const std::string&) {}
std::optional<Ranks::Message> Ranks::next() { return std::nullopt; }

}  // namespace hamel::cli
