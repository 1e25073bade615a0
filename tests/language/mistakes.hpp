// Tables of mistakes and of what is said about them: anybody can add to mistakes.txt and hints.txt.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hamel {

struct Mistake {
  std::string name, where;
  std::string text;     // a model with the mistake in it
  std::string message;  // all of it
};

struct MistakeTable {
  std::string model;  // the good one
  std::vector<Mistake> mistakes;
};

MistakeTable read_mistakes(const std::string& file);  // of this folder

// Each must be refused, with its message to the letter.
class Mistakes : public testing::TestWithParam<Mistake> {};

inline std::string name_of(const testing::TestParamInfo<Mistake>& mistake) { return mistake.param.name; }

}  // namespace hamel
