#include "program/schedule.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

namespace hamel {
namespace {

constexpr std::size_t window = 256;  // measured: 128 to 1024 are alike, larger ones outgrow the cache
constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

struct Step {
  InstructionKind kind;
  std::uint8_t arity;
  std::uint32_t value;  // what it computes
  std::array<std::uint32_t, 3> argument;
};

std::vector<Step> steps_of(const Code& code) {
  std::vector<Step> steps;
  steps.reserve(code.operations.size());
  std::uint32_t value = code.first_operation();
  for (const Operation& operation : code.operations)
    steps.push_back({kind_of(operation.op), operation.arity, value++, operation.argument});
  return steps;
}

// Reorders one window so that steps of a kind stand together: always the kind that has most steps ready.
class WindowScheduler {
 public:
  explicit WindowScheduler(std::uint32_t values) : place_of_(values, nowhere) {}

  void operator()(std::span<Step> steps) {
    find_dependencies(steps);
    sorted_.clear();
    while (sorted_.size() < steps.size()) {
      auto& ready = *std::max_element(ready_.begin(), ready_.end(),
                                      [](const auto& a, const auto& b) { return a.size() < b.size(); });
      for (std::size_t next = 0; next < ready.size(); ++next) {  // grows while it is emptied
        const std::uint32_t place = ready[next];
        sorted_.push_back(steps[place]);
        release_users(steps, place);
      }
      ready.clear();
    }
    for (const Step& step : steps) place_of_[step.value] = nowhere;
    std::copy(sorted_.begin(), sorted_.end(), steps.begin());
  }

 private:
  struct Edge {
    std::uint32_t user, next;
  };

  void find_dependencies(std::span<const Step> steps) {
    edges_.clear();
    first_edge_.assign(steps.size(), nowhere);
    missing_.assign(steps.size(), 0);
    for (std::uint32_t place = 0; place < steps.size(); ++place) {
      const Step& step = steps[place];
      for (std::size_t i = 0; i < step.arity; ++i) {
        const std::uint32_t source = place_of_[step.argument[i]];
        if (source == nowhere) continue;
        edges_.push_back({place, first_edge_[source]});
        first_edge_[source] = static_cast<std::uint32_t>(edges_.size() - 1);
        ++missing_[place];
      }
      place_of_[step.value] = place;
      if (missing_[place] == 0) ready_[step.kind].push_back(place);
    }
  }

  void release_users(std::span<const Step> steps, std::uint32_t place) {
    for (std::uint32_t edge = first_edge_[place]; edge != nowhere; edge = edges_[edge].next) {
      const std::uint32_t user = edges_[edge].user;
      if (--missing_[user] == 0) ready_[steps[user].kind].push_back(user);
    }
  }

  std::vector<std::uint32_t> place_of_;  // within the window, by value
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> first_edge_, missing_;
  std::array<std::vector<std::uint32_t>, kinds> ready_;
  std::vector<Step> sorted_;
};

class RegisterAllocator {
 public:
  RegisterAllocator(const Code& code, const std::vector<Step>& steps)
      : code_(code), last_use_(code.values(), 0), register_of_(code.values(), nowhere) {
    for (std::uint32_t i = 0; i < steps.size(); ++i)
      for (std::size_t k = 0; k < steps[i].arity; ++k) last_use_[steps[i].argument[k]] = i;
    for (std::uint32_t value = 0; value < code.first_operation(); ++value) register_of_[value] = value;
    schedule_.first_output = code.first_operation();
    schedule_.registers = schedule_.first_output + static_cast<std::uint32_t>(code.outputs.size());
    for (std::uint32_t i = 0; i < code.outputs.size(); ++i)
      if (register_of_[code.outputs[i]] == nowhere) register_of_[code.outputs[i]] = schedule_.first_output + i;
    for (std::uint32_t i = 0; i < steps.size(); ++i) place(steps[i], i);
    copy_remaining_outputs();
  }

  Schedule finish() && { return std::move(schedule_); }

 private:
  void place(const Step& step, std::uint32_t now) {
    std::array<std::uint32_t, 3> source{};
    for (std::size_t k = 0; k < step.arity; ++k) source[k] = register_of_[step.argument[k]];
    for (std::size_t k = 0; k < step.arity; ++k) release(step.argument[k], now);
    append(step.kind, {target_of(step.value), source[0], source[1], source[2]});
  }

  void release(std::uint32_t value, std::uint32_t now) {
    const std::uint32_t first_temporary = schedule_.first_output + static_cast<std::uint32_t>(code_.outputs.size());
    if (last_use_[value] != now || register_of_[value] < first_temporary || register_of_[value] == nowhere) return;
    free_.push_back(register_of_[value]);
    register_of_[value] = nowhere;
  }

  std::uint32_t target_of(std::uint32_t value) {
    std::uint32_t& target = register_of_[value];
    if (target != nowhere) return target;
    if (free_.empty()) return target = schedule_.registers++;
    target = free_.back();
    free_.pop_back();
    return target;
  }

  void append(InstructionKind kind, const Instruction& instruction) {
    if (schedule_.blocks.empty() || schedule_.blocks.back().kind != kind) schedule_.blocks.push_back({kind, 0});
    ++schedule_.blocks.back().count;
    schedule_.instructions.push_back(instruction);
  }

  // Outputs that are inputs, constants, or given twice.
  void copy_remaining_outputs() {
    for (std::uint32_t i = 0; i < code_.outputs.size(); ++i) {
      const std::uint32_t source = register_of_[code_.outputs[i]];
      if (source != schedule_.first_output + i) append(copy, {schedule_.first_output + i, source, 0, 0});
    }
  }

  const Code& code_;
  Schedule schedule_;
  std::vector<std::uint32_t> last_use_, register_of_, free_;
};

}  // namespace

Schedule make_schedule(const Code& code) {
  std::vector<Step> steps = steps_of(code);
  WindowScheduler sort_window(code.values());
  for (std::size_t begin = 0; begin < steps.size(); begin += window)
    sort_window(std::span(steps).subspan(begin, std::min(window, steps.size() - begin)));
  return RegisterAllocator(code, steps).finish();
}

}  // namespace hamel
