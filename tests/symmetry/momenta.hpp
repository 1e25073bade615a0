// What tests of conserved momenta ask of a report.
#pragma once

#include <string>
#include <vector>

#include "hamel/symmetry/noether.hpp"

namespace hamel::test {

MatrixXd diagonal(double a, double b, double c);
std::vector<std::string> names(const NoetherReport& report);
bool all_exact(const NoetherReport& report);
State random_state(const Model& model);

void rk4_step(const System& system, Workspace& w, State& state, double h);

// The largest change of each momentum along an accurate motion, relative to the size of momenta there.
double largest_change(const Model& model, const NoetherReport& report, State state);

void expect_conserved(const Model& model, const NoetherReport& report);

}  // namespace hamel::test
