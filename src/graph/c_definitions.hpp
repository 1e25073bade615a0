// What exported C must define itself: functions that the C library does not have, and tables.
#pragma once

#include <string>

namespace hamel {

std::string table_rows_in_c(double key);  // the name of the array

}  // namespace hamel
