#include "hamel/report/draw.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <set>
#include <stdexcept>

#include "hamel/derive/formulation.hpp"
#include "report/anatomy.hpp"
#include "report/tracks.hpp"
#include "report/view_check.hpp"

namespace hamel {

namespace {

constexpr int most_trails = 12;

class Painter {
 public:
  Painter(const Model& model, const LoweredModel& lowered, const ViewOptions& options)
      : anatomy_(anatomy_of(model, lowered)), tracks_(model, anatomy_.lowered), options_(options) {
    const std::size_t count = anatomy_.places.size();
    track_of_.assign(count, -1);
    role_.assign(count, Role::ball);
    has_children_.assign(count, false);
  }

  Scene paint(std::span<const State> states) {
    open_families();
    check(options_, seen_names());
    find_roles();
    set_the_stage();
    for (std::size_t i = 0; i < anatomy_.places.size(); ++i) draw_place(i);
    for (const SolidBody& body : anatomy_.bodies) draw_body(body);
    for (const ViewLink& link : options_.links) draw_link(place_called(link.from), place_called(link.to), link.style);
    for (const Spring& spring : anatomy_.springs)
      if (!is_asked_for(spring)) draw_link(spring.from, spring.to, LinkStyle::spring);
    draw_directions();
    dress();
    check_follow(scene_);
    scene_.tracks = std::move(tracks_).along(states);
    return std::move(scene_);
  }

 private:
  enum class Role { ball, joint, pivot, cart, in_body, on_sphere, unseen };

  SeenPlace& place(int index) { return anatomy_.places[static_cast<std::size_t>(index)]; }

  std::set<std::string> known_names() const {
    std::set<std::string> names;
    for (const SeenPlace& item : anatomy_.places) names.insert(item.name);
    for (const SolidBody& body : anatomy_.bodies) names.insert(body.name);
    for (const Direction& direction : anatomy_.directions) names.insert(direction.name);
    names.erase("");
    return names;
  }

  SeenNames seen_names() const {
    const std::set<std::string> all = known_names();
    SeenNames seen{.all = {all.begin(), all.end()}, .points = {}};
    for (const std::string& name : seen.all)
      if (anatomy_.place_of(name) >= 0) seen.points.push_back(name);
    return seen;
  }

  // The name of a family stands for all of its members: x for x[1], x[2], ...
  void open_families() {
    const std::set<std::string> known = known_names();
    const auto members = [&](const std::string& name) {
      std::vector<std::string> found;
      for (const std::string& other : known)
        if (!known.contains(name) && other.starts_with(name + "[")) found.push_back(other);
      return found.empty() ? std::vector{name} : found;
    };
    const auto open_list = [&](std::vector<std::string>& names) {
      std::vector<std::string> all;
      for (const std::string& name : names)
        for (const std::string& member : members(name)) all.push_back(member);
      names = all;
    };
    const auto open_map = [&](auto& by_name) {
      std::remove_reference_t<decltype(by_name)> all;
      for (const auto& [name, value] : by_name)
        for (const std::string& member : members(name)) all.emplace(member, value);
      by_name = all;
    };
    open_list(options_.hidden);
    if (options_.trails) open_list(*options_.trails);
    open_map(options_.colors);
    open_map(options_.radii);
    open_map(options_.sizes);
    open_map(options_.places);
  }

  int place_called(const std::string& name) {
    if (name != "origin") return anatomy_.place_of(name);
    for (std::size_t i = 0; i < anatomy_.places.size() && origin_ < 0; ++i)
      if (anatomy_.places[i].fixed && anatomy_.places[i].samples.isZero()) origin_ = static_cast<int>(i);
    if (origin_ < 0) {
      origin_ = static_cast<int>(anatomy_.places.size());
      anatomy_.places.push_back(
          {.name = "origin", .x = {}, .samples = MatrixXd::Zero(3, 1), .blocks = {}, .fixed = true, .is_point = false});
      track_of_.push_back(-1);
      role_.push_back(Role::unseen);
      has_children_.push_back(false);
    }
    return origin_;
  }

  bool is_hidden(const std::string& name) const {
    return !name.empty() && std::find(options_.hidden.begin(), options_.hidden.end(), name) != options_.hidden.end();
  }

  void find_roles() {
    for (const SeenPlace& item : anatomy_.places)
      if (item.hangs_on >= 0) has_children_[static_cast<std::size_t>(item.hangs_on)] = true;
    const bool has_points = std::any_of(anatomy_.places.begin(), anatomy_.places.end(),
                                        [](const SeenPlace& item) { return item.is_point && !item.fixed; });
    for (std::size_t i = 0; i < anatomy_.places.size(); ++i) {
      const SeenPlace& item = anatomy_.places[i];
      if (item.fixed)
        role_[i] = Role::pivot;
      else if (is_cart(i))
        role_[i] = Role::cart;
      else if (is_on_sphere(item) && !has_children_[i])
        role_[i] = Role::on_sphere;
      else if (!item.is_point && (has_children_[i] || has_points))
        role_[i] = Role::joint;
    }
    for (const SolidBody& body : anatomy_.bodies) role_[static_cast<std::size_t>(body.place)] = Role::in_body;
  }

