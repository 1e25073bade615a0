#include "sweep_ranks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <future>
#include <map>
#include <thread>

namespace hamel::cli {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Kind = Ranks::Kind;

constexpr std::uint64_t group = 64;           // of members; chunks have whole ones
constexpr double seconds_of_work = 0.5;       // in a chunk
constexpr double most_chunk_bytes = 4 << 20;  // of rows
constexpr std::size_t chunks_ahead = 4;       // of each rank, that wait for one before them

struct Span {
  std::uint64_t first = 0, last = 0;
};

class Bytes {
 public:
  Bytes() = default;
  explicit Bytes(const std::string& text) : text_(text) {}

  template <class T>
  void put(const T* from, std::size_t count) {
    text_.append(reinterpret_cast<const char*>(from), count * sizeof(T));
  }
  template <class T>
  void get(T* to, std::size_t count) {
    if (text_.size() - at_ < count * sizeof(T)) throw std::runtime_error("a message of another rank is too short");
    std::memcpy(to, text_.data() + at_, count * sizeof(T));
    at_ += count * sizeof(T);
  }
  template <class T>
  T number() {
    T value{};
    get(&value, 1);
    return value;
  }
  bool is_at_end() const { return at_ == text_.size(); }
  std::string rest() const { return text_.substr(at_); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

std::string bytes_of(const Span& span) {
  Bytes bytes;
  bytes.put(&span, 1);
  return bytes.text();
}

std::string bytes_of(const EnsembleChunk& chunk) {
  Bytes bytes;
  bytes.put(&chunk.first, 1);
  for (const MemberRows* rows : {&chunk.varied, &chunk.kept}) {
    const Eigen::Index sizes[] = {rows->rows(), rows->cols()};
    bytes.put(sizes, 2);
    bytes.put(rows->data(), static_cast<std::size_t>(rows->size()));
  }
  for (const MemberFailure& failure : chunk.failures) {
    const std::size_t length = failure.why.size();
    bytes.put(&failure.member, 1);
    bytes.put(&length, 1);
    bytes.put(failure.why.data(), length);
  }
  return bytes.text();
}

EnsembleChunk chunk_of(const std::string& text) {
  Bytes bytes(text);
  EnsembleChunk chunk;
  chunk.first = bytes.number<std::uint64_t>();
  for (MemberRows* rows : {&chunk.varied, &chunk.kept}) {
    Eigen::Index sizes[2];
    bytes.get(sizes, 2);
    rows->resize(sizes[0], sizes[1]);
    bytes.get(rows->data(), static_cast<std::size_t>(rows->size()));
  }
  while (!bytes.is_at_end()) {
    const auto member = bytes.number<std::uint64_t>();
    std::string why(bytes.number<std::size_t>(), '\0');
    bytes.get(why.data(), why.size());
    chunk.failures.push_back({member, why});
  }
  return chunk;
}

// What must be the same in all ranks, and what the last bits depend on.
struct Identity {
  explicit Identity(const SweepHeader& header)
      : sweep(fmt::format("{}\n{}\n{}\n{}\n{}\n{}", header.hamel_version, header.model_text, header.settings,
                          header.varied, header.vary_texts, header.members)),
        machine(fmt::format("{}", header.machine)) {}
  std::string sweep, machine;
};

std::string bytes_of(const Identity& identity) {
  Bytes bytes;
  const std::size_t length = identity.sweep.size();
  bytes.put(&length, 1);
  bytes.put(identity.sweep.data(), length);
  bytes.put(identity.machine.data(), identity.machine.size());
  return bytes.text();
}

// One chunk at a time, in a thread of its own.
class ChunkWorker {
 public:
  ChunkWorker(const FileSweep& sweep, Where where) : sweep_(sweep), where_(where) { where_.stop = &stops_; }
  ~ChunkWorker() { stop(); }
  ChunkWorker(const ChunkWorker&) = delete;
  ChunkWorker& operator=(const ChunkWorker&) = delete;

  bool is_free() const { return !result_.valid(); }
  void begin(const Span& span) {
    where_.first = span.first;
    where_.last = span.last;
    result_ = std::async(std::launch::async,
                         [this] { return ensemble(sweep_.members(), sweep_.vary(), sweep_.keep(), where_); });
  }
  std::optional<EnsembleChunk> finished() {
    if (!result_.valid() || result_.wait_for(0s) != std::future_status::ready) return std::nullopt;
    return result_.get();
  }
  void stop() {
    stops_ = true;
    if (result_.valid()) result_.wait();
  }

 private:
  const FileSweep& sweep_;
  Where where_;
  std::atomic<bool> stops_ = false;
  std::future<EnsembleTable> result_;
};

class HandOut {
 public:
  HandOut(Ranks& ranks, const FileSweep& sweep, const Where& where, bool on_another_machine, const ChunkSink& sink)
      : ranks_(ranks),
        here_(sweep.header()),
        on_another_machine_(on_another_machine),
        sink_(sink),
        stop_(where.stop),
        members_(sweep.vary().members()),
        worker_(sweep, where),
        most_(std::max(group, static_cast<std::uint64_t>(
                                  most_chunk_bytes /
                                  (8.0 * static_cast<double>(sweep.header().kept_width() + sweep.vary().width())))) /
              group * group),
        next_(where.first),
        written_(where.first) {}

  bool run() {
    give(0);
    while (written_ < members_) {
      if (stop_ != nullptr && *stop_) return false;
      if (!look()) std::this_thread::sleep_for(1ms);
    }
    return true;
  }

 private:
  // False: nothing has happened.
  bool look() {
    bool has_happened = false;
    while (auto message = ranks_.next()) {
      hear(*message);
      has_happened = true;
    }
    if (auto chunk = worker_.finished()) {
      take(0, std::move(*chunk));
      has_happened = true;
    }
    for (auto found = done_.find(written_); found != done_.end(); found = done_.find(written_)) {
      written_ += found->second.size();
      sink_(found->second);
      done_.erase(found);
    }
    const std::vector<int> idle = std::move(idle_);
    idle_.clear();
    for (const int rank : idle) give(rank);
    return has_happened;
  }

  void hear(const Ranks::Message& message) {
    switch (message.kind) {
      case Kind::ready:
        check(message);
        return give(message.from);
      case Kind::result:
        return take(message.from, chunk_of(message.bytes));
      case Kind::problem:
        throw RankError(fmt::format("rank {} of {}: {}", message.from, ranks_.size(), message.bytes));
      case Kind::work:
      case Kind::end:
        break;
    }
  }

  void check(const Ranks::Message& message) const {
    Bytes bytes(message.bytes);
    std::string sweep(bytes.number<std::size_t>(), '\0');
    bytes.get(sweep.data(), sweep.size());
    if (sweep != here_.sweep)
      throw RankError(fmt::format(
          "rank {} has another sweep than rank 0: the model file, an option or the version of hamel differs there",
          message.from));
    if (!on_another_machine_ && bytes.rest() != here_.machine)
      throw RankError(
          fmt::format("rank {} has another processor, compiler, flags or libm than rank 0, and the last bits may "
                      "differ: --on-another-machine goes on all the same",
                      message.from));
  }

  void take(int from, EnsembleChunk&& chunk) {
    const Given& given = given_.at(from);
    if (chunk.first != given.span.first || chunk.size() != given.span.last - given.span.first) {
      if (stop_ != nullptr && *stop_) return;
      throw RankError(fmt::format("rank {} has not done the members that it was given", from));
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - given.since).count();
    rate_ = static_cast<double>(chunk.size()) / std::max(seconds, 1e-3);
    done_.emplace(chunk.first, std::move(chunk));
    idle_.push_back(from);
  }

  // Long enough to be worth a message, short enough that all end together.
  std::uint64_t chunk_size() const {
    const auto fair = (members_ - next_) / (2 * static_cast<std::uint64_t>(ranks_.size()));
    const auto wanted = std::min({static_cast<std::uint64_t>(rate_ * seconds_of_work), fair, most_});
    return std::max(group, wanted / group * group);
  }

  void give(int rank) {
    if (next_ >= members_) return;
    if (done_.size() >= chunks_ahead * static_cast<std::size_t>(ranks_.size())) return idle_.push_back(rank);
    // At a whole number of groups from the first member, also where a sweep goes on after some of one.
    const std::uint64_t end = std::min((next_ + chunk_size()) / group * group, members_);
    const Span span{next_, std::max(end, std::min(next_ + 1, members_))};
    next_ = span.last;
    given_[rank] = {span, Clock::now()};
    if (rank == 0)
      worker_.begin(span);
    else
      ranks_.send(rank, Kind::work, bytes_of(span));
  }

  struct Given {
    Span span;
    Clock::time_point since;
  };
  Ranks& ranks_;
  const Identity here_;
  const bool on_another_machine_;
  const ChunkSink& sink_;
  const std::atomic<bool>* stop_;
  const std::uint64_t members_;
  ChunkWorker worker_;
  const std::uint64_t most_;  // members of a chunk
  std::uint64_t next_, written_;
  double rate_ = 0;  // members per second of a rank
  std::map<int, Given> given_;
  std::map<std::uint64_t, EnsembleChunk> done_;  // that wait for those before them
  std::vector<int> idle_;
};

}  // namespace

bool hand_out(Ranks& ranks, const FileSweep& sweep, const Where& where, bool on_another_machine,
              const ChunkSink& sink) {
  return HandOut(ranks, sweep, where, on_another_machine, sink).run();
}

void work_for_others(Ranks& ranks, const std::function<const FileSweep&()>& sweep, const Where& where) {
  bool has_failed = false;
  const auto attempt = [&](auto work) {
    if (has_failed) return;
    try {
      work();
    } catch (const std::exception& error) {
      has_failed = true;
      ranks.send(0, Kind::problem, error.what());
    }
  };
  std::optional<ChunkWorker> worker;
  attempt([&] {
    worker.emplace(sweep(), where);
    ranks.send(0, Kind::ready, bytes_of(Identity(sweep().header())));
  });
  while (true) {
    const auto message = ranks.next();
    if (message && message->kind == Kind::end) return;
    attempt([&] {
      if (message && message->kind == Kind::work) worker->begin(Bytes(message->bytes).number<Span>());
      if (const auto chunk = worker->finished()) ranks.send(0, Kind::result, bytes_of(*chunk));
      if (*where.stop) throw std::runtime_error("it was told to stop by a signal");
    });
    if (!message) std::this_thread::sleep_for(1ms);
  }
}

}  // namespace hamel::cli
