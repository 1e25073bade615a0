// The three experiments of T. Lee, M. Leok, N. H. McClamroch, "Dynamics and control of a chain pendulum on a cart"
// (2012), section V, and its figures 2 to 4.
#pragma once

#include <string>

namespace hamel::cart {

// Prints what the paper shows, or another program found with its settings, beside ours, and draws the figures into the
// folder. False where they differ.
bool run_experiments(const std::string& folder);

}  // namespace hamel::cart
