// What every model of the gallery did when it was recorded: accelerations near its start and a few steps of its motion.
//
// Whoever changes the engine changes no physics. The numbers are in recorded.txt, one line each:
//
//   spherical-pendulum  a0  1.2 3.4 ...            q'' (of a field, q') at the first random state
//   spherical-pendulum  gauss8.q  0.1 0.2 ...      q after twenty steps by gauss8
//
// To record a new model:   test_gallery --gtest_also_run_disabled_tests --gtest_filter='DISABLED_Record.*'
// To record one anew, remove its lines first, and say in the commit why it moves differently.
#pragma once

#include <map>
#include <string>

#include "gallery/files.hpp"

namespace hamel::test {

using Numbers = std::map<std::string, VectorXd>;  // by what they are: "a0", "gauss8.q"

Numbers measured(const ModelFile& file);

std::map<std::string, Numbers> read_recorded();  // by model
void append_recorded(const std::string& id, const Numbers& numbers);

}  // namespace hamel::test
