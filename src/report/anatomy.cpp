#include "report/anatomy.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <set>

#include "report/box.hpp"
#include "report/gravity.hpp"
#include "report/sampler.hpp"
#include "report/walk.hpp"

namespace hamel {

namespace {

constexpr int most_candidates = 16;        // of blocks by which a place may be linked
constexpr std::size_t most_linked = 3000;  // places: the search grows with their square

std::vector<CoordinateBlock> blocks_of(const Model& model, const LoweredModel& lowered) {
  std::vector<CoordinateBlock> blocks;
  for (std::size_t i = 0; i < model.coordinates().size(); ++i) {
    const Coordinate& coordinate = model.coordinates()[i];
    int offset = lowered.offsets[i];
    for (const Manifold& factor : coordinate.space.factors()) {
      const auto next = static_cast<int>(blocks.size()) + 1;
      for (const Manifold& part : factor.parts()) {
        const bool has_position = factor.is_pose() && part.turning() == Turning::body;
        blocks.push_back({coordinate.name, part, offset, part.ambient(), has_position ? next : -1});
        offset += part.ambient();
      }
    }
  }
  return blocks;
}

Vector3e origin() { return {Expr(0), Expr(0), Expr(0)}; }

// A coordinate is a point by its own name.
std::string point_name(const Formula& x) {
  const Formula::Node& node = x.node();
  return node.kind == Kind::symbol && node.label.empty() ? node.symbol.name : node.label;
}

bool equal(const MatrixXd& a, const MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff() <=
         1e-9 * std::max(1e-300, std::max(a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff()));
}

bool keep_their_distance(const MatrixXd& a, const MatrixXd& b) {
  const VectorXd lengths = (a - b).colwise().norm();
  const double size = std::max(a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff());
  return lengths.minCoeff() > 1e-6 * size && lengths.maxCoeff() - lengths.minCoeff() < 1e-9 * lengths.maxCoeff();
}

// Has the energy of a distance the shape of a spring's? It is convex, and in the end it grows.
bool is_spring(const VectorXd& distance, const VectorXd& energy) {
  std::vector<std::pair<double, double>> curve;
  for (Eigen::Index k = 0; k < distance.size(); ++k) curve.emplace_back(distance(k), energy(k));
  std::sort(curve.begin(), curve.end());
  const double reach = curve.back().first - curve.front().first;
  if (!(reach > 1e-9 * curve.back().first)) return false;  // it keeps its length
  std::vector<double> slopes;
  for (std::size_t k = 0, next = 1; next < curve.size(); ++next) {
    const double step = curve[next].first - curve[k].first;
    if (!(step > 1e-3 * reach)) continue;
    slopes.push_back((curve[next].second - curve[k].second) / step);
    k = next;
  }
  const double steepest = slopes.back();
  return steepest > 0 && std::adjacent_find(slopes.begin(), slopes.end(), [&](double a, double b) {
                           return b < a - 1e-6 * steepest;
                         }) == slopes.end();
}

class Dissection {
 public:
  Dissection(const Model& model, const LoweredModel& lowered)
      : model_(model), found_{.lowered = lowered}, sampler_(model, found_.lowered), many_(model, found_.lowered, 12) {
    found_.blocks = blocks_of(model, found_.lowered);
    for (std::size_t k = 0; k < found_.blocks.size(); ++k) {
      const MatrixXe own = variables(found_.blocks[k]);
      for (Eigen::Index i = 0; i < own.size(); ++i) block_of_.emplace(own(i).id(), static_cast<int>(k));
    }
  }

  Anatomy result() {
    collect_points();
    choose_directions();
    add_points();
    add_bodies();
    add_unused_coordinates();
    add_springs();
    add_springs_on_lines();
    found_.linked = found_.places.size() <= most_linked;
    for (std::size_t i = 0; i < found_.places.size() && found_.linked; ++i) link(i);
    return std::move(found_);
  }

