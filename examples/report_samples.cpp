// Reports of four systems, made in C++; one of a run and one of equilibria, as the command writes them:
// build/report_samples FOLDER
#include <fmt/core.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <hamel/hamel.hpp>
#include <hamel/integrate/method.hpp>
#include <hamel/record/file_run.hpp>
#include <hamel/record/monitor.hpp>
#include <hamel/record/recorded_run.hpp>
#include <hamel/report/draw.hpp>
#include <hamel/report/linear_page.hpp>
#include <hamel/report/page.hpp>
#include <hamel/report/run_page.hpp>
#include <string>

using namespace hamel;

namespace {

struct Shown {
  std::string file, title, description;
  std::string model_text = {};
  Model model;
  std::function<State(const System&)> start;
  double step, until, every;
  std::vector<EquationGroup> equations;
};

VectorXd numbers(std::initializer_list<double> values) {
  VectorXd result(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), result.begin());
  return result;
}

constexpr const char* double_pendulum_file = R"toml(name = "Double spherical pendulum"

[parameters]
m = [1.0, 1.0]
l = [9.81, 9.81]
g = 9.81

[coordinates]
q = "S2[2]"

[points]  # e3 points down; a page survives even </script>
x1 = "l[1]*q[1]"
x2 = "x1 + l[2]*q[2]"

[energy]
kinetic = "m[1]/2*norm2(x1') + m[2]/2*norm2(x2')"
potential = "-m[1]*g*x1.z - m[2]*g*x2.z"

[units]
t = "s"
)toml";

constexpr const char* whirling_file = R"toml(name = "Whirling pendulum on a cart"

[parameters]
M = 2.0
m = 0.5
l = 0.8
g = 9.81

[coordinates]
x = 'R1'
q = 'S1'  # y points up

[points]
cart = "[x, 0]"
bob = "cart + l*q"

[energy]
kinetic = "M/2*norm2(cart') + m/2*norm2(bob')"
potential = "m*g*bob.y"

[outputs]
height_of_the_bob = "bob.y"

[units]
t = "s"
x = "m"
l = "m"
energy = "J"
height_of_the_bob = "m"

[start]
x = 0
"x'" = 1.2
q = [1, 0]
omega.q = 9

[run]
integrator = "variational"
step = 0.002
until = 12
every = 0.02

[view]
colors = { bob = "red", cart = "blue" }
trails = []
follow = "bob"
)toml";

Shown double_spherical_pendulum() {
  Model model("double spherical pendulum");
  auto m = model.parameter("m", {1.0, 1.0}), l = model.parameter("l", {9.81, 9.81});
  auto g = model.parameter("g", 9.81);
  auto q = model.coordinates<S2>("q", 2);
  Vec3 x1 = model.point("x1", l[0] * q[0]), x2 = model.point("x2", x1 + l[1] * q[1]);
  model.kinetic(m[0] / 2 * squared_norm(rate(x1)) + m[1] / 2 * squared_norm(rate(x2)));
  model.potential(-m[0] * g * x1.z() - m[1] * g * x2.z());
  const double s = std::sqrt(3.0);
  return {.file = "double-spherical-pendulum",
          .title = "Double spherical pendulum",
          .description =
              "Two point masses on massless links, under gravity. Its motion is chaotic; the variational "
              "integrator keeps the links at their length and the momentum about the vertical to rounding.",
          .model_text = double_pendulum_file,
          .model = model,
          .start =
              [s](const System& system) {
                return system.state(0, numbers({s / 2, 0, 0.5, 0, 0, 1}), numbers({-s / 4, 0, 0.75, 0, 1, 0}));
              },
          .step = 0.01,
          .until = 60,
          .every = 0.03,
          .equations = {
              {"Euler-Lagrange equations in $(q, \\omega)$",
               {R"(\dot q_1 = \omega_1 \times q_1, \qquad \dot q_2 = \omega_2 \times q_2)",
                R"((m_1 + m_2) l_1^2\, \dot\omega_1 + m_2 l_1 l_2\, \hat q_1^{T} \hat q_2\, \dot\omega_2 )"
                R"(- m_2 l_1 l_2\, (\omega_2 \cdot \omega_2)\, q_1 \times q_2 = (m_1 + m_2) g l_1\, q_1 \times e_3)",
                R"(m_2 l_2^2\, \dot\omega_2 + m_2 l_1 l_2\, \hat q_2^{T} \hat q_1\, \dot\omega_1 )"
                R"(- m_2 l_1 l_2\, (\omega_1 \cdot \omega_1)\, q_2 \times q_1 = m_2 g l_2\, q_2 \times e_3)"}}}};
}

