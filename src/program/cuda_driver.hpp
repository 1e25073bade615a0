// The CUDA driver and NVRTC, loaded when they are needed: their functions by name, with the types of cuda.h and nvrtc.h
// as far as they are used.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace hamel::cuda {

using Result = int;
using Pointer = unsigned long long;  // on the device
using Handle = void*;                // a context, module, function, stream or program

// The first of these libraries that can be loaded, or null. The names that were tried are appended to `tried`.
std::shared_ptr<void> open_library(const char* variable, const std::vector<std::string>& names, std::string& tried);

struct Driver {
  std::shared_ptr<void> library;

  Result (*cuInit)(unsigned) = nullptr;
  Result (*cuDriverGetVersion)(int*) = nullptr;
  Result (*cuDeviceGetCount)(int*) = nullptr;
  Result (*cuDeviceGet)(int*, int) = nullptr;
  Result (*cuDeviceGetName)(char*, int, int) = nullptr;
  Result (*cuDeviceGetAttribute)(int*, int, int) = nullptr;
  Result (*cuDevicePrimaryCtxRetain)(Handle*, int) = nullptr;
  Result (*cuDevicePrimaryCtxRelease_v2)(int) = nullptr;
  Result (*cuCtxSetCurrent)(Handle) = nullptr;
  Result (*cuMemGetInfo_v2)(std::size_t*, std::size_t*) = nullptr;
  Result (*cuMemAlloc_v2)(Pointer*, std::size_t) = nullptr;
  Result (*cuMemFree_v2)(Pointer) = nullptr;
  Result (*cuMemHostAlloc)(void**, std::size_t, unsigned) = nullptr;
  Result (*cuMemFreeHost)(void*) = nullptr;
  Result (*cuMemcpyHtoD_v2)(Pointer, const void*, std::size_t) = nullptr;
  Result (*cuMemcpyHtoDAsync_v2)(Pointer, const void*, std::size_t, Handle) = nullptr;
  Result (*cuMemcpyDtoHAsync_v2)(void*, Pointer, std::size_t, Handle) = nullptr;
  Result (*cuStreamCreate)(Handle*, unsigned) = nullptr;
  Result (*cuStreamDestroy_v2)(Handle) = nullptr;
  Result (*cuStreamSynchronize)(Handle) = nullptr;
  Result (*cuModuleLoadData)(Handle*, const void*) = nullptr;
  Result (*cuModuleUnload)(Handle) = nullptr;
  Result (*cuModuleGetFunction)(Handle*, Handle, const char*) = nullptr;
  Result (*cuModuleGetGlobal_v2)(Pointer*, std::size_t*, Handle, const char*) = nullptr;
  Result (*cuFuncGetAttribute)(int*, int, Handle) = nullptr;
  Result (*cuLaunchKernel)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle, void**,
                           void**) = nullptr;
  Result (*cuGetErrorString)(Result, const char**) = nullptr;

  std::string words(Result result) const;  // "out of memory (error 2)"
};
// Throws NoDevice.
Driver load_driver();

struct Nvrtc {
  std::shared_ptr<void> library;

  Result (*nvrtcVersion)(int*, int*) = nullptr;
  Result (*nvrtcCreateProgram)(Handle*, const char*, const char*, int, const char* const*,
                               const char* const*) = nullptr;
  Result (*nvrtcDestroyProgram)(Handle*) = nullptr;
  Result (*nvrtcCompileProgram)(Handle, int, const char* const*) = nullptr;
  Result (*nvrtcGetProgramLogSize)(Handle, std::size_t*) = nullptr;
  Result (*nvrtcGetProgramLog)(Handle, char*) = nullptr;
  Result (*nvrtcGetCUBINSize)(Handle, std::size_t*) = nullptr;
  Result (*nvrtcGetCUBIN)(Handle, char*) = nullptr;
};
// An empty one where there is none.
Nvrtc load_nvrtc(std::string& tried);

}  // namespace hamel::cuda