 private:
  void collect_points() {
    for (std::size_t i = 0; i < model_.points().size(); ++i)
      if (found_.lowered.points[i].rows() <= 3) points_.emplace_back(model_.points()[i].name, found_.lowered.points[i]);
    const std::vector<Formula> moving = moving_points(model_);
    const std::vector<MatrixXe> lowered = lower(moving, model_, found_.lowered);
    for (std::size_t k = 0; k < moving.size(); ++k) points_.emplace_back(point_name(moving[k]), lowered[k]);
    const auto has_points = [&](int size) {
      return std::any_of(points_.begin(), points_.end(), [=](const auto& p) { return p.second.rows() == size; });
    };
    const auto has_blocks = [&](std::initializer_list<Turning> turnings, int dimension) {
      return std::any_of(found_.blocks.begin(), found_.blocks.end(), [&](const CoordinateBlock& block) {
        return std::find(turnings.begin(), turnings.end(), block.space.turning()) != turnings.end() ||
               (block.space.is_flat() && block.size == dimension);
      });
    };
    const bool in_space =
        has_points(3) || !model_.bodies().empty() || has_blocks({Turning::direction, Turning::body}, 3);
    found_.planar = !in_space && (has_points(2) || has_blocks({Turning::plane}, 2));
  }

  // Sampled together: each is often made of the one before.
  void add_points() {
    std::vector<Vector3e> all;
    std::vector<Expr> entries;
    for (const auto& [name, x] : points_) {
      all.push_back(embedded(x));
      entries.insert(entries.end(), all.back().begin(), all.back().end());
    }
    const MatrixXd samples = sampler_.values(entries);
    for (std::size_t k = 0; k < all.size(); ++k)
      add_place(points_[k].first, all[k], samples.middleRows(static_cast<Eigen::Index>(3 * k), 3), true);
  }

  // Gravity decides how a plane is drawn: points (x, y) are first taken as (x, y, 0), then as (x, 0, y).
  void choose_directions() {
    std::vector<Vector3e> all;
    for (const auto& [name, x] : points_) all.push_back(embedded(x));
    for (const CoordinateBlock& block : found_.blocks)
      if (points_.empty() && block.size <= 3) all.push_back(embedded(variables(block)));
    found_.up = against_gravity(model_, found_.lowered, sampler_, all);
    upright_ = found_.planar && found_.up;
    if (upright_) found_.up = Eigen::Vector3d(found_.up->x(), 0, found_.up->y());
  }

  MatrixXe lowered(const Formula& x) { return lower(x, model_, found_.lowered); }

  MatrixXe variables(const CoordinateBlock& block) const {
    return Eigen::Map<const VectorXe>(found_.lowered.q.data() + block.offset, block.size);
  }

  Vector3e embedded(const MatrixXe& x) const {
    Vector3e result = origin();
    for (Eigen::Index i = 0; i < x.rows(); ++i) result(upright_ && i == 1 ? 2 : i) = x(i);
    return result;
  }

  static std::span<const Expr> span(const Vector3e& x) { return {x.data(), 3}; }

  std::vector<int> blocks_in(const Vector3e& x) const {
    std::set<int> blocks;
    for (const Expr& variable : dependencies(span(x)))
      if (const auto found = block_of_.find(variable.id()); found != block_of_.end()) blocks.insert(found->second);
    return {blocks.begin(), blocks.end()};
  }

  int find_place(const MatrixXd& samples) const {
    for (std::size_t i = 0; i < found_.places.size(); ++i)
      if (equal(found_.places[i].samples, samples)) return static_cast<int>(i);
    return -1;
  }

  int add_place(const std::string& name, const Vector3e& x, bool is_point = false) {
    return add_place(name, x, sampler_.values(span(x)), is_point);
  }

  int add_place(const std::string& name, const Vector3e& x, const MatrixXd& samples, bool is_point) {
    const int known = find_place(samples);
    if (known >= 0) {
      std::string& its_name = found_.places[static_cast<std::size_t>(known)].name;
      if (its_name.empty()) its_name = name;
      return known;
    }
    const bool fixed = equal(samples, samples.col(0).replicate(1, samples.cols()));
    found_.places.push_back(
        {.name = name, .x = x, .samples = samples, .blocks = blocks_in(x), .fixed = fixed, .is_point = is_point});
    return static_cast<int>(found_.places.size()) - 1;
  }

  void add_bodies() {
    for (const Model::Body& item : model_.bodies()) {
      const MatrixXe m = lowered(item.body.mass), J = lowered(item.body.inertia), c = lowered(item.body.center_of_mass);
      const InertiaBox box = inertia_box(number(m)(0), number(J).reshaped(3, 3), number(c));
      const MatrixXe attitude = lowered(item.body.attitude) * box.axes.cast<Expr>();
      SolidBody body{.name = item.name, .place = place_named(item.name), .attitude = {}, .size = box.size};
      for (int k = 0; k < 3; ++k) body.attitude[k] = attitude.col(k);
      found_.bodies.push_back(body);
    }
  }

