// Every number of a run by its name, for files and for portraits of one quantity over another.
#pragma once

#include <string>

#include "hamel/language/model_file.hpp"
#include "hamel/record/record.hpp"

namespace hamel {

// t, coordinates and their rates, angles and angular velocities of what turns, energies, momenta, outputs, as JSON:
// a list of {name, unit, values}, packed as in page_data().
std::string columns_data(const Record& record, const ModelFile& file, const System& system);

}  // namespace hamel
