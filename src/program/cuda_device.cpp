#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hamel/program/device.hpp"
#include "program/cuda_compiler.hpp"
#include "program/cuda_driver.hpp"

namespace hamel {
namespace {

using cuda::Driver;
using cuda::Handle;
using cuda::Pointer;
using cuda::Result;

// cuda.h
enum : int { out_of_memory = 2, launch_out_of_resources = 701, launch_timeout = 702 };
enum : int { capability_major = 75, capability_minor = 76 };
enum : int { local_bytes = 3, registers = 4 };

Pointer there(const void* memory) { return reinterpret_cast<Pointer>(memory); }

class CudaDevice final : public Accelerator {
 public:
  CudaDevice() : driver_(cuda::load_driver()) {
    int count = 0;
    if (const Result result = driver_.cuInit(0); result != 0) none(result);
    if (const Result result = driver_.cuDeviceGetCount(&count); result != 0) none(result);
    if (count == 0) throw NoDevice("no GPU: there is an NVIDIA driver, but no GPU that it can use");
    if (const Result result = driver_.cuDeviceGet(&device_, 0); result != 0) none(result);
    std::array<char, 256> name{};
    driver_.cuDeviceGetName(name.data(), static_cast<int>(name.size()) - 1, device_);
    name_ = name.data();
    int major = 0, minor = 0;
    driver_.cuDeviceGetAttribute(&major, capability_major, device_);
    driver_.cuDeviceGetAttribute(&minor, capability_minor, device_);
    capability_ = fmt::format("{}{}", major, minor);
    if (const Result result = driver_.cuDevicePrimaryCtxRetain(&context_, device_); result != 0) none(result);
    constexpr unsigned apart_from_the_default_stream = 1;
    driver_.cuCtxSetCurrent(context_);
    for (Handle& stream : streams_) check(driver_.cuStreamCreate(&stream, apart_from_the_default_stream), "made ready");
  }
  ~CudaDevice() override {
    driver_.cuCtxSetCurrent(context_);
    for (const Handle stream : streams_) driver_.cuStreamDestroy_v2(stream);
    driver_.cuDevicePrimaryCtxRelease_v2(device_);
  }
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  std::string name() const override { return name_; }
  std::string compiler() const override { return compiler_.name(); }
  std::size_t free_memory() const override {
    std::size_t free = 0, all = 0;
    check(driver_.cuMemGetInfo_v2(&free, &all), "asked for its memory");
    return free;
  }
  std::unique_ptr<Module> load(const std::string& text, DeviceTextOptions options) override;

  void* allocate(std::size_t bytes) override {
    Pointer memory = 0;
    check_memory(driver_.cuMemAlloc_v2(&memory, std::max<std::size_t>(bytes, 1)), bytes, "of its memory");
    return reinterpret_cast<void*>(memory);  // NOLINT(performance-no-int-to-ptr): it is one, of the device
  }
  void free(void* memory) override { driver_.cuMemFree_v2(there(memory)); }
  void* allocate_staging(std::size_t bytes) override {
    void* memory = nullptr;
    check_memory(driver_.cuMemHostAlloc(&memory, std::max<std::size_t>(bytes, 1), 0), bytes,
                 "of this machine's memory for transfers");
    return memory;
  }
  void free_staging(void* memory) override { driver_.cuMemFreeHost(memory); }
  void upload(void* to, const void* from, std::size_t bytes, int stream) override {
    if (bytes > 0)
      check(driver_.cuMemcpyHtoDAsync_v2(there(to), from, bytes, this->stream(stream)), "given its members");
  }
  void download(void* to, const void* from, std::size_t bytes, int stream) override {
    if (bytes > 0)
      check(driver_.cuMemcpyDtoHAsync_v2(to, there(from), bytes, this->stream(stream)), "asked for its results");
  }
  void wait(int stream) override { check(driver_.cuStreamSynchronize(this->stream(stream)), "waited for"); }

