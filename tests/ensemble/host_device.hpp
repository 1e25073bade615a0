// A device that is this machine: the text of a GPU, compiled for the host, one thread after the other.
#pragma once

#include <hamel/program/device.hpp>

namespace hamel::test {

class HostDevice : public Accelerator {
 public:
  std::string name() const override { return "host"; }
  std::string compiler() const override { return "cc"; }
  std::size_t free_memory() const override { return memory; }
  std::unique_ptr<Module> load(const std::string& text, DeviceTextOptions options) override;

  void* allocate(std::size_t bytes) override;
  void free(void* place) override;
  void* allocate_staging(std::size_t bytes) override;
  void free_staging(void* place) override;
  void upload(void* to, const void* from, std::size_t bytes, int stream) override;
  void download(void* to, const void* from, std::size_t bytes, int stream) override;
  void wait(int stream) override;

  std::size_t memory = std::size_t{1} << 30U;
  int allocated = 0;  // blocks that were not given back
  int launches = 0;
  std::size_t downloaded = 0;  // bytes
  int fails_after = -1;        // launches: the device is lost then; -1: never
};

}  // namespace hamel::test
