#include "program/roll.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace hamel {
namespace {

constexpr std::uint32_t none = Slot::none;
constexpr std::uint32_t smallest_code = 1024;    // shorter code compiles in a moment as it is
constexpr std::uint32_t smallest_stretch = 128;  // operations that a loop must cover
constexpr std::uint32_t smallest_count = 8;
constexpr std::uint32_t largest_period = 4096;
constexpr std::uint32_t straight_length = 250;  // measured: compiles fastest, runs as fast as longer ones
static_assert(smallest_count > largest_lookback);

// For each position, the next one at which the same `length` operations follow.
class Repeats {
 public:
  Repeats(const std::vector<std::uint64_t>& signature, std::uint32_t length) {
    const auto size = static_cast<std::uint32_t>(signature.size());
    hash_.assign(size, 0);
    next_.assign(size, none);
    if (size < length) return;
    constexpr std::uint64_t base = 0x9e3779b97f4a7c15u;
    std::uint64_t leaving = 1, hash = 0;
    for (std::uint32_t i = 0; i < length; ++i) leaving *= base;
    const std::size_t mask = std::bit_ceil(2 * signature.size()) - 1;
    std::vector<std::uint32_t> table(mask + 1, none);
    for (std::uint32_t i = size; i-- > 0;) {
      hash = hash * base + signature[i];
      if (i + length < size) hash -= leaving * signature[i + length];
      hash_[i] = hash;
      std::size_t entry = (hash ^ (hash >> 29)) * base >> 20 & mask;
      while (table[entry] != none && hash_[table[entry]] != hash) entry = (entry + 1) & mask;
      next_[i] = table[entry];
      table[entry] = i;
    }
  }

  std::uint32_t next(std::uint32_t position) const { return next_[position]; }

  bool repeats(std::uint32_t position, std::uint32_t period, std::uint32_t count) const {
    if (position + std::uint64_t{period} * (count - 1) >= hash_.size()) return false;
    for (std::uint32_t k = 1; k < count; ++k)
      if (hash_[position + k * period] != hash_[position]) return false;
    return true;
  }

 private:
  std::vector<std::uint64_t> hash_;
  std::vector<std::uint32_t> next_;
};

std::vector<std::uint64_t> signatures(const Code& code) {
  constexpr std::uint32_t near = 64;
  std::vector<std::uint64_t> result;
  result.reserve(code.operations.size());
  const std::uint32_t first = code.first_operation();
  for (std::uint32_t i = 0; i < code.operations.size(); ++i) {
    std::uint64_t signature = static_cast<std::uint64_t>(code.operations[i].op) + 1;
    for (const std::uint32_t value : code.operations[i].arguments()) {
      const std::uint32_t distance = first + i - value;
      const std::uint32_t kind = value < code.first_input() ? 1u
                                 : value < first            ? 2u
                                 : distance < near          ? distance + 3
                                                            : 0u;
      signature = signature * 128 + kind;
    }
    result.push_back(signature * 0xd6e8feb86659fd93u);
  }
  return result;
}

class LoopFinder {
 public:
  explicit LoopFinder(const Code& code)
      : code_(code), first_(code.first_operation()), size_(static_cast<std::uint32_t>(code.operations.size())) {}

  std::vector<Segment> find() && {
    if (size_ < smallest_code) return {};
    const std::vector<std::uint64_t> signature = signatures(code_);
    const Repeats coarse(signature, 48), fine(signature, 8);
    for (std::uint32_t begin = 0; begin + smallest_stretch <= size_;) {
      Segment best{begin, 0, 0, 0};
      for (const Repeats* repeats : {&coarse, &fine}) try_periods(*repeats, fine, best);
      if (best.count > 0) loops_.push_back(best);
      begin = best.count > 0 ? best.end() : begin + 1;
    }
    return std::move(loops_);
  }

 private:
  static constexpr int hops = 16;  // periods tried: repeats within one period come before the period itself

