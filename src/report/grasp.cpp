#include "hamel/report/grasp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "hamel/derive/formulation.hpp"
#include "hamel/graph/differentiate.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/linear/product.hpp"
#include "hamel/mechanics/geometry.hpp"
#include "hamel/model/file_text.hpp"
#include "hamel/report/view_options.hpp"
#include "report/anatomy.hpp"

namespace hamel {

namespace {

// A place, or the end of an axis seen from its base, and the blocks that move it.
struct Hold {
  std::string name;
  bool turns;
  Vector3e base, x;
  std::vector<int> moving;
};

class Handles {
 public:
  Handles(const Anatomy& anatomy, const ViewOptions& options) : anatomy_(anatomy), options_(options) {}

  std::vector<Hold> all() {
    for (const SolidBody& body : anatomy_.bodies) in_body_.insert(body.place);
    for (std::size_t i = 0; i < anatomy_.places.size(); ++i) add_place(static_cast<int>(i));
    for (const Direction& direction : anatomy_.directions) add_direction(direction);
    for (const SolidBody& body : anatomy_.bodies) add_axes(body);
    return std::move(found_);
  }

 private:
  const SeenPlace& place(int index) const { return anatomy_.places[static_cast<std::size_t>(index)]; }

  // The name of a family stands for all of its members.
  bool is_hidden(const std::string& name) const {
    const std::string family = name.substr(0, name.find('['));
    return std::any_of(options_.hidden.begin(), options_.hidden.end(),
                       [&](const std::string& hidden) { return hidden == name || hidden == family; });
  }

  // By what turns its link; otherwise by all that does not move what it hangs on.
  std::vector<int> movers(const SeenPlace& item) const {
    if (item.by >= 0) return {item.by};
    if (item.hangs_on < 0) return item.blocks;
    std::vector<int> own;
    const std::vector<int>& others = place(item.hangs_on).blocks;
    std::set_difference(item.blocks.begin(), item.blocks.end(), others.begin(), others.end(), std::back_inserter(own));
    return own.empty() ? item.blocks : own;
  }

  void add_place(int index) {
    const SeenPlace& item = place(index);
    const bool named = !item.name.empty() && (item.is_point || in_body_.contains(index));
    if (item.fixed || item.blocks.empty() || !named || is_hidden(item.name)) return;
    found_.push_back({item.name, false, zero(), item.x, movers(item)});
  }

  static Vector3e zero() { return {Expr(0), Expr(0), Expr(0)}; }

  Vector3e base_of(const std::string& name, const Vector3e& otherwise) const {
    const auto given = options_.places.find(name);
    if (given == options_.places.end()) return otherwise;
    return given->second.cast<Expr>();
  }

  void add_direction(const Direction& direction) {
    if (is_hidden(direction.name)) return;
    found_.push_back({direction.name, true, base_of(direction.name, zero()), direction.q, blocks_in(direction.q)});
  }

  void add_axes(const SolidBody& body) {
    if (is_hidden(body.name)) return;
    const Vector3e base = base_of(body.name, place(body.place).x);
    for (int k = 0; k < 3; ++k) {
      const std::vector<int> moving = blocks_in(body.attitude[k]);
      const double reach = body.size(k) / 2 + 0.16 * body.size.maxCoeff();  // as the viewer draws it
      const Vector3e x = body.attitude[k] * Expr(reach);
      if (!moving.empty()) found_.push_back({fmt::format("{}, axis {}", body.name, k + 1), true, base, x, moving});
    }
  }

  std::vector<int> blocks_in(const Vector3e& x) const {
    std::set<std::uint32_t> used;
    for (const Expr& variable : dependencies({x.data(), 3})) used.insert(variable.id());
    std::vector<int> blocks;
    for (std::size_t k = 0; k < anatomy_.blocks.size(); ++k) {
      const CoordinateBlock& block = anatomy_.blocks[k];
      const auto first = anatomy_.lowered.q.begin() + block.offset;
      if (std::any_of(first, first + block.size, [&](Expr q) { return used.contains(q.id()); }))
        blocks.push_back(static_cast<int>(k));
    }
    return blocks;
  }

