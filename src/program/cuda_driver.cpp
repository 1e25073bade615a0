#include "program/cuda_driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "hamel/program/device.hpp"

namespace hamel::cuda {

std::shared_ptr<void> open_library(const char* variable, const std::vector<std::string>& names, std::string& tried) {
  std::vector<std::string> all = names;
  if (const char* chosen = std::getenv(variable); chosen != nullptr && *chosen != '\0') all = {chosen};
  for (const std::string& name : all) {
    tried += (tried.empty() ? "" : ", ") + name;
    if (name == "0") return nullptr;
    if (void* handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL); handle != nullptr)
      return {handle, [](void* loaded) { ::dlclose(loaded); }};
  }
  return nullptr;
}

namespace {

template <class Function>
bool find_in(const std::shared_ptr<void>& library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library.get(), name));
  return function != nullptr;
}

}  // namespace

#define HAMEL_FIND(name) find_in(result.library, #name, result.name)

Driver load_driver() {
  if (const char* value = std::getenv("HAMEL_CUDA"); value != nullptr && std::string_view(value) == "0")
    throw NoDevice("no GPU: HAMEL_CUDA=0 says so");
  std::string tried;
  Driver result;
  result.library = open_library("HAMEL_LIBCUDA", {"libcuda.so.1", "libcuda.so"}, tried);
  if (result.library == nullptr)
    throw NoDevice(
        fmt::format("no GPU: there is no NVIDIA driver (looked for {}); install it, or set HAMEL_LIBCUDA to "
                    "its library",
                    tried));
  const bool is_whole =
      HAMEL_FIND(cuInit) && HAMEL_FIND(cuDriverGetVersion) && HAMEL_FIND(cuDeviceGetCount) && HAMEL_FIND(cuDeviceGet) &&
      HAMEL_FIND(cuDeviceGetName) && HAMEL_FIND(cuDeviceGetAttribute) && HAMEL_FIND(cuDevicePrimaryCtxRetain) &&
      HAMEL_FIND(cuDevicePrimaryCtxRelease_v2) && HAMEL_FIND(cuCtxSetCurrent) && HAMEL_FIND(cuMemGetInfo_v2) &&
      HAMEL_FIND(cuMemAlloc_v2) && HAMEL_FIND(cuMemFree_v2) && HAMEL_FIND(cuMemHostAlloc) &&
      HAMEL_FIND(cuMemFreeHost) && HAMEL_FIND(cuMemcpyHtoD_v2) && HAMEL_FIND(cuMemcpyHtoDAsync_v2) &&
      HAMEL_FIND(cuMemcpyDtoHAsync_v2) && HAMEL_FIND(cuStreamCreate) && HAMEL_FIND(cuStreamDestroy_v2) &&
      HAMEL_FIND(cuStreamSynchronize) && HAMEL_FIND(cuModuleLoadData) && HAMEL_FIND(cuModuleUnload) &&
      HAMEL_FIND(cuModuleGetFunction) && HAMEL_FIND(cuModuleGetGlobal_v2) && HAMEL_FIND(cuFuncGetAttribute) &&
      HAMEL_FIND(cuLaunchKernel) && HAMEL_FIND(cuGetErrorString);
  if (!is_whole) throw NoDevice(fmt::format("no GPU: {} is no driver of CUDA, or too old a one; update it", tried));
  return result;
}

Nvrtc load_nvrtc(std::string& tried) {
  std::vector<std::string> names;
  for (const char* folder : {"", "/usr/local/cuda/lib64/"})
    for (const char* version : {"", ".13", ".12", ".11.2"})
      names.push_back(fmt::format("{}libnvrtc.so{}", folder, version));
  Nvrtc result;
  result.library = open_library("HAMEL_NVRTC", names, tried);
  if (result.library == nullptr) return result;
  const bool is_whole = HAMEL_FIND(nvrtcVersion) && HAMEL_FIND(nvrtcCreateProgram) && HAMEL_FIND(nvrtcDestroyProgram) &&
                        HAMEL_FIND(nvrtcCompileProgram) && HAMEL_FIND(nvrtcGetProgramLogSize) &&
                        HAMEL_FIND(nvrtcGetProgramLog) && HAMEL_FIND(nvrtcGetCUBINSize) && HAMEL_FIND(nvrtcGetCUBIN);
  return is_whole ? result : Nvrtc();
}

#undef HAMEL_FIND

std::string Driver::words(Result result) const {
  const char* text = nullptr;
  cuGetErrorString(result, &text);
  return fmt::format("{} (error {})", text != nullptr ? text : "an unknown error", result);
}

}  // namespace hamel::cuda
