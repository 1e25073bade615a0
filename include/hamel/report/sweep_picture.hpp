// Sweeps as drawings: lines over one quantity that varies, maps over a grid of two, histograms and a matrix of scatter
// plots of samples.
#pragma once

#include <string>
#include <vector>

#include "hamel/record/sweep_table.hpp"
#include "hamel/report/page.hpp"

namespace hamel {

// One for each column that was kept and differs between members, and of samples the matrix.
std::vector<Picture> draw(const SweepTable& table);

// All of them below each other, as one SVG.
std::string sheet(const std::vector<Picture>& pictures);

// A page of its own, with the drawings, statistics, failures and the model, that opens offline.
std::string sweep_html(const SweepTable& table);

}  // namespace hamel