  // Moved by one or two numbers, along a line; or in a plane, if something hangs on it.
  bool is_cart(std::size_t index) const {
    const SeenPlace& item = anatomy_.places[index];
    int size = 0;
    for (const int k : item.blocks) {
      const CoordinateBlock& block = anatomy_.blocks[static_cast<std::size_t>(k)];
      if (!block.space.is_flat() || block.size > 2) return false;
      size += block.size;
    }
    if (size == 1) return is_straight(item.samples);
    return size == 2 && has_children_[index] && !anatomy_.planar;
  }

  // Without gravity, what turns about a fixed point lives on a sphere; with it, it is a pendulum.
  bool is_on_sphere(const SeenPlace& item) const {
    if (anatomy_.up || item.hangs_on < 0 || item.by < 0) return false;
    return anatomy_.places[static_cast<std::size_t>(item.hangs_on)].fixed &&
           anatomy_.blocks[static_cast<std::size_t>(item.by)].space.turning() == Turning::direction;
  }

  void set_the_stage() {
    scene_.up = options_.up ? options_.up->normalized() : anatomy_.up.value_or(Eigen::Vector3d::UnitZ());
    scene_.ground = options_.ground.value_or(anatomy_.up.has_value());
    scene_.camera = options_.camera;
    if (!anatomy_.linked)
      scene_.note = fmt::format("These are {} points; links are not drawn for so many.", anatomy_.places.size());
    if (!anatomy_.planar) return;
    scene_.note = anatomy_.up ? "The plane of the motion is drawn upright." : "The plane of the motion, from above.";
    if (!anatomy_.up && !scene_.camera.from) scene_.camera.from = Eigen::Vector3d(0, -0.45, 1);
  }

  int track(int index) {
    int& track = track_of_[static_cast<std::size_t>(index)];
    const SeenPlace& item = place(index);
    if (track < 0) track = item.fixed ? tracks_.fixed(item.samples.col(0)) : tracks_.moving({item.x.data(), 3});
    return track;
  }

  void draw_place(std::size_t i) {
    const auto index = static_cast<int>(i);
    const SeenPlace item = anatomy_.places[i];
    if (is_hidden(item.name)) return;
    switch (role_[i]) {
      case Role::cart:
        draw_cart(index);
        break;
      case Role::pivot:
        if (is_pivot(index)) add({.kind = Drawn::point, .name = item.name, .at = track(index)});
        break;
      case Role::on_sphere:
        draw_sphere(item);
        add({.kind = Drawn::point, .name = item.name, .trail = true, .at = track(index)});
        break;
      case Role::joint:
        add({.kind = Drawn::point, .color = "grey", .at = track(index)});
        break;
      case Role::ball:
        add({.kind = Drawn::point, .name = item.name, .trail = leaves_trail(i), .at = track(index)});
        break;
      case Role::in_body:
      case Role::unseen:
        break;
    }
    if (item.hangs_on >= 0 && role_[i] != Role::on_sphere) draw_link(item.hangs_on, index, LinkStyle::rod);
  }

  // Free points do; of those that hang, the last ones of the longest chains.
  bool leaves_trail(std::size_t index) const {
    if (has_children_[index]) return false;
    const SeenPlace& item = anatomy_.places[index];
    if (item.hangs_on < 0) return true;
    return std::none_of(anatomy_.places.begin(), anatomy_.places.end(), [&](const SeenPlace& other) {
      return other.hangs_on >= 0 && other.blocks.size() > item.blocks.size();
    });
  }

  // A fixed place is shown if it has a name, or if something other than a particle on a sphere is fixed there.
  bool is_pivot(int index) {
    if (!place(index).name.empty()) return true;
    for (const Spring& spring : anatomy_.springs)
      if (spring.from == index || spring.to == index) return true;
    for (std::size_t i = 0; i < anatomy_.places.size(); ++i)
      if (anatomy_.places[i].hangs_on == index && role_[i] != Role::on_sphere) return true;
    return false;
  }

  void draw_link(int from, int to, LinkStyle style) {
    if (is_hidden(place(from).name) || is_hidden(place(to).name)) return;
    add({.kind = Drawn::link, .at = track(from), .to = track(to), .style = style});
  }

  // Has the view said how these two are linked?
  bool is_asked_for(const Spring& spring) {
    return std::any_of(options_.links.begin(), options_.links.end(), [&](const ViewLink& link) {
      return std::minmax(place_called(link.from), place_called(link.to)) == std::minmax(spring.from, spring.to);
    });
  }

