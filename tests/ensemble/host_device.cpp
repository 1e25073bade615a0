#include "ensemble/host_device.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "host_cuda/shim.hpp"
#include "program/compiler.hpp"

namespace hamel::test {
namespace {

class HostModule final : public Accelerator::Module {
 public:
  HostModule(HostDevice& device, void* library) : device_(device), library_(library, [](void* l) { ::dlclose(l); }) {}

  void set(const char*, std::span<const double> numbers) override {
    auto* const place = *static_cast<double* const*>(::dlsym(library_.get(), "hamel_uniform_place"));
    std::copy(numbers.begin(), numbers.end(), place);
  }
  void launch(const char* kernel, long long threads, void* argument, int) override {
    if (device_.fails_after >= 0 && device_.launches >= device_.fails_after) throw DeviceError("the device is lost");
    ++device_.launches;
    const auto run =
        reinterpret_cast<void (*)(void*, const void*, unsigned, unsigned)>(::dlsym(library_.get(), "hamel_launch"));
    void* const code = ::dlsym(library_.get(), kernel);
    if (code == nullptr) throw std::runtime_error(std::string("there is no kernel ") + kernel);
    run(code, argument, static_cast<unsigned>((threads + Accelerator::block - 1) / Accelerator::block),
        Accelerator::block);
  }
  std::string resources(const char*) const override { return "none"; }

 private:
  HostDevice& device_;
  std::unique_ptr<void, void (*)(void*)> library_;
};

}  // namespace

std::unique_ptr<Accelerator::Module> HostDevice::load(const std::string& text, DeviceTextOptions) {
  static std::atomic<int> counter = 0;
  const std::string stem = std::filesystem::temp_directory_path() /
                           ("hamel-device-" + std::to_string(::getpid()) + "-" + std::to_string(++counter));
  std::ofstream(stem + ".cpp") << shim_begin << text << shim_end;
  const auto compiler = find_compiler();
  Process process({compiler->path, "-x", "c++", "-std=c++17", "-O0", "-w", "-ffp-contract=off", "-fPIC", "-shared",
                   "-o", stem + ".so", stem + ".cpp"},
                  stem + ".log");
  const std::string problem = process.wait(std::chrono::seconds(120));
  std::ifstream log(stem + ".log");
  const std::string said(std::istreambuf_iterator<char>(log), {});
  void* const library = problem.empty() ? ::dlopen((stem + ".so").c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
  for (const char* suffix : {".cpp", ".so", ".log"}) std::filesystem::remove(stem + suffix);
  if (library == nullptr) throw std::runtime_error("the host cannot run this: " + problem + said.substr(0, 3000));
  return std::make_unique<HostModule>(*this, library);
}

void* HostDevice::allocate(std::size_t bytes) {
  ++allocated;
  return std::malloc(bytes + 1);
}
void HostDevice::free(void* place) {
  --allocated;
  std::free(place);
}
void* HostDevice::allocate_staging(std::size_t bytes) { return allocate(bytes); }
void HostDevice::free_staging(void* place) { free(place); }
void HostDevice::upload(void* to, const void* from, std::size_t bytes, int) { std::memcpy(to, from, bytes); }
void HostDevice::download(void* to, const void* from, std::size_t bytes, int) {
  downloaded += bytes;
  std::memcpy(to, from, bytes);
}
void HostDevice::wait(int) {}

}  // namespace hamel::test