  const Anatomy& anatomy_;
  const ViewOptions& options_;
  std::set<int> in_body_;
  std::vector<Hold> found_;
};

void append(std::vector<Expr>& all, std::span<const Expr> some) { all.insert(all.end(), some.begin(), some.end()); }

}  // namespace

Grasp::Grasp(const ModelFile& file) : parameters_(parameter_values(file.model)) {
  const Sheet sheet(file.model);
  const Anatomy anatomy = anatomy_of(file.model, sheet.lowered);
  const LoweredModel& lowered = anatomy.lowered;
  const ViewOptions options = view_options(file.view);
  std::vector<Hold> found = Handles(anatomy, options).all();
  if (found.size() > most) left_out_ = found.size() - most, found.erase(found.begin() + most, found.end());

  std::vector<Expr> variables = lowered.q, rates = lowered.v;
  variables.push_back(lowered.t);
  rates.emplace_back(1);
  std::vector<Expr> bases, places;
  Program::Groups outputs(3);
  for (const Hold& item : found) {
    append(bases, {item.base.data(), 3});
    append(places, {item.x.data(), 3});
    Held held{item.name, item.turns, {}, 0};
    std::vector<Expr> own;
    for (const int k : item.moving) {
      const CoordinateBlock& block = anatomy.blocks[static_cast<std::size_t>(k)];
      held.moving.push_back({block.space, block.offset, block.size});
      append(own, {lowered.q.data() + block.offset, static_cast<std::size_t>(block.size)});
    }
    held.columns = own.size();
    std::vector<Expr> derivative;  // 3 x columns, row by row
    for (const Expr& component : item.x) append(derivative, gradient(component, own));
    outputs.push_back(std::move(derivative));
    held_.push_back(std::move(held));
  }
  outputs[0] = bases;
  outputs[1] = places;
  outputs[2] = directional_derivative(places, variables, rates);
  program_ = Program("grips", {lowered.q, lowered.v, {lowered.t}, lowered.parameters}, outputs);
}

Grasp::Seen Grasp::look(const State& state) const {
  const auto size = static_cast<Eigen::Index>(3 * held_.size());
  Seen seen{VectorXd(size), VectorXd(size), VectorXd(size), {}};
  std::vector<double*> out = {seen.base.data(), seen.at.data(), seen.velocity.data()};
  for (const Held& each : held_) seen.derivative.emplace_back(static_cast<Eigen::Index>(each.columns), 3);
  for (MatrixXd& derivative : seen.derivative) out.push_back(derivative.data());
  const double* in[] = {state.q.data(), state.v.data(), &state.t, parameters_.data()};
  std::vector<double> scratch(program_.scratch_size());
  program_.run(in, out.data(), scratch.data());
  for (MatrixXd& derivative : seen.derivative) derivative.transposeInPlace();
  return seen;
}

const Grasp::Held& Grasp::held(std::size_t grip) const {
  if (grip >= held_.size())
    throw std::invalid_argument(fmt::format("there are {} grips, and no grip {}", held_.size(), grip + 1));
  return held_[grip];
}

std::vector<Grip> Grasp::grips(const State& state) const {
  const Seen seen = look(state);
  std::vector<Grip> all;
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(3 * k);
    all.push_back({held_[k].name, held_[k].turns, seen.base.segment<3>(at) + seen.at.segment<3>(at),
                   seen.velocity.segment<3>(at)});
  }
  return all;
}

// J N, where the columns of N are orthonormal bases of the tangent spaces of the blocks that move.
MatrixXd Grasp::along_bases(const Held& held, const VectorXd& q, const MatrixXd& derivative, MatrixXd& bases) const {
  int dimension = 0;
  for (const Block& block : held.moving) dimension += block.space.dimension();
  bases = MatrixXd::Zero(static_cast<Eigen::Index>(held.columns), dimension);
  Eigen::Index row = 0, column = 0;
  for (const Block& block : held.moving) {
    MatrixXd basis(block.size, block.space.dimension());
    block.space.tangent_basis(q.segment(block.offset, block.size), basis);
    bases.block(row, column, basis.rows(), basis.cols()) = basis;
    row += basis.rows(), column += basis.cols();
  }
  return derivative * bases;
}

// min |x(q) - to| by steps of Gauss and Newton, each the shortest, and shortened until it comes nearer.
State Grasp::pulled(const System& system, const State& state, std::size_t grip, const Eigen::Vector3d& to) const {
  constexpr int most_steps = 200, most_halvings = 30;
  constexpr double longest = 0.5;
  if (!to.allFinite()) throw std::invalid_argument("a place to pull to has three finite numbers");
  const Held& what = held(grip);
  const auto at = static_cast<Eigen::Index>(3 * grip);
  State next = state;
  for (int i = 0; i < most_steps; ++i) {
    const Seen seen = look(next);
    const Eigen::Vector3d left = to - seen.base.segment<3>(at) - seen.at.segment<3>(at);
    MatrixXd bases;
    const MatrixXd J = along_bases(what, next.q, seen.derivative[grip], bases);
    VectorXd step = linear::shortest_least_squares(J, VectorXd(left));
    if (!what.moving.front().space.is_flat()) step *= std::min(1.0, longest / std::max(step.norm(), 1e-300));
    if (step.norm() < 1e-9 && step.size() > 0) step.setConstant(longest);  // opposite to it no way is the shortest
    bool nearer = false;
    for (int k = 0; k < most_halvings && !nearer; ++k, step /= 2) {
      State trial = next;
      const VectorXd change = bases * step;
      Eigen::Index row = 0;
      for (const Block& block : what.moving) {
        const VectorXd q = next.q.segment(block.offset, block.size);
        VectorXd moved(q.size());
        block.space.retract(q, change.segment(row, block.size), moved);
        trial.q.segment(block.offset, block.size) = moved;
        row += block.size;
      }
      const Seen there = look(trial);
      const double distance = (to - there.base.segment<3>(at) - there.at.segment<3>(at)).norm();
      nearer = distance < left.norm() * (1 - 1e-12);
      if (nearer) next = trial;
    }
    if (!nearer) break;
  }
  carry_rates(what, state, next);
  const VectorXd rates = next.v;
  system.space().tangent_project(next.q, rates, next.v);
  return next;
}

