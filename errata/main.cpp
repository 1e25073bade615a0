// Writes docs/errata.md, or checks that the committed page is what would be written and that all evidence holds.
//
//   hamel_errata docs/errata.md             write
//   hamel_errata docs/errata.md --check     compare; 1 where something differs or fails
#include <fmt/format.h>

#include <exception>
#include <fstream>
#include <sstream>

#include "errata.hpp"

namespace hamel::errata {
namespace {

std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

int run(const std::string& path, bool only_check) {
  const Page page = write_page(
      {background(), circles(), spheres(), rotations(), rigid_motions(), manifolds(), bodies(), spacecraft(),
       deformable_bodies(), appendices(), two_spheres_paper(), embedded_paper(), cart_paper(), integrators_paper()},
      equations_in_tests(HAMEL_SOURCE_DIR));
  for (const std::string& failure : page.failures) fmt::print(stderr, "{}\n", failure);
  if (!page.failures.empty()) return 1;
  if (!only_check) {
    std::ofstream(path) << page.text;
    fmt::print("{}: {} rows confirmed, {} found by reading\n", path, page.confirmed, page.read);
    return 0;
  }
  const std::string difference = first_difference(read(path), page.text);
  if (!difference.empty()) fmt::print(stderr, "{} differs: {}\nRun make errata.\n", path, difference);
  return difference.empty() ? 0 : 1;
}

}  // namespace
}  // namespace hamel::errata

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty() || arguments.size() > 2 || (arguments.size() == 2 && arguments[1] != "--check")) {
    fmt::print(stderr, "usage: hamel_errata PAGE [--check]\n");
    return 2;
  }
  try {
    return hamel::errata::run(arguments[0], arguments.size() == 2);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
