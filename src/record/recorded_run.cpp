#include "hamel/record/recorded_run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <stdexcept>

#include "hamel/integrate/request.hpp"
#include "hamel/integrate/stepper.hpp"
#include "hamel/record/watched.hpp"
#include "hamel/record/writer.hpp"

namespace hamel {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// Rings so often, at most. Fast steps look at the clock now and then only.
class Alarm {
 public:
  explicit Alarm(double seconds) : seconds_(seconds) {}
  bool rings() {
    if (++steps_ % look_every_ != 0 || seconds_since(last_) < seconds_) return false;
    look_every_ = std::max(steps_ / 64, 1L);
    steps_ = 0;
    last_ = Clock::now();
    return true;
  }

 private:
  double seconds_;
  Clock::time_point last_ = Clock::now();
  long steps_ = 0, look_every_ = 1;
};

Invariants invariants_of(const System& system, const RunSettings& settings) {
  const InputsAre inputs = settings.control.law ? InputsAre::anything : InputsAre::zero;
  return {system, settings.symmetries ? *settings.symmetries : conserved_momenta(system.model(), inputs)};
}

class RecordedRun {
 public:
  RecordedRun(const System& system, const State& start, const Method& method, const RunSettings& settings,
              const RecordHeader& known)
      : system_(system),
        settings_(settings),
        method_(method),
        invariants_(invariants_of(system, settings)),
        monitor_(system, invariants_.momenta, settings.outputs, settings.conserved),
        flush_(settings.flush_seconds),
        report_(settings.progress_seconds),
        begin_t_(start.t) {
    const RecordHeader header =
        header_of_run(known, system, method, invariants_, monitor_, settings.outputs, start.t, settings.until);
    if (settings.resume)
      resume(start, header);
    else
      begin(start, header);
    steps_before_ = run_->trajectory().steps;
    t_before_ = run_->time();
  }

  RunSummary operator()() {
    try {
      while (!is_stopped() && run_->advance()) {
        if (writer_ && is_time_to_flush()) save();
        if (settings_.progress && report_.rings()) settings_.progress(progress());
      }
      if (writer_ && has_news_) save();
    } catch (const RecordError&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      keep_rows(error);
    }
    if (settings_.progress) settings_.progress(progress());
    return summary();
  }

 private:
  Until until() const {
    Until until = settings_.until;
    until.keep = false;
    return until;
  }
  Observer observer() {
    return [this](const State& state) {
      const Sample& sample = monitor_(state);
      if (writer_) writer_->append(sample);
      return true;
    };
  }
  Control control() { return measured(settings_.control, system_, method_, monitor_); }

  void begin(const State& start, const RecordHeader& header) {
    monitor_.measurement().prepare(expected_outputs(start.t));
    if (!settings_.path.empty()) writer_.emplace(settings_.path, header, settings_.overwrite);
    run_.emplace(system_, start, method_, until(), observer(), control());
    if (!writer_) return;
    writer_->set_tier(is_native() ? "native" : "interpreted");
    save();
  }

  void resume(const State& start, const RecordHeader& header) {
    if (settings_.path.empty()) throw std::invalid_argument("a run can be resumed only from the path of its record");
    writer_.emplace(RecordWriter::resume(settings_.path, header, start, settings_.on_another_machine));
    const Savepoint& from = writer_->savepoint();
    if (settings_.until.t < from.checkpoint.t)
      throw std::invalid_argument(fmt::format("{} has reached t = {:.9g} already, beyond the end time {:.9g}",
                                              settings_.path, from.checkpoint.t, settings_.until.t));
    Memory memory(std::span<const double>(from.monitor));
    monitor_.remember(memory);
    monitor_.measurement().prepare(expected_outputs(from.checkpoint.t));
    wall_before_ = from.wall_seconds;
    has_news_ = !from.finished && from.checkpoint.t >= settings_.until.t;
    const bool goes_on = from.finished && from.checkpoint.t < settings_.until.t;
    run_.emplace(system_, from.checkpoint, method_, until(), observer(), control());
    if (goes_on) save();  // no longer finished: a kill may leave more rows in some datasets than in others
  }