  const Driver& driver() const { return driver_; }
  Handle stream(int index) const { return streams_[static_cast<std::size_t>(index)]; }
  void check(Result result, const char* doing) const {
    if (result == 0) return;
    const std::string words = driver_.words(result);
    if (result == launch_timeout)
      throw DeviceError(
          fmt::format("{} stopped a kernel that ran too long, as GPUs that also draw a screen do: {}; "
                      "take fewer steps or fewer members at once",
                      name_, words));
    if (result == launch_out_of_resources)
      throw DeviceError(
          fmt::format("{} has too few registers for a step of this system: {}; run it on the CPU", name_, words));
    if (result == out_of_memory) check_memory(result, 0, "of its memory");
    throw DeviceError(fmt::format("{} was lost or failed while it was {}: {}; what it had handed over before is safe",
                                  name_, doing, words));
  }

 private:
  [[noreturn]] void none(Result result) const {
    throw NoDevice(fmt::format("no GPU can be used: the NVIDIA driver says {}", driver_.words(result)));
  }
  void check_memory(Result result, std::size_t bytes, const char* whose) const {
    if (result == out_of_memory)
      throw DeviceError(
          fmt::format("{} has no {} bytes {} left: take fewer members at once, or keep fewer states on "
                      "the way",
                      name_, bytes, whose));
    check(result, "asked for memory");
  }

  Driver driver_;
  cuda::TextCompiler compiler_;
  int device_ = 0;
  std::string name_, capability_;
  Handle context_ = nullptr;
  std::array<Handle, streams> streams_{};
};

class CudaModule final : public Accelerator::Module {
 public:
  CudaModule(const CudaDevice& device, const std::string& code) : device_(device) {
    device.check(device.driver().cuModuleLoadData(&module_, code.data()), "given its code");
  }
  ~CudaModule() override { device_.driver().cuModuleUnload(module_); }
  CudaModule(const CudaModule&) = delete;
  CudaModule& operator=(const CudaModule&) = delete;

  void set(const char* symbol, std::span<const double> numbers) override {
    if (numbers.empty()) return;
    Pointer place = 0;
    std::size_t size = 0;
    device_.check(device_.driver().cuModuleGetGlobal_v2(&place, &size, module_, symbol), "given its parameters");
    device_.check(device_.driver().cuMemcpyHtoD_v2(place, numbers.data(), std::min(size, numbers.size_bytes())),
                  "given its parameters");
  }
  void launch(const char* kernel, long long threads, void* argument, int stream) override {
    const auto blocks = static_cast<unsigned>((threads + Accelerator::block - 1) / Accelerator::block);
    std::array<void*, 1> arguments = {argument};
    device_.check(device_.driver().cuLaunchKernel(function(kernel), blocks, 1, 1, Accelerator::block, 1, 1, 0,
                                                  device_.stream(stream), arguments.data(), nullptr),
                  "started");
  }
  std::string resources(const char* kernel) const override {
    int used = 0, local = 0;
    device_.driver().cuFuncGetAttribute(&used, registers, function(kernel));
    device_.driver().cuFuncGetAttribute(&local, local_bytes, function(kernel));
    return fmt::format("{} registers, {} bytes of local memory", used, local);
  }

 private:
  Handle function(const char* kernel) const {
    Handle result = nullptr;
    device_.check(device_.driver().cuModuleGetFunction(&result, module_, kernel), "asked for a kernel");
    return result;
  }

  const CudaDevice& device_;
  Handle module_ = nullptr;
};

std::unique_ptr<Accelerator::Module> CudaDevice::load(const std::string& text, DeviceTextOptions options) {
  return std::make_unique<CudaModule>(*this, compiler_.compile(text, capability_, options.contract));
}

}  // namespace

std::unique_ptr<Accelerator> find_device() { return std::make_unique<CudaDevice>(); }

}  // namespace hamel
