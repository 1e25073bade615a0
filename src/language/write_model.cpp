#include "hamel/language/write_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "hamel/language/model_file.hpp"
#include "hamel/model/file_text.hpp"
#include "language/written_names.hpp"

namespace hamel {

namespace {

class Writer {
 public:
  explicit Writer(const Model& model) : model_(model), names_(model) { count(); }

  std::string run(const std::string& description) {
    const std::string parameters = this->parameters(), coordinates = this->coordinates(), points = this->points(),
                      bodies = this->bodies(),
                      rest = energies() + field() + forces() + inputs() + dissipation() + constraints();
    std::vector<std::string> lines;
    for (const auto& [name, meaning] : names_.definitions()) lines.push_back(entry(name, meaning));
    std::string head = fmt::format("name = {}\n", quoted_text(model_.name()));
    if (!description.empty()) head += fmt::format("description = {}\n", quoted_text(description));
    return head + parameters + coordinates + section("definitions", lines) + points + bodies + rest;
  }

 private:
  using Lines = std::vector<std::string>;
  static std::string section(const std::string& name, const Lines& lines) {
    return lines.empty() ? "" : fmt::format("\n[{}]\n{}\n", name, fmt::join(lines, "\n"));
  }
  static std::string entry(const std::string& name, const std::string& meaning) {
    return fmt::format("{} = {}", key_of(name), quoted_text(meaning));
  }
  std::string quoted(const Formula& formula) { return quoted_text(names_.text(formula)); }
  std::string list(const std::vector<Formula>& terms) {
    Lines texts;
    for (const Formula& term : terms) texts.push_back(quoted(term));
    return texts.size() == 1 ? texts[0] : fmt::format("[\n  {},\n]", fmt::join(texts, ",\n  "));
  }
  std::string renumbered_name(const std::string& name) const { return renumbered(name, model_.first_index()); }

  void count() {
    for (const Model::Named& one : model_.points()) names_.count(one.formula);
    for (const auto* terms : {&model_.potential_terms(), &model_.lagrangian_terms(), &model_.hamiltonian_terms(),
                              &model_.dissipation_terms()})
      for (const Formula& term : *terms) names_.count(term);
    for (const Formula& term : own_kinetic_terms()) names_.count(term);
    for (const Model::Applied& force : model_.forces()) {
      names_.count(force.force);
      names_.count(force.rate);
    }
    for (const Model::Named& one : model_.constraints()) names_.count(one.formula);
    for (const Input& input : model_.inputs())
      if (input.law) names_.count(*input.law);
    for (const Model::Prescribed& one : model_.field())
      for (const auto* part : {&one.rate, &one.omega, &one.velocity})
        if (*part) names_.count(**part);
  }

  std::vector<Formula> own_kinetic_terms() const {
    std::vector<Formula> terms;
    for (std::size_t k = 0; k < model_.kinetic_terms().size(); ++k) {
      const auto is_its_own = [&](const Model::Body& body) { return body.energy == k; };
      if (std::none_of(model_.bodies().begin(), model_.bodies().end(), is_its_own))
        terms.push_back(model_.kinetic_terms()[k]);
    }
    return terms;
  }

  std::string parameters() {
    Lines lines;
    for (std::size_t k = 0; k < model_.parameters().size(); ++k) {
      const Parameter& one = model_.parameters()[k];
      const std::optional<Formula>& formula = model_.origin(k).formula;
      lines.push_back(formula ? fmt::format("{} = {}", key_of(one.name), quoted(*formula))
                              : fmt::format("{} = {}", key_of(one.name), numbers_text(one.value)));
    }
    return section("parameters", lines);
  }

  std::string coordinates() const {
    Lines lines;
    const auto& all = model_.coordinates();
    for (std::size_t k = 0; k < all.size(); ++k) {
      const std::string space = all[k].space.name();
      const Member member = member_of(all[k].name, model_.first_index());
      if (member.family.empty()) {
        lines.push_back(fmt::format("{} = {}", key_of(all[k].name), quoted_text(space)));
      } else if (member.number == 1) {
        std::size_t count = 1;
        while (k + count < all.size() && member_of(all[k + count].name, model_.first_index()).family == member.family)
          ++count;
        lines.push_back(fmt::format("{} = {}", member.family, quoted_text(fmt::format("{}[{}]", space, count))));
      }
    }
    return section("coordinates", lines);
  }

  bool is_body(const std::string& name) const {
    const auto has_name = [&](const Model::Body& body) { return body.name == name; };
    return std::any_of(model_.bodies().begin(), model_.bodies().end(), has_name);
  }

  std::string points() {
    Lines lines;
    for (const Model::Named& one : model_.points())
      if (!is_body(one.name)) lines.push_back(entry(one.name, names_.meaning(one.formula)));
    return section("points", lines);
  }

  std::string bodies() {
    Lines lines;
    for (const auto& [name, body, energy] : model_.bodies()) {
      std::string text = fmt::format("{} = {{ attitude = {}", key_of(name), quoted(body.attitude));
      const auto add = [&](const char* what, const Formula& value) {
        if (!value.is_zero()) text += fmt::format(", {} = {}", what, quoted(value));
      };
      add("position", body.position);
      add("mass", body.mass);
      add("inertia", body.inertia);
      add("center", body.center_of_mass);
      lines.push_back(text + " }");
    }
    return section("bodies", lines);
  }

