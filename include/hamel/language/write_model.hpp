// A model as the text of a model file, so that what was written in C++ or Python can be kept, read and run as any
// other.
//
//   const std::string text = model_text(model) + start_text(system, start);
//   const ModelFile file = parse_model(text, "pendulum");          // the same equations of motion
//
// Names stay; families and components are numbered from 1, as in all model files. What is used more than once becomes
// a definition. What cannot be written is refused: spaces that are made of functions, and tables.
#pragma once

#include <string>

#include "hamel/mechanics/system.hpp"

namespace hamel {

std::string model_text(const Model& model, const std::string& description = {});
std::string start_text(const State& start);  // [start], for a state that has a model

// A commented model file to start from; the name must have no quotation marks.
std::string new_model_text(const std::string& name);

}  // namespace hamel