Shown chain_on_cart() {
  constexpr int n = 5;
  Model model("chain pendulum on a cart");
  auto M = model.parameter("M", 0.5), m = model.parameter("m", 0.1), l = model.parameter("l", 0.25);
  auto g = model.parameter("g", 9.81);
  auto x = model.coordinate("x", Rn(2));
  auto q = model.coordinates<S2>("q", n);
  Vec3 at = model.point("cart", Formula::vector({x[0], x[1], 0.0}));
  model.kinetic(M / 2 * squared_norm(rate(at)));
  for (int i = 0; i < n; ++i) {
    at = model.point(fmt::format("x{}", i + 1), at + l * q[static_cast<std::size_t>(i)]);
    model.kinetic(m / 2 * squared_norm(rate(at)));
    model.potential(-m * g * at.z());
  }
  return {.file = "chain-pendulum-on-cart",
          .title = "Chain pendulum on a cart",
          .description = "Five links hang on a cart that moves freely in the horizontal plane.",
          .model_text = {},
          .model = model,
          .start =
              [](const System& system) {
                VectorXd point = VectorXd::Zero(2 + 3 * n), rates = VectorXd::Zero(2 + 3 * n);
                for (int i = 0; i < n; ++i) {
                  const double a = 0.9 + 0.3 * i;  // from the vertical, all turning about it
                  point.segment(2 + 3 * i, 3) << std::sin(a), 0, std::cos(a);
                  rates.segment(2 + 3 * i, 3) = numbers({0, 0, 2}) - 2 * std::cos(a) * point.segment(2 + 3 * i, 3);
                }
                return system.state(0, point, rates);
              },
          .step = 0.0025,
          .until = 20,
          .every = 0.01,
          .equations = {}};
}

Shown rigid_pendulum() {
  Model model("3-D pendulum");
  auto R = model.coordinate<SO3>("R");
  auto m = model.parameter("m", 1.0), g = model.parameter("g", 9.81);
  auto c = model.parameter("c", {0.0, 0.0, 0.35});
  MatrixXd J = MatrixXd::Zero(3, 3);
  J.diagonal() << 0.168, 0.178, 0.026;
  Vec3 x = model.body("body", {.attitude = R, .mass = m, .inertia = model.parameter("J", J), .center_of_mass = c});
  model.potential(-m * g * x.z());
  return {
      .file = "rigid-pendulum",
      .title = "3-D pendulum",
      .description = "A rigid body on a frictionless pivot, spinning: its axis nods and precesses.",
      .model_text = {},
      .model = model,
      .start =
          [](const System& system) {
            Eigen::Matrix3d turn;
            const double a = 1.2;
            turn << 1, 0, 0, 0, std::cos(a), -std::sin(a), 0, std::sin(a), std::cos(a);
            return system.state(0, turn.reshaped(), numbers({0.4, 0, 14}));
          },
      .step = 0.005,
      .until = 20,
      .every = 0.01,
      .equations = {
          {"Euler's equations",
           {R"(\dot R = R\, \hat\Omega, \qquad J \dot\Omega + \Omega \times J \Omega = m g\, c \times R^{T} e_3)"}}}};
}

Shown three_bodies_on_sphere() {
  Model model("three bodies on a sphere");
  auto q = model.coordinates<S2>("q", 3);
  auto gamma = model.parameter("gamma", 1.0);
  for (std::size_t i = 0; i < 3; ++i) {
    model.kinetic(squared_norm(rate(model.point(fmt::format("x{}", i + 1), 1.0 * q[i]))) / 2);
    for (std::size_t j = 0; j < i; ++j) {
      const Formula c = dot(q[i], q[j]);
      model.potential(-gamma * c / sqrt(1 - c * c));
    }
  }
  return {.file = "three-bodies-on-a-sphere",
          .title = "Three bodies on a sphere",
          .description = "Three particles attract each other along the sphere that they cannot leave.",
          .model_text = {},
          .model = model,
          .start =
              [](const System& system) {
                return system.state(0, numbers({0, -1, 0, 0, 0, 1, -1, 0, 0}), numbers({0, 0, -1.1, 1, 0, 0, 0, 1, 0}));
              },
          .step = 0.002,
          .until = 10,
          .every = 0.01,
          .equations = {}};
}

