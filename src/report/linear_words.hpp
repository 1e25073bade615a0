// Linear models, their modes and their regulators in words, tables and formulas of a page.
#pragma once

#include "hamel/analyze/modes.hpp"
#include "hamel/report/linear_page.hpp"

namespace hamel {

std::string what_moves(const LinearModel& model, const Mode& mode);  // "q[2], q[1] 40 %"
std::vector<Fact> linear_facts(const System& system, const ExaminedPlace& place);
std::vector<Fact> control_facts(const ExaminedPlace& place, const Reach& reach, const Regulator& regulator);
Table gain_table(const LinearModel& model, const Regulator& regulator);
std::vector<EquationGroup> linear_equations(const LinearModel& model);  // none of a large model

}  // namespace hamel
