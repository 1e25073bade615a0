// The one function that the page calls: JSON in, JSON out (hamel/studio/studio.hpp).
#include "hamel/studio/studio.hpp"

// The answer lives until the next call.
extern "C" __attribute__((used)) const char* hamel_call(const char* request) {
  static hamel::Studio studio;
  static std::string text;
  text = studio.answer(request);
  return text.c_str();
}
