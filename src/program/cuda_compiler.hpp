// From CUDA text to the code of one kind of GPU: by NVRTC, or else by nvcc; kept in the cache of native code.
#pragma once

#include <string>

#include "program/cuda_driver.hpp"

namespace hamel::cuda {

class TextCompiler {
 public:
  TextCompiler();  // throws NoDevice where there is none

  std::string name() const { return name_; }
  // For compute capability "90". Throws DeviceError with what the compiler said.
  std::string compile(const std::string& text, const std::string& capability, bool contract) const;

 private:
  std::string by_nvrtc(const std::string& text, const std::vector<std::string>& options) const;
  std::string by_nvcc(const std::string& text, const std::vector<std::string>& options) const;

  Nvrtc nvrtc_;
  std::string nvcc_, name_, identity_;
};

}  // namespace hamel::cuda
