// Equations of motion, evaluated once.
#include <fmt/format.h>

#include "hamel/mechanics/parts.hpp"
#include "hamel/mechanics/scratch.hpp"
#include "rows.hpp"

namespace hamel::bench {
namespace {

// A call on both sides: equations of motion are a function that an integrator calls.
template <class Baseline>
[[gnu::noinline]] void call_acceleration(Baseline& baseline, const double* q, const double* rates, double* a) {
  baseline.acceleration(q, rates, a);
}

template <class Baseline>
void add_acceleration(Rows& rows, const std::string& what, Tier tier, int size, const Model& model,
                      const std::shared_ptr<Baseline>& baseline, const VectorXd& q, const VectorXd& rates) {
  const std::string name = fmt::format("acceleration, {}, {}", what, to_string(tier));
  if (!rows.is_wanted(name, size)) return;
  const auto system = derive_for(model, tier);
  const auto work = share(Workspace(*system));
  const std::shared_ptr<const Kernel> kernel(system, &constant_mass(*system).acceleration);  // keeps the system
  const auto accelerate = [=](VectorXd& a) {
    const double t = 0;
    kernel->run<4, 2>({q.data(), rates.data(), work->u.data(), &t}, {a.data(), work->multipliers.data()},
                      work->scratch().program.data());
  };
  VectorXd ours(rates.size()), theirs(rates.size());
  accelerate(ours);
  baseline->acceleration(q.data(), rates.data(), theirs.data());
  require_agreement(name, ours.data(), theirs.data(), ours.size());
  const Comparison& row = rows.add(name, size, tier == Tier::native ? 1.5 : 30);
  measure(row.ours.name, [=](benchmark::State& state) {
    VectorXd a(rates.size());
    for (auto _ : state) {
      accelerate(a);
      benchmark::ClobberMemory();
    }
  });
  measure(row.baseline.name, [=](benchmark::State& state) {
    VectorXd a(rates.size());
    for (auto _ : state) {
      call_acceleration(*baseline, q.data(), rates.data(), a.data());
      benchmark::DoNotOptimize(a.data());
      benchmark::ClobberMemory();
    }
  });
}

}  // namespace

void add_chain_accelerations(Rows& rows, Tier tier, int links) {
  const Chain chain = chain_numbers(links);
  const State start = chain_start(links);
  add_acceleration(rows, "chain", tier, links, chain_model(chain), share(ChainBaseline(chain)), start.q, start.v);
}

void add_body_accelerations(Rows& rows, Tier tier) {
  const Body body = body_numbers();
  const Eigen::Matrix3d R = Eigen::AngleAxisd(0.8, Eigen::Vector3d(1, 2, -1).normalized()).toRotationMatrix();
  VectorXd pose(12), rates(6);
  pose << R.reshaped(), 0.9, -0.3, 1.4;
  rates << 0.3, -0.5, 0.7, 0.2, 0.4, -0.6;
  add_acceleration(rows, "3-D pendulum", tier, 1, pendulum_model(body), share(PendulumBaseline(body)), pose.head(9),
                   rates.head(3));
  add_acceleration(rows, "free body on SE(3)", tier, 1, free_body_model(body), share(FreeBodyBaseline(body)), pose,
                   rates);
}

}  // namespace hamel::bench
