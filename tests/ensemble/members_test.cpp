// Members that begin at other times, that cannot begin, that are stopped; what varies twice.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "ensemble/pendulum.hpp"

namespace hamel {
namespace {

std::string refusal_of(const auto& work) {
  try {
    work();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

Keep series_of(const Pendulum& pendulum) { return {.formulas = {{"height", pendulum.height, Statistic::series}}}; }

TEST(EnsembleMembers, HaveSeriesOfOneLength) {
  const Pendulum pendulum;
  const Vary times = grid("start.t", 0.5, 0, 3);
  EXPECT_NE(refusal_of([&] {
              ensemble(pendulum.members(times), times, series_of(pendulum));
            }).find("6 as of the first one, and one that starts at t = 0 has 11"),
            std::string::npos);
  const Vary middle = listed({"start.t"}, Eigen::Vector3d(0, 0.4, 0));
  const EnsembleTable table = ensemble(pendulum.members(middle), middle, series_of(pendulum));
  ASSERT_EQ(table.failures.size(), 1U);
  EXPECT_EQ(table.failures[0].member, 1U);
  EXPECT_NE(table.failures[0].why.find("one that starts at t = 0.4 has 7"), std::string::npos);
  const Vary alike = listed({"start.t"}, Eigen::Vector3d(0, 0.01, 0));
  EXPECT_TRUE(ensemble(pendulum.members(alike), alike, series_of(pendulum)).failures.empty());
}

// However steps and intervals fall.
TEST(EnsembleMembers, FillTheirSeries) {
  const Pendulum pendulum;
  const Vary vary = grid("m", 1, 2, 2);
  for (const double step : {0.01, 0.03, 0.1 / 3, 1e-3 * M_PI})
    for (const double every : {0.0, step, 0.07, 3 * step, 0.7, 2.0})
      for (const Method& method : {Method(Rk4{.step = step}), Method(Gauss{.step = step, .order = 4})}) {
        Members members = pendulum.members(vary, method);
        members.until.every = every;
        EXPECT_TRUE(ensemble(members, vary, series_of(pendulum)).failures.empty()) << step << " " << every;
      }
}

Members starting_with_mass(const Pendulum& pendulum, const Vary& vary) {
  Members members = pendulum.members(vary, Rk4{.step = 0.05}, 0.05);
  members.start = [start = members.start](const System& system, std::span<const double> row) {
    if (!(row[0] > 0)) throw std::runtime_error("there is no mass");
    return start(system, row);
  };
  return members;
}

TEST(EnsembleMembers, GoOnWhereTheFirstOnesCannotStart) {
  const Pendulum pendulum;
  for (const std::uint64_t inner : {1000U, 4000U}) {
    const Vary vary = grid("m", 0, 1, 2) * grid("l", 1, 2, inner);
    const Members members = starting_with_mass(pendulum, vary);
    const EnsembleTable table = ensemble(members, vary, {.final_state = true});
    EXPECT_EQ(table.failures.size(), inner);
    EXPECT_EQ(table.size(), 2 * inner);
  }
  const Vary none = grid("m", -2, -1, 5000);
  EXPECT_NE(refusal_of([&] {
              ensemble(starting_with_mass(pendulum, none), none, {});
            }).find("of 5000 members, 4096 that are spread over all of them were tried, and none can be started"),
            std::string::npos);
}

// With no output for an hour, in lanes and alone.
TEST(EnsembleMembers, HearOfAStopBetweenOutputs) {
  const Pendulum pendulum;
  const Vary vary = grid("m", 1, 2, 4);
  for (const Method& method : {Method(Rk4{.step = 1e-3}), Method(Rk45{}), Method(Gauss{.step = 1e-3, .order = 4})}) {
    Members members = pendulum.members(vary, method, 1e7);
    members.until.every = 1e7;
    members.until.most_steps = 1'000'000'000'000;
    std::atomic<bool> stop = false;
    std::chrono::steady_clock::time_point asked;
    std::thread impatient([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      asked = std::chrono::steady_clock::now();
      stop = true;
    });
    EXPECT_FALSE(ensemble(members, vary, {.energy_drift = true}, {.threads = 2, .stop = &stop}, [](const auto&) {}));
    impatient.join();
    EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(3));
  }
}

TEST(EnsembleMembers, AreFewAtOnceWhereTheirRowsAreWide) {
  const Pendulum pendulum;
  const Vary vary = grid("m", 1, 2, 32);
  Members members = pendulum.members(vary, Rk4{.step = 0.01}, 0.1);
  members.until.every = 1e-6;
  constexpr double most_bytes = 64 << 20;
  std::size_t done = 0;
  const unsigned threads = 16;
  ensemble(members, vary, series_of(pendulum), {.threads = threads}, [&](const EnsembleChunk& chunk) {
    EXPECT_LE(static_cast<double>(chunk.kept.size()) * sizeof(double) * threads, 2 * most_bytes);
    done += chunk.size();
  });
  EXPECT_EQ(done, 32U);
}

TEST(EnsembleMembers, VaryEachNumberOnce) {
  Model model("all");
  const Formula m = model.parameter("m", 1.0);
  const Formula x = model.coordinate("x", Rn(2)), q = model.coordinate("q", S1()), R = model.coordinate("R", SO3());
  model.kinetic(m * (squared_norm(rate(x)) + squared_norm(rate(q))) / 2);
  model.body("body", {.attitude = R, .inertia = Eigen::Matrix3d(Eigen::Vector3d(1, 2, 3).asDiagonal())});
  const auto refusal = [&](const std::string& a, const std::string& b) {
    return refusal_of([&] { need_different_starts(model, grid(a, 0, 1, 2) * grid(b, 0, 1, 2)); });
  };
  EXPECT_EQ(refusal("start.x.x", "start.x.1"), "start.x.x varies twice, as start.x.x and as start.x.1; say once how");
  for (const auto& [a, b] : std::vector<std::pair<std::string, std::string>>{{"start.x'.x", "start.x.x'"},
                                                                             {"start.q'", "start.omega.q"},
                                                                             {"start.q'", "start.rate.q"},
                                                                             {"start.omega.R.x", "start.Omega.R.x"}})
    EXPECT_NE(refusal(a, b).find("varies twice"), std::string::npos) << a;
  EXPECT_EQ(refusal("start.omega.R.x", "start.xi.R.y"),
            "start.omega.R.x and start.xi.R.y both say how fast R moves; vary one of them");
  for (const auto& [a, b] : std::vector<std::pair<std::string, std::string>>{{"start.x.x", "start.x.y"},
                                                                             {"start.x.x", "start.x'.x"},
                                                                             {"start.omega.R.x", "start.omega.R.y"},
                                                                             {"start.q", "start.q'"},
                                                                             {"start.t", "start.x.x"},
                                                                             {"start.q'", "start.omega.R.x"}})
    EXPECT_EQ(refusal(a, b), "") << a;
  const System system = derive(model);
  const Vary twice = grid("start.x.x", 0, 1, 2) * grid("start.x.1", 0, 1, 2);
  EXPECT_THROW(starts_from({}, system.model(), twice), std::invalid_argument);
}

TEST(EnsembleMembers, HaveNumbersFromOneEndOfDoublesToTheOther) {
  std::vector<double> row(1);
  const Vary vary = grid("m", -1e308, 1e308, 3);
  for (const auto& [member, value] : {std::pair<std::uint64_t, double>{0, -1e308}, {1, 0}, {2, 1e308}}) {
    vary.row(member, row);
    EXPECT_EQ(row[0], value);
  }
  const Distribution wide = uniform(-1e308, 1e308);
  wide.map(std::array{0.75}, row);
  EXPECT_DOUBLE_EQ(row[0], 5e307);
}

}  // namespace
}  // namespace hamel