// Angular velocities stay, and all other quasi-velocities.
void Grasp::carry_rates(const Held& held, const State& from, State& to) const {
  for (const auto& [space, offset, size] : held.moving) {
    VectorXd xi(space.rates()), v(size);
    space.rates(from.q.segment(offset, size), from.v.segment(offset, size), xi);
    space.velocity(to.q.segment(offset, size), xi, v);
    to.v.segment(offset, size) = v;
  }
}

State Grasp::pushed(const System& system, const State& state, std::size_t grip, const Eigen::Vector3d& velocity) const {
  if (!velocity.allFinite()) throw std::invalid_argument("a velocity has three finite numbers");
  if (!system.has_energies())
    throw std::invalid_argument("the velocities of this system follow from its field; they cannot be chosen");
  const Held& what = held(grip);
  const auto at = static_cast<Eigen::Index>(3 * grip);
  const Seen seen = look(state);
  MatrixXd bases;
  const MatrixXd J = along_bases(what, state.q, seen.derivative[grip], bases);
  const Eigen::Vector3d left = velocity - seen.velocity.segment<3>(at);
  const VectorXd change = bases * linear::shortest_least_squares(J, VectorXd(left));
  State next = state;
  Eigen::Index row = 0;
  for (const Block& block : what.moving) {
    next.v.segment(block.offset, block.size) += change.segment(row, block.size);
    row += block.size;
  }
  const VectorXd rates = next.v;
  system.space().tangent_project(next.q, rates, next.v);
  return next;
}

namespace {

class Entries {
 public:
  Entries(const ModelFile& file, const System& system) : file_(file), system_(system) {}

  Overrides of(const State& now, const State& next) {
    ModelFile asked = file_;
    asked.start.project = true;
    for (int k = 0; k < factors(); ++k) {
      StartValues::Coordinate start;
      start.point = given(next.q, k);
      if (system_.has_energies()) start.rate = given(next.v, k);
      asked.start.coordinates[static_cast<std::size_t>(k)] = start;
    }
    std::vector<std::string> remarks;
    const State found = start_state(asked, system_, remarks);
    Overrides entries;
    for (int k = 0; k < factors(); ++k)
      if (differs(found.q, now.q, k)) entries.emplace_back(name(k), written(found.q, k));
    for (int k = 0; k < factors(); ++k)
      if (system_.has_energies() && needs_rate(k, now, found))
        entries.emplace_back(primed(name(k)), written(found.v, k));
    return entries;
  }

 private:
  int factors() const { return system_.geometry().factors(); }
  const std::string& name(int k) const { return file_.model.coordinates()[static_cast<std::size_t>(k)].name; }
  VectorXd part(const VectorXd& all, int k) const {
    const Geometry& geometry = system_.geometry();
    return all.segment(geometry.offset(k), geometry.offset(k + 1) - geometry.offset(k));
  }
  StartValues::Given given(const VectorXd& all, int k) const { return {part(all, k), file_.start.place}; }
  bool differs(const VectorXd& a, const VectorXd& b, int k) const {
    return (part(a, k) - part(b, k)).norm() > 1e-15 * std::max(1.0, part(b, k).norm());
  }
  // A rate that was said is said anew where its place is another; momenta are of all coordinates, or of none.
  bool needs_rate(int k, const State& now, const State& found) const {
    const auto& all = file_.start.coordinates;
    const bool momenta =
        std::any_of(all.begin(), all.end(), [](const auto& each) { return each.momentum.has_value(); });
    const bool moved = differs(found.q, now.q, k) && !part(found.v, k).isZero(0);
    return momenta || moved || differs(found.v, now.v, k);
  }
  std::string written(const VectorXd& all, int k) const {
    const auto [rows, cols] = file_.model.coordinates()[static_cast<std::size_t>(k)].space.shape();
    return numbers_text(part(all, k).reshaped(rows, cols));
  }

  const ModelFile& file_;
  const System& system_;
};

}  // namespace

Overrides start_entries(const ModelFile& file, const System& system, const State& now, const State& next) {
  return Entries(file, system).of(now, next);
}

}  // namespace hamel