  void try_periods(const Repeats& candidates, const Repeats& fine, Segment& best) const {
    std::uint32_t at = best.begin;
    for (int hop = 0; hop < hops; ++hop) {
      at = candidates.next(at);
      if (at == none || at - best.begin > largest_period) return;
      const std::uint32_t period = at - best.begin;
      if (!fine.repeats(best.begin, period, smallest_count)) continue;
      const std::uint32_t count = longest(best.begin, period);
      if (count >= smallest_count && count * period >= smallest_stretch && count * period > best.period * best.count)
        best = {best.begin, period, count, 0};
    }
  }

  // How many iterations of this period follow one another.
  std::uint32_t longest(std::uint32_t begin, std::uint32_t period) const {
    std::uint32_t at = begin + period;
    while (at < size_ && follows(begin, period, at)) ++at;
    return (at - begin) / period;
  }

  // Whether operation `at` is what its predecessor, one period before, becomes in the next iteration.
  bool follows(std::uint32_t begin, std::uint32_t period, std::uint32_t at) const {
    const Operation &now = code_.operations[at], &before = code_.operations[at - period];
    if (now.op != before.op) return false;
    const std::uint32_t start = begin + (at - begin) % period;
    for (std::size_t i = 0; i < now.arity; ++i) {
      const std::uint32_t first = code_.operations[start].argument[i],
                          second = code_.operations[start + period].argument[i];
      const bool fits = is_carried({begin, period, 0, 0}, first_, first, second)
                            ? now.argument[i] - before.argument[i] == period
                            : now.argument[i] < first_ + begin && kind(now.argument[i]) == kind(before.argument[i]);
      if (!fits) return false;
    }
    return true;
  }

  // What one array holds: the constants, the work array, a group of inputs.
  std::uint32_t kind(std::uint32_t value) const {
    if (value < code_.first_input()) return none;
    return value >= first_ ? none - 1 : group_of(code_.input_sizes, value - code_.first_input());
  }

