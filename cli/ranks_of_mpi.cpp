#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include <mpi.h>

#include <chrono>
#include <thread>

#include "ranks.hpp"

namespace hamel::cli {

// Other threads compute; this one alone sends and receives. What fails in MPI itself ends all ranks.
Ranks::Ranks() {
  int given = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

// What is still on its way is received, so that nobody waits for it.
Ranks::~Ranks() {
  if (rank_ == 0) {
    for (int to = 1; to < size_; ++to) send(to, Kind::end);
    for (int left = size_ - 1; left > 0;) {
      const auto message = next();
      if (message && message->kind == Kind::end) --left;
      if (!message) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  } else {
    send(0, Kind::end);
  }
  MPI_Finalize();
}

void Ranks::send(int to, Kind kind, const std::string& bytes) {
  MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, static_cast<int>(kind), MPI_COMM_WORLD);
}

std::optional<Ranks::Message> Ranks::next() {
  int has_come = 0, size = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &has_come, &status);
  if (has_come == 0) return std::nullopt;
  MPI_Get_count(&status, MPI_BYTE, &size);
  Message message{status.MPI_SOURCE, static_cast<Kind>(status.MPI_TAG),
                  std::string(static_cast<std::size_t>(size), '\0')};
  MPI_Recv(message.bytes.data(), size, MPI_BYTE, message.from, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return message;
}

}  // namespace hamel::cli
