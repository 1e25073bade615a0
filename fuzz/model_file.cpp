// Feeds anything at all to the reader of model files: it must accept it or say what is wrong, never crash or hang.
#include "hamel/language/model_file.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    hamel::parse_model(text, "fuzz.toml");
  } catch (const hamel::SourceError&) {
  }
  return 0;
}
