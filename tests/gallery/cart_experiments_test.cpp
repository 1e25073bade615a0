// Lee, Leok, McClamroch: Dynamics and Control of a Chain Pendulum on a Cart, section V: the three experiments, as their
// model files run, beside the numbers of another program.
#include <gtest/gtest.h>

#include <hamel/analyze/spectrum.hpp>
#include <hamel/integrate/integrate.hpp>
#include <hamel/integrate/method.hpp>
#include <hamel/record/sample.hpp>

#include "gallery/files.hpp"

namespace hamel::test::cart_experiments_test {
namespace {

struct Experiment {
  ModelFile file;
  System system;
  State start;

  explicit Experiment(const std::string& id) : file(gallery_model(id)), system(derive(file.model)) {
    std::vector<std::string> remarks;
    start = start_state(file, system, remarks);
  }

  State after(double t) const {
    return integrate(system, start, Rk45{.relative = 1e-11, .absolute = 1e-13}, {.t = t}).states.back();
  }
  // force, then error
  VectorXd outputs(const State& state) const {
    Sample sample;
    Measurement(system, {}, file.outputs)(state, sample);
    return sample.outputs;
  }
};

TEST(CartExperiments, TheFoldedChainUnfolds) {
  const Experiment first("chain-pendulum-on-cart-folded");
  EXPECT_NEAR(energy(first.system, first.start).total, 0.299285058895, 1e-12);
  const State state = first.after(1);
  EXPECT_NEAR(state.q(0), 0.207949600069913, 1e-9);
  EXPECT_NEAR(state.q(14), 0.859882086619616, 1e-8);
  EXPECT_NEAR(state.q(16), -0.510492700350060, 1e-8);
}

TEST(CartExperiments, TheRegulatedChainComesToHang) {
  const Experiment second("chain-pendulum-on-cart-regulated");
  EXPECT_NEAR(second.outputs(second.after(10))(2), 5.87e-4, 0.005e-4);
  EXPECT_NEAR(second.outputs(second.after(20))(2), 1.22e-8, 0.01e-8);
  std::vector<std::string> remarks;
  const State hanging = examine_equilibria(second.file, second.system, remarks).at(0).state;
  const LinearModel closed = linearize(second.system, hanging);
  EXPECT_NEAR(spectrum(closed).rightmost().value.real(), -1.0778260178, 1e-9);
  // u = - gain q: k_x on the cart, k_q1 on the first rod
  const LinearModel open = linearize(derive(second.file.model.open()), hanging);
  const MatrixXd gain = open.B.transpose() * (closed.K - open.K) * open.basis.transpose();
  EXPECT_NEAR(gain(0, 0), std::sqrt(8), 1e-9);
  EXPECT_NEAR(gain(0, 2), -46.45642164956608, 1e-8);
}

TEST(CartExperiments, ThePartlyFoldedChainStays) {
  const Experiment third("chain-pendulum-on-cart-controlled");
  EXPECT_NEAR(third.outputs(third.start).head(2).norm(), 90.75, 0.005);
  EXPECT_NEAR(third.outputs(third.after(20))(2), 2.45e-7, 0.01e-7);
}

}  // namespace
}  // namespace hamel::test::cart_experiments_test
