// The film of a page about equilibria: rest, and each mode at several amplitudes, one piece after another.
#pragma once

#include <string>
#include <vector>

#include "hamel/analyze/modes.hpp"
#include "hamel/language/model_file.hpp"
#include "hamel/report/page.hpp"

namespace hamel {

class Film {
 public:
  Film(const ModelFile& file, const System& system) : file_(file), system_(system) {}

  // What a largest amplitude of each mode would be that shows it well: angles of 0.35, and a sixth of what is seen.
  std::vector<double> good_amplitudes(const LinearModel& model, const std::vector<Mode>& modes);

  Clip rest(const LinearModel& model);
  // One period of what oscillates; of what decays as long as it is seen, beginning with the amplitude; of what grows
  // until it has it.
  Clip take(const LinearModel& model, const Mode& mode, double amplitude);

  static constexpr std::size_t longest = 230;  // frames of a clip
  bool has_room(std::size_t clips) const { return times_.size() + clips * longest <= most_frames_; }
  void show(Page& page) &&;  // its time and its scene

 private:
  void append(const std::vector<State>& states);

  const ModelFile& file_;
  const System& system_;
  std::size_t most_frames_ = 9'000;
  std::vector<double> times_;
  std::vector<State> states_;
};

}  // namespace hamel
