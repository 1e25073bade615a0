#include "gallery/recorded.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

#include "hamel/integrate/integrate.hpp"
#include "hamel/integrate/method.hpp"

namespace hamel::test {
namespace {

constexpr int random_states = 10, steps = 20;
constexpr double spread = 0.1;

std::string recorded_path() { return HAMEL_SOURCE_DIR "/tests/gallery/recorded.txt"; }

// The same numbers everywhere: distributions of the standard library differ from one to another.
VectorXd noise(std::mt19937_64& bits, Eigen::Index size) {
  VectorXd result(size);
  for (double& x : result) x = spread * (std::ldexp(static_cast<double>(bits() >> 11U), -52) - 1);
  return result;
}

VectorXd rate_of_state(const System& system, const State& state) {
  Workspace w(system);
  VectorXd rate(system.ambient());
  if (system.model().has_field())
    system.field(w, state.t, state.q, rate);
  else
    system.acceleration(w, state.t, state.q, state.v, rate);
  return rate;
}

void add_accelerations(const System& system, const State& start, Numbers& numbers) {
  std::mt19937_64 bits(20261115);
  for (int k = 0; k < random_states; ++k) {
    State state{start.t + spread * k, start.q + noise(bits, start.q.size()), start.v + noise(bits, start.v.size())};
    system.space().project(state.q, state.q);
    const VectorXd v = state.v;
    system.space().tangent_project(state.q, v, state.v);
    numbers[fmt::format("a{}", k)] = rate_of_state(system, state);
  }
}

void add_motion(const System& system, const State& start, double step, const char* name, Numbers& numbers) {
  State end;
  try {
    end = integrate(system, start, method_named(name, step, 0), {.t = start.t + steps * step, .keep = false}).back();
  } catch (const std::exception&) {
    return;  // a method that is not for this model
  }
  numbers[fmt::format("{}.q", name)] = end.q;
  numbers[fmt::format("{}.v", name)] = end.v;
}

}  // namespace

Numbers measured(const ModelFile& file) {
  const System system = derive(file.model);
  std::vector<std::string> remarks;
  const State start = start_state(file, system, remarks);
  Numbers numbers;
  add_accelerations(system, start, numbers);
  const double step = file.run.step > 0 ? file.run.step : 1e-3;
  for (const char* name : {"variational", "variational-midpoint", "gauss8", "rk4", "rkmk4"})
    add_motion(system, start, step, name, numbers);
  return numbers;
}

std::map<std::string, Numbers> read_recorded() {
  std::map<std::string, Numbers> all;
  std::ifstream file(recorded_path());
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string id, what;
    words >> id >> what;
    std::vector<double> numbers;
    for (double x = 0; words >> x;) numbers.push_back(x);
    all[id][what] = Eigen::Map<const VectorXd>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
  }
  return all;
}

void append_recorded(const std::string& id, const Numbers& numbers) {
  std::ofstream file(recorded_path(), std::ios::app);
  for (const auto& [what, values] : numbers) {
    file << id << ' ' << what;
    for (const double x : values) file << fmt::format(" {:.15g}", x);
    file << '\n';
  }
}

}  // namespace hamel::test
