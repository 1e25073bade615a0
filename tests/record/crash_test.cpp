// A record is readable whenever its writer dies, and goes on to the bits of a run that was never interrupted.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <random>
#include <thread>

#include "hamel/manifold/factors.hpp"
#include "hamel/record/writer.hpp"
#include "program/temporary.hpp"
#include "record/examples.hpp"
#include "record/file_driver.hpp"

namespace hamel::test {
namespace {

namespace fs = std::filesystem;

RunSettings settings(const Recorded& example, const std::string& path) {
  return {.until = {.t = 2, .every = 0.02}, .outputs = example.outputs, .path = path, .flush_seconds = 0};
}

// The first rows of the whole run.
Rows head(const Record& record, std::size_t count, const std::string& path) {
  EXPECT_LE(count, record.rows.size());
  return RecordReader(path).read(0, count);
}

// In another process; true if it was killed.
template <class Work>
bool dies(Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

// By its own hand, at one write after the other, in the middle of those that cross a page.
TEST(CrashLong, LeavesAReadableRecordAtEveryWrite) {
  const Folder folder;
  const Recorded example = double_pendulum_with_outputs();
  const std::string whole = folder / "whole.h5", cut = folder / "cut.h5";
  RunSettings wanted = settings(example, whole);
  wanted.until.t = 0.2;
  const auto run = [&] { recorded_run(example.system, example.start, Variational{0.02}, wanted, example.header); };
  run();
  const Record all = read_record(whole);
  wanted.path = cut;
  long created = 0, write = 1;
  for (;; ++write) {
    fs::remove(cut);
    wanted.resume = false;
    if (!dies([&] { hdf5::die_at_write(write), run(); })) break;
    if (!fs::exists(cut) && created == 0) continue;
    if (created == 0) created = write;
    const Record record = read_record(cut);
    EXPECT_GE(record.rows.size(), record.summary.outputs);
    expect_same(record.rows, head(all, record.rows.size(), whole));
    wanted.resume = true;
    run();
    expect_same(read_record(cut).rows, all.rows);
    ASSERT_FALSE(HasFailure()) << "killed at write " << write;
  }
  EXPECT_GT(created, 1);
  EXPECT_GT(write, created + 100);
}

// The same while the file grows by new chunks.
TEST(CrashLong, LeavesAReadableRecordWhileItGrows) {
  const Folder folder;
  const Recorded example = double_pendulum_with_outputs();
  const std::string begun = folder / "begun.h5", whole = folder / "whole.h5", cut = folder / "cut.h5";
  RunSettings wanted = settings(example, begun);
  const auto run = [&] { recorded_run(example.system, example.start, Variational{0.02}, wanted, example.header); };
  wanted.until.t = 0.1;  // in chunks of 16 rows
  run();
  wanted.until.t = 1.2;
  wanted.resume = true;
  wanted.path = whole;
  fs::copy_file(begun, whole);
  run();
  const Record all = read_record(whole);
  wanted.path = cut;
  long write = 1;
  for (;; write += 13) {
    fs::copy_file(begun, cut, fs::copy_options::overwrite_existing);
    if (!dies([&] { hdf5::die_at_write(write), run(); })) break;
    const Record record = read_record(cut);
    expect_same(record.rows, head(all, record.rows.size(), whole));
    run();
    expect_same(read_record(cut).rows, all.rows);
    ASSERT_FALSE(HasFailure()) << "killed at write " << write;
  }
  EXPECT_GT(write, 500);
}

class KilledRun : public testing::TestWithParam<std::pair<const char*, Method>> {};

// By another process, at any time, again and again until it is done.
TEST_P(KilledRun, GoesOnToTheSameBits) {
  const Folder folder;
  const Recorded example = double_pendulum_with_outputs();
  const Method method = GetParam().second;
  RunSettings wanted = settings(example, folder / "whole.h5");
  wanted.until.every = 0.037;
  wanted.until.t = 10;
  wanted.symmetries = conserved_momenta(example.system.model());
  const auto run = [&] { return recorded_run(example.system, example.start, method, wanted, example.header); };
  const RunSummary summary = run();
  const Record all = read_record(wanted.path);
  wanted.path = folder / "killed.h5";
  Random random(5);
  int kills = 0;
  for (; !fs::exists(wanted.path) || !RecordReader(wanted.path).savepoint().finished; ++kills) {
    wanted.resume = fs::exists(wanted.path);
    ASSERT_LT(kills, 1000);
    const auto wait = std::chrono::microseconds(std::uniform_int_distribution<>(0, 3000 * (kills + 1))(random));
    const pid_t child = ::fork();
    if (child == 0) {
      run();
      ::_exit(0);
    }
    std::this_thread::sleep_for(wait);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    if (fs::exists(wanted.path)) {
      const Record record = read_record(wanted.path);
      expect_same(record.rows, head(all, record.rows.size(), folder / "whole.h5"));
    }
  }
  EXPECT_GT(kills, 3);
  expect_same(read_record(wanted.path).rows, all.rows);
  expect_same(read_record(wanted.path).summary, summary);
}

INSTANTIATE_TEST_SUITE_P(Methods, KilledRun,
                         testing::Values(std::pair("Variational", Method(Variational{0.01})),
                                         std::pair("Variational4", Method(Variational{0.02, 4})),
                                         std::pair("Gauss8", Method(Gauss{.step = 0.02})),
                                         std::pair("GaussAdaptive", Method(Gauss{.order = 6, .tolerance = 1e-9})),
                                         std::pair("Rk45", Method(Rk45{})), std::pair("Rkmk4", Method(LieRk{0.01}))),
                         [](const auto& method) { return method.param.first; });

TEST(Stopped, RunsKeepWhatTheyComputed) {
  const Folder folder;
  const Recorded example = double_pendulum_with_outputs();
  RunSettings wanted = settings(example, folder / "whole.h5");
  const auto run = [&] { return recorded_run(example.system, example.start, Rk45{}, wanted, example.header); };
  const RunSummary all = run();
  std::atomic<bool> stop = false;
  wanted.path = folder / "stopped.h5";
  wanted.flush_seconds = 1000;
  wanted.stop = &stop;
  wanted.progress = [&](const Progress& progress) { stop = progress.t > 1; };
  wanted.progress_seconds = 0;
  const RunSummary stopped = run();
  EXPECT_FALSE(stopped.finished);
  EXPECT_GT(stopped.final.t, 0.9);
  EXPECT_LT(stopped.final.t, 1.5);
  EXPECT_EQ(read_record(wanted.path).rows.size(), stopped.outputs);
  stop = false;
  wanted.progress = {};
  wanted.resume = true;
  expect_same(run(), all);
  expect_same(read_record(wanted.path).rows, read_record(folder / "whole.h5").rows);
}

// Inputs are part of what is saved, and outputs may contain them.
TEST(Stopped, RunsUnderControlGoOnToTheSameBits) {
  const Folder folder;
  Model model("driven pendulum");
  const Formula q = model.coordinate<S2>("q"), u = model.input("u", 3);
  model.kinetic(squared_norm(rate(q)) / 2);
  model.potential(2 * q.z());
  model.force_on(q, u);
  const System system = derive(model);
  const State start = system.state(0, Eigen::Vector3d(0, 0.6, 0.8), Eigen::Vector3d(0.8, 0.8, -0.6));
  std::atomic<bool> stop = false;
  RunSettings wanted{
      .until = {.t = 2, .every = 0.01}, .outputs = {{"u", u}}, .path = folder / "whole.h5", .stop = &stop};
  wanted.control = {[](double t, const State& state, VectorXd& values) { values = std::sin(t) * state.q; }, 0.25};
  const RunSummary all = recorded_run(system, start, Rk4{0.01}, wanted);
  wanted.path = folder / "stopped.h5";
  wanted.progress = [&](const Progress& progress) { stop = progress.t > 1.1; };
  wanted.progress_seconds = 0;
  recorded_run(system, start, Rk4{0.01}, wanted);
  stop = false;
  wanted.progress = {};
  wanted.resume = true;
  expect_same(recorded_run(system, start, Rk4{0.01}, wanted), all);
  const Rows rows = read_record(wanted.path).rows;
  expect_same(rows, read_record(folder / "whole.h5").rows);
  EXPECT_EQ(rows.outputs[0](0, 2), 0);
  EXPECT_EQ(rows.outputs[0](120, 2), rows.outputs[0](124, 2));
  EXPECT_NE(rows.outputs[0](120, 2), rows.outputs[0](130, 2));
}

}  // namespace
}  // namespace hamel::test
