#include "hamel/mechanics/discrete_map.hpp"

#include <algorithm>
#include <array>

namespace hamel {

DiscreteMap::Workspace DiscreteMap::workspace() const {
  Workspace w;
  std::size_t scratch = 1;
  for (const Program* program : programs()) scratch = std::max(scratch, program->scratch_size());
  w.scratch = VectorXd::Zero(static_cast<Eigen::Index>(scratch));
  w.residual = VectorXd::Zero(ambient_);
  w.jacobian = MatrixXd::Zero(ambient_, ambient_);
  if (const auto* hamilton = std::get_if<Hamilton>(&by_)) w.hamilton = hamilton->workspace();
  return w;
}

void DiscreteMap::set_parameters(In values) {
  std::visit([&](auto& by) { by.set_parameters(values); }, by_);
}

std::vector<const Program*> DiscreteMap::programs() const {
  if (const auto* hamilton = std::get_if<Hamilton>(&by_)) return hamilton->programs();
  const auto& [begin, end] = std::get<DiscreteKernels>(by_);
  return {&begin.program(), &end.program()};
}

bool DiscreteMap::exists(Workspace& w, double t, In q, In p) const {
  const auto* hamilton = std::get_if<Hamilton>(&by_);
  return hamilton == nullptr || hamilton->is_regular(w.hamilton, t, q, p);
}

void DiscreteMap::begin(Workspace& w, double t, double h, In q0, In q1, In u) const {
  if (const auto* hamilton = std::get_if<Hamilton>(&by_))
    return hamilton->discrete_begin(w.hamilton, t, h, q0, q1, u, w.residual, w.jacobian);
  const std::array clock{t, h};
  std::get<DiscreteKernels>(by_).begin.run<4, 2>({q0.data(), q1.data(), u.data(), clock.data()},
                                                 {w.residual.data(), w.jacobian.data()}, w.scratch.data());
}

void DiscreteMap::end(Workspace& w, double t, double h, In q0, In q1, In u, Out p1) const {
  if (const auto* hamilton = std::get_if<Hamilton>(&by_))
    return hamilton->discrete_end(w.hamilton, t, h, q0, q1, u, p1);
  const std::array clock{t, h};
  std::get<DiscreteKernels>(by_).end.run<4, 1>({q0.data(), q1.data(), u.data(), clock.data()}, {p1.data()},
                                               w.scratch.data());
}

}  // namespace hamel
