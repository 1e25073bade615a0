// The coordinates over time: one chart for each, or for some numbers of a family; angles go on after a turn.
#pragma once

#include <string>
#include <vector>

#include "hamel/model/model.hpp"
#include "hamel/record/record.hpp"
#include "hamel/report/page.hpp"

namespace hamel {

struct CoordinateCharts {
  std::vector<Chart> charts;
  std::string note;  // that some are left out: a page has room for `most_numbers` of them
};

CoordinateCharts coordinate_charts(const Model& model, const Record& record, std::size_t most_numbers = 180'000);

// The unit of a name, or of the family that it is a member of; empty: not given.
std::string unit_of(const RecordHeader& header, const std::string& name);

// Of a point (x, y) that goes around the origin. Turns are counted with the help of its rate, where it has one.
std::vector<double> unwrapped(const VectorXd& x, const VectorXd& y, const VectorXd& rate, const VectorXd& time);

}  // namespace hamel