  VectorXd number(const MatrixXe& x) const {
    return sampler_.values({x.data(), static_cast<std::size_t>(x.size())}).col(0);
  }

  int place_named(const std::string& name) {
    for (const auto& [point, x] : points_)
      if (point == name) return add_place(name, embedded(x));
    return add_place(name, origin());
  }

  bool is_used(int block) const {
    for (const SeenPlace& place : found_.places)
      if (std::binary_search(place.blocks.begin(), place.blocks.end(), block)) return true;
    for (const SolidBody& body : found_.bodies)
      for (const Vector3e& axis : body.attitude)
        for (const int used : blocks_in(axis))
          if (used == block) return true;
    return false;
  }

  // Coordinates that nothing shows yet: places of R^n, directions, attitudes of a body about which no more is known.
  void add_unused_coordinates() {
    for (std::size_t k = 0; k < found_.blocks.size(); ++k) {
      const CoordinateBlock& block = found_.blocks[k];
      if (is_used(static_cast<int>(k))) continue;
      const Turning turning = block.space.turning();
      if (turning == Turning::body) add_plain_body(block);
      if (turning == Turning::plane || turning == Turning::direction)
        found_.directions.push_back({block.name, embedded(variables(block))});
      if (turning == Turning::none && block.size <= 3) add_place(block.name, embedded(variables(block)), true);
    }
  }

  void add_plain_body(const CoordinateBlock& block) {
    const MatrixXe R = variables(block).reshaped(3, 3);
    const bool pose = block.position >= 0;
    const Vector3e x = pose ? embedded(variables(found_.blocks[static_cast<std::size_t>(block.position)])) : origin();
    SolidBody body{.name = block.name, .place = add_place(block.name, x), .attitude = {}, .size = {1, 0.62, 0.28}};
    for (int k = 0; k < 3; ++k) body.attitude[k] = R.col(k);
    found_.bodies.push_back(body);
  }

  // The values of energies at random states, one row each.
  MatrixXd energies_of(const auto& terms) {
    if (terms.empty()) return {};
    std::vector<Formula> all;
    for (const auto& term : terms) all.push_back(term.energy);
    const MatrixXe energies = lowered(Formula::vector(all));
    return many_.values({energies.data(), terms.size()});
  }

  void add_springs() {
    const std::vector<DistanceEnergy> terms = distance_energies(model_);
    const MatrixXd energies = energies_of(terms);
    for (std::size_t k = 0; k < terms.size(); ++k) {
      const Vector3e x = embedded(lowered(terms[k].from)), y = embedded(lowered(terms[k].to));
      const VectorXd distance = (many_.values(span(x)) - many_.values(span(y))).colwise().norm();
      if (!is_seen(x) || !is_seen(y) || !is_spring(distance, energies.row(static_cast<Eigen::Index>(k)))) continue;
      const int from = add_place("", x), to = add_place("", y);
      add_spring(from, to);
    }
  }

  // What is fixed is seen, and what moves with things that are.
  bool is_seen(const Vector3e& x) const {
    const std::vector<int> blocks = blocks_in(x);
    return std::all_of(blocks.begin(), blocks.end(), [&](int block) { return is_used(block); });
  }

  void add_spring(int from, int to) {
    for (const Spring& spring : found_.springs)
      if (std::minmax(spring.from, spring.to) == std::minmax(from, to)) return;
    found_.springs.push_back({from, to});
  }

  // A squared number is a spring if it is, up to a constant, the distance of two places that share a line.
  void add_springs_on_lines() {
    std::vector<int> on_line;
    for (std::size_t i = 0; i < found_.places.size(); ++i)
      if (is_straight(found_.places[i].samples)) on_line.push_back(static_cast<int>(i));
    if (on_line.size() < 2) return;
    const std::vector<SquareEnergy> terms = square_energies(model_);
    const MatrixXd energies = energies_of(terms);
    for (std::size_t k = 0; k < terms.size(); ++k) {
      const MatrixXe stretch = lowered(terms[k].number);
      const VectorXd sizes = many_.values({stretch.data(), 1}).row(0).cwiseAbs();
      if (!is_spring(sizes, energies.row(static_cast<Eigen::Index>(k)))) continue;
      const VectorXd samples = sampler_.values({stretch.data(), 1}).row(0);
      for (auto i = on_line.begin(); i != on_line.end(); ++i)
        for (auto j = on_line.begin(); j != i; ++j)
          if (stretches(samples, *i, *j)) add_spring(*j, *i);
    }
  }

