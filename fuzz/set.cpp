// Feeds anything at all to --set, a line for each: names, indices and expressions of parameters.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "hamel/language/model_file.hpp"

namespace {

constexpr const char* model = R"toml([parameters]
n = 2
m = 1.5
g = [0, 0, -9.81]
l = ["m", 2]
J = [[1, 0, 0], [0, 2, 0], [0, 0, 3]]
pairs = [[1, 2], [2, 1]]
[coordinates]
q = "S2[n]"
[points]
"x[k in 1..n]" = "l[k]*q[k]"
[energy]
kinetic = "sum(k in 1..n, m/2*norm2(x'[k])) + dot(g, J*g)*norm2(q'[1])"
potential = "sum((i, j) in pairs, m*dot(x[i], x[j]))"
[start]
"q[k in 1..n]" = "unit([k, m, 1])"
[equilibria]
here = { "q[k in 1..n]" = "unit([k, sqrt(m), 1])" }
)toml";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
  hamel::Overrides overrides;
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t equals = line.find('='); equals != std::string::npos)  // the command takes no others
      overrides.emplace_back(line.substr(0, equals), line.substr(equals + 1));
  try {
    hamel::parse_model(model, "fuzz.toml", overrides);
  } catch (const hamel::SourceError&) {
  }
  return 0;
}
