// Derivatives of the motion, beside differences of it along curves of states, inputs and parameters.
#include "hamel/mechanics/derivatives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "gallery/files.hpp"
#include "hamel/derive/tangent.hpp"
#include "hamel/manifold/factors.hpp"
#include "hamel/mechanics/geometry.hpp"
#include "hamel/model/lower.hpp"

namespace hamel::test::derivatives_test {
namespace {

constexpr int largest = 40;  // ambient coordinates
constexpr double tolerance = 1e-7;

std::vector<std::string> small_models() {
  std::vector<std::string> ids;
  for (const std::string& id : gallery_ids()) {
    const ModelFile file = gallery_model(id);
    int ambient = 0;
    for (const Coordinate& coordinate : file.model.coordinates()) ambient += coordinate.space.ambient();
    if (ambient <= largest) ids.push_back(id);
  }
  return ids;
}

// Of fourth order.
VectorXd difference(const std::function<VectorXd(double)>& f) {
  constexpr double h = 1e-3;
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

VectorXd random_vector(Eigen::Index size, Random& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  VectorXd x(size);
  for (double& value : x) value = uniform(random);
  return x;
}

struct Quantities {
  VectorXd motion, momentum, energy;
};

class Derived : public testing::TestWithParam<std::string> {
 protected:
  Derived() : system_(derive(file_.model)), derivatives_(system_) {
    std::vector<std::string> remarks;
    state_ = start_state(file_, system_, remarks);
    state_ = moved(0.1, random_vector(state_.q.size(), random_), random_vector(state_.q.size(), random_));
    inputs_ = random_vector(system_.inputs(), random_);
  }

  bool is_field() const { return file_.model.has_field(); }

  State moved(double s, const VectorXd& dq, const VectorXd& dv) const {
    State state{state_.t, state_.q + s * dq, VectorXd(state_.q.size())};
    system_.space().project(state.q, state.q);
    system_.space().tangent_project(state.q, VectorXd(state_.v + s * dv), state.v);
    return state;
  }

  // Calls what(factor, its part of a state, its part of natural coordinates) for the factors given by their bases.
  void for_each_basis(const std::function<void(const Manifold&, Eigen::Index, Eigen::Index)>& what) const {
    Eigen::Index next = 0;
    for (int f = 0; f < system_.geometry().factors(); ++f) {
      const Manifold& factor = system_.geometry().space(f);
      const bool by_basis = system_.geometry().is_given_by_basis(f);
      if (by_basis) what(factor, system_.geometry().offset(f), next);
      next += by_basis ? factor.rates() : factor.ambient();
    }
  }

  // Of the redundant rates of an orbit or a projection, which leave open what keeps the point at rest, the shortest.
  VectorXd shortest(const VectorXd& q, VectorXd rates) const {
    for_each_basis([&](const Manifold& factor, Eigen::Index begin, Eigen::Index next) {
      const VectorXd point = q.segment(begin, factor.ambient()), xi = rates.segment(next, factor.rates());
      VectorXd v(factor.ambient());
      factor.velocity(point, xi, v);
      factor.rates(point, v, rates.segment(next, factor.rates()));
    });
    return rates;
  }

  VectorXd natural_acceleration(const State& state, const VectorXd& a) const {
    VectorXd result = derivatives_.coordinates(state.q, a);
    for_each_basis([&](const Manifold& factor, Eigen::Index begin, Eigen::Index next) {
      const int n = factor.ambient();
      factor.rates_of_acceleration(state.q.segment(begin, n), state.v.segment(begin, n), a.segment(begin, n),
                                   result.segment(next, factor.rates()));
    });
    return shortest(state.q, result);
  }

  Quantities at(const System& system, const State& state, const VectorXd& u) const {
    Workspace w(system);
    w.u = u;
    VectorXd rate(system.ambient()), p = VectorXd::Zero(system.ambient());
    if (is_field()) {
      system.field(w, state.t, state.q, rate);
      return {derivatives_.coordinates(state.q, rate), {}, {}};
    }
    system.acceleration(w, state.t, state.q, state.v, rate);
    system.momentum(w, state.t, state.q, state.v, p);
    const Energy energy = system.energy(w, state.t, state.q, state.v);
    return {natural_acceleration(state, rate), p, VectorXd::Constant(1, energy.total)};
  }

  // Whether the products are the differences along a curve of states, systems and inputs.
  void expect(const std::string& what, const std::function<Quantities(double)>& along,
              const std::function<VectorXd(const Derivative&)>& product) {
    const auto compare = [&](const std::string& quantity, VectorXd Quantities::*part, const Derivative& derivative) {
      VectorXd found = product(derivative), expected = difference([&](double s) { return along(s).*part; });
      if (part == &Quantities::motion) found = shortest(state_.q, found), expected = shortest(state_.q, expected);
      const double size =
          std::max({expected.lpNorm<Eigen::Infinity>(), (along(0).*part).lpNorm<Eigen::Infinity>(), 1e-3});
      EXPECT_LE((found - expected).lpNorm<Eigen::Infinity>(), tolerance * size) << quantity << " by " << what;
    };
    compare("motion", &Quantities::motion,
            is_field() ? derivatives_.field(state_, inputs_) : derivatives_.acceleration(state_, inputs_));
    if (is_field()) return;
    compare("momentum", &Quantities::momentum, derivatives_.momentum(state_));
    compare("energy", &Quantities::energy, derivatives_.energy(state_));
  }

  // A little more of one moment of inertia may be too much for any body.
  bool may_vary(const std::string& name, const MatrixXd& value) const {
    try {
      for (const double factor : {0.99, 1.01}) static_cast<void>(system_.with({{name, factor * value}}));
      return true;
    } catch (const std::invalid_argument&) {
      return false;
    }
  }

  ModelFile file_ = gallery_model(GetParam());
  System system_;
  Derivatives derivatives_;
  Random random_{5};
  State state_;
  VectorXd inputs_;
};

INSTANTIATE_TEST_SUITE_P(Gallery, Derived, testing::ValuesIn(small_models()),
                         [](const auto& id) { return test_name(id.param); });

TEST_P(Derived, ByTheState) {
  for (int curve = 0; curve < 2; ++curve) {
    const VectorXd dq = random_vector(state_.q.size(), random_), dv = random_vector(state_.q.size(), random_);
    const VectorXd tangent = difference([&](double s) { return moved(s, dq, dv).q; });
    const VectorXd x = derivatives_.coordinates(state_.q, tangent), y = difference([&](double s) {
                                                                      const State state = moved(s, dq, dv);
                                                                      return derivatives_.coordinates(state.q, state.v);
                                                                    });
    expect(
        "state", [&](double s) { return at(system_, moved(s, dq, dv), inputs_); },
        [&](const Derivative& d) -> VectorXd { return d.point * x + d.velocity * y; });
  }
}

TEST_P(Derived, ByParameters) {
  const Model& model = file_.model;
  Eigen::Index first = 0;
  for (std::size_t k = 0; k < model.parameters().size(); ++k) {
    const auto& [name, value] = model.parameters()[k];
    const Eigen::Index begin = first, size = value.size();
    first += size;
    if (!model.origin(k).fixed_by.empty() || value.isZero(0) || !may_vary(name, value)) continue;
    expect(
        name,
        [&](double s) {
          return at(system_.with({{name, (1 + s) * value}}), state_, inputs_);
        },
        [&](const Derivative& d) -> VectorXd { return d.parameters.middleCols(begin, size) * value.reshaped(); });
  }
}

// A body that is turned by inputs, and a pendulum on it that another one pushes.
TEST(Derivatives, ByInputs) {
  Model model("driven");
  const auto u = model.input("u", 3), w = model.input("w", 1);
  const auto R = model.coordinate<SO3>("R");
  const auto q = model.coordinate<S2>("q");
  const Vec3 x = R * Formula(Eigen::Vector3d(0.3, 0, 0.1)) + 0.4 * q;
  model.body("b", {.attitude = R, .inertia = Eigen::Vector3d(1, 1.2, 0.9).asDiagonal().toDenseMatrix()});
  model.kinetic(0.3 * squared_norm(rate(x)));
  model.torque(R, u);
  model.force(x, w * (1 + squared_norm(w)) * q);
  const System system = derive(model);
  Random random(4);
  const VectorXd point = system.space().random_point(random), v = system.space().random_tangent(point, random);
  const VectorXd inputs = random_vector(4, random), du = random_vector(4, random);
  const Derivatives derivatives(system);
  const VectorXd expected = difference([&](double s) {
    Workspace work(system);
    work.u = inputs + s * du;
    VectorXd a(system.ambient()), natural(6);
    system.acceleration(work, 0, point, v, a);
    system.geometry().space(0).rates_of_acceleration(point.head(9), v.head(9), a.head(9), natural.head(3));
    natural.tail(3) = a.tail(3);
    return natural;
  });
  EXPECT_LE((derivatives.acceleration({0, point, v}, inputs).inputs * du - expected).norm(), 1e-8 * expected.norm());
  EXPECT_TRUE(derivatives.energy({0, point, v}).inputs.isZero(0));
  EXPECT_THROW(derivatives.acceleration({0, point, v}, du.head(2)), std::invalid_argument);
}

TEST(Derivatives, OfOtherParametersShareTheirKernels) {
  const System system = derive(gallery_model("heavy-top").model), other = system.with({{"m", 0.4}});
  const Derivatives derivatives(system), theirs = derivatives.with(other), anew(other);
  Random random(2);
  const VectorXd q = system.space().random_point(random), v = system.space().random_tangent(q, random);
  EXPECT_EQ(theirs.acceleration({0, q, v}).point, anew.acceleration({0, q, v}).point);
  EXPECT_NE(theirs.acceleration({0, q, v}).point, derivatives.acceleration({0, q, v}).point);
  EXPECT_EQ(&theirs.kernels().equations.program().tape(), &derivatives.kernels().equations.program().tape());
}

TEST(Derivatives, OfAHamiltonianAreRefused) {
  Model model("given H");
  const auto x = model.coordinate("x", Rn(2));
  model.hamiltonian(squared_norm(model.momentum(x)) / 2 + squared_norm(x));
  EXPECT_THROW(Derivatives(derive(model)), std::invalid_argument);
}

}  // namespace
}  // namespace hamel::test::derivatives_test