  bool stretches(const VectorXd& samples, int i, int j) const {
    const MatrixXd& x = found_.places[static_cast<std::size_t>(i)].samples;
    const MatrixXd& y = found_.places[static_cast<std::size_t>(j)].samples;
    const Eigen::Vector3d axis = (x.col(1) - x.col(0)).normalized();
    const VectorXd distance = (x - y).transpose() * axis;
    const auto is_constant = [](const VectorXd& v) { return v.maxCoeff() - v.minCoeff() < 1e-9 * (1 + v.norm()); };
    return is_constant(samples - distance) || is_constant(samples + distance);
  }

  void link(std::size_t index) {
    const SeenPlace place = found_.places[index];
    if (place.fixed) return;
    int tried = 0, last = -1;
    for (auto k = place.blocks.rbegin(); k != place.blocks.rend() && tried < most_candidates; ++k) {
      const CoordinateBlock& block = found_.blocks[static_cast<std::size_t>(*k)];
      if (block.space.turning() == Turning::none && !block.space.is_unit_sphere()) continue;
      ++tried;
      const MatrixXd base = sampler_.values_without(span(place.x), block.offset, block.size);
      if (!keep_their_distance(place.samples, base)) continue;
      const int known = find_place(base);
      if (known >= 0) return hang(index, known, *k);
      if (last < 0) last = *k;
    }
    if (last >= 0) return hang(index, add_place("", without(place.x, last)), last);
    link_by_distance(index);
  }

  Vector3e without(const Vector3e& x, int index) const {
    const CoordinateBlock& block = found_.blocks[static_cast<std::size_t>(index)];
    const MatrixXe own = variables(block);
    std::unordered_map<std::uint32_t, Expr> zero;
    for (Eigen::Index i = 0; i < own.size(); ++i) zero.emplace(own(i).id(), Expr(0));
    const std::vector<Expr> rest = substitute(span(x), zero);
    return {rest[0], rest[1], rest[2]};
  }

  // Angles hide their circles: there only the distances tell.
  void link_by_distance(std::size_t index) {
    const SeenPlace place = found_.places[index];
    int best = -1;
    std::size_t most = 0;
    for (std::size_t i = 0; i < found_.places.size(); ++i) {
      const SeenPlace& other = found_.places[i];
      if (i == index || other.blocks.size() >= place.blocks.size() ||
          !keep_their_distance(place.samples, other.samples) ||
          !std::includes(place.blocks.begin(), place.blocks.end(), other.blocks.begin(), other.blocks.end()))
        continue;
      if (best < 0 || other.blocks.size() > most) best = static_cast<int>(i), most = other.blocks.size();
    }
    if (best >= 0) return hang(index, best, -1);
    if (place.blocks.size() == 1 && keep_their_distance(place.samples, MatrixXd::Zero(3, place.samples.cols())))
      hang(index, add_place("", origin()), -1);
  }

  void hang(std::size_t index, int on, int by) {
    found_.places[index].hangs_on = on;
    found_.places[index].by = by;
  }

  const Model& model_;
  Anatomy found_;
  Sampler sampler_, many_;
  std::vector<std::pair<std::string, MatrixXe>> points_;
  std::unordered_map<std::uint32_t, int> block_of_;  // by variable
  bool upright_ = false;
};

}  // namespace

int Anatomy::place_of(const std::string& name) const {
  for (std::size_t i = 0; i < places.size(); ++i)
    if (!name.empty() && places[i].name == name) return static_cast<int>(i);
  return -1;
}

bool is_straight(const MatrixXd& samples) {
  const Eigen::Vector3d along = samples.col(1) - samples.col(0);
  for (Eigen::Index k = 2; k < samples.cols(); ++k) {
    const Eigen::Vector3d other = samples.col(k) - samples.col(0);
    if (along.cross(other).norm() > 1e-9 * along.norm() * other.norm()) return false;
  }
  return along.norm() > 0;
}

Anatomy anatomy_of(const Model& model, const LoweredModel& lowered) { return Dissection(model, lowered).result(); }

}  // namespace hamel
