// The exported C compiles without a warning and computes the field.
#include "hamel/export/c_source.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "hamel/graph/functions.hpp"
#include "hamel/manifold/rn.hpp"
#include "hamel/mechanics/field.hpp"
#include "hamel/model/lower.hpp"
#include "textbook/examples.hpp"

namespace hamel::test {
namespace {

bool has_compiler() { return std::system("cc --version > /dev/null 2>&1") == 0; }

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

void expect_same_field(const Model& model, Form form, const State& state) {
  SCOPED_TRACE(model.name());
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

State random_state(const Model& model) {
  const System system = derive(model);
  Random random(11);
  const VectorXd q = system.space().random_point(random);
  return {0.4, q, system.space().random_tangent(q, random)};
}

TEST(CSource, ComputesTheField) {
  if (!has_compiler()) GTEST_SKIP() << "there is no cc";
  for (const auto example : {planar_pendulum, pendulum_on_cart, charged_particle, posed_body})
    for (const Form form : {Form::velocity, Form::omega, Form::mu, Form::pi})
      expect_same_field(example(), form, random_state(example()));
}

TEST(CSource, ComputesTheFieldOfAHamiltonian) {
  if (!has_compiler()) GTEST_SKIP() << "there is no cc";
  for (const Form form : {Form::mu, Form::pi})
    expect_same_field(by_hamiltonian(), form, random_state(by_hamiltonian()));
}

TEST(CSource, ComputesTheFieldUnderAConstraint) {
  if (!has_compiler()) GTEST_SKIP() << "there is no cc";
  const double angle = 0.7, x = std::cos(angle), y = std::sin(angle), arm = std::sqrt(4 - y * y);
  const State state{0.4, Eigen::Vector3d(x, y, x + arm), Eigen::Vector3d(-y, x, -y - y * x / arm)};
  for (const Form form : {Form::velocity, Form::omega, Form::mu, Form::pi})
    expect_same_field(slider_crank(), form, state);
}

// Every function of the language, those that the C library does not have among them.
TEST(CSource, ComputesEveryFunction) {
  if (!has_compiler()) GTEST_SKIP() << "there is no cc";
  Model model("functions");
  const Formula x = model.coordinate("x", Rn(2));
  const Formula curve = table("curve", Eigen::MatrixXd{{-1, 2}, {0.2, 1}, {0.5, -1}, {1.5, 3}});
  model.kinetic(0.5 * squared_norm(rate(x)));
  for (const FunctionRow& row : functions()) {
    const Formula first = row.op == Op::interp ? curve : x[0];
    model.potential(row.arity == 1 ? call(row.name, {first}) : call(row.name, {first, x[1]}));
    model.force_on(x, Formula::vector({row.arity == 1 ? call(row.name, {first}) : call(row.name, {first, x[1]}), 0.0}));
  }
  for (const Form form : {Form::velocity, Form::mu})
    expect_same_field(model, form, {0.0, Eigen::Vector2d(0.3, 0.7), Eigen::Vector2d(1, -1)});
}

TEST(CSource, SaysWhatItsArraysAre) {
  const std::string source = c_source(spherical_pendulum(), Form::omega);
  EXPECT_NE(source.find("parameters: m, l, g"), std::string::npos) << source;
  EXPECT_NE(source.find("const double hamel_spherical_pendulum_parameters[3] = {1.3, 0.9, 9.81};"), std::string::npos);
  EXPECT_NE(source.find("void hamel_spherical_pendulum(double t, const double *y, const double *u, "
                        "const double *parameters, double *rate)"),
            std::string::npos);
}

TEST(CSource, RefusesMomentaThatItCannotSolveFor) {
  Model model("relativistic particle");
  const auto q = model.coordinate("x", Rn(3));
  model.lagrangian(-sqrt(1 - squared_norm(rate(q)) / 9));
  try {
    c_source(model, Form::mu);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("not quadratic in the velocities"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace hamel::test
