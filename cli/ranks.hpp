// The processes that mpirun has started together, and what they send each other. They end when the first one does.
#pragma once

#include <optional>
#include <string>

namespace hamel::cli {

class Ranks {
 public:
  enum class Kind : int { ready, result, problem, work, end };
  struct Message {
    int from;
    Kind kind;
    std::string bytes;
  };

  Ranks();  // refused where hamel was built without MPI
  // Rank 0 tells the others to end, and all of them wait for each other; nothing of that without MPI.
  ~Ranks();  // NOLINT(performance-trivially-destructible)
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  void send(int to, Kind kind, const std::string& bytes = {});
  std::optional<Message> next();  // that has come; waits for nothing

 private:
  int rank_ = 0, size_ = 1;
};

}  // namespace hamel::cli
