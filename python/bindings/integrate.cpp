#include "hamel/integrate/integrate.hpp"

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <chrono>
#include <memory>

#include "bindings.hpp"
#include "convert.hpp"
#include "hamel/integrate/request.hpp"
#include "hamel/mechanics/values.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"

namespace hamel::python {

namespace {

// A trajectory with its numbers in one piece: outputs by rows.
struct Motion {
  Trajectory trajectory;
  std::shared_ptr<std::vector<double>> t, q, v, u;
  std::size_t ambient = 0, inputs = 0;
};

// Also without columns.
Array table(const std::shared_ptr<std::vector<double>>& numbers, std::size_t rows, std::size_t cols) {
  auto* kept = new std::shared_ptr<std::vector<double>>(numbers);
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::shared_ptr<std::vector<double>>*>(p); });
  const std::size_t shape[] = {rows, cols};
  return Array(numbers->data(), 2, shape, owner);
}

Array column_of_times(const std::shared_ptr<std::vector<double>>& numbers) {
  auto* kept = new std::shared_ptr<std::vector<double>>(numbers);
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::shared_ptr<std::vector<double>>*>(p); });
  const std::size_t shape[] = {numbers->size()};
  return Array(numbers->data(), 1, shape, owner);
}

class EventValue : public nb::object {
  NB_OBJECT_DEFAULT(EventValue, nb::object, "Formula | Callable[[State], float]", is_anything)
};

constexpr std::array crossing_names{"any", "rising", "falling"};  // as they are in Crossing

struct PythonEvent {
  std::string name;
  nb::object value;
  Crossing direction;
  bool terminal;
};

// The function may know the event, by its globals: Python's collector must see the way between them.
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<PythonEvent>(self)->value.ptr());
  return 0;
}
int clear(PyObject* self) {
  nb::inst_ptr<PythonEvent>(self)->value.reset();
  return 0;
}
PyType_Slot event_slots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {Py_tp_clear, reinterpret_cast<void*>(clear)}, {0, nullptr}};

// The inputs at a state of the run: those that are held, zero where nothing sets them, or what a continuous law says.
class InputsAt {
 public:
  InputsAt(const System& system, const Control& control)
      : held_(std::make_shared<VectorXd>(VectorXd::Zero(system.inputs()))) {
    if (control.continuous) law_ = control.law;
  }

  const VectorXd& operator()(const State& state) const {
    if (law_) law_(state.t, state, *held_);
    return *held_;
  }

  // The same control, which leaves what it says here.
  Control watched(const Control& control) const {
    if (!control.law || control.continuous) return control;
    return {[law = control.law, held = held_](double t, const State& state, VectorXd& values) {
              law(t, state, values);
              *held = values;
            },
            control.every};
  }

 private:
  std::shared_ptr<VectorXd> held_;
  InputLaw law_;
};

// A formula is compiled and needs no Python.
Event formula_event(const System& system, const PythonEvent& event, const InputsAt& u) {
  const auto formula = nb::cast<Formula>(event.value);
  if (!formula.is_scalar())
    throw std::invalid_argument(
        fmt::format("the value of event {} must be a scalar, got {}", event.name, formula.quoted()));
  const auto values = std::make_shared<Values>(system, std::vector<Formula>{formula});
  const auto value = [values, u](const State& state) {
    VectorXd result(1);
    (*values)(state.t, state.q, state.v, u(state), result);
    return result(0);
  };
  return {.name = event.name, .value = value, .direction = event.direction, .terminal = event.terminal};
}

Event event_of(const System& system, const PythonEvent& event, const InputsAt& u) {
  if (nb::isinstance<Formula>(event.value)) return formula_event(system, event, u);
  const auto value = [call = function_of(event.value), name = event.name](const State& state) {
    const nb::gil_scoped_acquire acquire;
    const double result = nb::cast<double>((*call)(state));
    if (!std::isfinite(result))
      throw std::domain_error(fmt::format("the value of event {} is {} at t = {}", name, result, state.t));
    return result;
  };
  return {.name = event.name, .value = value, .direction = event.direction, .terminal = event.terminal};
}

// Ctrl-C is looked for from time to time, and the time that was reached is told.
void finish(Integration& run, const nb::object& progress) {
  using Clock = std::chrono::steady_clock;
  constexpr auto interval = std::chrono::milliseconds(50);
  Clock::time_point next = Clock::now() + interval;
  while (run.advance()) {
    if (Clock::now() < next) continue;
    next = Clock::now() + interval;
    const nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!progress.is_none()) progress(run.time());
  }
}

