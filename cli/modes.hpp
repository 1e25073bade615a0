// Eigenvalues and verdicts in words and as JSON.
#pragma once

#include "command.hpp"
#include "hamel/analyze/stability.hpp"

namespace hamel::cli {

Json eigenvalues_json(const Spectrum& spectrum);
Json stability_json(const Stability& found);
Json rows_json(const MatrixXd& matrix);  // always a list of rows

// "0 (x4), +-3.13i, +-1.2" as far as the width goes.
std::string short_spectrum(const Spectrum& spectrum, std::size_t width);
std::string short_verdict(Verdict verdict);  // of at most 21 characters

}  // namespace hamel::cli
