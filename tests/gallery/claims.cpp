#include "gallery/claims.hpp"

namespace hamel::test {
namespace {

using Names = std::set<std::string>;

const std::string p1 = "momentum along e1", p2 = "momentum along e2", p3 = "momentum along e3";
const std::string L1 = "angular momentum about e1", L2 = "angular momentum about e2", L3 = "angular momentum about e3";
const std::string spin3 = "body angular momentum about e3", planar = "angular momentum";

// Where no force depends on the place, also those about the centre of mass.
const std::string C = " through the centre of mass", C1 = L1 + C, C2 = L2 + C, C3 = L3 + C;
const std::string planar_C = "angular momentum about the centre of mass";

const Names all_turns = {L1, L2, L3}, upright = {L3}, thrown_particle = {p1, p2, L3}, on_a_cart = {p1, p2, L3, C3};
const Names thrown = {p1, p2, L3, C1, C2, C3}, free = {p1, p2, p3, L1, L2, L3, C1, C2, C3};
constexpr bool driven = false;         // energy is not conserved
constexpr double to_rounding = 1e-10;  // Gauss methods, and bodies that are free or fall

std::vector<Claim> kinematics() {  // book 2.7
  return {
      {"kin-particle-inclined-plane", "{x in R3 : x.x + x.y + x.z = 1}", 2, {}, driven},
      {"kin-particle-hyperbolic-paraboloid", "{x in R3 : x.z - x.y^2 + x.x^2 = 0}", 2, {}, driven},
      {"kin-planar-pendulum", "S1", 1, {}, driven},
      {"kin-spherical-pendulum", "S2", 2, {}, driven},
      {"kin-double-planar-pendulum", "S1^2", 2, {}, driven},
      {"kin-double-spherical-pendulum", "S2^2", 4, {}, driven},
      {"kin-planar-spherical-pendulum", "S1 x S2", 3, {}, driven},
      {"kin-particle-torus", "S1^2", 2, {}, driven},
      {"kin-free-rotating-rigid-body", "SO3", 3, {}, driven},
      {"kin-planar-rigid-body", "S1 x R2", 3, {}, driven},
      {"kin-free-rigid-body", "SE3", 6, {}, driven},
      {"kin-slider-crank", "S1 x R1", 1, {}, driven},
      {"kin-constrained-rod-on-sphere", "SE3", 4, {}, driven},
  };
}

std::vector<Claim> euclidean() {  // book 1.3.5, 3.7
  return {
      {"vf-s1-sine", "S1", 1, {}, driven},
      {"vf-s2-sine", "S2", 2, {}, driven},
      {"vf-so3-attitude", "SO3", 3, {}, driven},
      {"vf-s1-dae1", "R2", 1, {}, driven},
      {"vf-ts1-dae2", "S1", 1},
      {"particle-uniform-gravity", "R3", 3, thrown_particle, true, to_rounding},
      {"particle-uniform-gravity-drag", "R3", 3, {}, driven},
      {"particle-inclined-plane", "R2", 2, {p1}, true, to_rounding},
      {"particle-hyperbolic-paraboloid", "R2", 2, {}, true, to_rounding},
      {"kepler-restricted-two-body", "R3", 3, all_turns, true, to_rounding},
      {"particle-rotating-frame", "R3", 3, upright},
  };
}

std::vector<Claim> circles_and_spheres() {  // book 4.6, 5.6
  return {
      {"planar-pendulum", "S1", 1},
      {"particle-rotating-hoop", "S1", 1},
      {"two-elastic-planar-pendulums", "S1^2", 2, {planar}},
      {"double-planar-pendulum", "S1^2", 2},
      {"particle-on-torus", "S1^2", 2, {planar}, true, to_rounding},
      {"furuta-pendulum", "S1^2", 2, {planar}, true, to_rounding},
      {"revolute-robot-3d", "S1^3", 3, {planar}, true, to_rounding},
      {"spherical-pendulum", "S2", 2, upright},
      {"particle-rotating-sphere", "S2", 2, upright},
      {"spherical-pendulum-three-strings", "S2", 2},
      {"two-elastic-spherical-pendulums", "S2^2", 4, all_turns},
      {"double-spherical-pendulum", "S2^2", 4, upright},
      {"chain-pendulum-controlled", "S2^3", 6, {}, driven},
  };
}

std::vector<Claim> rigid_bodies() {  // book 6.6, 7.6
  return {
      {"free-rigid-body-so3", "SO3", 3, all_turns, true, to_rounding},
      {"pendulum-3d", "SO3", 3, upright},
      {"rigid-body-circular-orbit", "SO3", 3, {}, true, to_rounding},
      {"rigid-body-planar-pendulum", "SO3", 1},
      {"rigid-body-se3-offset", "SE3", 6, thrown, true, to_rounding},
      {"rigid-body-gravity-se3", "SE3", 6, thrown, true, to_rounding},
      {"free-rigid-body-se3", "SE3", 6, free, true, to_rounding},
      {"elastically-supported-rigid-body", "SE3", 6},
      {"rigid-body-single-elastic-support", "SE3", 6, upright},
      {"dumbbell-satellite", "SE3", 6, {L1, L2, L3, spin3}},
  };
}

std::vector<Claim> manifolds() {  // book 8.3, 8.4, and the paper on embedded manifolds
  return {
      {"product-linear-manifolds", "{x in R3 : dot(a, x) = 1} x {x in R3 : x.x - x.y = 0, x.z = -1}", 3},
      {"subspace-dynamics", "{x in R3 : x.x + x.y + x.z = 0}", 2},
      {"coupled-s1-n", "S1^3", 3},
      {"s1-general", "S1", 1},
      {"coupled-s2-n", "S2^3", 6, upright},
      {"s2-general", "S2", 2},
      {"holonomic-multiplier-system", "R3", 2, upright},
      {"planar-body-se2",
       "SE2",
       3,
       {"momentum of left multiplication by E2 of g",
        "momentum of right multiplication by E1 of g - 0.4 right multiplication by E3 of g"},
       true,
       to_rounding},
      {"free-body-sl2",
       "SL2",
       3,
       {"momentum of left multiplication by E1 of g", "momentum of left multiplication by E2 of g",
        "momentum of left multiplication by E3 of g"},
       true,
       to_rounding},
      {"stiefel-oscillator", "Stiefel(4, 2)", 5, {"momentum of"}},
      {"particle-on-hyperboloid",
       "orbit(e3, [[0,-1,0],[1,0,0],[0,0,0]], [[0,0,1],[0,0,0],[1,0,0]], [[0,0,0],[0,0,1],[0,1,0]])", 2, upright, true,
       to_rounding},
      {"particle-on-projected-torus", "{hub(x) + b*(x - hub(x))/norm(x - hub(x)) : x in R3}", 2, upright},
  };
}

std::vector<Claim> multibody() {  // book 9
  return {
      {"planar-slider-crank", "S1 x R1", 1},
      {"horizontal-pendulum-on-cart", "R2 x S1", 3, {p1, p2, planar, planar_C}, true, to_rounding},
      {"planar-spherical-pendulum", "S1 x S2", 3},
      {"spherical-pendulum-on-cart", "S2 x R2", 4, on_a_cart},
      {"rotating-body-with-appendage", "SO3 x R1", 4, all_turns, true, to_rounding},
      {"3d-pendulum-on-cart", "SO3 x R2", 5, on_a_cart},
      {"two-bodies-common-point", "SO3^2 x R3", 9, free},
      {"free-body-with-appendage", "SO3 x R3 x R1", 7, {p1, p2, p3, L1, L2, L3}, true, to_rounding},
      {"full-body-problem", "SE3^2", 12, free},
      {"spacecraft-reaction-wheels", "SE3 x S1^3", 9, {p1, p2, p3, L1, L2, L3, C1, C2, C3, planar}, true, to_rounding},
      {"spacecraft-cmg", "SO3 x S1^2", 5, {L1, L2, L3, planar}, true, to_rounding},
      {"two-quadrotors-payload", "R3 x SO3 x S2^2 x SO3^2", 16, {}, driven},
  };
}

// Book 10, and the papers on a chain on a cart and on variational integrators.
std::vector<Claim> chains_and_particles() {
  constexpr double as_in_the_paper = 4e-4;
  return {
      {"chain-pendulum", "S2^10", 20, upright},
      {"chain-pendulum-on-cart", "R2 x S2^5", 12, on_a_cart},
      {"chain-pendulum-on-cart-controlled", "R2 x S2^5", 12, {}, driven},
      {"free-free-chain", "R3 x S2^8", 19, thrown},
      {"fixed-free-elastic-rod", "S2^10", 20},
      {"three-bodies-on-sphere", "S2^3", 6, all_turns, true, as_in_the_paper},
      {"four-coupled-spherical-pendula", "S2^4", 8, {}, true, as_in_the_paper},
      {"elastic-rod-pure-bending", "S2^10", 20, {}, true, as_in_the_paper},
      {"magnetic-dipoles", "S2^16", 32},
      {"molecules-on-sphere", "S2^12", 24, all_turns, true, as_in_the_paper, {{"n", "12"}}},
  };
}

std::vector<Claim> beyond_the_texts() {
  return {
      {"t-handle", "SO3", 3, all_turns, true, to_rounding},
      {"heavy-top", "SO3", 3, {L3, spin3}},
      {"triple-pendulum", "S2^3", 6, upright},
      {"falling-rope", "S2^20", 40, upright, true, 2e-4, {{"n", "20"}}},
      {"orbiting-tether", "R3 x S2^20", 43, all_turns},
      {"flapping-wing", "R3 x SO3^4", 15, {}, driven},
      {"quadrotor-cable-load", "R3 x SO3 x S2^5", 16, {}, driven},
      {"spin-chain", "S2^10", 20, all_turns, true, 1e-4, {{"n", "10"}}},
  };
}

}  // namespace

const std::vector<Claim>& claims() {
  static const std::vector<Claim> all = [] {
    std::vector<Claim> result;
    for (const auto& chapter : {kinematics(), euclidean(), circles_and_spheres(), rigid_bodies(), manifolds(),
                                multibody(), chains_and_particles(), beyond_the_texts()})
      result.insert(result.end(), chapter.begin(), chapter.end());
    return result;
  }();
  return all;
}

std::vector<Claim> claims_with_energies() {
  std::vector<Claim> result;
  for (const Claim& claim : claims())
    if (!gallery_model(claim.id, claim.smaller).model.has_field()) result.push_back(claim);
  return result;
}

}  // namespace hamel::test