  void draw_cart(int index) {
    const SeenPlace item = place(index);
    const bool on_line = is_straight(item.samples);
    const Eigen::Vector3d axis = (item.samples.col(1) - item.samples.col(0)).normalized();
    add({.kind = Drawn::cart, .name = item.name, .at = track(index), .axis = on_line ? axis : Eigen::Vector3d::Zero()});
    const Eigen::Vector3d through = item.samples.col(0);
    for (const auto& [point, direction] : rails_)
      if (direction.cross(axis).norm() < 1e-9 && (through - point).cross(axis).norm() < 1e-9 * (1 + through.norm()))
        return;
    rails_.emplace_back(through, axis);
    const Eigen::Vector3d foot = on_line ? (through - axis * axis.dot(through)).eval() : through;
    add({.kind = on_line ? Drawn::rail : Drawn::plane, .at = tracks_.fixed(foot), .axis = on_line ? axis : scene_.up});
  }

  void draw_sphere(const SeenPlace& item) {
    const double radius = (item.samples.col(0) - place(item.hangs_on).samples.col(0)).norm();
    for (const auto& [center, known] : spheres_)
      if (center == item.hangs_on && std::abs(known - radius) < 1e-9 * radius) return;
    spheres_.emplace_back(item.hangs_on, radius);
    add({.kind = Drawn::sphere, .at = track(item.hangs_on), .radius = radius});
  }

  int given_place(const std::string& name, int otherwise) {
    const auto given = options_.places.find(name);
    return given == options_.places.end() ? otherwise : tracks_.fixed(given->second);
  }

  void draw_body(const SolidBody& body) {
    if (is_hidden(body.name)) return;
    std::vector<Expr> attitude;
    for (const Vector3e& axis : body.attitude) attitude.insert(attitude.end(), axis.begin(), axis.end());
    const int at = given_place(body.name, track(body.place));
    add({.kind = Drawn::body,
         .name = body.name,
         .trail = !place(body.place).fixed,
         .at = at,
         .turn = tracks_.moving(attitude),
         .size = body.size});
  }

  // Arrows from the middle of a sphere; of many directions, what is seen best are points on it.
  void draw_directions() {
    constexpr std::size_t most_arrows = 12;
    const bool are_points = anatomy_.directions.size() > most_arrows && !anatomy_.planar;
    bool in_space = false;
    for (const Direction& direction : anatomy_.directions) {
      if (is_hidden(direction.name)) continue;
      const int at = given_place(direction.name, -1), turn = tracks_.moving({direction.q.data(), 3});
      in_space = in_space || (at < 0 && !anatomy_.planar);
      if (are_points && at < 0)
        add({.kind = Drawn::point, .name = direction.name, .trail = true, .at = turn});
      else
        add({.kind = Drawn::arrow,
             .name = direction.name,
             .at = at < 0 ? tracks_.fixed(Eigen::Vector3d::Zero()) : at,
             .turn = turn,
             .length = 1});
    }
    if (in_space) add({.kind = Drawn::sphere, .at = tracks_.fixed(Eigen::Vector3d::Zero()), .radius = 1});
  }

  void add(SceneObject object) { scene_.objects.push_back(std::move(object)); }

  // Trails, colours and sizes that were asked for; otherwise only some leave a trail.
  void dress() {
    int trails = 0;
    for (SceneObject& object : scene_.objects) {
      object.trail = object.trail && ++trails <= most_trails;
      if (options_.trails) object.trail = asked(*options_.trails, object.name);
      if (const auto it = options_.colors.find(object.name); it != options_.colors.end()) object.color = it->second;
      if (const auto it = options_.radii.find(object.name); it != options_.radii.end()) object.radius = it->second;
      if (const auto it = options_.sizes.find(object.name); it != options_.sizes.end()) object.size = it->second;
    }
  }

  static bool asked(const std::vector<std::string>& names, const std::string& name) {
    return !name.empty() && std::find(names.begin(), names.end(), name) != names.end();
  }

  Anatomy anatomy_;
  Tracks tracks_;
  ViewOptions options_;
  Scene scene_;
  std::vector<int> track_of_;  // by place
  std::vector<Role> role_;
  std::vector<bool> has_children_;
  std::vector<std::pair<Eigen::Vector3d, Eigen::Vector3d>> rails_;
  std::vector<std::pair<int, double>> spheres_;
  int origin_ = -1;
};

}  // namespace

Scene scene_of(const Model& model, std::span<const State> states, const ViewOptions& options) {
  Eigen::Index ambient = 0;
  for (const Coordinate& coordinate : model.coordinates()) ambient += coordinate.space.ambient();
  for (const State& state : states)
    if (state.q.size() != ambient)
      throw std::invalid_argument(fmt::format("scene of {}: a state at t = {:.6g} has {} coordinates; the model has {}",
                                              model.name(), state.t, state.q.size(), ambient));
  const Sheet sheet(model);
  return Painter(model, sheet.lowered, options).paint(states);
}

}  // namespace hamel
