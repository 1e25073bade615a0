// The systems that are measured: as hamel's users write them, and the numbers that the baselines take.
#pragma once

#include "baseline_body.hpp"
#include "baseline_chain.hpp"
#include "hamel/mechanics/system.hpp"

namespace hamel::bench {

Chain chain_numbers(int links);
Body body_numbers();

Model chain_model(const Chain& chain);
Model pendulum_model(const Body& body);
Model free_body_model(const Body& body);

// A gently swinging chain, the same on every machine.
State chain_start(int links);
// Small enough for the fastest wave of the chain.
double chain_step(int links);

}  // namespace hamel::bench
