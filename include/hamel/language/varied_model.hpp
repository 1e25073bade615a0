// What varies of a model file, as people write it.
//
//   varied_grid("m[1]=0.5:2:100")                     zipped: "a=0:1:10, b=1:0:10"
//   varied_list("members.csv")                        a line of names, then a line of numbers for each member
//   sampled("l ~ normal(1, 0.01)", file, system)      uniform, lognormal; start.q ~ cap(20 deg) around its start
//
// Numbers may be written as 20 deg, pi/2 or -2*pi. What does not make sense is std::invalid_argument, a file that
// cannot be read std::runtime_error.
#pragma once

#include <string>
#include <utility>

#include "hamel/ensemble/ensemble.hpp"
#include "hamel/language/model_file.hpp"

namespace hamel {

Vary varied_grid(const std::string& text);
Vary varied_list(const std::string& path);
std::pair<std::string, Distribution> sampled(const std::string& text, const ModelFile& file, const System& system);

// Refuses a cap around a point of [start] that follows a parameter which varies: there is one for all members.
void need_steady_centre(const ModelFile& file, const std::string& name, const Vary& vary);

// [start] with what varies in its place, checked. Expressions of parameters follow those of the member.
StartOf varied_starts(const ModelFile& file, const Vary& vary);

}  // namespace hamel
