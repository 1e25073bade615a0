// A million members on a GPU, from model files, beside kernels that were written by hand for the same equations:
//
//   hamel_gpu [MEMBERS] [STEPS]       figures
//   hamel_gpu --text FOLDER           the emitted texts alone, and the numbers in their tables; needs no GPU
//
// Both are compiled in the same run, by the same compiler; the ones by hand also with products and sums fused wherever
// the compiler can. The times are those of kernels, without transfers.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "hamel/ensemble/device_run.hpp"
#include "hamel/integrate/request.hpp"
#include "hamel/integrate/stepper.hpp"
#include "hamel/language/model_file.hpp"
#include "hamel/model/lower.hpp"

namespace {

using namespace hamel;

std::string folder_of(const char* variable, const char* otherwise) {
  const char* value = std::getenv(variable);
  return value != nullptr ? value : otherwise;
}

struct Case {
  std::string model, hand;  // without a kernel by hand: empty
  Method method;
  double h;
};

std::vector<Case> all_cases() {
  const double pendulum = 0.002, body = 0.005;
  return {{"double-planar-pendulum", "double_planar_pendulum_rk4", Rk4{.step = pendulum}, pendulum},
          {"double-planar-pendulum", "double_planar_pendulum_variational", Variational{.step = pendulum}, pendulum},
          {"free-rigid-body-so3", "free_rigid_body_so3_rk4", Rk4{.step = body}, body},
          {"free-rigid-body-so3", "free_rigid_body_so3_variational", Variational{.step = body}, body},
          {"double-planar-pendulum", "", Dop853{.step = pendulum}, pendulum},
          {"free-rigid-body-so3", "", Dop853{.step = body}, body},
          {"free-rigid-body-so3", "", LieRk{.step = body}, body},
          {"double-planar-pendulum", "", Gauss{.step = pendulum, .order = 8}, pendulum},
          {"free-rigid-body-so3", "", Gauss{.step = body, .order = 8}, body}};
}

struct Loaded {
  explicit Loaded(const std::string& name)
      : file(read_model(folder_of("HAMEL_MODELS", "models") + "/" + name + ".toml")), system(derive(file.model)) {
    std::vector<std::string> remarks;
    start = start_state(file, system, remarks);
  }
  ModelFile file;
  System system;
  State start;
};

// Members that begin with velocities of their own.
DeviceMembers spread(const Loaded& loaded, Eigen::Index count) {
  const System& system = loaded.system;
  DeviceMembers members{.t = 0, .q = MatrixXd(count, system.ambient()), .v = MatrixXd(count, system.ambient())};
  VectorXd xi(system.rates()), v(system.ambient());
  system.space().rates(loaded.start.q, loaded.start.v, xi);
  for (Eigen::Index k = 0; k < count; ++k) {
    VectorXd own = xi;
    for (Eigen::Index i = 0; i < own.size(); ++i)
      own(i) += 1e-6 * static_cast<double>(k) * (1 + 0.3 * static_cast<double>(i));
    system.space().velocity(loaded.start.q, own, v);
    members.q.row(k) = loaded.start.q;
    members.v.row(k) = v;
  }
  return members;
}

struct Hand {
  long long members;
  double h;
  int steps;
  const double* start;
  double* finish;
};

struct Times {
  double seconds = 0;
  MatrixXd ends;  // the numbers of the method, one member per row
  std::string resources;
};

Times by_hand(Accelerator& device, const std::string& text, const MatrixXd& starts, double h, int steps,
              bool contract) {
  const auto module = device.load(text, {.contract = contract});
  const auto bytes = static_cast<std::size_t>(starts.size()) * sizeof(double);
  void* const start = device.allocate(bytes);
  void* const finish = device.allocate(bytes);
  device.upload(start, starts.data(), bytes, 0);
  device.wait(0);
  Times times{1e300, MatrixXd(starts.rows(), starts.cols()), module->resources("by_hand")};
  for (int repeat = 0; repeat < 3; ++repeat) {
    Hand hand{starts.rows(), h, steps, static_cast<const double*>(start), static_cast<double*>(finish)};
    const auto begin = std::chrono::steady_clock::now();
    module->launch("by_hand", starts.rows(), &hand, 0);
    device.wait(0);
    times.seconds =
        std::min(times.seconds, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  device.download(times.ends.data(), finish, bytes, 0);
  device.wait(0);
  device.free(start);
  device.free(finish);
  return times;
}

// The largest difference from the stepper of this machine, of a few members.
double difference_from_cpu(const Loaded& loaded, const Method& method, const DeviceMembers& members, double until,
                           const DeviceChunk& ends) {
  const auto stepper = make_stepper(loaded.system, method);
  double largest = 0;
  for (Eigen::Index k = 0; k < members.q.rows(); k += std::max<Eigen::Index>(1, members.q.rows() / 16)) {
    State state{members.t, members.q.row(k), members.v.row(k)};
    stepper->start(state);
    while (stepper->step(until) != until) {
    }
    stepper->current(state);
    largest = std::max({largest, (ends.q.row(k).transpose() - state.q).lpNorm<Eigen::Infinity>(),
                        (ends.v.row(k).transpose() - state.v).lpNorm<Eigen::Infinity>()});
  }
  return largest;
}

void measure(Accelerator& device, const Case& each, Eigen::Index count, int steps) {
  const Loaded loaded(each.model);
  const DeviceMembers members = spread(loaded, count);
  const double until = steps * each.h;
  DeviceRun run(loaded.system, each.method);
  DeviceChunk ends;
  double seconds = 1e300;
  for (int repeat = 0; repeat < 3; ++repeat) {
    run(
        device, members, until, [&](const DeviceChunk& chunk) { ends = chunk; }, count);
    seconds = std::min(seconds, run.seconds());
  }
  const double all = static_cast<double>(count) * steps;
  long long failed = 0;
  for (const StepFailure failure : ends.failure) failed += failure != StepFailure::none ? 1 : 0;
  const std::string name = describe(each.method).name;
  fmt::print("{} {}: {} members, {} steps\n", each.model, name, count, steps);
  fmt::print("  from the model file  {:.3e} steps/s  ({}; {} failed; off the CPU by at most {:.1e})\n", all / seconds,
             run.resources(), failed, difference_from_cpu(loaded, each.method, members, until, ends));
  if (each.hand.empty()) return;

  const auto step = device_step(loaded.system, each.method);
  MatrixXd starts(count, step->size());
  VectorXd numbers(step->size());
  for (Eigen::Index k = 0; k < count; ++k) {
    step->pack({0, members.q.row(k), members.v.row(k)}, numbers);
    starts.row(k) = numbers;
  }
  std::ifstream file(folder_of("HAMEL_BENCH_GPU", "bench/gpu") + "/" + each.hand + ".cu");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  for (const bool contract : {false, true}) {
    const Times hand = by_hand(device, text, starts, each.h, steps, contract);
    double apart = 0;
    State state;
    for (Eigen::Index k = 0; k < count; k += std::max<Eigen::Index>(1, count / 1000)) {
      step->unpack(until, hand.ends.row(k), state);
      apart = std::max(apart, (ends.q.row(k).transpose() - state.q).lpNorm<Eigen::Infinity>());
    }
    fmt::print(
        "  by hand{}        {:.3e} steps/s  ({}; ends differ by at most {:.1e}): the model file takes {:.2f} "
        "times as long\n",
        contract ? ", fused" : "       ", all / hand.seconds, hand.resources, apart, seconds / hand.seconds);
  }
}

void write_texts(const std::string& folder) {
  for (const Case& each : all_cases()) {
    if (each.hand.empty()) continue;
    const Loaded loaded(each.model);
    DeviceRun run(loaded.system, each.method);
    const auto step = device_step(loaded.system, each.method);
    VectorXd numbers(step->numbers().rows());
    step->numbers().read(parameter_values(loaded.system.model()), VectorXd::Zero(loaded.system.inputs()), numbers);
    std::vector<bool> zeros;
    for (const double number : numbers) zeros.push_back(number == 0);
    std::ofstream(fmt::format("{}/{}.cu", folder, each.hand)) << run.text(std::vector<bool>(zeros.size()), zeros);
    std::ofstream(fmt::format("{}/{}.txt", folder, each.hand)) << fmt::format("{:.17g}\n", fmt::join(numbers, "\n"));
  }
}

}  // namespace

int main(int count, char** words) {
  try {
    const std::string first = count > 1 ? words[1] : "";
    if (first == "--text") {
      write_texts(words[2]);
      return 0;
    }
    const Eigen::Index members = first.empty() ? 1'000'000 : std::stol(first);
    const int steps = count > 2 ? std::stoi(words[2]) : 2000;
    const auto device = find_device();
    fmt::print("{}, {}\n", device->name(), device->compiler());
    for (const Case& each : all_cases()) measure(*device, each, members, steps);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "hamel_gpu: {}\n", error.what());
    return 1;
  }
}
