#include "hamel/ensemble/ensemble.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ensemble/pendulum.hpp"
#include "hamel/mechanics/values.hpp"

namespace hamel {
namespace {

Keep everything(const Pendulum& pendulum) {
  Keep keep{.final_state = true, .energy_drift = true};
  for (const Statistic statistic : {Statistic::end, Statistic::max, Statistic::min, Statistic::mean, Statistic::series})
    keep.formulas.push_back({"height", pendulum.height, statistic});
  keep.events = {{.name = "low", .formula = pendulum.height + 0.85}};
  return keep;
}

TEST(Ensemble, IsTheRunsOfItsMembersToTheBit) {
  const Pendulum pendulum;
  const Vary vary = grid("l", 0.5, 2, 5) * grid("m", 1, 3, 2);
  for (const Method& method : {Method(Variational{.step = 0.01}), Method(Rk4{.step = 0.01}), Method(Rk45{}),
                               Method(Gauss{.step = 0.05, .order = 8})}) {
    const EnsembleTable table = ensemble(pendulum.members(vary, method), vary, {.final_state = true}, {.threads = 2});
    ASSERT_EQ(table.size(), 10U);
    EXPECT_TRUE(table.failures.empty());
    for (Eigen::Index k = 0; k < 10; ++k) {
      const System member = pendulum.system.with({{"l", table.varied(k, 0)}, {"m", table.varied(k, 1)}});
      const State end = integrate(member, pendulum.start, method, {.t = 1, .every = 0.1}).back();
      EXPECT_EQ(table.kept(k, 0), 1);
      EXPECT_EQ(VectorXd(table.kept.row(k).segment(1, 3)), end.q) << k;
      EXPECT_EQ(VectorXd(table.kept.row(k).segment(4, 3)), end.v) << k;
    }
  }
}

TEST(Ensemble, HasTheSameBitsForAnyNumberOfThreads) {
  const Pendulum pendulum;
  const Vary vary = samples({{"l", normal(1, 0.1)}, {"start.q", cap(S2(), pendulum.start.q, 0.3)}}, 150);
  State at_rest = pendulum.start;
  at_rest.v.setZero();
  const Members members{pendulum.system, starts_from(at_rest, pendulum.model, vary), Rk45{}, {.t = 2, .every = 0.1}};
  const Keep keep = everything(pendulum);
  const EnsembleTable one = ensemble(members, vary, keep, {.threads = 1});
  const EnsembleTable three = ensemble(members, vary, keep, {.threads = 3});
  EXPECT_TRUE(one.failures.empty());
  EXPECT_TRUE(same_bits(one.kept, three.kept));
  EXPECT_TRUE(same_bits(one.varied, three.varied));
  // and from the middle on
  const EnsembleTable rest = ensemble(members, vary, keep, {.threads = 2, .first = 45});
  EXPECT_TRUE(same_bits(rest.kept, MemberRows(one.kept.bottomRows(105))));
}

TEST(Ensemble, KeepsStatisticsOfOutputs) {
  const Pendulum pendulum;
  const Vary vary = grid("l", 0.8, 1, 2);
  const EnsembleTable table = ensemble(pendulum.members(vary), vary, everything(pendulum));
  std::vector<std::string> names;
  for (const KeptColumn& column : table.kept_columns) names.push_back(column.name);
  EXPECT_EQ(names, (std::vector<std::string>{"t", "q.x", "q.y", "q.z", "q.x'", "q.y'", "q.z'", "low time", "low count",
                                             "height end", "height max", "height min", "height mean", "energy drift",
                                             "height series"}));
  const System member = pendulum.system.with({{"l", 1.0}});
  const Until until{.t = 1, .every = 0.1};
  const Trajectory run = integrate(member, pendulum.start, Variational{.step = 0.01}, until);
  VectorXd heights(11);
  double drift = 0;
  for (Eigen::Index k = 0; k < 11; ++k) {
    const State& state = run.states[static_cast<std::size_t>(k)];
    heights(k) = state.q(2);
    drift = std::max(drift, std::abs(energy(member, state).total - energy(member, run.front()).total));
  }
  const auto row = table.kept.row(1);
  EXPECT_EQ(row(9), heights(10));
  EXPECT_EQ(row(10), heights.maxCoeff());
  EXPECT_EQ(row(11), heights.minCoeff());
  EXPECT_NEAR(row(12), (heights.sum() - (heights(0) + heights(10)) / 2) / 10, 1e-14);
  EXPECT_EQ(row(13), drift);
  EXPECT_EQ(VectorXd(row.tail(11)), heights);
}

// z = -1 + 1/2 t falls through 0 at t = 2, and never for the other member.
TEST(Ensemble, KeepsEvents) {
  Model model("particle");
  const Formula v = model.parameter("v", 0.5), x = model.coordinate("x", Rn(1));
  model.kinetic(squared_norm(rate(x)) / 2);
  const System system = derive(model);
  const Vary vary = grid("start.x'", -0.5, 0.5, 2);
  const State start = system.state(0, VectorXd::Constant(1, -1), VectorXd::Zero(1));
  const Members members{system, starts_from(start, model, vary), Rk4{.step = 0.3}, {.t = 10}};
  Keep keep{.formulas = {{"x", x, Statistic::end}}, .events = {{.name = "zero", .formula = x, .terminal = true}}};
  const EnsembleTable table = ensemble(members, vary, keep);
  EXPECT_EQ(table.kept(0, 0), 10);
  EXPECT_EQ(table.kept(0, 1), std::numeric_limits<double>::infinity());
  EXPECT_EQ(table.kept(0, 2), 0);
  EXPECT_NEAR(table.kept(0, 3), -6, 1e-14);
  EXPECT_NEAR(table.kept(1, 0), 2, 1e-11);
  EXPECT_NEAR(table.kept(1, 1), 2, 1e-11);
  EXPECT_EQ(table.kept(1, 2), 1);
}

// In lanes or not; of a member whose event has no value, the sentence is that of its own run as well.
TEST(Ensemble, HasTheEventsOfTheRunsOfItsMembers) {
  const Pendulum pendulum;
  const Vary vary = grid("l", 0.5, 1.5, 11) * grid("g", 5, 15, 7);
  const Formula& height = pendulum.height;
  for (const Method& method : {Method(Rk4{.step = 0.01}), Method(Dop853{.relative = 1e-9, .absolute = 1e-9}),
                               Method(Variational{.step = 0.01}), Method(Gauss{.step = 0.01, .order = 4})})
    for (const bool stops : {false, true}) {
      const Members members = pendulum.members(vary, method, 3);
      const Keep keep{.final_state = true,
                      .events = {{"low", height + 0.9, Crossing::falling},
                                 {"high", height + 0.8, Crossing::rising, stops},
                                 {"root", sqrt(1.4 + height) - 0.1}}};
      const EnsembleTable table = ensemble(members, vary, keep, {.threads = 2});
      std::size_t failures = 0, occurrences = 0;
      for (std::size_t k = 0; k < vary.members(); ++k) {
        const auto row = static_cast<Eigen::Index>(k);
        std::vector<double> values(vary.width());
        vary.row(k, values);
        const System member = pendulum.system.with({{"l", values[0]}, {"g", values[1]}});
        Until until{.t = 3, .every = 0.1, .keep = false};
        Values formulas(member, {height + 0.9, height + 0.8, sqrt(1.4 + height) - 0.1});
        for (std::size_t e = 0; e < keep.events.size(); ++e)
          until.events.push_back({keep.events[e].name,
                                  [&, e](const State& s) {
                                    VectorXd all(3);
                                    formulas(s.t, s.q, s.v, VectorXd(), all);
                                    return all(static_cast<Eigen::Index>(e));
                                  },
                                  keep.events[e].direction, keep.events[e].terminal});
        try {
          const Trajectory alone = integrate(member, members.start(member, values), method, until);
          EXPECT_EQ(table.kept(row, 0), alone.back().t);
          EXPECT_EQ(table.kept.row(row).segment(1, 3).transpose(), alone.back().q);
          EXPECT_EQ(table.kept.row(row).segment(4, 3).transpose(), alone.back().v);
          for (std::size_t e = 0; e < keep.events.size(); ++e) {
            double first = std::numeric_limits<double>::infinity(), count = 0;
            for (const Occurrence& occurrence : alone.occurrences)
              if (occurrence.event == keep.events[e].name && count++ == 0) first = occurrence.state.t;
            EXPECT_EQ(table.kept(row, static_cast<Eigen::Index>(7 + 2 * e)), first) << k;
            EXPECT_EQ(table.kept(row, static_cast<Eigen::Index>(8 + 2 * e)), count) << k;
            occurrences += alone.occurrences.size();
          }
        } catch (const std::runtime_error& error) {
          ASSERT_LT(failures, table.failures.size());
          EXPECT_EQ(table.failures[failures].member, k);
          EXPECT_EQ(table.failures[failures].why, error.what());
          ++failures;
        }
      }
      EXPECT_EQ(failures, table.failures.size());
      EXPECT_GT(failures, 0U);
      EXPECT_LT(failures, vary.members() / 2);
      EXPECT_GT(occurrences, vary.members() / 2);
    }
}

TEST(Ensemble, ReportsMembersThatFailAndGoesOn) {
  const Pendulum pendulum;
  const Vary vary = grid("m", -1, 1, 3);
  const EnsembleTable table = ensemble(pendulum.members(vary), vary, {.final_state = true});
  ASSERT_EQ(table.failures.size(), 2U);  // a mass of -1, and of zero
  EXPECT_EQ(table.failures[0].member, 0U);
  EXPECT_EQ(table.failures[1].member, 1U);
  EXPECT_FALSE(table.failures[1].why.empty());
  EXPECT_TRUE(table.kept.allFinite());
  EXPECT_EQ(table.kept(2, 0), 1);
  EXPECT_EQ(table.kept(1, 0), 0);
}

// One member swings too fast for the step, beside others that do not: it is told why, from its own run.
TEST(Ensemble, TellsOfAFoldWhatItsOwnRunTells) {
  const Pendulum pendulum;
  const Vary vary = listed({"g"}, Eigen::Vector3d(9.81, 4e4, 1.6), "three");
  const Members members = pendulum.members(vary);
  const EnsembleTable table = ensemble(members, vary, {.final_state = true});
  ASSERT_EQ(table.failures.size(), 1U);
  EXPECT_EQ(table.failures[0].member, 1U);
  std::string alone;
  double last = 0;
  try {
    integrate(pendulum.system.with({{"g", 4e4}}), pendulum.start, members.method, members.until,
              [&](const State& state) {
                last = state.t;
                return true;
              });
  } catch (const std::exception& error) {
    alone = error.what();
  }
  EXPECT_EQ(table.failures[0].why, alone);
  EXPECT_NE(alone.find("the variational step of pendulum"), std::string::npos) << alone;
  EXPECT_EQ(table.kept(1, 0), last);
  EXPECT_EQ(table.kept(2, 0), 1);
}

// Of a table with points, rates and vectors of parameters, and in parts that begin anywhere.
TEST(Ensemble, TakesVectorsAndPartsOfMembers) {
  Model model("two");
  const auto k = model.parameter("k", {1.0, 4.0});
  const Formula q = model.coordinate("q", S2());
  model.kinetic(squared_norm(rate(q)) / 2);
  model.potential(k[0] * q.z() + k[1] * q.x() * q.x());
  const System system = derive(model);
  const State start = system.state(0, VectorXd(Eigen::Vector3d(0, 0, 1)), VectorXd(Eigen::Vector3d::Zero()));
  MatrixXd rows(100, 8);
  for (Eigen::Index m = 0; m < rows.rows(); ++m) {
    const double a = 0.01 * static_cast<double>(m);
    rows.row(m) << std::cos(a), std::sin(a), 0, 0, 0, 1 + a, 1 + a, 2 - a;
  }
  const Vary vary = listed_vectors({{"start.q", 3}, {"start.q'", 3}, {"k", 2}}, rows);
  const Members members{system, starts_from(start, model, vary), Rk4{.step = 0.05}, {.t = 0.5}};
  const EnsembleTable all = ensemble(members, vary, {.final_state = true});
  ASSERT_EQ(all.size(), 100U);
  EXPECT_TRUE(all.failures.empty());
  for (const Eigen::Index m : {0, 41, 99}) {
    const Eigen::Vector3d q0 = rows.row(m).head(3), v0 = rows.row(m).segment(3, 3);
    const System member = system.with({{"k", {rows(m, 6), rows(m, 7)}}});
    State begin = start;
    begin.q = q0, begin.v = v0;
    const State end = integrate(member, begin, members.method, members.until).back();
    EXPECT_EQ(VectorXd(all.kept.row(m).segment(1, 3)), end.q);
    EXPECT_EQ(VectorXd(all.kept.row(m).segment(4, 3)), end.v);
  }
  for (const auto& [first, last] : {std::pair<std::uint64_t, std::uint64_t>{0, 7}, {7, 65}, {65, 64}, {65, 1000}}) {
    const EnsembleTable part = ensemble(members, vary, {.final_state = true}, {.first = first, .last = last});
    const std::uint64_t end = std::min<std::uint64_t>(last, 100);
    ASSERT_EQ(part.size(), end > first ? end - first : 0);
    EXPECT_EQ(part.kept, all.kept.middleRows(static_cast<Eigen::Index>(first), part.kept.rows()));
  }
  EXPECT_THROW(listed_vectors({{"k", 2}}, rows), std::invalid_argument);
}

TEST(Ensemble, RefusesWhatDoesNotExist) {
  const Pendulum pendulum;
  const auto message = [&](const Vary& vary) {
    try {
      ensemble(pendulum.members(vary), vary, {});
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(grid("k", 0, 1, 2)),
            "pendulum has no parameter k; there are m, l, g, and start.q of a coordinate q");
  EXPECT_EQ(message(grid("start.p", 0, 1, 2)), "start.p is nothing of the start; did you mean start.q?");
  EXPECT_NE(message(samples({{"start.q", normal(0, 1)}}, 2)).find("would leave it"), std::string::npos);
  EXPECT_NE(message(samples({{"m", cap(S2(), VectorXd::Unit(3, 2), 0.1)}}, 2))
                .find("the parameter m has 1 numbers, and 3 are given"),
            std::string::npos);
}

// Not even their rates are rounded once more.
TEST(Ensemble, KeepsWhatDoesNotVaryOfTheStartToTheBit) {
  Model model("two bodies");
  const Formula m = model.parameter("m", 1.0);
  for (const std::string name : {"R", "S"}) {
    const Formula attitude = model.coordinate(name, SO3());
    model.body("body_" + name, {.attitude = attitude, .inertia = m * MatrixXd(Eigen::Vector3d(2, 3, 4).asDiagonal())});
  }
  const System system = derive(model);
  int rounded = 0;
  for (int k = 0; k < 20; ++k) {
    const Eigen::Matrix3d R = Eigen::Quaterniond(1 + k, 2, 3, 0.1 * k).normalized().toRotationMatrix();
    VectorXd q(18), xi(6);
    q << R.reshaped(), R.transpose().reshaped();
    xi << 0.1 * k, 0.7, -0.3, 0.2, 0.3, 0.1 * k;
    const State start = system.state(0, q, xi);
    EXPECT_EQ(starts_from(start, model, grid("m", 2, 3, 4))(system, std::array{2.5}).v, start.v) << k;
    EXPECT_EQ(starts_from(start, model, grid("start.t", 2, 3, 4))(system, std::array{2.5}).v, start.v) << k;
    const MatrixXd rate = start.v.head(9).transpose() * 1.5;
    const Vary other = listed_vectors({{"start.R'", 9}}, rate);
    std::vector<double> row(9);
    other.row(0, row);
    const State varied = starts_from(start, model, other)(system, row);
    EXPECT_EQ(varied.v.tail(9), start.v.tail(9)) << k;
    VectorXd twice(18);
    system.space().tangent_project(q, start.v, twice);
    rounded += twice != start.v ? 1 : 0;
  }
  EXPECT_GT(rounded, 0);
}

TEST(Ensemble, RefusesIntervalsThatAreNone) {
  const Pendulum pendulum;
  const Vary vary = grid("m", 1, 2, 2);
  Members members = pendulum.members(vary);
  for (const double every : {-1.0, std::nan(""), HUGE_VAL})
    for (const Keep& keep : {Keep{.final_state = true}, Keep{.energy_drift = true}}) {
      members.until.every = every;
      EXPECT_THROW(ensemble(members, vary, keep), std::invalid_argument) << every;
    }
}

TEST(Ensemble, RefusesSeriesOfUnknownLength) {
  const Pendulum pendulum;
  const Vary vary = grid("m", 1, 2, 2);
  Members members = pendulum.members(vary, Rk45{});
  members.until.every = 0;
  const Keep keep{.formulas = {{"height", pendulum.height, Statistic::series}}};
  EXPECT_THROW(kept_columns(members, vary, keep), std::invalid_argument);
}

// In lanes a run of few steps gives its end alone; one that fails has what was known when it did.
TEST(Ensemble, KeepsTheLastOutputOfAShortRunThatFails) {
  const Pendulum pendulum;
  const Vary vary = listed({"g"}, Eigen::Vector3d(9.81, 3000, 1.6), "three");
  const State start = pendulum.system.state(0, Eigen::Vector3d(0.6, 0, 0.8), Eigen::Vector3d::Zero());
  const Members members{
      pendulum.system, starts_from(start, pendulum.model, vary), Variational{.step = 0.01}, {.t = 0.5}};
  const EnsembleTable table = ensemble(members, vary, {.final_state = true});
  State last;
  EXPECT_ANY_THROW(
      integrate(pendulum.system.with({{"g", 3000.0}}), start, members.method, members.until, [&](const State& state) {
        last = state;
        return true;
      }));
  ASSERT_EQ(table.failures.size(), 1U);
  EXPECT_GT(last.t, 0);
  EXPECT_EQ(table.kept(1, 0), last.t);
  EXPECT_EQ(VectorXd(table.kept.row(1).segment(1, 3)), last.q);
  EXPECT_EQ(table.kept(2, 0), 0.5);
}

// Which has no value at t = 0.05.
TEST(Ensemble, LooksAtTheEndAloneWhereNothingElseIsKept) {
  const Pendulum pendulum;
  const Vary vary = grid("m", 1, 2, 3);
  Members members = pendulum.members(vary);
  members.until.every = 0.05;
  const Formula t = pendulum.model.time(), root = sqrt(pow(t - 0.05, 2) - 0.001);
  const EnsembleTable ends = ensemble(members, vary, {.formulas = {{"root", root}}});
  EXPECT_TRUE(ends.failures.empty());
  EXPECT_DOUBLE_EQ(ends.kept(2, 1), std::sqrt(0.95 * 0.95 - 0.001));
  EXPECT_EQ(ensemble(members, vary, {.formulas = {{"root", root, Statistic::max}}}).failures.size(), 3U);
}

TEST(Ensemble, StopsWhenAsked) {
  const Pendulum pendulum;
  const Vary vary = grid("m", 1, 2, 100000);
  std::atomic<bool> stop = false;
  std::uint64_t seen = 0;
  const bool finished =
      ensemble(pendulum.members(vary), vary, {}, {.threads = 2, .stop = &stop}, [&](const EnsembleChunk& chunk) {
        EXPECT_EQ(chunk.first, seen);
        seen += chunk.size();
        stop = true;
      });
  EXPECT_FALSE(finished);
  EXPECT_LT(seen, 1000U);
}

TEST(Ensemble, KnowsItsDevices) {
  EXPECT_EQ(device_named("cuda"), Device::cuda);
  EXPECT_THROW(device_named("gpu"), std::invalid_argument);
}

}  // namespace
}  // namespace hamel