  double expected_outputs(double start) const {
    const double interval = settings_.until.every > 0 ? settings_.until.every : fixed_step(method_),
                 all = settings_.until.t - start;
    return interval > 0 ? all / interval : 1000;
  }
  bool is_native() const {
    const std::vector<bool> native = make_stepper(system_, method_)->native();
    return std::find(native.begin(), native.end(), true) != native.end();
  }
  bool is_stopped() const { return settings_.stop != nullptr && settings_.stop->load(std::memory_order_relaxed); }
  bool is_finished() const { return !(run_->time() < settings_.until.t); }

  bool is_time_to_flush() {
    constexpr std::size_t most_waiting = 16 << 20;
    has_news_ = true;
    return writer_->bytes_waiting() > most_waiting || flush_.rings();
  }

  void save() {
    Savepoint point{.rows = writer_->rows(),
                    .finished = is_finished(),
                    .wall_seconds = wall_seconds(),
                    .monitor = {},
                    .checkpoint = run_->checkpoint()};
    Memory memory(point.monitor);
    monitor_.remember(memory);
    writer_->commit(point);
    has_news_ = false;
  }

  void save_failure(const RunSummary& so_far) {
    Savepoint::Failure failure{.why = so_far.failure,
                               .rows = writer_->rows(),
                               .steps = so_far.steps,
                               .wall_seconds = so_far.wall_seconds,
                               .monitor = {}};
    Memory memory(failure.monitor);
    monitor_.remember(memory);
    writer_->fail(failure);
  }

  // A step that failed leaves no savepoint; the rows before it are as good as any.
  [[noreturn]] void keep_rows(const std::exception& error) {
    RunSummary so_far = summary();
    so_far.failure = error.what();
    if (writer_) save_failure(so_far);
    throw RunError(std::move(so_far), writer_ ? writer_->kept() : "");
  }

  double wall_seconds() const { return wall_before_ + seconds_since(began_); }

  Progress progress() const {
    const double elapsed = std::max(seconds_since(began_), 1e-9), all = settings_.until.t - begin_t_;
    const auto steps = run_->trajectory().steps;
    const double rate = (run_->time() - t_before_) / elapsed;
    return {.t = run_->time(),
            .fraction = all > 0 ? (run_->time() - begin_t_) / all : 1,
            .steps_per_second = static_cast<double>(steps - steps_before_) / elapsed,
            .seconds_left = rate > 0 ? (settings_.until.t - run_->time()) / rate : 0,
            .energy_error = monitor_.statistics().energy_error(),
            .steps = steps,
            .outputs = run_->trajectory().outputs};
  }

  RunSummary summary() const {
    RunSummary result = summary_of(monitor_, invariants_, method_, *run_, settings_.until.t);
    result.wall_seconds = wall_seconds();
    result.finished = is_finished();
    return result;
  }

  const System& system_;
  const RunSettings& settings_;
  const Method& method_;
  Invariants invariants_;
  Monitor monitor_;
  std::optional<RecordWriter> writer_;
  std::optional<Integration> run_;
  Alarm flush_, report_;
  Clock::time_point began_ = Clock::now();
  double begin_t_, t_before_ = 0, wall_before_ = 0;
  std::size_t steps_before_ = 0;
  bool has_news_ = false;
};

}  // namespace

RunSummary recorded_run(const System& system, const State& start, const Method& method, const RunSettings& settings,
                        const RecordHeader& header) {
  if (!settings.until.events.empty())
    throw std::invalid_argument("records keep no events; use integrate(), or an Integration, to find them");
  return RecordedRun(system, start, method, settings, header)();
}

}  // namespace hamel
