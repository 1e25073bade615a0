// Copies and pickles: models as bytes of their own formulas, systems derived again, all else number by number.
#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "hamel/analyze/control.hpp"
#include "hamel/analyze/equilibria.hpp"
#include "hamel/integrate/event.hpp"
#include "hamel/language/model_file.hpp"
#include "hamel/model/archive.hpp"
#include "hamel/model/stored.hpp"
#include "hamel/record/file_run.hpp"
#include "interrupt.hpp"

namespace hamel {

static void list(Archive& archive, std::shared_ptr<const Model>& model) {
  std::string bytes = archive.is_writing() && model ? stored(*model) : std::string();
  archive(bytes);
  if (!archive.is_writing()) model = bytes.empty() ? nullptr : std::make_shared<const Model>(restored(bytes));
}
static void list(Archive& archive, State& one) { archive(one.t, one.q, one.v, one.model); }
static void list(Archive& archive, Occurrence& one) { archive(one.event, one.state); }
static void list(Archive& archive, Generator& one) { archive(one.A, one.b); }
static void list(Archive& archive, LinearModel& one) {
  archive(one.at, one.inputs, one.moving, one.basis, one.units, one.M, one.D, one.G, one.K, one.B, one.is_field,
          one.has_forces, one.is_uniform, one.multipliers, one.residual, one.imbalance);
}
static void list(Archive& archive, Eigenvalue& one) {
  archive(one.value, one.algebraic, one.geometric, one.largest_block);
}
static void list(Archive& archive, Spectrum& one) { archive(one.values, one.rate, one.pairing_error); }
static void list(Archive& archive, Signature& one) { archive(one.positive, one.zero, one.negative); }
static void list(Archive& archive, SampledLoop& one) {
  archive(one.interval, one.gain, one.step, one.steps, one.rates);
}
static void list(Archive& archive, Stability& one) {
  archive(one.verdict, one.reason, one.spectrum, one.stiffness, one.on_level, one.orbit, one.family, one.zero_modes,
          one.sampled);
}
static void list(Archive& archive, Equilibrium& one) {
  archive(one.name, one.signs, one.linear, one.energy, one.rate, one.drift, one.stability);
}
static void list(Archive& archive, HiddenDirection& one) { archive(one.eigenvalue, one.states, one.along, one.words); }
static void list(Archive& archive, Gain& one) { archive(one.name, one.point, one.rate); }
static void list(Archive& archive, Regulator& one) {
  archive(one.gain, one.gains, one.closed_loop, one.residual, one.sample, one.left_out);
}

namespace python {

namespace {

std::string text_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }
nb::bytes bytes_of(const std::string& text) { return nb::bytes(text.data(), text.size()); }

template <class T>
void add_pickle(nb::handle type) {
  const auto save = [](const T& value) {
    Archive archive;
    T copy = value;
    archive(copy);
    return bytes_of(archive.bytes());
  };
  const auto load = [](T* self, const nb::bytes& bytes) {
    Archive archive(text_of(bytes));
    T value{};
    archive(value);
    archive.need_end();
    new (self) T(std::move(value));
  };
  nb::cpp_function_def(save, nb::scope(type), nb::name("__getstate__"), nb::is_method());
  nb::cpp_function_def(load, nb::scope(type), nb::name("__setstate__"), nb::is_method());
}

// The value is never changed, or is copied with all that it knows: formulas of a model are those of its copy.
template <class T>
void add_copy(nb::handle type) {
  nb::cpp_function_def([](const T& value) { return T(value); }, nb::scope(type), nb::name("__copy__"), nb::is_method());
  nb::cpp_function_def([](const T& value, const nb::dict&) { return T(value); }, nb::scope(type),
                       nb::name("__deepcopy__"), nb::is_method(), nb::arg("memo"));
}

void pickle_models(nb::handle type) {
  nb::cpp_function_def([](const Model& model) { return bytes_of(stored(model)); }, nb::scope(type),
                       nb::name("__getstate__"), nb::is_method());
  nb::cpp_function_def([](Model* self, const nb::bytes& bytes) { new (self) Model(restored(text_of(bytes))); },
                       nb::scope(type), nb::name("__setstate__"), nb::is_method());
}

void pickle_systems(nb::handle type) {
  nb::cpp_function_def(
      [](const System& system) {
        return nb::make_tuple(bytes_of(stored(system.model())), static_cast<int>(system.path()));
      },
      nb::scope(type), nb::name("__getstate__"), nb::is_method());
  nb::cpp_function_def(
      [](System* self, const nb::tuple& state) {
        const std::string bytes = text_of(nb::cast<nb::bytes>(state[0]));
        const auto path = static_cast<Path>(nb::cast<int>(state[1]));
        const Unlocked unlocked;
        new (self) System(derive(restored(bytes), {.path = path}));
      },
      nb::scope(type), nb::name("__setstate__"), nb::is_method());
}

}  // namespace

void bind_pickles(nb::module_& m) {
  pickle_models(m.attr("Model"));
  pickle_systems(m.attr("System"));
  add_pickle<State>(m.attr("State"));
  add_pickle<Occurrence>(m.attr("Occurrence"));
  add_pickle<LinearModel>(m.attr("LinearModel"));
  add_pickle<Equilibrium>(m.attr("Equilibrium"));
  add_pickle<Regulator>(m.attr("Regulator"));
  add_copy<Model>(m.attr("Model"));
  add_copy<System>(m.attr("System"));
  add_copy<State>(m.attr("State"));
  add_copy<Occurrence>(m.attr("Occurrence"));
  add_copy<ModelFile>(m.attr("ModelFile"));
  add_copy<LinearModel>(m.attr("LinearModel"));
  add_copy<Equilibrium>(m.attr("Equilibrium"));
  add_copy<Regulator>(m.attr("Regulator"));
}

}  // namespace python

}  // namespace hamel
