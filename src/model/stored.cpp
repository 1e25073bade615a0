#include "hamel/model/stored.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "hamel/graph/table.hpp"
#include "hamel/manifold/spaces.hpp"
#include "hamel/model/archive.hpp"

namespace hamel {

// The parts of a model, by type. What has no value before it is read begins with a blank one.
static Formula blank(Formula*) { return 0.0; }
static Manifold blank(Manifold*) { return S1(); }
static Coordinate blank(Coordinate*) { return {.name = {}, .space = S1()}; }
static Model::Named blank(Model::Named*) { return {.name = {}, .formula = 0.0}; }
static Model::Applied blank(Model::Applied*) { return {.force = 0.0, .rate = 0.0, .what = {}}; }
static Model::Body blank(Model::Body*) { return {.name = {}, .body = {.attitude = 0.0, .inertia = 0.0}, .energy = 0}; }

static void list(Archive& archive, Formula& formula);
static void list(Archive& archive, Manifold& space) {
  std::string name = archive.is_writing() ? space.name() : std::string();
  const auto named = [&] {
    if (std::optional<Manifold> found = space_called(name)) return *found;
    throw std::invalid_argument(fmt::format("the space {} cannot be stored; store the text of the model file", name));
  };
  if (archive.is_writing()) named();
  archive(name);
  if (!archive.is_writing()) space = named();
}
static void list(Archive& archive, Parameter& one) { archive(one.name, one.value); }
static void list(Archive& archive, ParameterOrigin& one) { archive(one.formula, one.fixed_by); }
static void list(Archive& archive, Coordinate& one) { archive(one.name, one.space); }
static void list(Archive& archive, Input& one) { archive(one.name, one.size, one.law, one.sample); }
static void list(Archive& archive, Model::Named& one) { archive(one.name, one.formula); }
static void list(Archive& archive, Model::Applied& one) { archive(one.force, one.rate, one.what); }
static void list(Archive& archive, Model::Prescribed& one) { archive(one.rate, one.omega, one.velocity); }
static void list(Archive& archive, Model::Body& one) {
  archive(one.name, one.body.attitude, one.body.position, one.body.mass, one.body.inertia, one.body.center_of_mass,
          one.energy);
}

// A model with its formulas, of which those that are used twice are stored once.
struct StoredModel : Archive {
  StoredModel() = default;
  explicit StoredModel(const std::string& bytes) : Archive(bytes) {}

  void list(Model& model) {
    id_ = model.id_;
    (*this)(model.first_index_, model.owners_, model.constraint_names_, model.momentum_used_, model.parameters_,
            model.coordinates_, model.has_laws_, model.derived_, model.origins_, model.inputs_, model.points_,
            model.definitions_, model.kinetic_, model.potential_, model.lagrangian_, model.hamiltonian_,
            model.dissipation_, model.bodies_, model.field_, model.forces_, model.constraints_);
  }

  void write(const Formula& formula) {
    std::vector<Formula> fresh = unknown_below(formula);
    std::size_t count = fresh.size();
    (*this)(count);
    for (const Formula& one : fresh) {
      Formula::Node node = one.node();
      list_node(node);
      std::vector<std::size_t> args;
      for (const Formula& arg : node.args) args.push_back(places_.at(&arg.node()));
      (*this)(args);
      places_.emplace(&one.node(), formulas_.size());
      formulas_.push_back(one);
    }
    std::size_t place = places_.at(&formula.node());
    (*this)(place);
  }

  Formula read_formula() {
    std::size_t count = 0;
    (*this)(count);
    for (std::size_t k = 0; k < count; ++k) {
      Formula::Node node{};
      list_node(node);
      std::vector<std::size_t> args;
      (*this)(args);
      for (const std::size_t arg : args) node.args.push_back(known(arg));
      if (node.model != 0) node.model = id_;
      if (node.kind == Kind::symbol && node.symbol.model != 0) node.symbol.model = id_;
      formulas_.emplace_back(std::make_shared<const Formula::Node>(std::move(node)));
    }
    std::size_t place = 0;
    (*this)(place);
    return known(place);
  }

 private:
  void list_node(Formula::Node& node) {
    if (node.kind == Kind::number && node.value.size() == 1 && is_table(node.value(0, 0)))
      throw std::invalid_argument(
          fmt::format("the table {} cannot be stored; store the text of the model file", table_name(node.value(0, 0))));
    (*this)(node.kind, node.rows, node.cols, node.value, node.function, node.i, node.j, node.label, node.uses,
            node.model);
    Symbol& symbol = node.symbol;
    if (node.kind == Kind::symbol)
      (*this)(symbol.role, symbol.name, symbol.slot, symbol.space, symbol.model, symbol.first_index);
  }

  // Arguments before what is made of them, however deep.
  std::vector<Formula> unknown_below(const Formula& formula) const {
    enum class Visit { none, opened, done };
    std::unordered_map<const Formula::Node*, Visit> visits;
    std::vector<Formula> result, pending{formula};
    while (!pending.empty()) {
      const Formula next = pending.back();
      Visit& visit = visits[&next.node()];
      if (visit == Visit::none && !places_.contains(&next.node())) {
        visit = Visit::opened;
        for (const Formula& arg : next.node().args)
          if (visits[&arg.node()] != Visit::done) pending.push_back(arg);
        continue;
      }
      if (visit == Visit::opened) result.push_back(next);
      visits[&next.node()] = Visit::done;
      pending.pop_back();
    }
    return result;
  }

  const Formula& known(std::size_t place) const {
    if (place >= formulas_.size()) throw std::invalid_argument("these bytes are no model: a formula is missing");
    return formulas_[place];
  }

  int id_ = 0;  // of the model
  std::vector<Formula> formulas_;
  std::unordered_map<const Formula::Node*, std::size_t> places_;
};

static void list(Archive& archive, Formula& formula) {
  auto& model = static_cast<StoredModel&>(archive);
  if (model.is_writing())
    model.write(formula);
  else
    formula = model.read_formula();
}

namespace {

std::string stored_format() { return "hamel model 1"; }

// FNV-1a
std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

}  // namespace

std::string stored(const Model& model) {
  StoredModel archive;
  std::string format = stored_format(), name = model.name();
  archive(format, name);
  Model copy = model;
  archive.list(copy);
  std::uint64_t hash = hash_of(archive.bytes());
  archive(hash);
  return archive.bytes();
}

Model restored(const std::string& bytes) {
  constexpr std::size_t tail = sizeof(std::uint64_t);
  std::uint64_t hash = 0;
  if (bytes.size() >= tail) bytes.copy(reinterpret_cast<char*>(&hash), tail, bytes.size() - tail);
  if (bytes.size() < tail || hash != hash_of(std::string_view(bytes).substr(0, bytes.size() - tail)))
    throw std::invalid_argument("these bytes are no model, or they are damaged");
  StoredModel archive(bytes.substr(0, bytes.size() - tail));
  std::string format, name;
  archive(format, name);
  if (format != stored_format()) throw std::invalid_argument("this model was stored by another version of hamel");
  Model model(name);
  archive.list(model);
  archive.need_end();
  return model;
}

}  // namespace hamel
