// A row of the table of methods: all that the rest of hamel knows about a method. Each stands in the file of its
// stepper.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "hamel/integrate/lane_stepper.hpp"
#include "hamel/integrate/method.hpp"
#include "hamel/integrate/stepper.hpp"

namespace hamel {

// Something that can be set, as a record writes it: a number or a word.
template <class M>
struct MethodPart {
  using Value = decltype(Setting::value);
  std::string name;
  std::function<Value(const M&)> get;
  std::function<void(M&, const Value&)> set;  // refuses a value of the wrong kind
  bool is_new = false;                        // older records do not have it
};

template <class M>
struct MethodRow {
  std::vector<M> variants;  // one for each name, with no step or tolerance yet
  std::string (*name)(const M&);
  MethodInfo (*info)(const M&);  // all but the name, and what it takes
  std::vector<MethodPart<M>> parts;
  void (*check)(const M&, const std::string& name);
  std::unique_ptr<Stepper> (*stepper)(const System&, const M&);
  // Eight at once; none where this system cannot be taken so.
  std::unique_ptr<LaneStepper> (*lanes)(const System&, const M&, LaneParameters) = nullptr;
};

[[noreturn]] void refuse_setting(const std::string& name, const std::string& expected, const Setting& found);

template <class M, class Number>
MethodPart<M> number(const char* name, Number M::*member) {
  return {name, [=](const M& m) { return static_cast<double>(m.*member); },
          [=, what = std::string(name)](M& m, const auto& value) {
            if (!std::holds_alternative<double>(value)) refuse_setting(what, "a number", {what, value});
            m.*member = static_cast<Number>(std::get<double>(value));
          }};
}

// One of several values, each with its word.
template <class M, class Choice>
MethodPart<M> word(const char* name, Choice M::*member, std::vector<std::pair<std::string, Choice>> words) {
  const auto get = [=](const M& m) {
    for (const auto& [text, choice] : words)
      if (choice == m.*member) return text;
    return std::string();
  };
  const auto set = [=, what = std::string(name)](M& m, const auto& value) {
    std::string all;
    for (const auto& [text, choice] : words) {
      if (value == typename MethodPart<M>::Value(text)) {
        m.*member = choice;
        return;
      }
      all += (all.empty() ? "" : ", ") + text;
    }
    refuse_setting(what, "one of " + all, {what, value});
  };
  return {name, get, set};
}

template <class M>
MethodPart<M> form_part() {
  return word("form", &M::form,
              {{"velocity", Form::velocity}, {"omega", Form::omega}, {"mu", Form::mu}, {"pi", Form::pi}});
}
template <class M>
MethodPart<M> reproject_part() {
  return word("reproject", &M::reproject, {{"no", false}, {"yes", true}});
}
inline std::string with_suffix(std::string name, bool reproject) { return reproject ? name + "-reprojected" : name; }

// Of steps and tolerances.
void need_positive(const std::string& method, const char* what, double value);
// What rounding makes of a step is not cured by shorter ones, of which there would be no end.
void need_tolerance(const std::string& method, const char* what, double value);

template <class M>
void check_step(const M& method, const std::string& name) {
  need_positive(name, "step", method.step);
}

}  // namespace hamel
