// The exported C, compiled, beside the field of the engine.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "hamel/export/c_source.hpp"
#include "hamel/mechanics/field.hpp"
#include "hamel/model/lower.hpp"

namespace hamel::test {

inline bool has_compiler() { return std::system("cc --version > /dev/null 2>&1") == 0; }

class Compiled {
 public:
  explicit Compiled(const std::string& source) {
    static int count = 0;
    folder_ = std::filesystem::temp_directory_path() /
              ("hamel-c-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "field.c") << source;
    const std::string command = "cc -std=c99 -O0 -Wall -Wextra -Werror -pedantic -shared -fPIC -o '" +
                                (folder_ / "field.so").string() + "' '" + (folder_ / "field.c").string() + "' -lm";
    EXPECT_EQ(std::system(command.c_str()), 0) << source;
    library_ = dlopen((folder_ / "field.so").c_str(), RTLD_NOW);
  }
  ~Compiled() {
    if (library_ != nullptr) dlclose(library_);
    std::filesystem::remove_all(folder_);
  }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  void* find(const std::string& name) const { return library_ == nullptr ? nullptr : dlsym(library_, name.c_str()); }

 private:
  std::filesystem::path folder_;
  void* library_ = nullptr;
};

inline void expect_same_field(const Model& model, Form form, const State& state) {
  SCOPED_TRACE(model.name() + " in form " + std::to_string(static_cast<int>(form)));
  const System system = derive(model);
  Workspace work(system);
  work.u.setConstant(0.6);
  Field field(system, form);
  const VectorXd y = field.pack(work, state), parameters = parameter_values(model);
  VectorXd expected(field.size()), rate = VectorXd::Constant(field.size(), NAN);
  field(work, state.t, y, expected);

  const Compiled compiled(c_source(model, form));
  using Function = void (*)(double, const double*, const double*, const double*, double*);
  const auto function = reinterpret_cast<Function>(compiled.find(c_function_name(model)));
  ASSERT_NE(function, nullptr);
  function(state.t, y.data(), work.u.data(), parameters.data(), rate.data());
  EXPECT_LE((rate - expected).lpNorm<Eigen::Infinity>(), 1e-11 * (1 + expected.lpNorm<Eigen::Infinity>()));
  if (parameters.size() == 0) return;
  const auto* defaults = static_cast<const double*>(compiled.find(c_function_name(model) + "_parameters"));
  ASSERT_NE(defaults, nullptr);
  EXPECT_EQ(Eigen::Map<const VectorXd>(defaults, parameters.size()), parameters);
}

inline State random_state(const Model& model) {
  const System system = derive(model);
  Random random(11);
  const VectorXd q = system.space().random_point(random);
  return {0.4, q, system.space().random_tangent(q, random)};
}

}  // namespace hamel::test
