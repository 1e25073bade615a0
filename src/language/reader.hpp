// Reads a model file: its sections, one after another, into a Model.
//
// Definitions may stand in any order: a name gets its value when it is first asked for.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hamel/analyze/control.hpp"
#include "hamel/language/model_file.hpp"
#include "hamel/manifold/smooth_map.hpp"
#include "language/evaluator.hpp"
#include "language/toml_document.hpp"

namespace hamel {

class Reader : public NameScope {
 public:
  Reader(const std::string& text, const std::string& name, const Overrides& parameters, const Overrides& start);
  ModelFile run(const std::vector<std::string>& asked = {});

  Value value(const std::string& name, const Place& place, bool constant) override;
  const Function* function(const std::string& name) const override;
  std::vector<std::string> function_names() const override;

 private:
  enum class Owner { parameter, coordinate, definition, point, body, input, table };
  struct Member {  // x, x[0], x[k in 1..n]
    Pattern pattern;
    Syntax body;
  };
  struct Definition {
    Owner owner;
    Place place;
    std::vector<Member> members = {};
    const TomlEntry* table = nullptr;  // of a body or an input
    bool resolving = false;
    std::optional<Value> value = {}, constant = {};
    std::set<std::string> parameters = {};  // that the constant was made from, of itself and of all it uses
  };
  struct OwnFunction {
    Pattern pattern;
    Syntax body;
    Function function;
  };

  // Names.
  Definition& define(const std::string& name, Owner owner, const Place& place);
  void add_member(const TomlEntry& entry, Owner owner);
  void add_list(const Pattern& pattern, const TomlValue& list, Owner owner);
  void add_function(const Pattern& pattern, const TomlValue& body);
  Value resolved(const std::string& name, Definition& definition);
  Value constant_of(const std::string& name, Definition& definition, const Place& place);
  void note_parameters(const std::string& name, const Definition& definition);
  Value family_of(const std::string& name, Definition& definition, bool constant);
  Value single_of(const std::string& name, Definition& definition, bool constant);
  Value made(const std::string& name, Owner owner, const Syntax& body, bool constant);
  Formula body_of(const std::string& name, const TomlEntry& entry);
  [[noreturn]] void unknown(const std::string& name, const Place& place) const;
  std::string rated_name(const std::string& name) const;

  // Sections.
  const TomlValue* section(const std::string& name) const;
  void check_sections() const;
  void general(ModelFile& file) const;
  void tables();
  void parameters();
  void override_parameter(const std::string& name, const std::string& text, bool elements);
  void follow_others(const std::string& name, std::set<std::string>& done);
  // An expression of constants as a formula of the parameters that it was made from; none where there are no such.
  std::optional<Formula> formula_of_parameters(const Syntax& syntax, const std::set<std::string>& parameters);
  // Runs the action, and collects the parameters that the constants it asks for were made from.
  template <class Action>
  auto noting(std::set<std::string>& parameters, Action action) {
    const Noting noting(*this, parameters);
    return action();
  }
  void coordinates();
  Manifold space_of(const SpaceSyntax& syntax);
  Manifold named_space(const SpaceSyntax& syntax);
  Manifold space_of_matrices(const SpaceSyntax& syntax);
  Manifold embedded(const SpaceSyntax& syntax);
  Manifold projected(const SpaceSyntax& syntax);
  int ambient_of(const SpaceSyntax& syntax);
  SmoothMap::Formula map_of(const SpaceSyntax& syntax, int n, const std::vector<Syntax>& parts);
  void inputs();
  Formula input_of(const std::string& name, const TomlEntry& entry);
  Formula with_limit(const Formula& law, const TomlEntry& limit);
  double sample_of(const TomlEntry& entry);
  void regulators(const ModelFile& file);
  std::vector<Weight> weights(const TomlEntry* entry, const std::string& of);
  void definitions();
  void energy();
  void field();
  using SetField = void (Model::*)(const Formula& coordinate, const Formula& value);
  void field_entry(const TomlEntry& entry, SetField set);
  void energy_terms(const std::string& key, void (Model::*add)(const Formula&));
  Formula energy_term(const Syntax& syntax, const std::string& key);
  void forces();
  void force(const TomlEntry& entry);
  void dissipation();
  void constraints();
  void outputs(ModelFile& file);
  void ask(ModelFile& file, const std::string& text);
  void conserved(ModelFile& file);
  using FormulaCheck = std::function<void(const TomlEntry& entry, const Formula& formula)>;
  std::vector<Model::Named> named_formulas(const TomlValue& table, const FormulaCheck& check = {});
  void units(ModelFile& file) const;
  void start(ModelFile& file);
  void equilibria(ModelFile& file);
  ClaimedEquilibrium equilibrium(const TomlEntry& entry, double t);
  using StartKind = std::optional<StartValues::Given> StartValues::Coordinate::*;
  void start_entry(StartValues& start, const TomlEntry& entry);
  void start_rates(StartValues& start, const TomlEntry& entry, StartKind which);
  void override_start(StartValues& start, const std::string& key, const std::string& text);
  void start_value(StartValues& start, const TomlEntry& entry, StartKind which);
  // Calls the action for the coordinate that a key like x, x[2], x'[k in 1..n] names, or for all of a family.
  void each_coordinate(const TomlEntry& entry, const std::function<void(int slot, const Syntax& value)>& action);
  void set_start(StartValues& start, int slot, const Syntax& syntax, StartKind which, const char* what);
  std::vector<int> slots_of(const std::string& name) const;
  void run_settings(ModelFile& file);
  double setting(const TomlEntry& entry, const char* what);
  void view(ModelFile& file);

  Syntax expression(const TomlValue& value) const;
  std::vector<Syntax> expressions(const TomlValue& value) const;
  // Calls the action for a name, or for every member that a pattern like name[k in 1..n] stands for.
  void each_member(const TomlEntry& entry, const std::function<void(const std::string& name)>& action);
  std::string indexed_name(const std::string& name, int index) const;

  std::shared_ptr<const Source> source_;
  TomlValue document_;
  Overrides overrides_, start_overrides_;
  std::optional<Model> model_;
  std::optional<Evaluator> evaluator_;
  std::map<std::string, Definition> names_;
  std::vector<std::string> order_;  // of the names, as they were written
  std::map<std::string, OwnFunction> functions_;
  std::vector<std::string> remarks_;
  long long members_ = 0;

  struct Noting {
    Noting(Reader& owner, std::set<std::string>& parameters)
        : reader(owner), previous(std::exchange(owner.noted_, &parameters)) {}
    ~Noting() { reader.noted_ = previous; }
    Noting(const Noting&) = delete;
    Noting& operator=(const Noting&) = delete;
    Reader& reader;
    std::set<std::string>* previous;
  };
  std::set<std::string>* noted_ = nullptr;
  std::map<std::string, std::string> fixed_;  // parameters, and what was made from their values
};

}  // namespace hamel