  std::string energies() {
    Lines lines;
    const auto add = [&](const char* name, const std::vector<Formula>& terms) {
      if (!terms.empty()) lines.push_back(fmt::format("{} = {}", name, list(terms)));
    };
    add("kinetic", own_kinetic_terms());
    add("potential", model_.potential_terms());
    add("lagrangian", model_.lagrangian_terms());
    add("hamiltonian", model_.hamiltonian_terms());
    return section("energy", lines);
  }

  std::string field() {
    Lines lines;
    for (std::size_t k = 0; k < model_.field().size(); ++k) {
      const std::string name = renumbered_name(model_.coordinates()[k].name);
      const auto add = [&](const char* prefix, const std::optional<Formula>& value) {
        if (value) lines.push_back(fmt::format("{}{} = {}", prefix, key_of(name), quoted(*value)));
      };
      const Model::Prescribed& one = model_.field()[k];
      if (one.rate) lines.push_back(entry(primed(name), names_.text(*one.rate)));
      add("omega.", one.omega);
      add("velocity.", one.velocity);
    }
    return section("field", lines);
  }

  // { at = point, force = f } where a force works on the rate of a point, { on = q, torque = f } on omega(q).
  std::string force(const Model::Applied& applied) {
    const Formula::Node& rate = applied.rate.node();
    if (rate.kind == Kind::angular_velocity)
      return fmt::format("{{ on = {}, torque = {} }}", quoted(rate.args[0]), quoted(applied.force));
    if (rate.kind == Kind::rate) {
      const bool on = rate.args[0].node().kind == Kind::symbol;
      return fmt::format("{{ {} = {}, force = {} }}", on ? "on" : "at", quoted(rate.args[0]), quoted(applied.force));
    }
    // In the body frame, on V = R^T x': f . (A x') = (A^T f) . x'.
    if (rate.kind == Kind::multiply && rate.args[1].node().kind == Kind::rate)
      return fmt::format("{{ at = {}, force = {} }}", quoted(rate.args[1].node().args[0]),
                         quoted(transpose(rate.args[0]) * applied.force));
    throw std::invalid_argument(fmt::format("the {} cannot be written to a model file", applied.what));
  }

  std::string forces() {
    Lines lines;
    for (std::size_t k = 0; k < model_.forces().size(); ++k)
      lines.push_back(fmt::format("force{} = {}", k + 1, force(model_.forces()[k])));
    return section("forces", lines);
  }

  std::string inputs() {
    Lines lines;
    for (const Input& one : model_.inputs()) {
      std::string text = fmt::format("{} = {{ size = {}", key_of(one.name), one.size);
      if (one.law) text += fmt::format(", law = {}", quoted(*one.law));
      if (one.sample > 0) text += fmt::format(", sample = {}", number_text(one.sample));
      lines.push_back(text + " }");
    }
    return section("inputs", lines);
  }

  std::string dissipation() {
    Lines lines;
    for (std::size_t k = 0; k < model_.dissipation_terms().size(); ++k)
      lines.push_back(fmt::format("dissipation{} = {}", k + 1, quoted(model_.dissipation_terms()[k])));
    return section("dissipation", lines);
  }

  std::string constraints() {
    Lines lines;
    for (const Model::Named& one : model_.constraints())
      lines.push_back(entry(
          one.name, fmt::format("{} = {}", names_.text(one.formula),
                                one.formula.is_scalar()
                                    ? "0"
                                    : names_.text(Formula(
                                          Eigen::MatrixXd::Zero(one.formula.rows(), one.formula.cols()).eval())))));
    return section("constraints", lines);
  }

  const Model& model_;
  WrittenNames names_;
};

}  // namespace

std::string model_text(const Model& model, const std::string& description) {
  std::string text = Writer(model).run(description);
  try {
    parse_model(text, "the model file");
  } catch (const SourceError& error) {
    throw std::invalid_argument(fmt::format("{} cannot be written to a model file: {}", model.name(), error.what()));
  }
  return text;
}

std::string start_text(const State& start) {
  if (!start.model) throw std::invalid_argument("the start has no model: make it by System::state");
  const Model& model = *start.model;
  std::string text = "\n[start]\n";
  if (start.t != 0) text += fmt::format("t = {}\n", number_text(start.t));
  Eigen::Index begin = 0;
  std::string rates;
  for (const Coordinate& one : model.coordinates()) {
    const auto [rows, cols] = one.space.shape();
    const Eigen::Index size = one.space.ambient();
    const std::string name = renumbered(one.name, model.first_index());
    text += fmt::format("{} = {}\n", key_of(name), numbers_text(start.q.segment(begin, size).reshaped(rows, cols)));
    rates += fmt::format("{} = {}\n", quoted_text(primed(name)),
                         numbers_text(start.v.segment(begin, size).reshaped(rows, cols)));
    begin += size;
  }
  return model.has_field() ? text : text + rates;
}

}  // namespace hamel