// Errors along the run, as charts and as the table of what was conserved.
void add_errors(Page& page, const System& system, const Trajectory& run) {
  Monitor monitor(system, conserved_momenta(system.model()).momenta);
  Series energy{"E(t) - E(0)", {}}, manifold{"distance from the manifold", {}};
  Series kinetic{"kinetic", {}}, potential{"potential", {}};
  Chart momenta{.title = "Momentum errors", .unit = "N m s", .series = {}};
  for (const ConservedMomentum& momentum : monitor.measurement().momenta())
    momenta.series.push_back({momentum.name, {}});
  Sample first;
  for (const State& state : run.states) {
    const Sample& now = monitor(state);
    if (page.time.empty()) first = now;
    page.time.push_back(state.t);
    energy.values.push_back(now.energy.total - first.energy.total);
    kinetic.values.push_back(now.energy.kinetic);
    potential.values.push_back(now.energy.potential);
    manifold.values.push_back(now.manifold_error);
    for (std::size_t k = 0; k < momenta.series.size(); ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      momenta.series[k].values.push_back(now.momenta(i) - first.momenta(i));
    }
  }
  page.charts = {{.title = "Energy error", .unit = "J", .series = {energy}},
                 {.title = "Energies", .unit = "J", .series = {kinetic, potential}},
                 {.title = "Manifold error", .series = {manifold}}};
  if (!momenta.series.empty()) page.charts.push_back(momenta);
  page.conserved = monitor.summary().followed();
}

void write(const Shown& sample, const std::filesystem::path& folder) {
  const System system = derive(sample.model);
  const Trajectory run = integrate(system, sample.start(system), Variational{.step = sample.step},
                                   Until{.t = sample.until, .every = sample.every});
  Page page{.title = sample.title, .description = sample.description};
  page.time_unit = "s";
  page.facts = {{"configuration space", system.space().name()},
                {"degrees of freedom", fmt::format("{}", system.degrees_of_freedom())},
                {"integrator", fmt::format("{}, step {:g}", run.method.name, sample.step)},
                {"steps", fmt::format("{}", run.steps)}};
  page.equations = sample.equations;
  page.model_text = sample.model_text;
  add_errors(page, system, run);
  page.scene = scene_of(sample.model, run.states);
  const std::string path = (folder / (sample.file + ".html")).string();
  write_report(path, page, true);
  fmt::print("{}\n", path);
}

// What `hamel run --report` writes.
void write_run(const std::filesystem::path& folder) {
  const ModelFile file = parse_model(whirling_file, "whirling.toml");
  const System system = derive(file.model);
  std::vector<std::string> remarks;
  RunSettings settings{.until = file.run.until};
  settings.outputs = file.outputs;
  settings.path = (folder / "whirling.h5").string();
  settings.overwrite = true;
  recorded_run(system, start_state(file, system, remarks), method_named(file.run.integrator, file.run.step, 0),
               settings, header_of(file));
  const std::string path = (folder / "whirling.html").string();
  write_report(path, settings.path, file, true);
  fmt::print("{}\n", path);
}

// What `hamel equilibria --report` writes.
void write_equilibria(const std::filesystem::path& folder) {
  const ModelFile file = parse_model(double_pendulum_file, "double-pendulum.toml");
  const System system = derive(file.model);
  const std::string path = (folder / "equilibria.html").string();
  write_report(path, equilibria_page(file, system, equilibria(system)), true);
  fmt::print("{}\n", path);
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  std::filesystem::create_directories(folder);
  for (const Shown& sample : {double_spherical_pendulum(), chain_on_cart(), rigid_pendulum(), three_bodies_on_sphere()})
    write(sample, folder);
  write_run(folder);
  write_equilibria(folder);
}
