// What is recorded, and read back.
#include "hamel/record/recorded_run.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "hamel/manifold/factors.hpp"
#include "hamel/mechanics/parts.hpp"
#include "hamel/program/native.hpp"
#include "hamel/record/record.hpp"
#include "integrate/systems.hpp"
#include "program/temporary.hpp"
#include "record/examples.hpp"

namespace hamel::test {
namespace {

TEST(RecordedRun, KeepsNoEvents) {
  const Recorded example = double_pendulum_with_outputs();
  RunSettings settings{.until = {1}};
  settings.until.events = {{.name = "down", .value = [](const State& state) { return state.q(0); }}};
  EXPECT_EQ(message_of([&] { recorded_run(example.system, example.start, Variational{0.01}, settings); }),
            "records keep no events; use integrate(), or an Integration, to find them");
}

TEST(RecordedRun, RecordsWhatIntegrateGives) {
  const Folder folder;
  const Recorded example = double_pendulum_with_outputs();
  const Variational method{0.01};
  const RunSummary summary = recorded_run(
      example.system, example.start, method,
      {.until = {.t = 1, .every = 0.02}, .outputs = example.outputs, .path = folder / "run.h5"}, example.header);
  const Record record = read_record(folder / "run.h5");
  const Trajectory run = integrate(example.system, example.start, method, {.t = 1, .every = 0.02});
  ASSERT_EQ(record.rows.size(), run.size());
  Workspace work(example.system);
  for (std::size_t k = 0; k < run.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    const State& state = run.states[k];
    EXPECT_EQ(record.rows.time(i), state.t);
    EXPECT_TRUE(record.rows.q.row(i).transpose() == state.q);
    EXPECT_TRUE(record.rows.v.row(i).transpose() == state.v);
    const Energy energy = example.system.energy(work, state.t, state.q, state.v);
    EXPECT_EQ(record.rows.kinetic(i), energy.kinetic);
    EXPECT_EQ(record.rows.potential(i), energy.potential);
    EXPECT_EQ(record.rows.total(i), energy.total);
    const Eigen::Vector3d q1 = state.q.head<3>(), q2 = state.q.tail<3>();
    EXPECT_NEAR(record.rows.outputs[0](i, 0), 0.9 * q1.z() + 1.4 * q2.z(), 1e-14);
    EXPECT_TRUE(
        record.rows.outputs[1].row(i).transpose().isApprox(0.9 * state.v.head<3>() + 1.4 * state.v.tail<3>(), 1e-14));
    const MatrixXd K{{1, 2, 3}, {4, 5, 6}};
    EXPECT_TRUE(record.rows.outputs[2].row(i).head<2>().transpose().isApprox(K * q1, 1e-14));
    EXPECT_TRUE(record.rows.outputs[2].row(i).tail<2>().transpose().isApprox(K * q2, 1e-14));
    EXPECT_EQ(record.rows.manifold_error(i), std::max(std::abs(1 - q1.squaredNorm()), std::abs(1 - q2.squaredNorm())));
    EXPECT_NEAR(record.rows.momenta(i, 0), record.rows.momenta(0, 0), 1e-12);
  }
  EXPECT_EQ(record.rows.constraint_error.size(), 0);
  EXPECT_EQ(summary.steps, run.steps);
  EXPECT_TRUE(summary.finished);
  expect_same(record.summary, summary);
}

// A first-order system, on a sphere: e3 without what it has along q, and a turn.
System uphill() {
  Model model("uphill");
  const Formula q = model.coordinate<S2>("q");
  model.field(q, Formula(Eigen::Vector3d(0, 0, 1)) - q * q.z() + cross(Formula(Eigen::Vector3d(0, 0, 2)), q));
  return derive(model);
}

TEST(RecordedRun, OfAFieldHasNoEnergies) {
  const Folder folder;
  const System system = uphill();
  const State start = system.state(0, Eigen::Vector3d(0.6, 0, -0.8));
  const LieRk method{.step = 0.01};
  RunSettings settings{.until = {2}, .path = folder / "whole.h5"};
  const RunSummary summary = recorded_run(system, start, method, settings);
  EXPECT_FALSE(summary.energy.exists);
  EXPECT_LE(summary.manifold.max_error, 1e-14);
  const Record record = read_record(folder / "whole.h5");
  EXPECT_FALSE(record.header.has_energy);
  EXPECT_EQ(record.rows.total.size(), 0);
  expect_same(record.summary, summary);
  const auto last = record.rows.q.rows() - 1;
  EXPECT_NEAR(std::atanh(record.rows.q(last, 2)), std::atanh(-0.8) + 2, 1e-9);  // z' = 1 - z^2

  settings.path = folder / "parts.h5";
  settings.until.t = 0.7;
  recorded_run(system, start, method, settings);
  settings.until.t = 2;
  settings.resume = true;
  recorded_run(system, start, method, settings);
  const Record resumed = read_record(folder / "parts.h5");
  EXPECT_TRUE(resumed.rows.q == record.rows.q && resumed.rows.v == record.rows.v) << "not the same bits";
}

TEST(RecordedRun, DescribesItself) {
  const Folder folder;
  const Recorded example = double_pendulum_with_outputs();
  recorded_run(example.system, example.start, Gauss{.step = 0.1, .order = 6},
               {.until = {0.5}, .outputs = example.outputs, .path = folder / "run.h5"}, example.header);
  const RecordHeader header = RecordReader(folder / "run.h5").header();
  EXPECT_EQ(header.model_text, example.header.model_text);
  EXPECT_EQ(header.units, example.header.units);
  EXPECT_EQ(header.model_name, "double spherical pendulum");
  EXPECT_EQ(header.space, "S2 x S2");
  EXPECT_EQ(header.degrees_of_freedom, 4);
  EXPECT_FALSE(header.hamel_version.empty());
  EXPECT_EQ(header.integrator, "gauss6");
  EXPECT_EQ(header.settings, settings_of(Gauss{.step = 0.1, .order = 6}));
  EXPECT_EQ(header.tier, "interpreted");
  EXPECT_EQ(header.until, 0.5);
  ASSERT_EQ(header.parameters.size(), 3U);
  EXPECT_EQ(header.parameters[1].name, "g");
  EXPECT_EQ(header.parameters[1].value(0, 0), 9.81);
  EXPECT_TRUE(header.parameters[2].value == (MatrixXd{{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(header.q_names, (std::vector<std::string>{"q[1].x", "q[1].y", "q[1].z", "q[2].x", "q[2].y", "q[2].z"}));
  EXPECT_EQ(header.v_names[3], "q'[2].x");
  ASSERT_EQ(header.coordinates.size(), 2U);
  EXPECT_EQ(header.coordinates[1].name, "q[2]");
  EXPECT_EQ(header.coordinates[1].space, "S2");
  EXPECT_EQ(header.coordinates[1].offset, 3);
  ASSERT_EQ(header.momenta.size(), 1U);
  EXPECT_NE(header.momenta[0].name.find("angular momentum about e3"), std::string::npos);
  ASSERT_EQ(header.outputs.size(), 3U);
  EXPECT_EQ(header.outputs[2].name, "K q");
  EXPECT_EQ(header.outputs[2].rows, 2);
  EXPECT_EQ(header.outputs[2].cols, 2);
}

// A short run is interpreted, a long one is worth a compiler: the bits must not depend on it.
TEST(RecordedRun, ResumedToALaterEndHasTheBitsOfOneLongRun) {
  const FreshCache cache;
  const Folder folder;
  const Method method = Variational{0.01};
  const auto run = [&](const std::string& name, double until, bool resume) {
    const Recorded example = double_pendulum_with_outputs();
    recorded_run(
        example.system, example.start, method,
        {.until = {.t = until, .every = 100}, .outputs = example.outputs, .path = folder / name, .resume = resume},
        example.header);
    return read_record(folder / name);
  };
  EXPECT_EQ(run("parts.h5", 100, false).header.tier, "interpreted");
  const Rows parts = run("parts.h5", 20'000, true).rows;
  const Record whole = run("whole.h5", 20'000, false);
  if (whole.header.tier != "native") GTEST_SKIP() << "no compiler";
  EXPECT_EQ(parts.time, whole.rows.time);
  EXPECT_EQ(parts.q, whole.rows.q);
  EXPECT_EQ(parts.v, whole.rows.v);
  EXPECT_EQ(parts.total, whole.rows.total);
  for (std::size_t k = 0; k < parts.outputs.size(); ++k) EXPECT_EQ(parts.outputs[k], whole.rows.outputs[k]);
}

TEST(RecordedRun, SaysWhetherItRanAsNativeCode) {
  const FreshCache cache;
  const Folder folder;
  for (const Method& method : {Method(Variational{0.01}), Method(Gauss{.step = 0.02})}) {
    const Example example = double_pendulum();
    const std::string path = folder / (describe(method).name + ".h5");
    recorded_run(example.system, example.start, method, {.until = {0.1}, .path = path});
    EXPECT_EQ(RecordReader(path).header().tier, "interpreted");
    prepare(example.system, 1e12);
    const bool has_compiler = example.system.dynamics().energy_programs().front()->is_native();
    recorded_run(example.system, example.start, method, {.until = {0.1}, .path = path, .overwrite = true});
    EXPECT_EQ(RecordReader(path).header().tier, has_compiler ? "native" : "interpreted");
  }
}

TEST(RecordedRun, RecordsConstraintsAndAttitudes) {
  const Folder folder;
  const Example crank = slider_crank(), body = body_pendulum();
  recorded_run(crank.system, crank.start, Rk4{0.02}, {.until = {1}, .path = folder / "crank.h5"});
  const Record record = read_record(folder / "crank.h5");
  ASSERT_EQ(record.rows.constraint_error.size(), 51);
  EXPECT_GT(record.rows.constraint_error.maxCoeff(), 0);
  EXPECT_EQ(record.summary.constraints.max_error, record.rows.constraint_error.maxCoeff());
  EXPECT_EQ(record.header.constraints, crank.system.constraint_names());

  recorded_run(body.system, body.start, Rk4{0.02}, {.until = {1}, .path = folder / "body.h5"});
  const Record turning = read_record(folder / "body.h5");
  const Eigen::Index last = turning.rows.q.rows() - 1;
  const VectorXd q = turning.rows.q.row(last);
  const Eigen::Matrix3d R = q.reshaped(3, 3);
  EXPECT_EQ(turning.rows.manifold_error(last), (R.transpose() * R - Eigen::Matrix3d::Identity()).norm());
}

TEST(RecordedRun, NeedsNoFile) {
  const Example example = double_pendulum();
  const RunSummary summary = recorded_run(example.system, example.start, Rk45{}, {.until = {1}});
  EXPECT_EQ(summary.final.t, 1);
  EXPECT_EQ(summary.step, 0);
  EXPECT_EQ(summary.outputs, summary.steps + 1);
  EXPECT_LT(summary.energy.max_error, 1e-6);
}

TEST(RecordedRun, ReportsItsProgress) {
  const Example example = double_pendulum();
  std::vector<Progress> reports;
  const RunSummary summary = recorded_run(example.system, example.start, Variational{0.01},
                                          {.until = {.t = 1, .every = 0.1},
                                           .progress = [&](const Progress& p) { reports.push_back(p); },
                                           .progress_seconds = 0});
  ASSERT_EQ(reports.size(), 101U);
  for (std::size_t k = 1; k < reports.size(); ++k) EXPECT_GE(reports[k].fraction, reports[k - 1].fraction);
  EXPECT_NEAR(reports[49].fraction, 0.5, 1e-12);
  EXPECT_GT(reports[49].steps_per_second, 0);
  EXPECT_GT(reports[49].seconds_left, 0);
  EXPECT_EQ(reports.back().fraction, 1);
  EXPECT_EQ(reports.back().energy_error, summary.energy.max_error);
}

TEST(RecordedRun, RefusesToContinueAnotherRun) {
  const Folder folder;
  const Example example = double_pendulum();
  const std::string path = folder / "run.h5";
  RunSettings settings{.until = {1}, .path = path, .resume = true};
  const auto resume = [&](const Method& method) {
    return message_of([&] { recorded_run(example.system, example.start, method, settings); });
  };
  EXPECT_EQ(resume(Rk4{0.1}), "there is no record " + path + " to resume; start a new run");
  settings.resume = false;
  recorded_run(example.system, example.start, Rk4{0.1}, settings);
  settings.resume = true;
  EXPECT_EQ(resume(Rk4{0.1}), "");
  EXPECT_NE(resume(Rk4{0.2}).find("holds another run (integrator: method = rk4, step = 0.1"), std::string::npos);
  settings.until.every = 0.5;
  EXPECT_NE(resume(Rk4{0.1}).find("holds another run (interval of outputs: 0 in the record, 0.5 now)"),
            std::string::npos);
  settings.until.every = 0;
  settings.until.t = 0.5;
  EXPECT_NE(resume(Rk4{0.1}).find("has reached t = 1 already, beyond the end time 0.5"), std::string::npos);
  State other = example.start;
  other.v *= 1.5;
  EXPECT_NE(message_of([&] {
              recorded_run(example.system, other, Rk4{0.1}, settings);
            }).find("its run had another start state"),
            std::string::npos);
}

TEST(RecordedRun, RefusesToContinueOnAnotherMachine) {
  const Folder folder;
  const Example example = double_pendulum();
  RunSettings settings{.until = {1}, .path = folder / "run.h5"};
  const auto run = [&] { recorded_run(example.system, example.start, Rk4{0.1}, settings); };
  run();
  const auto machine = RecordReader(settings.path).header().machine;
  for (const char* part : {"processor", "compiler", "flags", "libm"}) EXPECT_NE(machine.at(part), "") << part;
  settings.until.t = 2;
  settings.resume = true;
  {
    const Environment flags("HAMEL_CFLAGS", "-O0 -DANOTHER");
    const std::string message = message_of(run);
    EXPECT_EQ(message.rfind(settings.path + " cannot be resumed to the same bits (flags: ", 0), 0U) << message;
    EXPECT_NE(message.find("-DANOTHER here); go on where it was begun"), std::string::npos) << message;
    settings.on_another_machine = true;
    run();
    settings.on_another_machine = false;
    EXPECT_EQ(RecordReader(settings.path).rows(), 21U);
  }
  settings.until.t = 3;
  run();
  const Environment compiler("HAMEL_CC", "/bin/true");
  EXPECT_NE(message_of(run).find("(compiler: "), std::string::npos);
  EXPECT_EQ(RecordReader(settings.path).rows(), 31U);
}

TEST(RecordedRun, GoesOnBeyondItsEnd) {
  const Folder folder;
  const Recorded example = double_pendulum_with_outputs();
  RunSettings settings{.until = {.t = 1, .every = 0.1}, .outputs = example.outputs, .path = folder / "long.h5"};
  const RunSummary all = recorded_run(example.system, example.start, Variational{0.02}, settings, example.header);
  settings.path = folder / "short.h5";
  settings.until.t = 0.5;
  recorded_run(example.system, example.start, Variational{0.02}, settings, example.header);
  settings.until.t = 1;
  settings.resume = true;
  const RunSummary rest = recorded_run(example.system, example.start, Variational{0.02}, settings, example.header);
  expect_same(rest, all);
  expect_same(read_record(folder / "short.h5").rows, read_record(folder / "long.h5").rows);
}

}  // namespace
}  // namespace hamel::test
