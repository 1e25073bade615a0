#include "report/tracks.hpp"

#include "hamel/program/program.hpp"

namespace hamel {

int Tracks::fixed(const Eigen::Vector3d& x) {
  tracks_.push_back({3, {static_cast<float>(x.x()), static_cast<float>(x.y()), static_cast<float>(x.z())}});
  return static_cast<int>(tracks_.size()) - 1;
}

int Tracks::moving(std::span<const Expr> x) {
  tracks_.push_back({static_cast<int>(x.size()), {}});
  moving_.push_back(tracks_.size() - 1);
  outputs_.insert(outputs_.end(), x.begin(), x.end());
  return static_cast<int>(tracks_.size()) - 1;
}

std::vector<Track> Tracks::along(std::span<const State> states) && {
  const Program program("scene", {lowered_.q, {lowered_.t}, lowered_.parameters}, {outputs_});
  const VectorXd parameters = parameter_values(model_);
  std::vector<double> values(outputs_.size()), scratch(program.scratch_size());
  for (const std::size_t index : moving_)
    tracks_[index].values.reserve(states.size() * static_cast<std::size_t>(tracks_[index].width));
  for (const State& state : states) {
    const double* in[] = {state.q.data(), &state.t, parameters.data()};
    double* out[] = {values.data()};
    program.run(in, out, scratch.data());
    append(values);
  }
  return std::move(tracks_);
}

void Tracks::append(const std::vector<double>& values) {
  auto next = values.begin();
  for (const std::size_t index : moving_)
    for (int i = 0; i < tracks_[index].width; ++i) tracks_[index].values.push_back(static_cast<float>(*next++));
}

}  // namespace hamel
