// From syntax to typed formulas.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hamel/model/model.hpp"
#include "language/syntax.hpp"
#include "language/value.hpp"

namespace hamel {

// Where names get their meaning.
class NameScope {
 public:
  virtual ~NameScope() = default;
  // The value of a name; as numbers, if `constant`: then only parameters and what is made of them is allowed.
  // Throws SourceError at the place for a name that is unknown or not constant.
  virtual Value value(const std::string& name, const Place& place, bool constant) = 0;
  struct Function {
    const std::vector<std::string>* arguments;
    const Syntax* body;
  };
  // While this lives, constants that are asked for make something that cannot change: a size, an index.
  class Structure {
   public:
    Structure(NameScope& names, std::string what)
        : names_(names), previous_(std::exchange(names.structure_, std::move(what))) {}
    ~Structure() { names_.structure_ = std::move(previous_); }
    Structure(const Structure&) = delete;
    Structure& operator=(const Structure&) = delete;

   private:
    NameScope& names_;
    std::string previous_;
  };
  virtual const Function* function(const std::string& name) const = 0;
  virtual std::vector<std::string> function_names() const = 0;

 protected:
  std::string structure_;  // what is made; empty: nothing that stays
};

class Evaluator {
 public:
  Evaluator(Model& model, NameScope& names) : model_(model), names_(names) {}

  Formula formula(const Syntax& syntax);
  // The same, a sum term by term: calls `action` for each of them.
  using TermAction = std::function<void(const Syntax& syntax, const Formula& term)>;
  Formula sum_of_terms(const Syntax& syntax, const TermAction& action);
  Value value(const Syntax& syntax);
  // With the numbers of the parameters in the place of their names.
  Eigen::MatrixXd constant(const Syntax& syntax);
  int integer(const Syntax& syntax, const char* what);
  // Calls `action` for every value of the indices, which are bound meanwhile.
  template <class Action>
  void loop(const std::vector<Syntax::Binder>& binders, Action action) {
    run(binders, 0, action);
  }
  // Runs the action where no index and no argument has a meaning; as numbers, if `constant`.
  template <class Action>
  auto outside(bool constant, Action action) {
    std::vector<std::pair<std::string, Value>> inner;
    std::swap(locals_, inner);
    const bool before = std::exchange(constant_, constant);
    auto result = action();
    constant_ = before;
    std::swap(locals_, inner);
    return result;
  }
  // Runs the action; what it has begun when it fails is ended.
  template <class Action>
  auto attempt(Action action) {
    const auto locals = locals_;
    const bool constant = constant_;
    const int depth = depth_;
    try {
      return action();
    } catch (...) {
      locals_ = locals;
      constant_ = constant;
      depth_ = depth;
      throw;
    }
  }
  // A local meaning of a name, until it is taken back.
  void bind(const std::string& name, Value value) { locals_.emplace_back(name, std::move(value)); }
  void unbind() { locals_.pop_back(); }

 private:
  template <class Action>
  void run(const std::vector<Syntax::Binder>& binders, std::size_t k, Action& action) {
    if (k == binders.size()) return action();
    for (const std::vector<int>& indices : index_tuples(binders[k])) {
      for (std::size_t i = 0; i < indices.size(); ++i) bind(binders[k].names[i], Formula(indices[i]));
      run(binders, k + 1, action);
      for (std::size_t i = 0; i < indices.size(); ++i) unbind();
    }
  }

  std::vector<std::vector<int>> index_tuples(const Syntax::Binder& binder);
  std::vector<std::vector<int>> rows_of_list(const Syntax::Binder& binder);
  Value evaluate(const Syntax& syntax);
  Value evaluate_kind(const Syntax& syntax);
  Value named(const Syntax& syntax);
  Formula negated(const Syntax& syntax);
  Formula binary(const Syntax& syntax);
  Formula comparison(const Syntax& syntax, const Formula& a, const Formula& b);
  Formula compared_numbers(const Syntax& syntax, const Formula& a, const Formula& b);
  Value indexed(const Syntax& syntax);
  Value rate_of(const Value& value, const Syntax& syntax);
  Value member_of(const Family& family, const Syntax& syntax);
  Formula component(const Formula& whole, const Syntax& syntax);
  Formula member(const Syntax& syntax);
  Formula list(const Syntax& syntax);
  Formula sum(const Syntax& syntax);
  Formula condition(const Syntax& syntax);
  Value choice(const Syntax& syntax);
  Value call(const Syntax& syntax);
  Value call_own(const NameScope::Function& function, const Syntax& syntax);
  int in_range(const Syntax& index, int first, int last, const std::string& what);

  Model& model_;
  NameScope& names_;
  std::vector<std::pair<std::string, Value>> locals_;
  bool constant_ = false;
  int depth_ = 0;
  long long evaluations_ = 0;
};

}  // namespace hamel
