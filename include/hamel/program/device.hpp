// A device that runs CUDA text, many threads at once: memory of its own, two streams that work at the same time, and
// modules of kernels. find_device() gives the GPU of this machine. Nothing is linked: the driver (libcuda) and the
// compiler (NVRTC, or else nvcc) are looked for when they are needed, and what was compiled is kept in the cache of
// native code (native.hpp). Environment:
//   HAMEL_CUDA=0     no GPU
//   HAMEL_LIBCUDA    the library of the driver; otherwise libcuda.so.1
//   HAMEL_NVRTC      the library of NVRTC, or 0 for none; otherwise libnvrtc.so of any version
//   HAMEL_NVCC       the compiler nvcc, a name or a path; otherwise nvcc, or the one in /usr/local/cuda/bin
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

namespace hamel {

// There is no device, or nothing that compiles for it; says what was looked for. The CPU can do the work.
class NoDevice : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
// The device failed on the way: out of memory, a kernel that was stopped, a device that is gone.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct DeviceTextOptions {
  bool contract = false;  // let products and sums fuse where the text does not say so: other bits than the CPU's
};

class Accelerator {
 public:
  static constexpr int streams = 2;
  static constexpr int block = 128;  // threads

  class Module {
   public:
    virtual ~Module() = default;
    virtual void set(const char* symbol, std::span<const double> numbers) = 0;  // in constant memory
    // At least so many threads, each with a copy of what the argument points at. Waits for nothing.
    virtual void launch(const char* kernel, long long threads, void* argument, int stream) = 0;
    virtual std::string resources(const char* kernel) const = 0;  // "96 registers, 0 bytes of local memory"
  };

  virtual ~Accelerator() = default;
  virtual std::string name() const = 0;      // "NVIDIA H200"
  virtual std::string compiler() const = 0;  // "NVRTC 12.4"
  virtual std::size_t free_memory() const = 0;
  virtual std::unique_ptr<Module> load(const std::string& text, DeviceTextOptions options = {}) = 0;

  virtual void* allocate(std::size_t bytes) = 0;
  virtual void free(void* memory) = 0;
  virtual void* allocate_staging(std::size_t bytes) = 0;  // memory of this machine that transfers need not copy
  virtual void free_staging(void* memory) = 0;
  virtual void upload(void* to, const void* from, std::size_t bytes, int stream) = 0;
  virtual void download(void* to, const void* from, std::size_t bytes, int stream) = 0;
  virtual void wait(int stream) = 0;
};

// Throws NoDevice.
std::unique_ptr<Accelerator> find_device();

}  // namespace hamel
