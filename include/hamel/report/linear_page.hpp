// What the reports of equilibria, of a linear model and of a regulator contain.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hamel/analyze/control.hpp"
#include "hamel/analyze/equilibria.hpp"
#include "hamel/analyze/region.hpp"
#include "hamel/language/model_file.hpp"
#include "hamel/report/page.hpp"

namespace hamel {

// One equilibrium, or steady motion, and what is known about it.
struct ExaminedPlace {
  std::string name;
  LinearModel linear;
  Stability stability;
};

// The equations near it, its eigenvalues in the complex plane, its modes as pictures that move.
Page linear_page(const ModelFile& file, const System& system, const ExaminedPlace& place);

// The same without feedback and with it: the system is the one without laws.
Page control_page(const ModelFile& file, const System& system, const ExaminedPlace& place, const Reach& reach,
                  const Regulator& regulator);

// The linear model, and from where the system comes home.
Page region_page(const ModelFile& file, const System& system, const ExaminedPlace& place, const Region& region);

// All that were found, each with its first modes.
Page equilibria_page(const ModelFile& file, const System& system, const Equilibria& all);

}  // namespace hamel
