// A model as bytes, and back: the same names, formulas and numbers, so that what is derived from it has the same bits.
//
//   const std::string bytes = stored(model);
//   const Model again = restored(bytes);                       // in another process; its formulas are its own
//
// For pickles and messages between processes of one version of hamel; model files are what to keep. Refuses spaces that
// are made of functions or matrices, and tables: a model file can be stored as its text.
#pragma once

#include <string>

#include "hamel/model/model.hpp"

namespace hamel {

std::string stored(const Model& model);
Model restored(const std::string& bytes);  // refuses what `stored` did not write

}  // namespace hamel