Motion integrated(const System& system, const State& start, const std::string& method, double until, double step,
                  double tolerance, double every, int halvings, const std::vector<PythonEvent>& events,
                  const nb::object& inputs, double sample, bool continuous, const nb::object& progress) {
  const Method chosen = method_named(method, step, tolerance);
  const Control control = control_of(system, chosen, inputs, sample, continuous, until - start.t);
  const InputsAt u(system, control);
  Until request{.t = until, .every = every, .halvings = halvings};
  for (const PythonEvent& event : events) request.events.push_back(event_of(system, event, u));
  Motion motion;
  for (auto* numbers : {&motion.t, &motion.q, &motion.v, &motion.u}) *numbers = std::make_shared<std::vector<double>>();
  motion.ambient = static_cast<std::size_t>(system.ambient());
  motion.inputs = static_cast<std::size_t>(system.inputs());
  request.keep = false;
  const Unlocked unlocked;
  const auto keep = [&](const State& state) {
    motion.t->push_back(state.t);
    motion.q->insert(motion.q->end(), state.q.begin(), state.q.end());
    motion.v->insert(motion.v->end(), state.v.begin(), state.v.end());
    const VectorXd& now = u(state);
    motion.u->insert(motion.u->end(), now.begin(), now.end());
    return true;
  };
  Integration run(system, start, chosen, request, keep, u.watched(control));
  finish(run, progress);
  motion.trajectory = run.finish();
  return motion;
}

}  // namespace

Crossing crossing_named(const std::string& name) {
  for (std::size_t k = 0; k < crossing_names.size(); ++k)
    if (name == crossing_names[k]) return static_cast<Crossing>(k);
  throw std::invalid_argument(fmt::format("there is no direction {}: use any, rising or falling", name));
}

void bind_integration(nb::module_& m) {
  nb::class_<PythonEvent>(m, "Event", nb::type_slots(event_slots), "A zero of a function of the state along a motion.")
      .def(
          "__init__",
          [](PythonEvent* self, const std::string& name, const EventValue& value, const std::string& direction,
             bool terminal) {
            if (!nb::isinstance<Formula>(value) && !nb::isinstance<nb::callable>(value))
              throw nb::type_error(
                  fmt::format("the value of event {} must be a formula or a function of a state", name).c_str());
            new (self) PythonEvent{name, nb::borrow(value), crossing_named(direction), terminal};
          },
          nb::arg("name"), nb::arg("value"), nb::arg("direction") = "any", nb::arg("terminal") = false)
      .def_ro("name", &PythonEvent::name, "What it is called.")
      .def_prop_ro(
          "value", [](const PythonEvent& event) { return nb::borrow<EventValue>(event.value); },
          "What is zero where it happens.")
      .def_prop_ro(
          "direction",
          [](const PythonEvent& event) { return crossing_names.at(static_cast<std::size_t>(event.direction)); },
          "any, rising or falling.")
      .def_ro("terminal", &PythonEvent::terminal, "Whether it ends the motion.");
  nb::class_<Occurrence>(m, "Occurrence", "Where an event happened.")
      .def_ro("event", &Occurrence::event, "Its name.")
      .def_ro("state", &Occurrence::state, "The state, with its time.");
  nb::class_<Motion>(m, "_Motion")
      .def_prop_ro(
          "t", [](const Motion& motion) { return column_of_times(motion.t); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "q", [](const Motion& motion) { return table(motion.q, motion.t->size(), motion.ambient); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "v", [](const Motion& motion) { return table(motion.v, motion.t->size(), motion.ambient); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "u", [](const Motion& motion) { return table(motion.u, motion.t->size(), motion.inputs); },
          nb::rv_policy::automatic)
      .def_prop_ro("method", [](const Motion& motion) { return motion.trajectory.method.name; })
      .def_prop_ro("steps", [](const Motion& motion) { return motion.trajectory.steps; })
      .def_prop_ro("rejected", [](const Motion& motion) { return motion.trajectory.rejected; })
      .def_prop_ro("halved", [](const Motion& motion) { return motion.trajectory.halved; })
      .def_prop_ro("ended_by", [](const Motion& motion) { return motion.trajectory.ended_by; })
      .def_prop_ro("occurrences", [](const Motion& motion) { return motion.trajectory.occurrences; })
      .def_prop_ro("final", [](const Motion& motion) { return motion.trajectory.states.back(); });
  m.def("_integrate", integrated, nb::arg("system"), nb::arg("start"), nb::arg("method"), nb::arg("until"),
        nb::arg("step"), nb::arg("tolerance"), nb::arg("every"), nb::arg("halvings"), nb::arg("events"),
        nb::arg("inputs").none(), nb::arg("sample"), nb::arg("continuous"), nb::arg("progress").none());
  m.def("method_names", &method_names, "All integrators.");
}

}  // namespace hamel::python
