#include "page.hpp"

#include <stdexcept>

namespace hamel::cli {

void write_page(const std::string&, const std::string&, const ModelFile&) {
  throw std::runtime_error("reports are not built in");
}

}  // namespace hamel::cli