  const Code& code_;
  std::uint32_t first_, size_;
  std::vector<Segment> loops_;
};

void append_straight(std::vector<Segment>& segments, std::uint32_t begin, std::uint32_t end) {
  if (begin == end) return;
  const std::uint32_t pieces = (end - begin + straight_length - 1) / straight_length;
  for (std::uint32_t i = 0; i < pieces; ++i) {
    const auto cut = [&](std::uint32_t k) {
      return begin + static_cast<std::uint32_t>(std::uint64_t{end - begin} * k / pieces);
    };
    segments.push_back({cut(i), cut(i + 1) - cut(i), 1, 0});
  }
}

std::vector<Segment> cover(const std::vector<Segment>& loops, std::uint32_t size) {
  std::vector<Segment> segments;
  std::uint32_t done = 0;
  for (const Segment& loop : loops) {
    append_straight(segments, done, loop.begin);
    segments.push_back(loop);
    done = loop.end();
  }
  append_straight(segments, done, size);
  std::uint32_t slots = 0;
  for (Segment& segment : segments) {
    segment.first_slot = slots;
    slots += segment.period;
  }
  return segments;
}

// Which values are read by another segment: of a loop, all iterations or only the last.
enum class Reach : std::uint8_t { local, last, all };

std::vector<Reach> find_reach(const Code& code, const Rolled& rolled) {
  std::vector<Reach> reach(rolled.operations(), Reach::local);
  const std::uint32_t first = code.first_operation();
  const auto mark = [&](const TapePlace& place) {
    const Segment& source = rolled.segments[place.segment];
    Reach& known = reach[source.first_slot + place.position];
    known = std::max(known, place.iteration + 1 == source.count ? Reach::last : Reach::all);
  };
  for (const Segment& segment : rolled.segments)
    for (std::uint32_t i = segment.begin; i < segment.end(); ++i)
      for (const std::uint32_t value : code.operations[i].arguments())
        if (value >= first && value - first < segment.begin) mark(rolled.place(value - first));
  for (const std::uint32_t value : code.outputs)
    if (value >= first && !rolled.slot(rolled.place(value - first)).writes_outputs) mark(rolled.place(value - first));
  return reach;
}

// A position of a loop writes its outputs itself if it has one of the same group in each iteration.
void find_direct_outputs(const Code& code, Rolled& rolled) {
  const std::vector<std::uint32_t> sole = sole_outputs(code);
  const auto group = [&](std::uint32_t operation) {
    const std::uint32_t output = sole[operation];
    return output >= code.outputs.size() ? output : group_of(code.output_sizes, output);
  };
  for (const Segment& segment : rolled.segments) {
    if (!segment.is_loop()) continue;
    for (std::uint32_t i = segment.begin; i < segment.begin + segment.period; ++i) {
      bool& direct = rolled.slots[segment.first_slot + i - segment.begin].writes_outputs;
      direct = sole[i] != several_outputs;
      for (std::uint32_t k = 1; k < segment.count && direct; ++k) direct = group(i + k * segment.period) == group(i);
    }
  }
}

void assign_slots(const Code& code, Rolled& rolled) {
  rolled.slots.resize(rolled.segments.empty() ? 0 : rolled.segments.back().first_slot + rolled.segments.back().period);
  find_direct_outputs(code, rolled);
  const auto place = [](Slot& slot, std::uint32_t base, std::uint32_t stride) {
    slot.base = base, slot.stride = stride;
  };
  const std::vector<Reach> reach = find_reach(code, rolled);
  for (const Segment& segment : rolled.segments) {
    const auto begin = reach.begin() + segment.first_slot, end = begin + segment.period;
    const auto stride = static_cast<std::uint32_t>(std::count(begin, end, Reach::all));
    std::uint32_t next = rolled.work_size, next_last = rolled.work_size + stride * segment.count;
    for (std::uint32_t i = segment.first_slot; i < segment.first_slot + segment.period; ++i) {
      if (reach[i] == Reach::all) place(rolled.slots[i], next++, stride);
      if (reach[i] == Reach::last) place(rolled.slots[i], next_last++, 0);
    }
    rolled.work_size = next_last;
  }
}

}  // namespace

std::uint32_t group_of(const std::vector<std::uint32_t>& sizes, std::uint32_t index) {
  std::uint32_t group = 0;
  while (index >= sizes[group]) index -= sizes[group++];
  return group;
}

std::vector<std::uint32_t> sole_outputs(const Code& code) {
  std::vector<std::uint32_t> sole(code.operations.size(), no_output);
  for (std::uint32_t i = 0; i < code.outputs.size(); ++i) {
    if (code.outputs[i] < code.first_operation()) continue;
    std::uint32_t& output = sole[code.outputs[i] - code.first_operation()];
    output = output == no_output ? i : several_outputs;
  }
  return sole;
}

TapePlace Rolled::place(std::uint32_t operation) const {
  const auto segment =
      std::prev(std::upper_bound(segments.begin(), segments.end(), operation,
                                 [](std::uint32_t at, const Segment& behind) { return at < behind.begin; }));
  const std::uint32_t offset = operation - segment->begin;
  return {static_cast<std::uint32_t>(segment - segments.begin()), offset % segment->period, offset / segment->period};
}

bool is_carried(const Segment& loop, std::uint32_t first_operation, std::uint32_t first, std::uint32_t second) {
  return second - first == loop.period && second >= first_operation &&
         std::uint64_t{first} + std::uint64_t{largest_lookback} * loop.period >= first_operation + loop.begin;
}

Rolled roll(const Code& code) {
  Rolled rolled;
  rolled.segments = cover(LoopFinder(code).find(), static_cast<std::uint32_t>(code.operations.size()));
  assign_slots(code, rolled);
  return rolled;
}

}  // namespace hamel
