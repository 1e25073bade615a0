#include "hamel/model/model.hpp"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <unordered_set>

#include "model/refuse.hpp"

namespace hamel {

namespace {

int next_id() {
  static std::atomic<int> last{0};
  return ++last;
}

std::string base_of(const std::string& name) { return name.substr(0, name.find('[')); }

bool is_index(std::string_view text) {  // "[12]"
  return text.size() > 2 && text.front() == '[' && text.back() == ']' &&
         std::all_of(text.begin() + 1, text.end() - 1, [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool is_legal(const std::string& name) {
  const auto letter = [](unsigned char c) { return std::isalpha(c) != 0 || c >= 0x80; };
  const auto in_word = [&](unsigned char c) { return letter(c) || std::isdigit(c) != 0 || c == '_'; };
  const std::string base = base_of(name);
  return !base.empty() && letter(static_cast<unsigned char>(base.front())) &&
         std::all_of(base.begin(), base.end(), in_word) &&
         (base.size() == name.size() || is_index(std::string_view(name).substr(base.size())));
}

void need_legal_name(const std::string& name) {
  if (name.empty()) refuse("a name must not be empty");
  if (name == "t") refuse("the name t is taken by time; choose another name");
  if (!is_legal(name))
    refuse("\"{}\" is not a legal name: use a letter, then letters, digits and underscores, then an index like [2]",
           name);
}

// The first symbol that another model made, depth first.
const Symbol& foreign_symbol(const Formula& formula, int model) {
  std::vector<const Formula::Node*> pending{&formula.node()};
  std::unordered_set<const Formula::Node*> seen;
  while (true) {
    const Formula::Node* node = pending.back();
    pending.pop_back();
    if (node->kind == Kind::symbol && node->model != 0 && node->model != model) return node->symbol;
    for (const Formula& arg : node->args)
      if (arg.node().model != 0 && arg.node().model != model && seen.insert(&arg.node()).second)
        pending.push_back(&arg.node());
  }
}

std::set<std::size_t> inputs_in(const Formula& formula) {
  std::set<std::size_t> result;
  std::set<const Formula::Node*> seen;
  std::vector<Formula> pending{formula};
  while (!pending.empty()) {
    const Formula next = std::move(pending.back());
    pending.pop_back();
    if (!next.depends_on(Role::input) || !seen.insert(&next.node()).second) continue;
    if (next.node().kind == Kind::symbol) result.insert(static_cast<std::size_t>(next.node().symbol.slot));
    pending.insert(pending.end(), next.node().args.begin(), next.node().args.end());
  }
  return result;
}

bool is_symbol(const Formula& formula, Role role) {
  return formula.node().kind == Kind::symbol && formula.node().symbol.role == role;
}

const Formula& whole_of(const Formula& part) {
  const Kind kind = part.node().kind;
  return kind == Kind::block || kind == Kind::component ? part.node().args[0] : part;
}

}  // namespace

Model::Model(std::string name, int first_index) : name_(std::move(name)), first_index_(first_index), id_(next_id()) {}

// Plain names and families of indexed names share one name space: with a coordinate x there is no point x[1].
void Model::take_name(const std::string& name, const std::string& owner) {
  need_legal_name(name);
  const std::string base = base_of(name);
  const bool indexed = base.size() != name.size();
  const std::string family = "the " + owner.substr(owner.find(' ') + 1) + " family " + base + "[...]";
  if (const auto found = owners_.find(base); found != owners_.end() && !(indexed && found->second == family))
    refuse("the name {} is already taken by {}", base, found->second);
  if (indexed && owners_.contains(name)) refuse("the name {} is already taken by {}", name, owner);
  if (indexed) owners_[base] = family;
  owners_[name] = owner;
}

Formula Model::parameter(const std::string& name, double value) {
  return parameter(name, Eigen::MatrixXd::Constant(1, 1, value).eval());
}

Formula Model::parameter(const std::string& name, std::initializer_list<double> values) {
  return parameter(name, Eigen::MatrixXd(Eigen::Map<const Eigen::VectorXd>(values.begin(),
                                                                           static_cast<Eigen::Index>(values.size()))));
}

Formula Model::parameter(const std::string& name, const Eigen::MatrixXd& value) {
  if (value.size() == 0) refuse("parameter {} has no value", name);
  if (!value.allFinite()) refuse("the value of parameter {} must be finite, not nan or inf", name);
  take_name(name, "a parameter");
  parameters_.push_back({name, value});
  origins_.emplace_back();
  return Formula::symbol({.role = Role::parameter,
                          .name = name,
                          .slot = static_cast<int>(parameters_.size()) - 1,
                          .model = id_,
                          .first_index = first_index_},
                         static_cast<int>(value.rows()), static_cast<int>(value.cols()));
}

Formula Model::add_coordinate(const std::string& name, const Manifold& space) {
  take_name(name, "a coordinate");
  coordinates_.push_back({name, space});
  momentum_used_.push_back(false);
  return coordinate(coordinates_.size() - 1);
}

Formula Model::coordinate(std::size_t k) const {
  const auto& [name, space] = coordinates_[k];
  const auto [rows, cols] = space.shape();
  return Formula::symbol({.role = Role::coordinate,
                          .name = name,
                          .slot = static_cast<int>(k),
                          .space = space,
                          .model = id_,
                          .first_index = first_index_},
                         rows, cols);
}

Formula Model::coordinate(const std::string& name, const Manifold& space) { return add_coordinate(name, space); }

std::vector<Formula> Model::coordinates(const std::string& name, const Manifold& space, int count) {
  if (count < 1) refuse("coordinates {} must be at least one, got {}", name, count);
  std::vector<Formula> family;
  for (int i = 0; i < count; ++i)
    family.push_back(add_coordinate(fmt::format("{}[{}]", name, i + first_index_), space));
  return family;
}

Formula Model::time() const { return Formula::symbol({.role = Role::time, .name = "t", .slot = 0}, 1, 1); }

Formula Model::momentum(const Formula& coordinate) {
  need_coordinate("momentum", coordinate);
  if (!is_symbol(coordinate, Role::coordinate))
    refuse("momentum belongs to a whole coordinate, got {}; take its components instead", coordinate.quoted());
  const Symbol& q = coordinate.node().symbol;
  momentum_used_[static_cast<std::size_t>(q.slot)] = true;
  return Formula::symbol(
      {.role = Role::momentum, .name = "mu_" + q.name, .slot = q.slot, .model = id_, .first_index = first_index_},
      coordinate.rows(), coordinate.cols());
}

Formula Model::input(const std::string& name, int size) {
  if (size < 1) refuse("input {} must have at least one component, got {}", name, size);
  take_name(name, "an input");
  inputs_.push_back({name, size});
  return input_symbol(inputs_.size() - 1);
}

Formula Model::input_symbol(std::size_t k) const {
  return Formula::symbol({.role = Role::input,
                          .name = inputs_[k].name,
                          .slot = static_cast<int>(k),
                          .model = id_,
                          .first_index = first_index_},
                         inputs_[k].size, 1);
}

void Model::law(const Formula& input, const Formula& value, double sample) {
  need_own_symbols(input);
  need_own_symbols(value);
  if (!is_symbol(input, Role::input)) refuse("a law is for an input, got {}", input.quoted());
  Input& given = inputs_[static_cast<std::size_t>(input.node().symbol.slot)];
  if (given.law) refuse("the input {} has a law already: {}", given.name, given.law->brief());
  if (value.rows() != given.size || value.cols() != 1)
    refuse("the input {} has {} component{}, and its law is {}", given.name, given.size, given.size == 1 ? "" : "s",
           value.quoted());
  if (value.depends_on(Role::momentum))
    refuse("the law of {} must not contain momenta, got {}", given.name, value.brief());
  for (const std::size_t other : inputs_in(value))
    if (!inputs_[other].law || inputs_[other].sample > 0)
      refuse("the law of {} contains the input {}, which has no law that holds at all times", given.name,
             inputs_[other].name);
  if (!(sample >= 0) || !std::isfinite(sample))
    refuse("the law of {} must be held for a positive time, got {}", given.name, sample);
  for (const Input& other : inputs_)
    if (other.law && sample > 0 && other.sample > 0 && other.sample != sample)
      refuse("the laws of {} and {} are sampled every {} and {}: sampled laws of a model need one interval", other.name,
             given.name, other.sample, sample);
  given.law = value;
  given.sample = sample;
}

Model Model::open() const {
  Model result = *this;
  result.has_laws_ = false;
  result.formulation_ = nullptr;
  return result;
}

Model Model::held(const Eigen::VectorXd& inputs) const {
  const auto is_free = [&](const Input& input) { return !has_laws_ || !input.law; };
  if (std::none_of(inputs_.begin(), inputs_.end(), is_free)) return *this;
  Model result = *this;
  Eigen::Index next = 0;
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    if (follows_law(k)) continue;
    const Eigen::Index begin = next;
    next += inputs_[k].size;
    if (!is_free(inputs_[k])) continue;
    if (inputs.size() > 0 && inputs.size() < next)
      refuse("{} has more inputs than the {} values that were given", name_, inputs.size());
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(inputs_[k].size);
    result.inputs_[k].law = inputs.size() == 0 ? zero : Eigen::VectorXd(inputs.segment(begin, inputs_[k].size));
    result.inputs_[k].sample = 0;
  }
  result.has_laws_ = true;
  result.formulation_ = nullptr;
  return result;
}

Model Model::continuous() const {
  Model result = *this;
  for (Input& input : result.inputs_) input.sample = 0;
  result.formulation_ = nullptr;
  return result;
}

double Model::sample() const {
  for (const Input& input : inputs_)
    if (has_laws_ && input.law && input.sample > 0) return input.sample;
  return 0;
}

bool Model::follows_law(std::size_t input) const {
  return has_laws_ && inputs_[input].law && inputs_[input].sample == 0;
}

Formula Model::point(const std::string& name, const Formula& position) {
  need_position("point " + name, position);
  if (!position.is_vector()) refuse("point {} must be a vector, got {}", name, position.quoted());
  take_name(name, "a point");
  points_.push_back({name, position});
  return position.named(name);
}

void Model::define(const std::string& name, const Formula& formula) {
  need_own_symbols(formula);
  definitions_.push_back({name, formula});
}

void Model::kinetic(const Formula& energy) {
  need_energy("kinetic energy", energy);
  need_no_hamiltonian("kinetic energy", energy);
  if (!energy.has_rates())
    refuse("kinetic energy must contain a rate, got {}; did you mean potential?", energy.brief());
  kinetic_.push_back(energy);
}

void Model::potential(const Formula& energy) {
  need_energy("potential energy", energy);
  need_no_hamiltonian("potential energy", energy);
  if (energy.has_rates())
    refuse("potential energy must not contain rates, got {}; use kinetic or lagrangian", energy.brief());
  potential_.push_back(energy);
}

void Model::lagrangian(const Formula& energy) {
  need_energy("lagrangian", energy);
  need_no_hamiltonian("lagrangian", energy);
  lagrangian_.push_back(energy);
}

void Model::hamiltonian(const Formula& energy) {
  need_energy("hamiltonian", energy);
  if (energy.has_rates())
    refuse("hamiltonian must not contain rates, got {}; write it with momentum(...)", energy.brief());
  for (const auto* terms : {&kinetic_, &potential_, &lagrangian_})
    if (!terms->empty())
      refuse(
          "a model has a Hamiltonian or kinetic, potential and Lagrangian terms, not both: got the hamiltonian {} "
          "after {}",
          energy.brief(), terms->front().brief());
  hamiltonian_.push_back(energy);
}

Model::Prescribed& Model::prescribed(const char* what, const Formula& coordinate, const Formula& value) {
  need_coordinate(what, coordinate);
  if (!is_symbol(coordinate, Role::coordinate))
    refuse("a {} belongs to a whole coordinate, got {}", what, coordinate.quoted());
  need_own_symbols(value);
  const std::string& name = coordinate.node().symbol.name;
  if (value.has_rates())
    refuse("the {} of {} must not contain rates, got {}: it says what they are", what, name, value.brief());
  if (value.depends_on(Role::momentum))
    refuse("the {} of {} must not contain momenta, got {}", what, name, value.brief());
  const auto slot = static_cast<std::size_t>(coordinate.node().symbol.slot);
  if (field_.size() <= slot) field_.resize(slot + 1);
  return field_[slot];
}

namespace {

void prescribe(std::optional<Formula>& place, const char* what, const Symbol& q, const Formula& value,
               std::pair<int, int> shape) {
  if (value.rows() != shape.first || value.cols() != shape.second)
    refuse("the {} of {} on {} must have the shape {}x{}, got {}", what, q.name, q.space->name(), shape.first,
           shape.second, value.quoted());
  if (place) refuse("the {} of {} is given twice", what, q.name);
  place = value;
}

}  // namespace

void Model::field(const Formula& coordinate, const Formula& rate) {
  Prescribed& given = prescribed("rate", coordinate, rate);
  const Symbol& q = coordinate.node().symbol;
  if (given.omega || given.velocity)
    refuse("the rate of {} and its angular velocity or velocity are both given", q.name);
  prescribe(given.rate, "rate", q, rate, {coordinate.rows(), coordinate.cols()});
}

void Model::angular_field(const Formula& coordinate, const Formula& omega) {
  Prescribed& given = prescribed("angular velocity", coordinate, omega);
  const Symbol& q = coordinate.node().symbol;
  if (q.turning() == Turning::none)
    refuse("{} is on {} and has no angular velocity; give its rate", q.name, q.space->name());
  if (given.rate) refuse("the rate of {} and its angular velocity are both given", q.name);
  prescribe(given.omega, "angular velocity", q, omega, {q.space->angular_rates(), 1});
}

void Model::position_field(const Formula& coordinate, const Formula& velocity) {
  Prescribed& given = prescribed("velocity", coordinate, velocity);
  const Symbol& q = coordinate.node().symbol;
  if (!q.is_pose()) refuse("a velocity is for poses on SE3; {} is on {}: give its rate", q.name, q.space->name());
  if (given.rate) refuse("the rate of {} and its velocity are both given", q.name);
  prescribe(given.velocity, "velocity", q, velocity, {3, 1});
}

void Model::force(const Formula& point, const Formula& force) {
  need_position("the point of a force", point);
  need_own_symbols(force);
  if (force.rows() != point.rows() || force.cols() != point.cols())
    refuse("force {} does not have the shape of its point {}", force.quoted(), point.quoted());
  if (!point.depends_on(Role::coordinate))
    refuse("a force at {} does no work: the point depends on no coordinate", point.quoted());
  forces_.push_back({force, rate(point), fmt::format("force at {}", point.brief())});
}

void Model::force_on(const Formula& coordinate, const Formula& force) {
  need_coordinate("force_on", coordinate);
  need_own_symbols(force);
  if (force.rows() != coordinate.rows() || force.cols() != coordinate.cols())
    refuse("force {} does not have the shape of its coordinate {}", force.quoted(), coordinate.quoted());
  forces_.push_back({force, rate(coordinate), fmt::format("force on {}", coordinate.brief())});
}

void Model::torque(const Formula& coordinate, const Formula& torque) {
  need_coordinate("torque", coordinate);
  need_own_symbols(torque);
  const Formula& whole = whole_of(coordinate);
  const Symbol& q = whole.node().symbol;
  if (q.turning() == Turning::none)
    refuse("torque acts on S1, S2, SO3 or SE3; {} is on {}: use force or force_on", q.name, q.space->name());
  const Formula angular = omega(coordinate);
  const std::string what = "torque on " + q.name;
  if (q.is_pose() && torque.is_vector() && torque.rows() == 6) {
    // The force in the body frame works on V = R^T x'.
    const Formula moment = Formula::vector({torque[0], torque[1], torque[2]});
    const Formula thrust = Formula::vector({torque[3], torque[4], torque[5]});
    forces_.push_back({moment, angular, what});
    forces_.push_back({thrust, transpose(rotation(whole)) * rate(hamel::position(whole)), what});
    return;
  }
  if (torque.rows() != angular.rows() || torque.cols() != 1)
    refuse("torque on {} ({}) must have {} component{}{}, got {}", q.name, q.space->name(), angular.rows(),
           angular.rows() == 1 ? "" : "s", q.is_pose() ? " (or 6: moment and force in the body frame)" : "",
           torque.quoted());
  forces_.push_back({torque, angular, what});
}

void Model::dissipation(const Formula& rayleigh) {
  need_energy("dissipation", rayleigh);
  if (!rayleigh.has_rates()) refuse("dissipation must contain a rate, got {}", rayleigh.brief());
  dissipation_.push_back(rayleigh);
}

void Model::constraint(const std::string& name, const Formula& zero) {
  need_legal_name(name);
  need_position("constraint " + name, zero);
  if (!zero.depends_on(Role::coordinate)) refuse("constraint {} depends on no coordinate: {}", name, zero.brief());
  if (!constraint_names_.insert(name).second) refuse("there is already a constraint {}", name);
  constraints_.push_back({name, zero});
}

void Model::need_own_symbols(const Formula& formula) const {
  const int owner = formula.node().model;
  if (owner != 0 && owner != id_) refuse_unknown(foreign_symbol(formula, id_), name_);
}

void Model::need_scalar(const char* what, const Formula& formula) const {
  need_own_symbols(formula);
  if (!formula.is_scalar())
    refuse("{} must be a scalar, got {}{}", what, formula.quoted(),
           formula.is_vector() ? "; did you mean its squared norm?" : "");
}

void Model::need_energy(const char* what, const Formula& energy) const {
  need_scalar(what, energy);
  if (energy.depends_on(Role::input))
    refuse("{} must not contain inputs, got {}; inputs act by force, force_on or torque", what, energy.brief());
  if (energy.depends_on(Role::momentum) && std::string_view(what) != "hamiltonian")
    refuse("{} must not contain momenta, got {}; they are for hamiltonian", what, energy.brief());
}

void Model::need_no_hamiltonian(const char* what, const Formula& energy) const {
  if (!hamiltonian_.empty())
    refuse("a model has a Hamiltonian or kinetic, potential and Lagrangian terms, not both: got the {} {} after {}",
           what, energy.brief(), hamiltonian_.front().brief());
}

void Model::need_position(const std::string& what, const Formula& formula) const {
  need_own_symbols(formula);
  if (formula.has_rates()) refuse("{} must not contain rates, got {}", what, formula.brief());
  if (formula.depends_on(Role::input)) refuse("{} must not contain inputs, got {}", what, formula.brief());
  if (formula.depends_on(Role::momentum)) refuse("{} must not contain momenta, got {}", what, formula.brief());
}

void Model::need_coordinate(const char* what, const Formula& formula) const {
  need_own_symbols(formula);
  if (!is_symbol(whole_of(formula), Role::coordinate)) refuse("{} needs a coordinate, got {}", what, formula.quoted());
}

std::size_t Model::size() const {
  std::size_t size = parameters_.size() + coordinates_.size() + inputs_.size() + points_.size() + bodies_.size() +
                     kinetic_.size() + potential_.size() + lagrangian_.size() + hamiltonian_.size() +
                     dissipation_.size() + forces_.size() + constraints_.size();
  for (const Input& given : inputs_) size += given.law.has_value();
  for (const Prescribed& given : field_)
    size += given.rate.has_value() + given.omega.has_value() + given.velocity.has_value();
  return size + static_cast<std::size_t>(std::count(momentum_used_.begin(), momentum_used_.end(), true));
}

}  // namespace hamel
