// The same members on a device and, one by one, by the stepper of this machine.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <hamel/ensemble/device_run.hpp>
#include <hamel/integrate/request.hpp>
#include <hamel/integrate/stepper.hpp>

#include "ensemble/host_device.hpp"

namespace hamel::test {

// Near a state: members that begin at points and with velocities of their own.
inline DeviceMembers members_near(const System& system, const State& start, int count) {
  DeviceMembers members{.t = start.t, .q = MatrixXd(count, system.ambient()), .v = MatrixXd(count, system.ambient())};
  for (int k = 0; k < count; ++k) {
    members.q.row(k) = start.q;
    members.v.row(k) = (1 + 0.01 * k) * start.v;
  }
  return members;
}

inline State state_of(const DeviceMembers& members, Eigen::Index k) {
  return {members.t, members.q.row(k), members.v.row(k)};
}

inline State by_stepper(const System& system, const State& start, const Method& method, double until,
                        const VectorXd& u = {}) {
  const auto stepper = make_stepper(system, method);
  if (u.size() > 0) stepper->set_inputs(u);
  stepper->start(start);
  while (stepper->step(until) != until) {
  }
  State state = start;
  stepper->current(state);
  return state;
}

inline void expect_same_bits(const VectorXd& a, const VectorXd& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size());
  for (Eigen::Index i = 0; i < a.size(); ++i)
    if (std::bit_cast<std::uint64_t>(a(i)) != std::bit_cast<std::uint64_t>(b(i))) {
      ADD_FAILURE() << what << "[" << i << "]: " << a(i) << " and " << b(i) << " differ by " << a(i) - b(i);
      return;
    }
}

// All in one array.
inline DeviceChunk run_all(DeviceRun& run, Accelerator& device, const DeviceMembers& members, double until,
                           Eigen::Index most = 0) {
  DeviceChunk all;
  const auto append = [](MatrixXd& to, const MatrixXd& more) {
    MatrixXd both(to.rows() + more.rows(), more.cols());
    both << to, more;
    to = both;
  };
  run(
      device, members, until,
      [&](const DeviceChunk& chunk) {
        EXPECT_EQ(chunk.first, all.count);
        if (all.count == 0) {
          all = chunk;
          return;
        }
        all.count += chunk.count;
        for (auto part :
             {&DeviceChunk::q, &DeviceChunk::v, &DeviceChunk::least, &DeviceChunk::largest, &DeviceChunk::mean})
          append(all.*part, chunk.*part);
        for (std::size_t i = 0; i < chunk.path_q.size(); ++i) {
          append(all.path_q[i], chunk.path_q[i]);
          append(all.path_v[i], chunk.path_v[i]);
        }
        all.failure.insert(all.failure.end(), chunk.failure.begin(), chunk.failure.end());
        all.steps.insert(all.steps.end(), chunk.steps.begin(), chunk.steps.end());
      },
      most);
  return all;
}

// A few steps and a shorter last one: the same bits, or where functions of libm and sums in another order are involved,
// numbers that are `rounding` apart.
inline void expect_bits_of_stepper(const System& system, const State& start, const Method& method, int steps,
                                   double rounding = 0) {
  HostDevice device;
  DeviceRun run(system, method);
  const DeviceMembers members = members_near(system, start, 3);
  const double until = start.t + (steps + 0.3) * fixed_step(method);
  const DeviceChunk ends = run_all(run, device, members, until);
  ASSERT_EQ(ends.count, 3);
  for (Eigen::Index k = 0; k < ends.count; ++k) {
    EXPECT_EQ(ends.failure[static_cast<std::size_t>(k)], StepFailure::none)
        << to_string(ends.failure[static_cast<std::size_t>(k)]);
    EXPECT_EQ(ends.steps[static_cast<std::size_t>(k)], steps + 1);
    const State expected = by_stepper(system, state_of(members, k), method, until);
    if (rounding > 0) {
      EXPECT_LE((ends.q.row(k).transpose() - expected.q).norm(), rounding * (1 + expected.q.norm()));
      EXPECT_LE((ends.v.row(k).transpose() - expected.v).norm(), rounding * (1 + expected.v.norm()));
      continue;
    }
    expect_same_bits(ends.q.row(k), expected.q, "q");
    expect_same_bits(ends.v.row(k), expected.v, "v");
  }
}

}  // namespace hamel::test
