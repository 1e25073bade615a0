// A driver of CUDA and NVRTC whose GPU is this machine, for tests of the command: HAMEL_LIBCUDA and HAMEL_NVRTC name
// this library. HOST_CUDA_LOST_AFTER=n: the GPU is gone after n launches.
#include <dlfcn.h>
#include <elf.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "host_cuda/shim.hpp"

namespace {

using Result = int;
using Pointer = unsigned long long;
using Handle = void*;
enum : Result { success = 0, failure = 1, gone = 719 };

int launches = 0;
using Launcher = void (*)(Handle kernel, const void* run, unsigned blocks, unsigned threads);
std::map<Handle, Launcher> launchers;  // of kernels

std::string new_stem() {
  std::string folder = (std::filesystem::temp_directory_path() / "hamel-host-cuda-XXXXXX").string();
  return ::mkdtemp(folder.data()) == nullptr ? "" : folder;
}

struct Program {
  std::string text, code, log;
};

// The length of a library in memory: the table of its sections is its end.
std::size_t size_of_library(const void* image) {
  Elf64_Ehdr head;
  std::memcpy(&head, image, sizeof head);
  return head.e_shoff + std::size_t{head.e_shentsize} * head.e_shnum;
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Program& program_of(Handle handle) { return *static_cast<Program*>(handle); }

}  // namespace

extern "C" {

Result cuInit(unsigned) { return success; }
Result cuDriverGetVersion(int* version) { return *version = 12000, success; }
Result cuDeviceGetCount(int* count) { return *count = 1, success; }
Result cuDeviceGet(int* device, int) { return *device = 0, success; }
Result cuDeviceGetName(char* name, int size, int) {
  return std::strncpy(name, "this machine", static_cast<std::size_t>(size)), success;
}
Result cuDeviceGetAttribute(int* value, int, int) { return *value = 9, success; }
Result cuDevicePrimaryCtxRetain(Handle* context, int) { return *context = nullptr, success; }
Result cuDevicePrimaryCtxRelease_v2(int) { return success; }
Result cuCtxSetCurrent(Handle) { return success; }
Result cuMemGetInfo_v2(std::size_t* free, std::size_t* all) { return *free = *all = std::size_t{1} << 32U, success; }
Result cuMemAlloc_v2(Pointer* memory, std::size_t bytes) {
  return *memory = reinterpret_cast<Pointer>(std::malloc(bytes)), success;
}
Result cuMemFree_v2(Pointer memory) { return std::free(reinterpret_cast<void*>(memory)), success; }
Result cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) { return *memory = std::malloc(bytes), success; }
Result cuMemFreeHost(void* memory) { return std::free(memory), success; }
Result cuMemcpyHtoD_v2(Pointer to, const void* from, std::size_t bytes) {
  return std::memcpy(reinterpret_cast<void*>(to), from, bytes), success;
}
Result cuMemcpyHtoDAsync_v2(Pointer to, const void* from, std::size_t bytes, Handle) {
  return cuMemcpyHtoD_v2(to, from, bytes);
}
Result cuMemcpyDtoHAsync_v2(void* to, Pointer from, std::size_t bytes, Handle) {
  return std::memcpy(to, reinterpret_cast<const void*>(from), bytes), success;
}
Result cuStreamCreate(Handle* stream, unsigned) { return *stream = nullptr, success; }
Result cuStreamDestroy_v2(Handle) { return success; }
Result cuStreamSynchronize(Handle) { return success; }
Result cuModuleLoadData(Handle* module, const void* image) {
  const std::string folder = new_stem(), path = folder + "/code.so";
  std::ofstream(path, std::ios::binary)
      .write(static_cast<const char*>(image), static_cast<std::streamsize>(size_of_library(image)));
  *module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  std::filesystem::remove_all(folder);
  return *module == nullptr ? failure : success;
}
Result cuModuleUnload(Handle module) { return ::dlclose(module); }
Result cuModuleGetFunction(Handle* function, Handle module, const char* name) {
  *function = ::dlsym(module, name);
  if (*function == nullptr) return failure;
  launchers[*function] = reinterpret_cast<Launcher>(::dlsym(module, "hamel_launch"));
  return success;
}
Result cuModuleGetGlobal_v2(Pointer* place, std::size_t* size, Handle module, const char*) {
  *place = reinterpret_cast<Pointer>(*static_cast<double* const*>(::dlsym(module, "hamel_uniform_place")));
  *size = static_cast<std::size_t>(-1);
  return success;
}
Result cuFuncGetAttribute(int* value, int, Handle) { return *value = 0, success; }
Result cuLaunchKernel(Handle function, unsigned blocks, unsigned, unsigned, unsigned threads, unsigned, unsigned,
                      unsigned, Handle, void** arguments, void**) {
  const char* const lost_after = std::getenv("HOST_CUDA_LOST_AFTER");
  if (lost_after != nullptr && launches >= std::atoi(lost_after)) return gone;
  ++launches;
  launchers.at(function)(function, arguments[0], blocks, threads);
  return success;
}
Result cuGetErrorString(Result, const char** text) { return *text = "unspecified launch failure", success; }

Result nvrtcVersion(int* major, int* minor) { return *major = 0, *minor = 1, success; }
Result nvrtcCreateProgram(Handle* program, const char* text, const char*, int, const char* const*, const char* const*) {
  return *program = new Program{text, {}, {}}, success;
}
Result nvrtcDestroyProgram(Handle* program) { return delete &program_of(*program), success; }
Result nvrtcCompileProgram(Handle handle, int, const char* const*) {
  Program& program = program_of(handle);
  const std::string folder = new_stem();
  std::ofstream(folder + "/code.cpp") << hamel::test::shim_begin << program.text << hamel::test::shim_end;
  const int status = std::system(("c++ -std=c++17 -O0 -w -ffp-contract=off -fPIC -shared -o " + folder + "/code.so " +
                                  folder + "/code.cpp > " + folder + "/log 2>&1")
                                     .c_str());
  program.log = content_of(folder + "/log");
  program.code = content_of(folder + "/code.so");
  std::filesystem::remove_all(folder);
  return status == 0 ? success : failure;
}
Result nvrtcGetProgramLogSize(Handle program, std::size_t* size) {
  return *size = program_of(program).log.size(), success;
}
Result nvrtcGetProgramLog(Handle program, char* log) {
  return std::memcpy(log, program_of(program).log.data(), program_of(program).log.size()), success;
}
Result nvrtcGetCUBINSize(Handle program, std::size_t* size) { return *size = program_of(program).code.size(), success; }
Result nvrtcGetCUBIN(Handle program, char* code) {
  return std::memcpy(code, program_of(program).code.data(), program_of(program).code.size()), success;
}
}
