// In place of native code: there is no compiler in a browser, so every program stays in the interpreter.
#include "hamel/program/native.hpp"

namespace hamel {

bool compile_native(std::span<const Program* const> programs, int) { return programs.empty(); }

bool native_pays(const Program&, double, int) { return false; }

std::map<std::string, std::string> this_machine() { return {{"processor", "WebAssembly"}}; }

}  // namespace hamel
