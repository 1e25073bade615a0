#include "ensemble/device_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace hamel {

Eigen::Index chunk_size(const Accelerator& device, const BatchSizes& sizes, Eigen::Index members, Eigen::Index most) {
  constexpr Eigen::Index usual = 1 << 18;  // enough to fill a large device
  constexpr double part_of_memory = 0.8;
  const auto room = static_cast<Eigen::Index>(part_of_memory * static_cast<double>(device.free_memory()) /
                                              static_cast<double>(Accelerator::streams * sizes.bytes()));
  if (room < 1)
    throw DeviceError(
        fmt::format("{} has {} bytes of free memory, and one member needs {}: keep fewer states on the "
                    "way",
                    device.name(), device.free_memory(), Accelerator::streams * sizes.bytes()));
  return std::max<Eigen::Index>(1, std::min({members, most > 0 ? most : usual, room}));
}

DeviceBatch::Memory DeviceBatch::here(std::size_t bytes) {
  return {device_.allocate_staging(bytes), [this](void* memory) { device_.free_staging(memory); }};
}
DeviceBatch::Memory DeviceBatch::there(std::size_t bytes) {
  return {device_.allocate(bytes), [this](void* memory) { device_.free(memory); }};
}

DeviceBatch::DeviceBatch(Accelerator& device, const BatchSizes& sizes, Eigen::Index capacity, int stream)
    : device_(device), sizes_(sizes), stream_(stream) {
  const auto members = static_cast<std::size_t>(capacity);
  const std::size_t up = sizes.up() * members * sizeof(double), down = sizes.down() * members * sizeof(double),
                    outcome = 2 * members * sizeof(int);
  up_ = here(up), down_ = here(down), outcome_ = here(outcome);
  there_up_ = there(up), there_down_ = there(down), there_outcome_ = there(outcome);
}

// Memory that a kernel still works on is not given back; a device that failed has said so already.
DeviceBatch::~DeviceBatch() {
  if (!is_running_) return;
  try {
    device_.wait(stream_);
  } catch (const DeviceError&) {
    return;
  }
}

double DeviceBatch::run(Accelerator::Module& module, bool has_long_steps, DeviceArguments arguments, bool timed) {
  const auto members = static_cast<std::size_t>(count_);
  auto* const up = static_cast<double*>(there_up_.get());
  auto* const down = static_cast<double*>(there_down_.get());
  arguments.members = count_;
  arguments.start = up;
  arguments.own = up + sizes_.start * count_;
  arguments.scalars = arguments.own + sizes_.own * count_;
  arguments.finish = down;
  arguments.kept = down + sizes_.start * count_;
  arguments.path = arguments.kept + sizes_.kept * count_;
  arguments.outcome = static_cast<int*>(there_outcome_.get());
  is_running_ = true;
  device_.upload(up, up_.get(), sizes_.up() * members * sizeof(double), stream_);
  if (timed) device_.wait(stream_);
  const auto begin = std::chrono::steady_clock::now();
  module.launch("hamel_run", count_, &arguments, stream_);
  if (has_long_steps) module.launch("hamel_run_long", count_, &arguments, stream_);
  if (timed) device_.wait(stream_);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  device_.download(down_.get(), down, sizes_.down() * members * sizeof(double), stream_);
  device_.download(outcome_.get(), there_outcome_.get(), 2 * members * sizeof(int), stream_);
  return passed.count();
}

DeviceChunk DeviceBatch::collect() {
  device_.wait(stream_);
  is_running_ = false;
  DeviceChunk chunk;
  chunk.first = first_;
  chunk.count = count_;
  chunk.q = chunk.v = MatrixXd(count_, sizes_.ambient);
  chunk.path_q.assign(static_cast<std::size_t>(sizes_.outputs), chunk.q);
  chunk.path_v = chunk.path_q;
  const auto* const outcome = static_cast<const int*>(outcome_.get());
  for (Eigen::Index k = 0; k < count_; ++k) {
    chunk.failure.push_back(static_cast<StepFailure>(outcome[k]));
    chunk.steps.push_back(outcome[count_ + k]);
  }
  return chunk;
}

}  // namespace hamel
